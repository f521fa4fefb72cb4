import Adapters
import BluetoothCore
import CommandLineKit
import CoreBluetooth
import LEHost
import Runtime
import SimulatedDevices
import Synchronization
import VirtualController

/// The environment of a command's devices and phones: a virtual air in virtual time, or an adapter reached by
/// HCI in real time.
final class Stage {
    /// Start of virtual time: 2026-01-01T00:00:00Z, in nanoseconds since 1970.
    static let virtualOrigin: Int64 = 1_767_225_600_000_000_000

    let environment: CommandEnvironment
    let time: any PassingTime
    let seed: UInt64
    /// Start of its time, in nanoseconds since 1970 (UTC).
    let wallClockOrigin: Int64
    /// The packets of all its controllers; nil where nobody wants to record them.
    let recorder: PacketRecorder?
    /// The devices simulated here.
    let world: SimulatedWorld
    /// The adapter for its phone, as the user gave it; nil for the simulator.
    private let radio: AdapterAddress?
    /// The controller that takes the adapter's place.
    private let controller: (any HCITransport)?
    /// Whether that adapter uses private addresses.
    private let isPrivate: Bool
    private let tap: VirtualRadio.Tap?
    private let interruption: Interruption?
    private let stream = Mutex<HCIStream?>(nil)
    private let outside = Mutex<BluetoothAdapter?>(nil)

    /// A stage in virtual time whose phones use the simulator, or one in real time.
    ///
    /// - Parameters:
    ///   - isLive: whether to use real time.
    ///   - radio: the adapter of its phone; nil for the simulator.
    ///   - controller: takes the adapter's place, in virtual time too.
    ///   - isPrivate: whether that adapter uses private addresses.
    ///   - recorder: keeps the packets until the end.
    ///   - tap: hears each packet, where there is no recorder.
    init(
        _ environment: CommandEnvironment, isLive: Bool, radio: AdapterAddress? = nil,
        controller: (any HCITransport)? = nil, isPrivate: Bool = false, seed: UInt64,
        recorder: PacketRecorder? = nil, tap: VirtualRadio.Tap? = nil
    ) throws(Failure) {
        self.environment = environment
        self.controller = controller
        let isLive = isLive || radio != nil
        let real = isLive ? RealTime() : nil
        time = real ?? VirtualTime()
        wallClockOrigin = real?.wallClockOrigin ?? Self.virtualOrigin
        self.radio = radio
        self.isPrivate = isPrivate
        self.seed = seed
        self.recorder = recorder
        self.tap = recorder?.tap ?? tap
        interruption = try real.map { time throws(Failure) in try Interruption(environment, time) }
        world = SimulatedWorld(
            seed: seed, wallClockOrigin: wallClockOrigin, time: time, tap: self.tap)
    }

    /// The stage of a phone's command.
    ///
    /// - Parameter isTyped: whether a person gives the actions, so that time must be real.
    convenience init(
        _ arguments: ParsedArguments, _ console: Console, isTyped: Bool = false
    ) throws(Failure) {
        let radio = try Self.radio(arguments, console)
        try self.init(
            arguments.environment, isLive: isTyped, radio: radio, isPrivate: arguments.has(.privateAddress),
            seed: try SimulationOptions.seed(arguments), recorder: PacketRecorder(arguments))
    }

    /// The phones' adapter from `--adapter`, BLECAP_ADAPTER or this machine; nil for the simulator, which is
    /// announced where nobody asked for it.
    static func radio(_ arguments: ParsedArguments, _ console: Console) throws(Failure) -> AdapterAddress? {
        let wanted = arguments.environment.variables["BLECAP_ADAPTER"]
        guard let text = arguments.value(.radio) ?? wanted.flatMap({ $0.isEmpty ? nil : $0 }) else {
            let own = MachineAdapters.names
            guard own.isEmpty else {
                throw Failure(
                    .usage, "which adapter?",
                    advice: "give --adapter \(own.joined(separator: ", --adapter ")) or --adapter simulator")
            }
            console.say("no adapter here: these are simulated devices (--adapter gives another)")
            return nil
        }
        return text == "simulator" ? nil : try address(text, "--adapter", or: ", simulator")
    }

    /// Parses an adapter address given to an option.
    static func address(
        _ text: String, _ option: String, or more: String = ""
    ) throws(Failure) -> AdapterAddress {
        do throws(AdapterError) { return try AdapterAddress(text) } catch {
            throw Failure(
                .usage, "\(option): \(error.problem)",
                advice: error.advice.map { $0.hasSuffix(AdapterAddress.forms) ? $0 + more : $0 })
        }
    }

    /// The note at the start of its recordings.
    var note: String { isOutside ? "blecap drive" : "blecap simulator, seed \(seed)" }

    /// Whether nothing is simulated: its phone connects to real devices, or to another program's.
    var isOutside: Bool { radio != nil || controller != nil }

    /// An auth counter at least as high as any used by a phone before. For real cars the highest is unknown,
    /// so this is the time in seconds since 1970, which only grows.
    var authCounter: UInt64 { isOutside ? UInt64(max(0, wallClockOrigin / 1_000_000_000)) : 0 }

    /// Whether it uses real time.
    var isLive: Bool { interruption != nil }

    /// A phone that pairs without user interaction.
    func phone() throws(Failure) -> SimulatedAdapter { try adapter(Self.phoneAddress, SecurityPolicy()) }

    /// A phone whose pairing questions go to a desk; the command line says how it pairs.
    func phone(asking desk: PairingDesk, _ arguments: ParsedArguments) throws(Failure) -> SimulatedAdapter {
        var policy = try SecurityPolicy().asked(by: arguments)
        policy.ioCapability = .keyboardDisplay
        policy.asksForProtection = true
        return try adapter(Self.phoneAddress, policy, asking: desk)
    }

    /// Returns an adapter: one on the virtual air with this address, or the user's with its own.
    ///
    /// - Parameter policy: the pairing policy; nil for a device that never pairs.
    func adapter(
        _ address: DeviceAddress, _ policy: SecurityPolicy? = nil, asking desk: PairingDesk? = nil
    ) throws(Failure) -> SimulatedAdapter {
        guard let made = try transport() else {
            return world.adapter(address) { if let desk, let policy { desk.join(&$0, policy) } }
        }
        let controller = ControllerID(rawValue: 0xFF)
        let tap = tap
        let time = time
        let transport = TappedTransport(made) { packet, isFromHost in
            tap?(time.now, controller, packet, isFromHost)
        }
        var configuration = BluetoothAdapter.Configuration()
        configuration.wallClockOrigin = wallClockOrigin
        configuration.bonds = radio == nil ? nil : BluetoothAdapter.bondsOfUser
        configuration.usesPrivateAddress = isPrivate
        configuration.host.security = policy
        configuration.host.cachesDatabases = true
        if let desk, let policy { desk.join(&configuration, policy) }
        let bluetooth = BluetoothAdapter(
            transport: transport, time: time, entropy: SystemEntropy(), delivery: world.delivery,
            configuration: configuration)
        outside.withLock { $0 = bluetooth }
        return SimulatedAdapter(bluetooth: bluetooth, controller: controller, address: address)
    }

    /// Connects to the phone's adapter; returns nil for the simulator.
    private func transport() throws(Failure) -> (any HCITransport)? {
        guard let radio, let real = time as? RealTime else { return controller }
        let made = try Failure.reporting { () throws(AdapterError) in try radio.connect(real) }
        stream.withLock { $0 = made }
        return made
    }

    static let phoneAddress = DeviceAddress(0x0200_0000_0010, .public)

    /// Runs until the condition holds, at most for `limit`, or until an interruption or the loss of the
    /// adapter; returns whether the condition holds.
    @discardableResult
    func run(for limit: Duration, until condition: () -> Bool = { false }) -> Bool {
        world.run(for: limit) { isOver || condition() }
        return condition()
    }

    /// Starts an operation and runs until it has ended; returns nil if it does not end within `limit`.
    ///
    /// - Parameter isCleanup: whether it may take 2 s more after Ctrl-C.
    func result<Value: Sendable>(
        within limit: Duration, isCleanup: Bool = false,
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) -> Value? {
        let kept = Kept<Value>()
        start { kept.value = $0 }
        var end: Instant?
        world.run(for: limit) {
            if isInterrupted, end == nil {
                let rest = isCleanup ? Duration.seconds(2) : .zero
                end = time.now.advanced(by: rest)
                time.schedule(after: rest, from: .application) {}
            }
            return kept.value != nil || failure != nil || end.map { $0 <= time.now } ?? false
        }
        return kept.value
    }

    /// Whether the user interrupted the run, or the adapter was lost.
    var isOver: Bool { interruption?.hasCome == true || failure != nil }

    /// Whether the user interrupted the run.
    var isInterrupted: Bool { interruption?.hasCome == true }

    /// The reason why the adapter was lost or does not work; nil if it does. A controller that does not
    /// answer a command for 10 s does not work.
    var failure: String? { stream.withLock { $0?.failure } ?? hostFailure }

    private var hostFailure: String? {
        guard case .failed(let failure)? = outside.withLock({ $0 })?.host.state else { return nil }
        guard case .unanswered = failure else { return "\(failure)" }
        return "\(failure) within 10 s: is it a controller that speaks H4?"
    }
}

/// Keeps a value that arrives in a callback.
private final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)
    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

/// Detects SIGINT, SIGTERM and SIGHUP while time runs.
private final class Interruption: Sendable {
    private let signals: StopSignals
    private let come = Atomic(false)

    init(_ environment: CommandEnvironment, _ time: RealTime) throws(Failure) {
        signals = try StopSignals(environment)
        time.watch(signals.descriptor, read: { [weak self] in self?.take() })
    }

    var hasCome: Bool { come.load(ordering: .relaxed) }

    private func take() {
        if signals.take() != nil { come.store(true, ordering: .relaxed) }
    }
}
