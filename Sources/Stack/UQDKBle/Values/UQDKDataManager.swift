import Synchronization

/// The secrets of one digital key and the auth counter that must only grow: handed in, and never shown.
public final class UQDKDataManager: Sendable, CustomStringConvertible, CustomReflectable {
    /// The id of the key, which messages carry in clear.
    public let keyID: [UInt8]
    let key: [UInt8]
    private let counter: Mutex<UInt64>
    private let store: (@Sendable (UInt64) -> Bool)?

    /// - Parameters:
    ///   - authCounter: the highest counter used so far.
    ///   - store: keeps each new counter for good before it is used; false where it could not, and then
    ///     nothing is sent under it.
    public init(
        keyID: [UInt8], key: [UInt8], authCounter: UInt64 = 0, store: (@Sendable (UInt64) -> Bool)? = nil
    ) {
        self.keyID = keyID
        self.key = key
        counter = Mutex(authCounter)
        self.store = store
    }

    /// The highest auth counter used so far.
    public var authCounter: UInt64 { counter.withLock { $0 } }

    /// The next counter, once it is kept; nil where it can't be, or there is none left.
    func nextAuthCounter() -> UInt64? {
        counter.withLock { counter in
            let (next, overflow) = counter.addingReportingOverflow(1)
            guard !overflow, store?(next) ?? true else { return nil }
            counter = next
            return next
        }
    }

    public var description: String { "UQDKDataManager(auth counter \(authCounter))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
