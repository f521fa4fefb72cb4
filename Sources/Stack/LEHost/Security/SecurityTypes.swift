public import BluetoothCore
public import Crypto
public import Runtime

/// What a device can show to a person and be told by one.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.2.
public enum IOCapability: UInt8, Hashable, Sendable, CaseIterable {
    case displayOnly = 0
    case displayYesNo = 1
    case keyboardOnly = 2
    case noInputNoOutput = 3
    case keyboardDisplay = 4
}

/// How a host pairs.
public struct SecurityPolicy: Hashable, Sendable {
    /// Whether it pairs at all; else each request is refused.
    public var isPairable = true
    public var ioCapability = IOCapability.noInputNoOutput
    /// Whether keys are kept for later links.
    public var bonds = true
    /// Whether someone in the middle must be noticed: then Just Works is refused.
    public var needsProtection = false
    /// Whether that is asked for, and Just Works accepted of a device that can do no more.
    public var asksForProtection = false
    /// Whether only a comparison of numbers will do. A person who enters at one device the number that
    /// another one shows for a comparison lets someone in the middle pair with both (method confusion). Where
    /// both devices refuse passkeys, there is nothing to enter.
    public var needsComparison = false
    /// Whether only LE Secure Connections will do.
    public var needsSecureConnections = false
    /// Whether LE Secure Connections are offered.
    public var offersSecureConnections = true
    /// Octets of the shortest key that is accepted (7 to 16).
    public var minimumKeySize: UInt8 = 16
    /// Whether a pairing without any number or passkey is put before a person, too.
    public var asksConsent = false
    /// Whether the public debug key of the specification is accepted of a peer.
    public var acceptsDebugKey = false
    /// A key of 16 octets that both sides of legacy pairing were given by other means.
    public var outOfBandKey: SecretKey?
    /// What both sides of LE Secure Connections were given by other means.
    public var outOfBand = OutOfBand()
    /// What this side says of itself in place of what follows from the above: the 6 octets of a Pairing
    /// Request or Response after its code, so far as this side can give the keys that they name. For one
    /// that repeats a log: it also waits no time after a failed attempt.
    public var features: [UInt8]?
    /// This host's identity resolving key, which it gives to those who pair; nil for none.
    public var identityKey: SecretKey?

    public init() {}
}

/// What a person is to do for a pairing.
public enum PairingQuestion: Hashable, Sendable {
    /// Show this number; the other device asks for it. Nothing answers.
    case display(UInt32)
    /// Ask for the number that the other device shows.
    case enter
    /// Show this number, and ask whether the other device shows the same.
    case compare(UInt32)
    /// Ask whether to pair at all.
    case consent
}

/// What a person has said.
public enum PairingAnswer: Hashable, Sendable {
    case passkey(UInt32)
    case yes
    case no
}

/// Why a pairing came to nothing.
public enum PairingFailure: Error, Hashable, Sendable {
    /// The other side ended it, by a reason of the specification (Vol 3, Part H, 3.5.5).
    case refused(PairingReason)
    /// This side ended it, and said why.
    case ended(PairingReason)
    /// Nothing came for 30 s.
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

/// How well a link is protected.
public struct LinkSecurity: Hashable, Sendable {
    public var isEncrypted = false
    /// Whether its key was made so that someone in the middle would have been noticed.
    public var isAuthenticated = false
    /// Whether its key comes from LE Secure Connections.
    public var isSecureConnections = false
    /// Octets of its key; 0 without encryption.
    public var keySize: UInt8 = 0

    public init() {}

    /// Whether it protects at least as well as another.
    func isWorth(_ other: LinkSecurity) -> Bool {
        (isAuthenticated || !other.isAuthenticated) && (isSecureConnections || !other.isSecureConnections)
            && keySize >= other.keySize
    }
}

extension SecurityPolicy {
    /// Whether Just Works won't do.
    var needsAuthentication: Bool { needsProtection || needsComparison }

    /// Sets the identity key from its 16 octets, most significant first.
    public mutating func setIdentityKey(_ octets: [UInt8]) { identityKey = SecretKey(octets) }

    /// Accepts nothing that protects less well than a bond which is there.
    mutating func raise(to security: LinkSecurity) {
        needsProtection = needsProtection || security.isAuthenticated
        needsSecureConnections = needsSecureConnections || security.isSecureConnections
        minimumKeySize = max(minimumKeySize, security.keySize)
    }
}

/// A key to encrypt links with, and what names it.
public struct LongTermKey: Hashable, Sendable {
    /// 16 octets, most significant first.
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

    /// The key in a host's command.
    public init(_ command: LEEnableEncryption) {
        self.init(
            SecretKey(command.longTermKey.reversed()), ediv: command.encryptedDiversifier,
            rand: command.randomNumber)
    }

    /// The key that a peripheral's host gives for the numbers that its central names.
    public init(_ command: LELongTermKeyRequestReply, ediv: UInt16, rand: UInt64) {
        self.init(SecretKey(command.longTermKey.reversed()), ediv: ediv, rand: rand)
    }
}

/// What two devices keep of a pairing.
public struct Bond: Hashable, Sendable {
    /// The peer's identity, or the address that it had where it gave none.
    public var peer: DeviceAddress
    /// What resolves the peer's private addresses: 16 octets; nil for none.
    public var identityKey: SecretKey?
    /// The key for links on which this host is the central.
    public var asCentral: LongTermKey?
    /// The key for links on which this host is the peripheral.
    public var asPeripheral: LongTermKey?
    /// What a link under these keys is worth.
    public var security: LinkSecurity
    /// What this host's server remembers of the peer.
    public var client = ClientRecord()
    /// The hash of the peer's database when it was read last, 16 octets; empty where it never was.
    public var peerDatabaseHash: [UInt8] = []

    public init(peer: DeviceAddress, security: LinkSecurity = LinkSecurity()) {
        self.peer = peer
        self.security = security
    }
}

/// The random numbers of one pairing, drawn before it begins.
public struct PairingRandomness: Hashable, Sendable {
    var privateKey: SecretKey
    /// One of 16 octets for each round.
    var nonces: [SecretKey]
    /// What this side shows where it is the one to show a passkey.
    public internal(set) var passkey: UInt32
    var longTermKey: SecretKey
    var ediv: UInt16
    var rand: UInt64

    /// Draws them.
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
        // Of 64 bits, so that every number is as likely as the next.
        passkey = UInt32(number(26..<34) % 1_000_000)
    }
}
