import BluetoothCore
import LEHost
import Replay
import Runtime
import Synchronization

/// A plain host that does what the recorded one did, when its turn comes: the stack under test without an API
/// above it.
final class ScriptedHost: Sendable {
    /// Changes what the host does at a step, or lets it do nothing.
    typealias Change = @Sendable (HostStep) -> HostStep?

    private struct State {
        var links: [Int: LinkID] = [:]
        var connecting: [(connection: Int, peer: DeviceAddress)] = []
        var token: UInt64 = 0
        /// Steps of links that the host is not told of before they are encrypted.
        var early: [(connection: Int, step: HostStep)] = []
    }

    let time = VirtualTime()
    let adapter: FakeAdapter
    private let state = Mutex(State())
    private let runner: Mutex<HostRunner?>
    private let discovers: Bool
    private let change: Change

    /// - Parameters:
    ///   - discovers: whether all services and characteristics are discovered first.
    ///   - hasBonds: whether it has the bonds that the recorded host had.
    ///   - transport: what stands between the host and the adapter.
    init(
        _ model: SessionModel, options: ReplayOptions = ReplayOptions(), discovers: Bool = false,
        hasBonds: Bool = true, change: @escaping Change = { $0 },
        transport: (FakeAdapter, VirtualTime) -> any HCITransport = { adapter, _ in adapter }
    ) throws {
        self.change = change
        self.discovers = discovers
        runner = Mutex(nil)
        adapter = FakeAdapter(model, scheduler: time, options: options)
        adapter.onTurn { [weak self] in self?.take($0) }
        if hasBonds {
            adapter.onConnecting { [weak self] in self?.put(.setBonds($0.bond.map { [$0] } ?? [])) }
        }
        let made = HostRunner(LEHost(), transport: transport(adapter, time), scheduler: time) {
            [weak self] in self?.take($0)
        }
        runner.withLock { $0 = made }
        try made.open()
        made.put(.powerOn)
    }

    /// Runs the session to its verdict.
    func run() -> ReplayReport { adapter.run(in: time) }

    private func put(_ input: HostInput) { runner.withLock { $0 }?.put(input) }

    private func take(_ turn: HostTurn) {
        switch turn {
        case .connect(let connection, let peer):
            state.withLock { $0.connecting.append((connection, peer)) }
            put(.startScanning(ScanParameters()))
            put(.connect(peer))
        case .giveUp(let connection, let peer):
            state.withLock { $0.connecting.removeAll { $0.connection == connection } }
            put(.stopScanning)
            put(.cancelConnect(peer))
        case .step(let connection, let step):
            guard let step = change(step) else { return }
            let link = state.withLock { state in
                let link = state.links[connection]
                if link == nil { state.early.append((connection, step)) }
                return link
            }
            if let link { perform(step, on: link) }
        }
    }

    private func perform(_ step: HostStep, on link: LinkID) {
        switch step.action {
        case .read(let handle): perform(.read(handle), on: link)
        case .write(let handle, let value, true), .configure(let handle, let value):
            perform(.write(handle, value), on: link)
        case .write(let handle, let value, false): put(.writeCommand(handle: handle, value, on: link))
        case .disconnect(let reason): put(.disconnect(link, reason))
        default: break
        }
    }

    private func perform(_ operation: GATTOperation, on link: LinkID) {
        let token = state.withLock { state in
            state.token += 1
            return GATTToken(rawValue: state.token)
        }
        put(.perform(operation, token, on: link))
    }

    private func take(_ event: HostEvent) {
        switch event {
        case .connected(let link):
            put(.stopScanning)
            let early: [HostStep] = state.withLock { state in
                guard let place = state.connecting.firstIndex(where: { $0.peer.value == link.peer.value })
                else { return [] }
                let number = state.connecting.remove(at: place).connection
                state.links[number] = link.id
                defer { state.early.removeAll { $0.connection == number } }
                return state.early.filter { $0.connection == number }.map(\.step)
            }
            adapter.note(callback: "connected")
            if discovers {
                perform(.discoverServices(), on: link.id)
                perform(.discoverCharacteristics(1...0xFFFF), on: link.id)
                perform(.discoverDescriptors(1...0xFFFF), on: link.id)
            }
            for step in early { perform(step, on: link.id) }
        case .value(_, let handle, let value, _):
            adapter.note(callback: "value \(handle) \(value.count)")
        case .finished(_, let token, let result):
            adapter.note(callback: "finished \(token.rawValue) \(result)")
        case .disconnected: adapter.note(callback: "disconnected")
        case .problem(let problem): adapter.note(callback: "problem \(problem)")
        default: break
        }
    }
}
