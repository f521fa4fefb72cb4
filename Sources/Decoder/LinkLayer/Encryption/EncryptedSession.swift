import Crypto

/// One start of encryption on a link, until its pause or the next start: its inputs, key and packet counters.
///
/// Source: Core Specification, Vol 6, Part B, 5.1.3, and Part E, 2.
struct EncryptedSession: Sendable {
    /// A Long Term or Short Term Key that may belong to the session.
    struct Candidate: Sendable {
        var key: SecretKey
        var origin: LinkKeys.Origin
        /// Whether more than a guess speaks for it.
        var isHinted: Bool
        /// Of a key made from the pairing on this link: what is learned when it opens a packet.
        var kind: LinkKeys.Learned.Kind?
    }

    /// A key with which the session's packets are decrypted.
    struct Key: Sendable {
        let cipher: SessionCipher
        let source: Candidate
    }

    /// A packet that opens at a counter far ahead: chance gives one such match in 65,536 searches.
    struct HeldPacket: Sendable {
        let key: Key
        let counter: UInt64
        let plaintext: [UInt8]
    }

    struct Way: Sendable {
        /// The counter of the next packet, if none is missed.
        var next: UInt64 = 0
        var held: HeldPacket?
        /// Packets since the last one that opened.
        var failures = 0
    }

    /// Counters tried ahead of the expected one before a match needs a second packet as confirmation.
    static let near: UInt64 = 16
    /// The same for a key for which nothing speaks, while no packet has confirmed it.
    static let nearWithoutHint: UInt64 = 4
    /// Most counters tried ahead.
    static let far: UInt64 = 65_536
    /// Packets of one direction with which keys are tried before a session counts as closed.
    static let trials = 4

    var diversifier: LinkKeys.Diversifier?
    /// The halves of SKD (8 bytes) and IV (4 bytes), as they were sent.
    var centralHalf: (skd: [UInt8], iv: [UInt8])?
    var peripheralHalf: (skd: [UInt8], iv: [UInt8])?
    /// The key, once a packet has confirmed it.
    var key: Key?
    private var ways = (central: Way(), peripheral: Way())
    /// Keys to try, and the revision of the ring from which they come.
    private var candidates: [Key] = []
    private var candidatesRevision: Int?

    /// SKD, most significant byte first.
    var keyDiversifier: [UInt8]? {
        guard let centralHalf, let peripheralHalf else { return nil }
        return (centralHalf.skd + peripheralHalf.skd).reversed()
    }

    var iv: [UInt8]? {
        guard let centralHalf, let peripheralHalf else { return nil }
        return centralHalf.iv + peripheralHalf.iv
    }

    subscript(fromCentral: Bool) -> Way {
        get { fromCentral ? ways.central : ways.peripheral }
        set { if fromCentral { ways.central = newValue } else { ways.peripheral = newValue } }
    }

    enum Result {
        case opened([UInt8])
        /// A held packet was confirmed: its plaintext, and that of this one.
        case confirmed(held: [UInt8], [UInt8])
        case held
        case repeated
        case failed
    }

    /// Whether keys of this revision of the ring were not tried yet.
    func needsCandidates(_ revision: Int) -> Bool { key == nil && candidatesRevision != revision }

    /// Replaces the keys to try.
    mutating func setCandidates(_ found: [Candidate], revision: Int) throws(CryptoError) {
        guard let diversifier = keyDiversifier else { return }
        candidatesRevision = revision
        ways.central.failures = 0
        ways.peripheral.failures = 0
        candidates = []
        for candidate in found {
            let sessionKey = try AESBlockCipher(key: candidate.key.octets).encrypt(diversifier)
            candidates.append(Key(cipher: try SessionCipher(sessionKey), source: candidate))
        }
    }

    /// The keys to try: one, once a packet has confirmed it.
    private var keys: [Key] { key.map { [$0] } ?? candidates }

    /// Opens a packet that has the expected counter or one soon after it, and with it settles the session's
    /// key and the direction's counter.
    mutating func openNear(
        _ packet: EncryptedPacket, _ effort: inout SearchEffort
    ) throws(CryptoError) -> Result {
        guard let iv else { return .failed }
        let way = self[packet.fromCentral]
        let isSettled = key != nil
        guard isSettled || way.failures < Self.trials else { return .failed }
        for key in keys {
            let count = isSettled || key.source.isHinted ? Self.near : Self.nearWithoutHint
            let found = try packet.plaintext(key.cipher, iv, from: way.next, count: count)
            effort.count(found?.counter, from: way.next, of: count)
            guard let found else { continue }
            accept(key, found.counter, packet.fromCentral, &effort)
            return .opened(found.plaintext)
        }
        if let key, way.next > 0, try packet.plaintext(key.cipher, iv, counter: way.next - 1) != nil {
            return .repeated
        }
        return .failed
    }

    /// Opens a packet before which many were missed, after ``openNear(_:_:)`` failed.
    mutating func openFar(
        _ packet: EncryptedPacket, _ effort: inout SearchEffort
    ) throws(CryptoError) -> Result {
        guard let iv else { return .failed }
        let way = self[packet.fromCentral]
        self[packet.fromCentral].failures &+= 1
        if let held = way.held {
            self[packet.fromCentral].held = nil
            let count = effort.spend() ? Self.far : Self.near
            let found = try packet.plaintext(held.key.cipher, iv, from: held.counter + 1, count: count)
            effort.count(found?.counter, from: held.counter + 1, of: count)
            if let found {
                accept(held.key, found.counter, packet.fromCentral, &effort)
                return .confirmed(held: held.plaintext, found.plaintext)
            }
        }
        guard Self.isWorthSearch(after: way.failures) else { return .failed }
        for candidate in keys where key != nil || candidate.source.isHinted {
            guard effort.spend() else { break }
            let found = try packet.plaintext(candidate.cipher, iv, from: way.next, count: Self.far)
            effort.count(found?.counter, from: way.next, of: Self.far)
            guard let found else { continue }
            self[packet.fromCentral].held = HeldPacket(
                key: candidate, counter: found.counter, plaintext: found.plaintext)
            return .held
        }
        return .failed
    }

    /// Whether a packet after so many failed ones is searched far ahead: fewer and fewer are.
    private static func isWorthSearch(after failures: Int) -> Bool {
        failures < 4 || failures.nonzeroBitCount == 1
    }

    private mutating func accept(
        _ found: Key, _ counter: UInt64, _ fromCentral: Bool, _ effort: inout SearchEffort
    ) {
        key = found
        candidates = []
        self[fromCentral] = Way(next: counter + 1)
        effort.earn()
    }
}
