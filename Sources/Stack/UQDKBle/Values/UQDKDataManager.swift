import Synchronization

/// The secrets of one digital key and its increasing auth counter; never shown.
public final class UQDKDataManager: Sendable, CustomStringConvertible, CustomReflectable {
    /// The id of the key, which messages carry in clear.
    public let keyID: [UInt8]
    let key: [UInt8]
    private let counter: Mutex<UInt64>
    private let store: (@Sendable (UInt64) -> Bool)?

    /// Creates the data of a key.
    ///
    /// - Parameters:
    ///   - authCounter: the highest counter used so far.
    ///   - store: stores each new counter permanently before it is used; false if it could not, so that
    ///     nothing is sent with it.
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

    /// Returns the next counter after storing it; nil if it can't be stored or none is left.
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
