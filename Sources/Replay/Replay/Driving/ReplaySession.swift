import BluetoothCore
import CaptureFile
public import CoreBluetooth
import Foundation
public import LEHost
public import Runtime

/// One replay: a recorded session in the place of the radio, the real central stack above it, and virtual
/// time that its owner pumps.
///
/// The application's side is driven by the log (``drive(keys:)``), or is the owner's own program, which makes
/// its managers with ``adapter``.
public final class ReplaySession: Sendable {
    /// The time in which all of it happens.
    public let time: VirtualTime
    /// How callbacks come to their queues.
    public let delivery: SettlingDelivery
    /// What the program's managers run on.
    public let adapter: BluetoothAdapter
    /// What plays the recording.
    public let recording: FakeAdapter

    /// A session that has not begun.
    ///
    /// - Parameters:
    ///   - entropy: what the stack draws; the recorded octets where there are such.
    ///   - seed: what all draws follow from that the recording does not hold.
    ///   - hasGenericServices: whether the server has Generic Access and Generic Attribute by itself.
    ///   - patience: how long one callback may take on the wall clock before it is named as stalled.
    ///   - transport: what stands between the stack and the recording; nil for nothing.
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
        // The longest PDU is what the recorded host offered: it decides how messages are cut. Where it
        // offered less on another connection, the peer there agrees to less.
        if let offered = model.connections.lazy.compactMap(\.mtu?.offered).max() {
            configuration.host.clientMTU = offered
        }
        // Only where every command is compared does it matter what the host suggests.
        configuration.host.requestsDataLength = options.tier == .strict && model.controller.suggestsDataLength
        configuration.hasGenericServices = hasGenericServices
        configuration.answersLostCalls = options.answersLostCalls
        configuration.layout = model.ownLayout
        // A host that has no bonds when it begins does not hear its central ask for a key.
        configuration.host.bonds = model.connections.filter { !$0.isCentral }.compactMap(\.bond)
        configuration.host.security = model.connections.lazy.compactMap(\.pairing).first?.hostPolicy
        configuration.pairingAgent = { [weak recording] question, _, answer in
            recording?.answer(to: question).map(answer)
        }
        let entropy = RecordedEntropy([.nonce: nonces], fallback: SeededEntropy(seed: seed))
        adapter = BluetoothAdapter(
            transport: transport?(recording, time) ?? recording, time: time, entropy: entropy,
            delivery: delivery, configuration: configuration)
        recording.onConnecting { [weak adapter] bond, policy, draws in
            adapter?.setBonds(bond.map { [$0] } ?? [])
            guard let policy else { return }
            entropy.replace(draws, for: .pairing)
            adapter?.setSecurity(policy)
        }
    }

    /// Compares what the API tells the application with what the log entails, where the options ask for it.
    public func judgeApplication() {
        let recording = recording
        adapter.witness = CallbackJudge { recording.told($0, by: $1) }
    }

    /// Lets the callbacks run, then goes to the next event.
    ///
    /// - Returns: false where none is due by `limit`.
    @discardableResult
    public func step(notAfter limit: Instant = .distantFuture) -> Bool {
        settle()
        return time.step(notAfter: limit)
    }

    /// Runs callbacks and tasks until none is left.
    public func settle() {
        delivery.settle()
        while time.executor.drain() > 0 { delivery.settle() }
    }

    /// Runs until there is a verdict.
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
