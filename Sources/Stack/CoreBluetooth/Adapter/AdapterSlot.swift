import Synchronization

/// Where a manager that is made without an adapter finds one: code written for iOS names none.
///
/// An adapter bound with ``with(_:_:)`` comes first: it holds for the code called within, for tasks made
/// there, and for the callbacks of its managers. Then what ``setProvider(_:)`` gives, once for the process;
/// without one, the machine's own adapter. Without any, managers are `unsupported`.
public enum AdapterSlot {
    /// The adapter that is bound for this code.
    @TaskLocal package static var bound: BluetoothAdapter?
    private static let provider = Mutex<(@Sendable () -> BluetoothAdapter?)?>(nil)

    /// Runs `body` with an adapter for the managers made in it.
    public static func with<Result>(_ adapter: BluetoothAdapter, _ body: () throws -> Result) rethrows
        -> Result
    {
        try $bound.withValue(adapter) { try body() }
    }

    /// Where adapters come from for managers that none is bound for; nil for the machine's own.
    public static func setProvider(_ new: (@Sendable () -> BluetoothAdapter?)?) {
        provider.withLock { $0 = new }
    }

    /// Apple's managers have one designated initializer, and a subclass inherits the others by overriding it:
    /// an adapter that a program names goes through its options.
    private final class Named: Sendable {
        let adapter: BluetoothAdapter?
        init(_ adapter: BluetoothAdapter?) { self.adapter = adapter }
    }
    private static let key = "blecap.adapter"

    static func naming(_ adapter: BluetoothAdapter?, in options: [String: Any]?) -> [String: Any] {
        (options ?? [:]).merging([key: Named(adapter)]) { $1 }
    }

    static func named(in options: [String: Any]?) -> BluetoothAdapter? {
        if let named = options?[key] as? Named { return named.adapter }
        return current
    }

    /// Whether this code is called within ``with(_:_:)``, as callbacks are.
    static var isBound: Bool { bound != nil }

    static var current: BluetoothAdapter? {
        if let bound { return bound }
        guard let provider = provider.withLock({ $0 }) else { return MachineAdapter.shared }
        return provider()
    }
}
