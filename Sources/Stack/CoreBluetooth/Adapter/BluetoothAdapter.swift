public import BluetoothCore
public import Dispatch
public import Foundation
public import LEHost
public import Runtime

/// One adapter with its host, and the time, randomness and queues of everything built on it.
///
/// Managers on one adapter share its host; managers on different adapters are independent. Everything below
/// the public API runs in actions of the scheduler, one at a time: an adapter has no thread.
public final class BluetoothAdapter: Sendable {
    /// Configuration of an adapter.
    public struct Configuration: Sendable {
        /// Configuration of its host.
        public var host = HostConfiguration()
        /// Salt for the identifiers of peers, which also depend on their addresses.
        public var identifierSalt: UInt64 = 0
        /// Nanoseconds from 1970 (UTC) to the scheduler's start: the origin of the wall clock.
        public var wallClockOrigin: Int64 = 0
        /// Order of the host's timers among other events of the same time.
        public var source: EventSource = .host
        /// Whether a central reads the peer's name and subscribes to Service Changed after connecting, as
        /// phones do.
        public var keepsHouse = true
        /// Whether calls without a link, and calls pending when the link ends, get an error.
        ///
        /// A phone answers neither.
        public var answersLostCalls = true
        /// Whether a server starts with the services that phones have: Generic Access with the device's name,
        /// and Generic Attribute with Service Changed.
        public var hasGenericServices = true
        /// Handles of services; nil to assign them in the order of adding.
        public var layout: GATTLayout?
        /// File of the devices that programs were connected to, so that identifiers stay valid in the next
        /// process; nil for none.
        public var memory: URL?
        /// File of the bonds, readable only by the user; nil keeps them only while the adapter exists.
        ///
        /// Whether the host pairs at all is set by `host.security`.
        public var bonds: URL?
        /// Whether the host uses private addresses, which change every 15 minutes and only bonded devices can
        /// resolve.
        ///
        /// Otherwise it uses the controller's fixed address.
        public var usesPrivateAddress = false
        /// Asked when a pairing needs a person; nil refuses such pairings.
        public var pairingAgent: PairingAgent?
        /// Delay before the controller is set up again after a failure; nil for never.
        public var recovery: Duration? = .seconds(1)

        /// Receives a line for each misuse of the API, once per manager; nil for no log.
        ///
        /// The machine's own adapter writes to standard error.
        public var log: (@Sendable (String) -> Void)?

        /// Creates a configuration whose host requests and accepts connection parameters as Apple's devices
        /// do.
        public init() { host.rules = .apple }
    }

    /// The source of time for the API and for everything built on it.
    public let time: any Scheduler & Runtime.Clock
    /// The source of random bytes.
    public let entropy: any Entropy
    /// Delivery of callbacks to their queues.
    public let delivery: any CallbackDelivery
    /// The adapter's configuration.
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
    /// Completions waiting for a link to become secure.
    let securing = Guarded<[LinkID: [@Sendable (Result<LinkSecurity, PairingFailure>) -> Void]]>([:])
    private let state: Guarded<State>
    private let relay: Relay
    let centralCore = Guarded<CentralCore?>(nil)
    let serverCore = Guarded<ServerCore?>(nil)
    let channelCore = Guarded<ChannelCore?>(nil)
    /// Devices that applications have seen.
    let acquaintances = Guarded(Acquaintances())

    /// Creates an adapter whose host uses `transport`.
    ///
    /// It is powered on with its first manager.
    ///
    /// - Parameters:
    ///   - transport: carries HCI packets.
    ///   - time: runs the host's timers; its actions run one at a time.
    ///   - entropy: the source of keys, nonces and random addresses.
    ///   - configuration: the host's settings.
    ///   - delivery: brings callbacks to the application's queues.
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

    /// Creates an adapter whose controller is at the other end of a pipe.
    public convenience init(
        pipe: PacketPipe, time: any Scheduler & Runtime.Clock, entropy: any Entropy,
        delivery: any CallbackDelivery, configuration: Configuration = Configuration()
    ) {
        self.init(
            transport: PipeTransport(pipe), time: time, entropy: entropy, delivery: delivery,
            configuration: configuration)
    }

    /// Receives every callback of every central manager just before the application; strongly held.
    ///
    /// Not part of Apple's API: for programs that check the callbacks that applications get.
    public var witness: (any CallbackWitness)? {
        get { state.current.witness }
        set { state.change { $0.witness = newValue } }
    }

    /// Receives the lines that the program writes to its log; nil if unused.
    package var takesNote: (@Sendable (String) -> Void)? {
        get { state.current.takesNote }
        set { state.change { $0.takesNote = newValue } }
    }

    /// A copy of the host's current state.
    public var host: LEHost { runner.host }

    /// Queries the host without a copy.
    ///
    /// `question` must not call the adapter.
    func askHost<Answer: Sendable>(_ question: (borrowing LEHost) -> Answer) -> Answer {
        runner.ask(question)
    }

    /// The address in use; nil before the adapter is on.
    public var address: DeviceAddress? { askHost { $0.address } }

    /// Turns the radio on or off; off ends all links and makes managers `poweredOff`.
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

    /// Runs `body` on a queue after `delay` of the adapter's time, like `DispatchQueue.asyncAfter` in real
    /// time.
    @discardableResult
    public func asyncAfter(
        _ delay: Duration, on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void
    ) -> EventID {
        time.schedule(after: delay, from: .application) { [weak self] in
            self?.deliver(on: queue, body)
        }
    }

    /// Does the same for a queue that is known by more than one name.
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

    /// Cancels a call scheduled with ``asyncAfter(_:on:_:)`` that has not run.
    public func cancel(_ id: EventID) { time.cancel(id) }

    /// Powers the host off and closes the transport.
    public func close() { runner.close() }
}

// Functions for managers and their cores. `submit` may be called from anywhere, the others only within the
// scheduler.
extension BluetoothAdapter {
    /// Runs `body` in the scheduler at the current time, after everything submitted before.
    func submit(_ body: @escaping @Sendable (BluetoothAdapter) -> Void) {
        time.schedule(at: time.now, from: .application) { [weak self] in
            guard let self else { return }
            body(self)
        }
    }

    /// Delivers a callback to a queue; managers created in it find this adapter.
    func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        // A weak reference: callbacks that never run must not keep the adapter, which owns their delivery.
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

    /// The initial state of a new manager; unknown before the first manager, and while the host starts.
    var standing: CBManagerState {
        guard state.current.isOpen else { return .unknown }
        return CBManagerState(askHost { $0.state }, after: .unknown) ?? .unknown
    }

    /// Adds an observer of host events, after the existing ones.
    func add(_ observer: any HostObserver) { state.change { $0.observers.append(observer) } }

    /// Returns the core that a guard holds, created on first use.
    func core<Core: HostObserver>(_ known: Guarded<Core?>, _ make: (BluetoothAdapter) -> Core) -> Core {
        known.change { core in
            if let core { return core }
            let new = make(self)
            add(new)
            core = new
            return new
        }
    }

    func put(_ input: HostInput) { runner.put(input) }

    /// Starts a GATT operation; `completion` is called once, within the scheduler.
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

    // A controller that has worked and then fails is set up again; one that never worked, or is gone, is not.
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

    /// Returns the identifier of a peer: the same for the same address and salt, so that programs can store
    /// it.
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

/// Receiver of every callback of a central manager and its peripherals.
public typealias CallbackWitness = CBCentralManagerDelegate & CBPeripheralDelegate

/// Observes the events of a host, within the scheduler.
protocol HostObserver: AnyObject, Sendable {
    func take(_ event: HostEvent)
}

// The runner needs its receiver before the adapter is fully initialized, so the adapter is set afterwards.
private final class Relay: Sendable {
    private let kept = Guarded<Weak<BluetoothAdapter>>(Weak(nil))
    var adapter: BluetoothAdapter? {
        get { kept.current.object }
        set { kept.current = Weak(newValue) }
    }
}

// A bonded device is one peripheral whatever its address: programs know it by the address under which it was
// first met, the host by its identity.
extension BluetoothAdapter {
    /// Returns the host's privacy settings; nil if it keeps no bonds and uses no private address.
    static func privacy(
        _ configuration: Configuration, _ file: BondFile?, _ entropy: any Entropy
    ) -> HostPrivacy? {
        guard configuration.usesPrivateAddress || configuration.bonds != nil,
            let new = try? IdentityKey(entropy)
        else { return nil }
        // If the key can't be stored, neither can bonds, which is reported when the first bond is made.
        var privacy = HostPrivacy((try? file?.identityKey(orKeep: new)) ?? new)
        if !configuration.usesPrivateAddress { privacy.rotation = nil }
        return privacy
    }

    func known(_ address: DeviceAddress) -> DeviceAddress { acquaintances.current.known(address) }

    /// The open links, with peers under the addresses that programs know.
    var openLinks: [Link] {
        askHost { $0.openLinks }.map { link in
            var link = link
            link.peer = known(link.peer)
            return link
        }
    }

    /// Records the identity of the peer on a link that has just been paired.
    func learnIdentity(of link: LinkID) {
        let found = askHost { host in
            host.openLinks.first { $0.id == link }.map { ($0.peer, host.identity(of: $0.peer)) }
        }
        guard let (peer, identity) = found else { return }
        acquaintances.change { $0.learn(identity, of: peer) }
    }

    /// Returns a host event with devices under the addresses that programs know.
    func known(_ event: HostEvent) -> HostEvent {
        switch event {
        case .advertisement(var advertisement):
            advertisement.address = known(advertisement.address)
            return .advertisement(advertisement)
        case .connected(var link):
            link.peer = known(link.peer)
            return .connected(link)
        case .connectFailed(let address, let status): return .connectFailed(known(address), status)
        case .disconnected(let link, let address, let reason):
            return .disconnected(link, known(address), reason)
        default: return event
        }
    }
}
