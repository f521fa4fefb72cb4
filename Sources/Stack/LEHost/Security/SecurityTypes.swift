public import BluetoothCore
public import Crypto
public import Runtime

/// Pairing policy of a host.
public struct SecurityPolicy: Hashable, Sendable {
    /// Whether the host pairs at all; otherwise it refuses each request.
    public var isPairable = true
    public var ioCapability = IOCapability.noInputNoOutput
    /// Whether keys are kept for later links.
    public var bonds = true
    /// Whether protection against a man in the middle is required: then Just Works is refused.
    public var needsProtection = false
    /// Whether that protection is requested, although Just Works is accepted from devices that can't do more.
    public var asksForProtection = false
    /// Whether only numeric comparison is accepted.
    ///
    /// In an attack called method confusion, one device shows a number for comparison, and a user enters it
    /// on another as a passkey; a man in the middle then pairs with both. If both devices refuse passkeys,
    /// there is nothing to enter.
    public var needsComparison = false
    /// Whether only LE Secure Connections is accepted.
    public var needsSecureConnections = false
    /// Whether LE Secure Connections is offered.
    public var offersSecureConnections = true
    /// Whether legacy pairing is accepted where protection is required or requested. A man in the middle can
    /// remove LE Secure Connections from the announced features, and finds a legacy passkey by trial. Such a
    /// pairing is reported at once, and its key does not count as authenticated.
    public var acceptsLegacyPairing = false
    /// The shortest key length that is accepted, in bytes (7 to 16).
    public var minimumKeySize: UInt8 = 16
    /// Whether a person must also agree to a pairing without a number or passkey.
    public var asksConsent = false
    /// Whether a peer may use the public debug key of the specification.
    public var acceptsDebugKey = false
    /// A key of 16 bytes that both sides have received out of band, for legacy pairing.
    public var outOfBandKey: SecretKey?
    /// Out of band data of both sides for LE Secure Connections.
    public var outOfBand = OutOfBand()
    /// The features to announce in place of those that follow from the policy: the 6 bytes of a Pairing
    /// Request or Response after its code, without keys that this side can't give.
    ///
    /// For the replay of a log, which also does not wait after a failed attempt.
    public var features: [UInt8]?
    /// This host's identity resolving key, which devices get when they pair; nil without one.
    public var identityKey: SecretKey?

    public init() {}
}

/// A question of a pairing to a person.
public enum PairingQuestion: Hashable, Sendable {
    /// Show this number, which the other device asks for. No answer is expected.
    case display(UInt32)
    /// Ask for the number that the other device shows.
    case enter
    /// Show this number, and ask whether the other device shows the same.
    case compare(UInt32)
    /// Ask whether to pair at all.
    case consent
    /// Ask whether this pairing may replace a bond. The other device has the address of a bonded device, or
    /// claims to be that device, but has not used its key.
    case replaceBond
}

/// A person's answer.
public enum PairingAnswer: Hashable, Sendable {
    case passkey(UInt32)
    case yes
    case no
}

/// Reason why a pairing failed.
public enum PairingFailure: Error, Hashable, Sendable {
    /// The peer ended the pairing, with this reason (Vol 3, Part H, 3.5.5).
    case refused(PairingReason)
    /// This side ended the pairing, and sent this reason.
    case ended(PairingReason)
    /// The peer was silent for 30 s.
    case timedOut
    /// The link ended.
    case disconnected
    /// The link could not be encrypted.
    case encryption(HCIStatus)
}

/// Protection of a link.
public struct LinkSecurity: Hashable, Sendable {
    public var isEncrypted = false
    /// Whether the key was made with protection against a man in the middle; with a passkey of legacy
    /// pairing, it was not.
    public var isAuthenticated = false
    /// Whether the key comes from LE Secure Connections.
    public var isSecureConnections = false
    /// Length of the key in bytes; 0 without encryption.
    public var keySize: UInt8 = 0

    public init() {}

    /// Whether this protects at least as well as another link's security.
    func isWorth(_ other: LinkSecurity) -> Bool {
        (isAuthenticated || !other.isAuthenticated) && (isSecureConnections || !other.isSecureConnections)
            && keySize >= other.keySize
    }
}

extension SecurityPolicy {
    /// Whether Just Works is refused.
    var needsAuthentication: Bool { needsProtection || needsComparison }

    /// Whether a man in the middle must be noticed, or should be.
    var wantsAuthentication: Bool { needsAuthentication || asksForProtection }

    /// Sets the identity key from its 16 bytes, most significant first.
    public mutating func setIdentityKey(_ octets: [UInt8]) { identityKey = SecretKey(octets) }

    /// Requires at least the protection that a bond has.
    mutating func raise(to security: LinkSecurity) {
        needsProtection = needsProtection || security.isAuthenticated
        needsSecureConnections = needsSecureConnections || security.isSecureConnections
        minimumKeySize = max(minimumKeySize, security.keySize)
    }
}

/// A key for encrypting links, and the values that identify it.
public struct LongTermKey: Hashable, Sendable {
    /// The key: 16 bytes, most significant first.
    public var key: SecretKey
    /// Encrypted Diversifier; 0 for LE Secure Connections.
    public var ediv: UInt16
    /// Random Number; 0 for LE Secure Connections.
    public var rand: UInt64

    public init(_ key: SecretKey, ediv: UInt16 = 0, rand: UInt64 = 0) {
        self.key = key
        self.ediv = ediv
        self.rand = rand
    }

    /// Creates the key from the command of a central's host.
    public init(_ command: LEEnableEncryption) {
        self.init(
            SecretKey(command.longTermKey.reversed()), ediv: command.encryptedDiversifier,
            rand: command.randomNumber)
    }

    /// Creates the key from the reply of a peripheral's host; the central sent the other values.
    public init(_ command: LELongTermKeyRequestReply, ediv: UInt16, rand: UInt64) {
        self.init(SecretKey(command.longTermKey.reversed()), ediv: ediv, rand: rand)
    }
}

/// The data that a device keeps after a pairing.
public struct Bond: Hashable, Sendable {
    /// The peer's identity address; if it gave none, the address that it used.
    public var peer: DeviceAddress
    /// The key that resolves the peer's private addresses, 16 bytes; nil without one.
    public var identityKey: SecretKey?
    /// The key for links on which this host is the central.
    public var asCentral: LongTermKey?
    /// The key for links on which this host is the peripheral.
    public var asPeripheral: LongTermKey?
    /// The protection of a link with these keys.
    public var security: LinkSecurity
    /// This host's record of the peer as a client of its server.
    public var client = ClientRecord()
    /// Hash of the peer's database when it was last read, 16 bytes; empty if it never was.
    public var peerDatabaseHash: [UInt8] = []
    /// The peer's attributes, if the host keeps attributes.
    public var peerDatabase = AttributeCache()

    public init(peer: DeviceAddress, security: LinkSecurity = LinkSecurity()) {
        self.peer = peer
        self.security = security
    }
}

/// The random numbers of a pairing, generated before it starts.
public struct PairingRandomness: Hashable, Sendable {
    var privateKey: SecretKey
    /// One nonce of 16 bytes for each round.
    var nonces: [SecretKey]
    /// The passkey that this side shows, if it has to show one.
    public internal(set) var passkey: UInt32
    var longTermKey: SecretKey
    var ediv: UInt16
    var rand: UInt64

    /// Generates the numbers.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        privateKey = SecretKey(try entropy.octets(32, for: .privateKey))
        var nonces: [SecretKey] = []
        for _ in 0..<Pairing.rounds { nonces.append(SecretKey(try entropy.octets(16, for: .pairing))) }
        self.nonces = nonces
        let rest = try entropy.octets(34, for: .pairing)
        func number(_ range: Range<Int>) -> UInt64 { rest[range].reduce(0) { $0 << 8 | UInt64($1) } }
        longTermKey = SecretKey(Array(rest[..<16]))
        ediv = UInt16(truncatingIfNeeded: number(16..<18))
        rand = number(18..<26)
        // Taken from 64 bits, so that all passkeys are practically equally likely.
        passkey = UInt32(number(26..<34) % 1_000_000)
    }
}

/// Data exchanged out of band for LE Secure Connections, in one direction or both.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.6.4.
public struct OutOfBand: Hashable, Sendable {
    /// The data that this host has given out.
    public var own: OwnOutOfBandData?
    /// The data received from the device with which the host pairs next.
    public var peer: OutOfBandData?

    public init(own: OwnOutOfBandData? = nil, peer: OutOfBandData? = nil) {
        self.own = own
        self.peer = peer
    }
}

/// Data that one device gives another out of band.
///
/// Anyone else who gets it can impersonate the other device.
///
/// When it is transferred, for example in an NFC tag, both values have their least significant byte first
/// (Supplement to the Core Specification, Part A, 1.6).
public struct OutOfBandData: Hashable, Sendable {
    /// LE Secure Connections Confirmation Value: 16 bytes, most significant first.
    public var confirm: SecretKey
    /// LE Secure Connections Random Value: 16 bytes, most significant first.
    public var random: SecretKey

    public init(confirm: SecretKey, random: SecretKey) {
        self.confirm = confirm
        self.random = random
    }

    /// Whether the data was computed from a public key, given by its x coordinate.
    func fits(_ key: [UInt8]) throws(CryptoError) -> Bool {
        let made = try PairingFunctions.f4(u: key, v: key, random: random.octets, z: 0)
        return ConstantTime.equal(made, confirm.octets)
    }
}

/// The data that a host gives out, with the private key to which it belongs.
public struct OwnOutOfBandData: Hashable, Sendable {
    /// The data for the other device.
    public let data: OutOfBandData
    let privateKey: SecretKey

    /// Generates the data; throws if there is no randomness, or if it gives no valid key.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        privateKey = SecretKey(try entropy.octets(32, for: .privateKey))
        let random = try entropy.octets(16, for: .pairing)
        guard let key = try? P256.publicKey(of: privateKey.octets).x,
            let confirm = try? PairingFunctions.f4(u: key, v: key, random: random, z: 0)
        else { throw .exhausted(.privateKey) }
        data = OutOfBandData(confirm: SecretKey(confirm), random: SecretKey(random))
    }
}

extension PairingFeatures {
    /// Returns the features that a host announces in a Pairing Request or Response.
    static func side(_ code: SMPCode, _ policy: SecurityPolicy, answering request: Side? = nil) -> Side? {
        let bonds = policy.bonds && request?.bonds != false
        // Some devices exchange keys without bonding, and a replay follows its log.
        var keys: KeyDistribution = bonds || policy.features != nil ? [.encryption, .identity] : []
        var ownKeys = keys
        if policy.identityKey == nil { ownKeys.remove(.identity) }
        if request != nil { swap(&keys, &ownKeys) }
        // From here on, `ownKeys` are the keys of the initiator.
        if let features = policy.features, features.count == 6 {
            let initiator = ownKeys.intersection(request?.initiatorKeys ?? ownKeys)
            let responder = keys.intersection(request?.responderKeys ?? keys)
            return Side(
                [code.rawValue] + features[..<4]
                    + [features[4] & initiator.rawValue, features[5] & responder.rawValue])
        }
        let flags =
            (bonds ? 1 : 0)
            | (policy.wantsAuthentication ? 4 : 0)
            | (policy.offersSecureConnections ? 8 : 0)
        let initiator = request.map { ownKeys.intersection($0.initiatorKeys) } ?? ownKeys
        let responder = request.map { keys.intersection($0.responderKeys) } ?? keys
        // With LE Secure Connections, the flag says whether this side has the peer's data.
        let isSecure = policy.offersSecureConnections && request?.isSecure != false
        let hasData = isSecure ? policy.outOfBand.peer != nil : policy.outOfBandKey != nil
        return Side([
            code.rawValue, policy.ioCapability.rawValue, hasData ? 1 : 0, UInt8(flags), 16,
            initiator.rawValue, responder.rawValue,
        ])
    }
}
