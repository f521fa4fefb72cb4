import BluetoothCore
import CaptureFile
public import CoreBluetooth
import Foundation
public import LEHost
public import Runtime

/// One replay: a recorded session in place of the radio, the real central stack above it, and virtual time.
///
/// The owner advances the time. The calls of the application come from the log (``LogReplay``), or from the
/// owner's program, which creates its managers with ``adapter``.
public final class ReplaySession: Sendable {
    /// The virtual time of the replay.
    public let time: VirtualTime
    /// Delivery of callbacks to their queues.
    public let delivery: SettlingDelivery
    /// The adapter for the program's managers.
    public let adapter: BluetoothAdapter
    /// The controller that plays the recording.
    public let recording: FakeAdapter

    /// Creates a session that has not begun.
    ///
    /// - Parameters:
    ///   - nonces: the recorded nonces, which the stack draws in this order.
    ///   - seed: random seed for values that the recording does not contain.
    ///   - hasGenericServices: whether the server provides Generic Access and Generic Attribute itself.
    ///   - patience: wall-clock time after which a callback is reported as stalled.
    ///   - transport: a transport between the stack and the recording; nil for none.
    public init(
        _ model: SessionModel, options: ReplayOptions = ReplayOptions(), nonces: [[UInt8]] = [],
        seed: UInt64 = 0, patience: Duration? = nil, hasGenericServices: Bool = true,
        transport: ((FakeAdapter, VirtualTime) -> any HCITransport)? = nil
    ) {
        time = VirtualTime()
        delivery = SettlingDelivery(patience: patience)
        recording = FakeAdapter(model, scheduler: time, options: options)
        var configuration = BluetoothAdapter.Configuration()
        configuration.wallClockOrigin = model.origin.nanoseconds
        // Offer the recorded host's largest MTU, since it decides how messages are fragmented. On connections
        // where that host offered less, the peer agrees to less.
        if let offered = model.connections.lazy.compactMap(\.mtu?.offered).max() {
            configuration.host.clientMTU = offered
        }
        // The host's suggested data length matters only if every command is compared.
        configuration.host.requestsDataLength = options.tier == .strict && model.controller.suggestsDataLength
        configuration.hasGenericServices = hasGenericServices
        configuration.answersLostCalls = options.answersLostCalls
        configuration.layout = model.ownLayout
        // A host without bonds at start-up would ignore its central's key requests.
        configuration.host.bonds = model.connections.filter { !$0.isCentral }.compactMap(\.bond)
        configuration.host.security = model.connections.lazy.compactMap(\.pairing).first?.hostPolicy
        configuration.pairingAgent = { [weak recording] question, _, answer in
            recording?.answer(to: question).map(answer)
        }
        let entropy = RecordedEntropy([.nonce: nonces], fallback: SeededEntropy(seed: seed))
        adapter = BluetoothAdapter(
            transport: transport?(recording, time) ?? recording, time: time, entropy: entropy,
            delivery: delivery, configuration: configuration)
        recording.onConnecting { [weak adapter] past in
            adapter?.setBonds(past.bond.map { [$0] } ?? [])
            adapter?.assume(past.cache, of: past.peer)
            guard let policy = past.policy else { return }
            entropy.replace(past.draws, for: .pairing)
            adapter?.setSecurity(policy)
        }
    }

    /// Compares the API's callbacks with those that the log implies, if the options ask for that.
    public func judgeApplication() {
        let recording = recording
        adapter.witness = CallbackObserver { recording.told($0, by: $1) }
    }

    /// Runs the callbacks, then the next event.
    ///
    /// - Returns: false if no event is due by `limit`.
    @discardableResult
    public func step(notAfter limit: Instant = .distantFuture) -> Bool {
        settle()
        return time.step(notAfter: limit)
    }

    /// Runs callbacks and tasks until there are no more.
    public func settle() {
        delivery.settle()
        while time.executor.drain() > 0 { delivery.settle() }
    }

    /// Runs the replay until there is a verdict.
    public func run(maxEvents: Int = 100_000_000) -> ReplayReport {
        var count = 0
        while count < maxEvents, !recording.isSettled {
            if !step(notAfter: recording.idleDeadline), !recording.noteStuck() { break }
            count += 1
        }
        delivery.settle()
        return recording.report
    }
}

/// A log replayed to another program's host, over any transport that carries HCI.
///
/// The host's packets are compared, but not the callbacks of its application, which are unknown.
public final class OutsideReplay: Sendable {
    /// The controller that the host sees.
    public let recording: FakeAdapter
    private let plan: PlayPlan

    /// - Parameter scheduler: the source of time.
    public init(_ model: SessionModel, options: LogReplay.Options, scheduler: any Scheduler) {
        var model = model
        model.leaveOutPeripherals()
        for place in model.connections.indices where model.connections[place].isCentral {
            let number = model.connections[place].number
            if let pairing = model.connections[place].pairing {
                // Nobody can answer questions at the other program, so such a pairing is left out.
                guard pairing.needsPerson else { continue }
                model.connections[place].pairing = nil
                model.connections[place].encryption = nil
                model.obstacles.note(.pairing, frame: pairing.frames.lowerBound, connection: number)
                continue
            }
            // The other program has bonds of its own, so it need not encrypt.
            guard let encryption = model.connections[place].encryption else { continue }
            model.connections[place].encryption?.isExpected = false
            model.obstacles.note(.encrypted, frame: encryption.frame, connection: number)
        }
        // The time is real, so the replay does not wait for the rest of the log after the last link.
        let ends = model.connections.compactMap { $0.end?.time ?? $0.pdus.last?.time }
        if let last = ends.max() { model.end = min(model.end, last) }
        plan = PlayPlan(model, actions: model, options: options)
        recording = FakeAdapter(plan.model, scheduler: scheduler, options: plan.replay)
    }

    /// The result so far.
    public var result: LogReplay { LogReplay(of: recording, plan) }
}
