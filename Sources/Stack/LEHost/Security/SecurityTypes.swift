public import BluetoothCore
public import Crypto
public import Runtime

/// Input and output capabilities of a device.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.2.
public enum IOCapability: UInt8, Hashable, Sendable, CaseIterable {
    case displayOnly = 0
    case displayYesNo = 1
    case keyboardOnly = 2
    case noInputNoOutput = 3
    case keyboardDisplay = 4
}

/// Pairing policy of a host.
public struct SecurityPolicy: Hashable, Sendable {
    /// Whether it pairs at all; otherwise each request is refused.
    public var isPairable = true
    public var ioCapability = IOCapability.noInputNoOutput
    /// Whether keys are stored for later links.
    public var bonds = true
    /// Whether protection against a man in the middle is required, so that Just Works is refused.
    public var needsProtection = false
    /// Whether that protection is requested, but Just Works is accepted from a device that can't do more.
    public var asksForProtection = false
    /// Whether only numeric comparison is accepted.
    ///
    /// A user who enters the number that one device shows for a comparison as a passkey on another lets a man
    /// in the middle pair with both (method confusion). If both devices refuse passkeys, there is nothing to
    /// enter.
    public var needsComparison = false
    /// Whether only LE Secure Connections is accepted.
    public var needsSecureConnections = false
    /// Whether LE Secure Connections is offered.
    public var offersSecureConnections = true
    /// Whether legacy pairing will do where protection is needed or asked for. Someone in the middle can take
    /// LE Secure Connections out of what both sides say, and finds a legacy passkey by trying all: such a
    /// pairing is reported at once, and its key is not authenticated.
    public var acceptsLegacyPairing = false
    /// Minimum accepted key length in bytes (7 to 16).
    public var minimumKeySize: UInt8 = 16
    /// Whether a person must also approve a pairing without a number or passkey.
    public var asksConsent = false
    /// Whether a peer may use the public debug key of the specification.
    public var acceptsDebugKey = false
    /// A key of 16 bytes that both sides of legacy pairing have received out of band.
    public var outOfBandKey: SecretKey?
    /// Out of band data of both sides for LE Secure Connections.
    public var outOfBand = OutOfBand()
    /// Features to announce instead of those derived from the policy: the 6 bytes of a Pairing Request or
    /// Response after its code, limited to keys that this side can give.
    ///
    /// For a replay of a log, which also skips the delay after a failed attempt.
    public var features: [UInt8]?
    /// This host's identity resolving key, given to devices that pair; nil for none.
    public var identityKey: SecretKey?

    public init() {}
}

/// A question of a pairing to a person.
public enum PairingQuestion: Hashable, Sendable {
    /// Show this number, which the other device asks for; no answer is expected.
    case display(UInt32)
    /// Ask for the number that the other device shows.
    case enter
    /// Show this number, and ask whether the other device shows the same.
    case compare(UInt32)
    /// Ask whether to pair at all.
    case consent
    /// Ask whether this pairing may take the place of a bond: the other device has the address of a bonded
    /// one, or claims to be it, and has not used its key.
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
    /// The peer ended it, with a reason of the specification (Vol 3, Part H, 3.5.5).
    case refused(PairingReason)
    /// This side ended it, and sent the reason.
    case ended(PairingReason)
    /// The peer was silent for 30 s.
    case timedOut
    /// The link ended.
    case disconnected
    /// The link could not be encrypted.
    case encryption(HCIStatus)
}

/// The reasons of Pairing Failed.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.5.
public struct PairingReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let passkeyEntryFailed = PairingReason(rawValue: 0x01)
    public static let outOfBandNotAvailable = PairingReason(rawValue: 0x02)
    public static let authenticationRequirements = PairingReason(rawValue: 0x03)
    public static let confirmValueFailed = PairingReason(rawValue: 0x04)
    public static let pairingNotSupported = PairingReason(rawValue: 0x05)
    public static let encryptionKeySize = PairingReason(rawValue: 0x06)
    public static let commandNotSupported = PairingReason(rawValue: 0x07)
    public static let unspecified = PairingReason(rawValue: 0x08)
    public static let repeatedAttempts = PairingReason(rawValue: 0x09)
    public static let invalidParameters = PairingReason(rawValue: 0x0A)
    public static let dhKeyCheckFailed = PairingReason(rawValue: 0x0B)
    public static let numericComparisonFailed = PairingReason(rawValue: 0x0C)
    public static let keyRejected = PairingReason(rawValue: 0x0F)
}

/// Protection of a link.
public struct LinkSecurity: Hashable, Sendable {
    public var isEncrypted = false
    /// Whether its key was made with protection against a man in the middle, which a passkey of legacy
    /// pairing does not give.
    public var isAuthenticated = false
    /// Whether its key comes from LE Secure Connections.
    public var isSecureConnections = false
    /// Length of its key in bytes; 0 without encryption.
    public var keySize: UInt8 = 0

    public init() {}

    /// Whether it protects at least as well as another.
    func isWorth(_ other: LinkSecurity) -> Bool {
        (isAuthenticated || !other.isAuthenticated) && (isSecureConnections || !other.isSecureConnections)
            && keySize >= other.keySize
    }
}

extension SecurityPolicy {
    /// Whether Just Works is refused.
    var needsAuthentication: Bool { needsProtection || needsComparison }

    /// Whether someone in the middle must be noticed, or should be.
    var wantsAuthentication: Bool { needsAuthentication || asksForProtection }

    /// Sets the identity key from its 16 bytes, most significant first.
    public mutating func setIdentityKey(_ octets: [UInt8]) { identityKey = SecretKey(octets) }

    /// Requires at least the protection of an existing bond.
    mutating func raise(to security: LinkSecurity) {
        needsProtection = needsProtection || security.isAuthenticated
        needsSecureConnections = needsSecureConnections || security.isSecureConnections
        minimumKeySize = max(minimumKeySize, security.keySize)
    }
}

/// A key to encrypt links with, and the values that identify it.
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

    /// Creates the key from a host's command.
    public init(_ command: LEEnableEncryption) {
        self.init(
            SecretKey(command.longTermKey.reversed()), ediv: command.encryptedDiversifier,
            rand: command.randomNumber)
    }

    /// Creates the key from the reply of a peripheral's host, with the values that its central sent.
    public init(_ command: LELongTermKeyRequestReply, ediv: UInt16, rand: UInt64) {
        self.init(SecretKey(command.longTermKey.reversed()), ediv: ediv, rand: rand)
    }
}

/// The data that a device keeps of a pairing.
public struct Bond: Hashable, Sendable {
    /// The peer's identity address, or its address in use if it gave none.
    public var peer: DeviceAddress
    /// The key that resolves the peer's private addresses: 16 bytes; nil for none.
    public var identityKey: SecretKey?
    /// The key for links on which this host is the central.
    public var asCentral: LongTermKey?
    /// The key for links on which this host is the peripheral.
    public var asPeripheral: LongTermKey?
    /// Protection of a link with these keys.
    public var security: LinkSecurity
    /// This host's server record of the peer.
    public var client = ClientRecord()
    /// Hash of the peer's database when last read, 16 bytes; empty if never read.
    public var peerDatabaseHash: [UInt8] = []
    /// The peer's attributes, if the host keeps them.
    public var peerDatabase = AttributeCache()

    public init(peer: DeviceAddress, security: LinkSecurity = LinkSecurity()) {
        self.peer = peer
        self.security = security
    }
}

/// The random numbers of one pairing, generated before it starts.
public struct PairingRandomness: Hashable, Sendable {
    var privateKey: SecretKey
    /// One nonce of 16 bytes for each round.
    var nonces: [SecretKey]
    /// The passkey that this side shows, if it is the one to show it.
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
        // From 64 bits, so that every passkey is practically equally likely.
        passkey = UInt32(number(26..<34) % 1_000_000)
    }
}

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
