public import BluetoothCore
public import Dispatch
public import Foundation
public import LEHost
public import Runtime
import Synchronization

/// One adapter with its host, and the time, chance and queues of all that is built on it.
///
/// Managers on one adapter share its host; managers on different adapters live side by side. All that stands
/// below the public API runs in actions of the scheduler, one at a time: an adapter has no thread.
public final class BluetoothAdapter: Sendable {
    /// How an adapter is set up.
    public struct Configuration: Sendable {
        /// How its host is set up.
        public var host = HostConfiguration()
        /// What the identifiers of peers follow from, beside their addresses.
        public var identifierSalt: UInt64 = 0
        /// Nanoseconds from 1970 (UTC) to the scheduler's beginning: what a clock on the wall shows.
        public var wallClockOrigin: Int64 = 0
        /// What the host's timers are among other events of the same instant.
        public var source: EventSource = .host
        /// Whether a central reads the peer's name and subscribes to Service Changed after connecting, as
        /// phones do.
        public var keepsHouse = true
        /// Whether a call without a link, and one that waits when its link ends, is answered with an error. A
        /// phone answers neither.
        public var answersLostCalls = true
        /// Whether a server begins with the services that phones have: Generic Access with the device's
        /// name, and Generic Attribute with Service Changed.
        public var hasGenericServices = true
        /// Which handles services get; nil for the next ones, as they are added.
        public var layout: GATTLayout?
        /// Where the devices that programs were connected to are kept, so that their identifiers mean them in
        /// the next process, too; nil for nowhere.
        public var memory: URL?
        /// Where bonds are kept, readable by the user alone; nil for nowhere: then they end with the adapter.
        /// Whether the host pairs at all is `host.security`.
        public var bonds: URL?
        /// Whether its host has private addresses of its own, which change every 15 minutes and only bonded
        /// devices can tell apart from others'; else the controller's address, which stays.
        public var usesPrivateAddress = false
        /// Who is asked where a pairing takes a person; nil for nobody: then such a pairing is refused.
        public var pairingAgent: PairingAgent?
        /// How long after a failure the controller is set up again; nil for never.
        public var recovery: Duration? = .seconds(1)

        /// Takes a line about each misuse of the API, the first time that a manager sees it; nil for no log.
        /// The machine's own adapter writes to standard error.
        public var log: (@Sendable (String) -> Void)?

        /// A host that asks for connection parameters, and accepts them, as Apple's devices do.
        public init() { host.rules = .apple }
    }

    /// Where time comes from, for the API and for what is built on it.
    public let time: any Scheduler & Runtime.Clock
    /// Where random octets come from.
    public let entropy: any Entropy
    /// How callbacks come to their queues.
    public let delivery: any CallbackDelivery
    /// How it was set up.
    public let configuration: Configuration

    private struct State {
        var observers: [any HostObserver] = []
        var pending: [GATTToken: @Sendable (Result<GATTOutcome, GATTFailure>) -> Void] = [:]
        var nextToken: UInt64 = 1
        var isOpen = false
        var hasBeenReady = false
        var witness: (any CallbackWitness)?
        var takesNote: (@Sendable (String) -> Void)?
    }

    private let runner: HostRunner
    let bondFile: BondFile?
    /// Who waits for a link to be secure.
    let securing = Guarded<[LinkID: [@Sendable (Result<LinkSecurity, PairingFailure>) -> Void]]>([:])
    private let state: Guarded<State>
    private let relay: Relay
    let centralCore = Guarded<CentralCore?>(nil)
    let serverCore = Guarded<ServerCore?>(nil)
    let channelCore = Guarded<ChannelCore?>(nil)
    /// Devices that applications have been told of.
    let acquaintances = Guarded(Acquaintances())

    /// An adapter whose host speaks over `transport`. It is powered on with its first manager.
    ///
    /// - Parameters:
    ///   - transport: carries HCI packets.
    ///   - time: runs the host's timers; its actions run one at a time.
    public init(
        transport: any HCITransport, time: any Scheduler & Runtime.Clock, entropy: any Entropy,
        delivery: any CallbackDelivery, configuration: Configuration = Configuration()
    ) {
        self.time = time
        self.entropy = entropy
        self.delivery = delivery
        self.configuration = configuration
        let relay = Relay()
        self.relay = relay
        state = Guarded(State())
        var host = configuration.host
        let kept = Self.bonds(configuration)
        host.bonds += kept.bonds
        bondFile = kept.file
        host.privacy = host.privacy ?? Self.privacy(configuration, kept.file, entropy)
        runner = HostRunner(
            LEHost(host), transport: transport, scheduler: time, source: configuration.source,
            entropy: entropy
        ) { event in relay.adapter?.take(event) }
        relay.adapter = self
        recall()
    }

    /// An adapter whose controller is at the other end of a pipe.
    public convenience init(
        pipe: PacketPipe, time: any Scheduler & Runtime.Clock, entropy: any Entropy,
        delivery: any CallbackDelivery, configuration: Configuration = Configuration()
    ) {
        self.init(
            transport: PipeTransport(pipe), time: time, entropy: entropy, delivery: delivery,
            configuration: configuration)
    }

    /// Hears every callback of every central manager right before the application does; kept. Not part of
    /// Apple's
    /// API: for programs that judge what applications are told.
    public var witness: (any CallbackWitness)? {
        get { state.current.witness }
        set { state.change { $0.witness = newValue } }
    }

    /// Takes the lines that the program writes to its log; nil where nobody does.
    package var takesNote: (@Sendable (String) -> Void)? {
        get { state.current.takesNote }
        set { state.change { $0.takesNote = newValue } }
    }

    /// The host as it stands: a copy.
    public var host: LEHost { runner.host }

    /// Asks the host something, without a copy. `question` must not call the adapter.
    func askHost<Answer: Sendable>(_ question: (borrowing LEHost) -> Answer) -> Answer {
        runner.ask(question)
    }

    /// The address that it uses; nil before it is on.
    public var address: DeviceAddress? { askHost { $0.address } }

    /// Switches the radio on, or off: then all links end and managers become `poweredOff`.
    public func setPower(_ isOn: Bool) {
        submit { adapter in
            adapter.open()
            adapter.put(isOn ? .powerOn : .powerOff)
        }
    }

    /// Ends the link to a device, for which a peripheral manager has no call.
    public func endLink(to peer: DeviceAddress, _ reason: HCIStatus = .remoteUserTerminatedConnection) {
        submit { adapter in
            guard let link = adapter.host.openLinks.first(where: { $0.peer.names(peer) }) else { return }
            adapter.put(.disconnect(link.id, reason))
        }
    }

    /// Nanoseconds since 1970 (UTC), by the adapter's own time.
    public var wallClock: Int64 {
        configuration.wallClockOrigin.addingReportingOverflow(time.now.nanoseconds).partialValue
    }

    /// Runs `body` on a queue after `delay` of the adapter's time: what `DispatchQueue.asyncAfter` is for the
    /// time of the machine.
    @discardableResult
    public func asyncAfter(
        _ delay: Duration, on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void
    ) -> EventID {
        time.schedule(after: delay, from: .application) { [weak self] in
            self?.deliver(on: queue, body)
        }
    }

    /// The same for a queue that is known by more than one name.
    package func asyncAfter(
        _ delay: Duration, on queue: ProgramQueue, _ delivery: SettlingDelivery,
        _ body: @escaping @Sendable () -> Void
    ) {
        time.schedule(after: delay, from: .application) { [weak self] in
            delivery.deliver(on: queue) { [weak self] in
                guard let self else { return body() }
                AdapterSlot.with(self) { body() }
            }
        }
    }

    /// Takes back what ``asyncAfter(_:on:_:)`` was given, where its time has not come.
    public func cancel(_ id: EventID) { time.cancel(id) }

    /// Ends it: the host is powered off and the transport closed.
    public func close() { runner.close() }
}

// What managers and their cores use. `submit` is called from anywhere, the rest within the scheduler.
extension BluetoothAdapter {
    /// Runs `body` in the scheduler, at its present, after all that was submitted before.
    func submit(_ body: @escaping @Sendable (BluetoothAdapter) -> Void) {
        time.schedule(at: time.now, from: .application) { [weak self] in
            guard let self else { return }
            body(self)
        }
    }

    /// Hands a callback to a queue, where managers made in it find this adapter.
    func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        // Callbacks that nobody runs any more don't keep the adapter, which keeps their delivery.
        delivery.deliver(on: queue) { [weak self] in
            guard let self else { return body() }
            AdapterSlot.with(self) { body() }
        }
    }

    /// Opens the transport and powers the host on, the first time.
    func open() {
        let isFirst = state.change { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        guard isFirst else { return }
        do throws(HCITransportError) {
            try runner.open()
            put(.powerOn)
        } catch {
            put(.transportFailed)
        }
    }

    /// What a manager that comes now finds; unknown before the first has come, and while the host starts.
    var standing: CBManagerState {
        guard state.current.isOpen else { return .unknown }
        return CBManagerState(askHost { $0.state }, after: .unknown) ?? .unknown
    }

    /// Adds someone who hears the host's news, after those who do already.
    func add(_ observer: any HostObserver) { state.change { $0.observers.append(observer) } }

    /// Hands the host an input.
    func put(_ input: HostInput) { runner.put(input) }

    /// Begins a GATT operation; `completion` is called once, within the scheduler.
    func perform(
        _ operation: GATTOperation, on link: LinkID,
        _ completion: @escaping @Sendable (Result<GATTOutcome, GATTFailure>) -> Void
    ) {
        let token = state.change { state in
            let token = GATTToken(rawValue: state.nextToken)
            state.nextToken += 1
            state.pending[token] = completion
            return token
        }
        put(.perform(operation, token, on: link))
    }

    fileprivate func take(_ event: HostEvent) {
        if case .paired(let link, _) = event { learnIdentity(of: link) }
        let event = known(event)
        if case .finished(_, let token, let result) = event {
            state.change { $0.pending.removeValue(forKey: token) }?(result)
            return
        }
        takeSecurity(event)
        for observer in state.current.observers { observer.take(event) }
        if case .stateChanged(let new) = event { recover(from: new) }
    }

    // A controller that has worked and fails is set up again; one that never worked, or is gone, is not.
    private func recover(from new: HostState) {
        if new == .ready { state.change { $0.hasBeenReady = true } }
        guard case .failed(let failure) = new, failure != .transport, let delay = configuration.recovery,
            state.current.hasBeenReady
        else { return }
        time.schedule(after: delay, from: configuration.source) { [weak self] in
            guard let self, case .failed = self.host.state else { return }
            self.put(.powerOn)
        }
    }

    /// The identifier of a peer: the same for the same address and salt, so that a program can remember it.
    public func identifier(of address: DeviceAddress) -> UUID {
        let address = known(address)
        let kind: UInt64 = address.isIdentity && address.kind == .public ? 0 : 1
        var stream = SplitMix(state: configuration.identifierSalt ^ address.value ^ kind << 63)
        var octets = [stream.next(), stream.next()].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        octets[6] = octets[6] & 0x0F | 0x40
        octets[8] = octets[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                octets[0], octets[1], octets[2], octets[3], octets[4], octets[5], octets[6], octets[7],
                octets[8], octets[9], octets[10], octets[11], octets[12], octets[13], octets[14], octets[15]
            ))
    }
}

/// What can hear all that a central manager and its peripherals tell.
public typealias CallbackWitness = CBCentralManagerDelegate & CBPeripheralDelegate

/// Hears the news of a host, within the scheduler.
protocol HostObserver: AnyObject, Sendable {
    func take(_ event: HostEvent)
}

// The runner is made before the adapter is whole, so it is told of it afterwards.
private final class Relay: Sendable {
    private let kept = Guarded<Weak<BluetoothAdapter>>(Weak(nil))
    var adapter: BluetoothAdapter? {
        get { kept.current.object }
        set { kept.current = Weak(newValue) }
    }
}
