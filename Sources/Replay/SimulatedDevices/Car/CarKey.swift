public import Runtime

/// A digital key as a car knows it.
public struct CarKey: Hashable, Sendable {
    /// Its id.
    public var keyID: [UInt8]
    /// The secret.
    public var key: [UInt8]
    /// The slot that its activation gave it; nil where it has not been activated.
    public var slot: UInt8?
    /// The highest auth counter accepted; nil where none was.
    public var authCounter: UInt64?
    /// Whether it is revoked or has expired.
    public var isRevoked = false
    /// Bad proofs in a row.
    public internal(set) var badProofs = 0
    /// When it is locked out no longer; nil where it is not locked out.
    public internal(set) var lockedUntil: Instant?

    /// A key, activated where a slot is given.
    public init(keyID: [UInt8], key: [UInt8], slot: UInt8? = nil, authCounter: UInt64? = nil) {
        self.keyID = keyID
        self.key = key
        self.slot = slot
        self.authCounter = authCounter
    }

    /// Takes over what another run of the car kept.
    ///
    /// - Parameter lockedFor: how much longer it is locked out; nil where it is not.
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
