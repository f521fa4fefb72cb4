public import Runtime

/// A digital key in a car's memory.
public struct CarKey: Hashable, Sendable {
    /// The id of the key.
    public var keyID: [UInt8]
    /// The secret.
    public var key: [UInt8]
    /// The slot assigned by activation; nil if the key is not activated.
    public var slot: UInt8?
    /// The highest accepted authentication counter; nil if absent.
    public var authCounter: UInt64?
    /// Whether it is revoked or has expired.
    public var isRevoked = false
    /// Number of consecutive bad proofs.
    public internal(set) var badProofs = 0
    /// The end of the lock-out; nil if the key is not locked out.
    public internal(set) var lockedUntil: Instant?

    /// Creates a key, which is activated if it has a slot.
    public init(keyID: [UInt8], key: [UInt8], slot: UInt8? = nil, authCounter: UInt64? = nil) {
        self.keyID = keyID
        self.key = key
        self.slot = slot
        self.authCounter = authCounter
    }

    /// Restores the state from an earlier run of the car.
    ///
    /// - Parameter lockedFor: the remaining time of the lock-out; nil if the key is not locked out.
    public mutating func restore(
        slot: UInt8?, authCounter: UInt64?, isRevoked: Bool, badProofs: Int, lockedFor: Duration?
    ) {
        self.slot = slot
        self.authCounter = authCounter
        self.isRevoked = isRevoked
        self.badProofs = min(max(0, badProofs), Int(Int32.max))
        lockedUntil = lockedFor.map { Instant.zero.advanced(by: $0) }
    }
}
