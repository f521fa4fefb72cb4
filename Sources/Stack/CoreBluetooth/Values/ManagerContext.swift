public import Dispatch

/// Adapter and queue of a manager: for code above the API that creates its own managers.
///
/// Not part of Apple's API.
public struct ManagerContext: Sendable {
    /// The adapter; nil for the one of ``AdapterSlot`` at the time of use.
    public var adapter: BluetoothAdapter?
    /// The queue of the callbacks, a serial one; nil for the main queue.
    public var queue: DispatchQueue?

    public init(adapter: BluetoothAdapter? = nil, queue: DispatchQueue? = nil) {
        self.adapter = adapter
        self.queue = queue
    }
}

extension CBCentralManager {
    /// Creates a manager in a context.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public convenience init(
        delegate: (any CBCentralManagerDelegate)?, options: [String: Any]? = nil, context: ManagerContext
    ) {
        self.init(
            delegate: delegate, queue: context.queue, options: options,
            adapter: context.adapter ?? AdapterSlot.current)
    }
}

extension CBManager {
    /// Runs `body` in the manager's queue, after the waiting callbacks.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public func perform(_ body: @escaping @Sendable () -> Void) { call(body) }
}
