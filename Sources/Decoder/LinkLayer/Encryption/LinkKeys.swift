public import BluetoothCore
public import Crypto

/// Keys that may open encrypted links: those that the user gave, and those learned from the capture.
///
/// Bytes of keys are most significant first. Memory is bounded: of more than ``limit`` keys of a kind, the
/// oldest learned one is forgotten, and further given ones are ignored.
public struct LinkKeys: Sendable {
    /// Most keys of a kind.
    public static let limit = 1024

    /// EDIV and Rand, by which two devices name a Long Term Key of legacy pairing.
    ///
    /// Both are 0 for a Short Term Key and for a key of LE Secure Connections.
    /// Source: Core Specification, Vol 6, Part B, 2.4.2.4.
    public struct Diversifier: Hashable, Sendable {
        public var ediv: UInt16
        public var rand: UInt64

        public init(ediv: UInt16, rand: UInt64) {
            self.ediv = ediv
            self.rand = rand
        }

        var isZero: Bool { ediv == 0 && rand == 0 }
    }

    /// A key that the capture itself revealed.
    public struct Learned: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            /// A Long Term Key; its EDIV and Rand are 0 in LE Secure Connections.
            case longTerm(Diversifier)
            /// A Short Term Key, which is of use for one connection.
            case shortTerm
            /// An Identity Resolving Key.
            case identity
        }

        public var kind: Kind
        public var key: SecretKey
        /// The device that distributed it, the peripheral for a key that both computed; of an Identity
        /// Resolving Key the identity address. Nil where the connection request was not heard.
        public var device: DeviceAddress?
        /// The other device.
        public var peer: DeviceAddress?
    }

    /// The source of the key that opened a link.
    public enum Origin: Hashable, Sendable {
        /// The user gave the Long Term Key.
        case given
        /// An earlier part of the capture revealed the Long Term Key.
        case learned
        /// Legacy pairing, Just Works.
        case justWorks
        /// Legacy pairing with a passkey.
        case passkey
        /// Legacy pairing with out-of-band data.
        case outOfBand
        /// LE Secure Connections with a private key that the user gave.
        case privateKey
        /// LE Secure Connections with the debug key of the specification.
        case debugKey
    }

    struct LongTermKey: Sendable {
        var key: SecretKey
        var diversifier: Diversifier?
        var device: DeviceAddress?
        var peer: DeviceAddress?
        var origin: Origin

        /// Whether one of its devices takes part in a connection.
        func isOf(_ devices: DeviceAddress?...) -> Bool {
            devices.contains { address in
                guard let address else { return false }
                return address.value == device?.value || address.value == peer?.value
            }
        }
    }

    struct PrivateKey: Sendable {
        var key: SecretKey
        var x: [UInt8]
        var origin: Origin
    }

    private(set) var longTermKeys: [LongTermKey] = []
    private(set) var privateKeys: [PrivateKey] = []
    private(set) var passkeys: [UInt32] = []
    private(set) var temporaryKeys: [SecretKey] = []
    /// Keys that the capture revealed, in its order.
    public private(set) var learned: [Learned] = []
    /// Changes whenever a key is added that may open a link.
    private(set) var revision = 0
    var effort = SearchEffort()

    /// Creates a ring that holds only the debug key.
    public init() {
        privateKeys = [PrivateKey(key: SecretKey(Self.debugKey), x: Self.debugX, origin: .debugKey)]
    }

    /// The private debug key, and the x coordinate of the public one.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.3.5.6.1.
    private static let debugKey: [UInt8] = [
        0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50, 0x4A,
        0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
    ]
    private static let debugX: [UInt8] = [
        0x20, 0xB0, 0x03, 0xD2, 0xF2, 0x97, 0xBE, 0x2C, 0x5E, 0x2C, 0x83, 0xA7, 0xE9, 0xF9, 0xA5, 0xB9, 0xEF,
        0xF4, 0x91, 0x11, 0xAC, 0xF4, 0xFD, 0xDB, 0xCC, 0x03, 0x01, 0x48, 0x0E, 0x35, 0x9D, 0xE6,
    ]

    /// Adds a Long Term Key (16 bytes) and what is known about it; without any of that it is tried on every
    /// link.
    public mutating func add(
        longTermKey key: SecretKey, diversifier: Diversifier? = nil, device: DeviceAddress? = nil,
        peer: DeviceAddress? = nil
    ) throws(CryptoError) {
        guard key.octets.count == 16 else { throw .keyLength(key.octets.count) }
        insert(
            LongTermKey(key: key, diversifier: diversifier, device: device, peer: peer, origin: .given))
    }

    /// Adds a passkey of legacy pairing (at most 999,999), which is tried before a search.
    public mutating func add(passkey: UInt32) {
        guard passkeys.count < Self.limit, passkey <= 999_999 else { return }
        passkeys.append(passkey)
    }

    /// Adds a temporary key of legacy pairing (16 bytes), which two devices exchanged out of band.
    public mutating func add(temporaryKey key: SecretKey) throws(CryptoError) {
        guard key.octets.count == 16 else { throw .keyLength(key.octets.count) }
        guard temporaryKeys.count < Self.limit else { return }
        temporaryKeys.append(key)
    }

    /// Adds a private key of LE Secure Connections (32 bytes), of either device.
    public mutating func add(privateKey key: SecretKey) throws(CryptoError) {
        guard privateKeys.count < Self.limit else { return }
        let x = try P256.publicKey(of: key.octets).x
        privateKeys.append(PrivateKey(key: key, x: x, origin: .privateKey))
    }

    private mutating func insert(_ key: LongTermKey) {
        guard !longTermKeys.contains(where: { $0.key == key.key && $0.diversifier == key.diversifier })
        else { return }
        if longTermKeys.count >= Self.limit {
            guard let oldest = longTermKeys.firstIndex(where: { $0.origin != .given }) else { return }
            longTermKeys.remove(at: oldest)
        }
        longTermKeys.append(key)
        revision &+= 1
    }

    mutating func learn(_ found: Learned) {
        guard !learned.contains(found) else { return }
        if learned.count >= Self.limit { learned.removeFirst() }
        learned.append(found)
        let diversifier: Diversifier
        switch found.kind {
        case .longTerm(let names): diversifier = names
        case .shortTerm: diversifier = Diversifier(ediv: 0, rand: 0)
        case .identity: return
        }
        insert(
            LongTermKey(
                key: found.key, diversifier: diversifier, device: found.device, peer: found.peer,
                origin: .learned))
    }

    /// Returns the Long Term Keys that may belong to a request to encrypt, the likeliest first; `isHinted`
    /// says that more than a guess speaks for a key.
    func longTermKeys(
        for diversifier: Diversifier, _ central: DeviceAddress?, _ peripheral: DeviceAddress?
    ) -> [(key: LongTermKey, isHinted: Bool)] {
        var named: [LongTermKey] = []
        var likely: [LongTermKey] = []
        var others: [LongTermKey] = []
        for key in longTermKeys where key.diversifier == nil || key.diversifier == diversifier {
            if key.diversifier != nil, !diversifier.isZero {
                named.append(key)
            } else if key.isOf(central, peripheral) {
                likely.append(key)
            } else {
                others.append(key)
            }
        }
        return (named + likely).map { ($0, true) } + others.map { ($0, false) }
    }
}

/// Bounds the time that searches take in all, however a capture provokes them.
///
/// One unit is a search of 65,536 packet counters; opened packets earn more.
struct SearchEffort: Sendable {
    private static let packetsPerUnit = 64
    private static let capacity = 256 * packetsPerUnit
    private var credit = capacity
    private(set) var tried: UInt64 = 0

    /// Spends units; false if they are used up.
    mutating func spend(_ units: Int = 1) -> Bool {
        guard credit >= units * Self.packetsPerUnit else { return false }
        credit -= units * Self.packetsPerUnit
        return true
    }

    /// Counts the counters that a search tried: those up to the one that was found, or all.
    mutating func count(_ found: UInt64?, from first: UInt64, of all: UInt64) {
        tried &+= found.map { $0 &- first &+ 1 } ?? all
    }

    /// Earns the share of one opened packet.
    mutating func earn() { credit = min(credit + 1, Self.capacity) }
}
