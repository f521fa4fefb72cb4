public import Crypto
public import Runtime

/// What devices have given each other by other means than the air, for LE Secure Connections: both to each
/// other, or one to the other.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.6.4.
public struct OutOfBand: Hashable, Sendable {
    /// What this host has given.
    public var own: OwnOutOfBandData?
    /// What it was given, by the device that it pairs with next.
    public var peer: OutOfBandData?

    public init(own: OwnOutOfBandData? = nil, peer: OutOfBandData? = nil) {
        self.own = own
        self.peer = peer
    }
}

/// What one device gives another by other means than the air. Whoever else gets it can take its place.
///
/// On the way, as in an NFC tag, both values are least significant octet first (Supplement to the Core
/// Specification, Part A, 1.6).
public struct OutOfBandData: Hashable, Sendable {
    /// LE Secure Connections Confirmation Value: 16 octets, most significant first.
    public var confirm: SecretKey
    /// LE Secure Connections Random Value: 16 octets, most significant first.
    public var random: SecretKey

    public init(confirm: SecretKey, random: SecretKey) {
        self.confirm = confirm
        self.random = random
    }

    /// Whether it was made of this public key, by its x coordinate.
    func fits(_ key: [UInt8]) throws(CryptoError) -> Bool {
        let made = try PairingFunctions.f4(u: key, v: key, random: random.octets, z: 0)
        return ConstantTime.equal(made, confirm.octets)
    }
}

/// The data that a host gives out, and the private key that they belong to.
public struct OwnOutOfBandData: Hashable, Sendable {
    /// What the other device is to be given.
    public let data: OutOfBandData
    let privateKey: SecretKey

    /// Draws them. Throws where there is no randomness, or none that makes a key.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        privateKey = SecretKey(try entropy.octets(32, for: .privateKey))
        let random = try entropy.octets(16, for: .pairing)
        guard let key = try? P256.publicKey(of: privateKey.octets).x,
            let confirm = try? PairingFunctions.f4(u: key, v: key, random: random, z: 0)
        else { throw .exhausted(.privateKey) }
        data = OutOfBandData(confirm: SecretKey(confirm), random: SecretKey(random))
    }
}
