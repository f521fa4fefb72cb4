@_spi(Host) import CoreBluetooth
import Runtime
import Synchronization

/// The one home of a manager and its parts: the queue of its central manager, with the adapter's time.
///
/// All that the parts keep is used in this queue alone, which is serial.
struct UQDKQueue: Sendable {
    private let manager: CBManager

    init(_ manager: CBManager) { self.manager = manager }

    /// The present by the adapter's clock, as ``after(_:_:)`` counts it; zero where there is no adapter.
    var now: Instant { manager.adapter?.time.applicationNow ?? .zero }

    /// Random octets of the adapter; nil without an adapter.
    func nonce(_ count: Int) -> [UInt8]? {
        guard count > 0 else { return [] }
        return try? manager.adapter?.entropy.octets(count, for: .nonce)
    }

    /// Runs `body` in the queue, after what waits there.
    func run(_ body: @escaping @Sendable () -> Void) { manager.perform(body) }

    /// Runs `body` in the queue after `delay`, unless the timer is cancelled before it runs. Without an
    /// adapter no time passes.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> UQDKTimer {
        let timer = UQDKTimer(manager.adapter)
        guard let adapter = manager.adapter else { return timer }
        timer.started(
            adapter.asyncAfter(delay, on: manager.callbackQueue) {
                if timer.ends() { body() }
            })
        return timer
    }
}

/// Something that is to happen later, once, unless it is cancelled: also in the moment between its time and
/// its turn in the queue.
final class UQDKTimer: Sendable {
    private weak let adapter: BluetoothAdapter?
    private let state = Mutex((isOver: false, event: EventID?.none))

    fileprivate init(_ adapter: BluetoothAdapter?) { self.adapter = adapter }

    fileprivate func started(_ event: EventID) { state.withLock { $0.event = event } }

    /// Whether it was not over before.
    fileprivate func ends() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    /// Takes it back.
    func cancel() {
        guard ends(), let event = state.withLock({ $0.event }) else { return }
        adapter?.cancel(event)
    }
}
