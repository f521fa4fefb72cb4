public import Dispatch

/// Delivers callbacks to the application's queues.
public protocol CallbackDelivery: Sendable {
    /// Runs `body` on `queue` (the main queue if nil), after everything delivered to that queue before.
    ///
    /// Never runs it synchronously.
    func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
}

/// Delivers callbacks immediately: for hardware, whose time is real.
public struct LiveDelivery: CallbackDelivery {
    public init() {}

    public func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        (queue ?? .main).async(execute: body)
    }
}
