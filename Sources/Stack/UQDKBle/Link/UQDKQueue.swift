@_spi(Host) import CoreBluetooth
import Runtime
import Synchronization

/// The queue of a manager and its parts: that of its central manager, with the adapter's time.
///
/// All state of the parts is used only in this queue, which is serial.
struct UQDKQueue: Sendable {
    private let manager: CBManager

    init(_ manager: CBManager) { self.manager = manager }

    /// The current time of the adapter's clock, as ``after(_:_:)`` counts it; zero without an adapter.
    var now: Instant { manager.adapter?.time.applicationNow ?? .zero }

    /// Returns random bytes of the adapter; nil without an adapter.
    func nonce(_ count: Int) -> [UInt8]? {
        guard count > 0 else { return [] }
        return try? manager.adapter?.entropy.octets(count, for: .nonce)
    }

    /// Runs `body` in the queue, after the blocks waiting there.
    func run(_ body: @escaping @Sendable () -> Void) { manager.perform(body) }

    /// Runs `body` in the queue after `delay`, unless the timer is cancelled before.
    ///
    /// Without an adapter no time passes.
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

/// A single delayed call. It can be cancelled even between its time and its turn in the queue.
final class UQDKTimer: Sendable {
    private weak let adapter: BluetoothAdapter?
    private let state = Mutex((isOver: false, event: EventID?.none))

    fileprivate init(_ adapter: BluetoothAdapter?) { self.adapter = adapter }

    fileprivate func started(_ event: EventID) { state.withLock { $0.event = event } }

    /// Ends the timer; returns false if it had ended before.
    fileprivate func ends() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    /// Cancels the call.
    func cancel() {
        guard ends(), let event = state.withLock({ $0.event }) else { return }
        adapter?.cancel(event)
    }
}
