public import Crypto
public import Runtime

/// Data that devices have exchanged out of band for LE Secure Connections: in both directions, or only one.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.6.4.
public struct OutOfBand: Hashable, Sendable {
    /// The data that this host has given out.
    public var own: OwnOutOfBandData?
    /// The data received from the device that it pairs with next.
    public var peer: OutOfBandData?

    public init(own: OwnOutOfBandData? = nil, peer: OutOfBandData? = nil) {
        self.own = own
        self.peer = peer
    }
}

/// Data that one device gives another out of band.
///
/// Anyone else who obtains it can impersonate the other device.
///
/// In transfer, as in an NFC tag, both values are least significant byte first (Supplement to the Core
/// Specification, Part A, 1.6).
public struct OutOfBandData: Hashable, Sendable {
    /// LE Secure Connections Confirmation Value: 16 bytes, most significant first.
    public var confirm: SecretKey
    /// LE Secure Connections Random Value: 16 bytes, most significant first.
    public var random: SecretKey

    public init(confirm: SecretKey, random: SecretKey) {
        self.confirm = confirm
        self.random = random
    }

    /// Returns whether it was computed from this public key, given by its x coordinate.
    func fits(_ key: [UInt8]) throws(CryptoError) -> Bool {
        let made = try PairingFunctions.f4(u: key, v: key, random: random.octets, z: 0)
        return ConstantTime.equal(made, confirm.octets)
    }
}

/// The data that a host gives out, and the private key that it belongs to.
public struct OwnOutOfBandData: Hashable, Sendable {
    /// The data for the other device.
    public let data: OutOfBandData
    let privateKey: SecretKey

    /// Generates the data; throws if no randomness is available, or none that gives a valid key.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        privateKey = SecretKey(try entropy.octets(32, for: .privateKey))
        let random = try entropy.octets(16, for: .pairing)
        guard let key = try? P256.publicKey(of: privateKey.octets).x,
            let confirm = try? PairingFunctions.f4(u: key, v: key, random: random, z: 0)
        else { throw .exhausted(.privateKey) }
        data = OutOfBandData(confirm: SecretKey(confirm), random: SecretKey(random))
    }
}
