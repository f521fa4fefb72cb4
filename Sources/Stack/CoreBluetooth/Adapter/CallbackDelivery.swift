public import Dispatch

/// How callbacks come to the queue that the application gave.
public protocol CallbackDelivery: Sendable {
    /// Runs `body` on `queue`, on the main queue where that is nil, after all that was delivered to that
    /// queue before. Never runs it from within.
    func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
}

/// Hands callbacks to their queues as they come: for hardware, where time passes by itself.
public struct LiveDelivery: CallbackDelivery {
    public init() {}

    public func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        (queue ?? .main).async(execute: body)
    }
}
