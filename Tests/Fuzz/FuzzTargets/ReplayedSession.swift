import BluetoothCore
import CaptureFile
import LEHost
import Replay
import Runtime
import Synchronization

/// A host that does again what a log says, however little sense that makes.
final class ReplayedSession: Sendable {
    private struct State {
        var links: [LinkID] = []
        var token: UInt64 = 0
    }

    private let time = VirtualTime()
    private let adapter: FakeAdapter
    private let state = Mutex(State())
    private let runner = Mutex<HostRunner?>(nil)

    static func run(_ octets: [UInt8]) {
        guard var reader = try? CaptureReader(octets: octets, name: "fuzz") else { return }
        var builder = SessionModelBuilder(FuzzTarget.knowledge)
        while let record = try? reader.next() { builder.add(record) }
        guard let model = try? builder.model() else { return }
        let session = ReplayedSession(model)
        _ = session.adapter.run(in: session.time, maxEvents: 20_000).text
        _ = session.adapter.transcript.octets()
    }

    private init(_ model: SessionModel) {
        adapter = FakeAdapter(model, scheduler: time)
        adapter.onTurn { [weak self] in self?.take($0) }
        let made = HostRunner(LEHost(), transport: adapter, scheduler: time) { [weak self] in self?.take($0) }
        runner.withLock { $0 = made }
        try? made.open()
        made.put(.powerOn)
    }

    private func put(_ input: HostInput) { runner.withLock { $0 }?.put(input) }

    private func take(_ turn: HostTurn) {
        switch turn {
        case .connect(_, let peer): put(.connect(peer))
        case .giveUp(_, let peer): put(.cancelConnect(peer))
        case .step(_, let step):
            let (link, token) = state.withLock { state in
                state.token += 1
                return (state.links.last, GATTToken(rawValue: state.token))
            }
            guard let link else { return }
            switch step.action {
            case .read(let handle): put(.perform(.read(handle), token, on: link))
            case .write(let handle, let value, true), .configure(let handle, let value):
                put(.perform(.write(handle, value), token, on: link))
            case .write(let handle, let value, false):
                put(.writeCommand(handle: handle, value, on: link))
            case .disconnect(let reason): put(.disconnect(link, reason))
            default: break
            }
        }
    }

    private func take(_ event: HostEvent) {
        guard case .connected(let link) = event else { return }
        state.withLock { $0.links.append(link.id) }
        put(.perform(.discoverCharacteristics(1...0xFFFF), GATTToken(rawValue: 0), on: link.id))
    }
}
