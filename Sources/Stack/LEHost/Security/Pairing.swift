public import BluetoothCore
import Crypto
public import Runtime
import WireBytes

/// One pairing on a link: a state machine without I/O, for either side.
///
/// Values of 16 and 32 octets are kept most significant octet first, and turned around on the air.
/// Source: Core Specification, Vol 3, Part H, 2.3 to 2.4 and Appendix C.
public struct Pairing: Sendable {
    /// What it wants done.
    public enum Output: Hashable, Sendable {
        /// A PDU for the other side.
        case send([UInt8])
        /// A person is to do this.
        case ask(PairingQuestion)
        /// The central's link is to be encrypted.
        case encrypt(LongTermKey)
        /// It has ended; with a bond where both sides keep one.
        case finished(Result<Bond?, PairingFailure>)
    }

    /// Rounds of a passkey of LE Secure Connections: its bits.
    static let rounds = 20
    /// How long the other side may be silent.
    static let timeout: Duration = .seconds(30)
    /// PDUs that may come while a person is asked.
    static let waitingLimit = 4

    let isInitiator: Bool
    let policy: SecurityPolicy
    let randomness: PairingRandomness
    let own: DeviceAddress
    let peer: DeviceAddress
    /// The address by which the other side is to know this one later.
    let identity: DeviceAddress

    var outputs: [Output] = []
    /// The PDUs that may come next; while none is, any is a fault.
    var expected: [SMPCode] = []
    /// Whether a person is asked.
    var question: PairingQuestion?
    private var waiting: [[UInt8]] = []
    private(set) var deadline: Instant?
    private(set) var hasEnded = false

    var request: PairingFeatures.Side?
    var features: PairingFeatures?
    /// The temporary key of legacy pairing, or the passkey of LE Secure Connections: 16 octets.
    var sharedValue = [UInt8](repeating: 0, count: 16)
    var round = 0
    var peerNonce: [UInt8] = []
    var peerConfirm: [UInt8] = []
    var secure = SecureExchange()
    /// The key to encrypt with, once both sides have it.
    public internal(set) var key: LongTermKey?
    var bond: Bond

    /// The side of a pairing that answers, before the Pairing Request has come.
    ///
    /// - Parameters:
    ///   - own: the address that this side has on the link, and `peer` the other one's.
    public init(
        answering peer: DeviceAddress, as own: DeviceAddress, _ policy: SecurityPolicy,
        _ randomness: PairingRandomness
    ) {
        self.init(isInitiator: false, policy, randomness, own: own, peer: peer)
        expected = [.pairingRequest]
    }

    /// The side of a pairing that begins it.
    ///
    /// - Parameters:
    ///   - own: the address that this side has on the link, and `peer` the other one's.
    public init(
        initiatingWith peer: DeviceAddress, as own: DeviceAddress, _ policy: SecurityPolicy,
        _ randomness: PairingRandomness
    ) {
        self.init(isInitiator: true, policy, randomness, own: own, peer: peer)
    }

    init(
        isInitiator: Bool, _ policy: SecurityPolicy, _ randomness: PairingRandomness, own: DeviceAddress,
        peer: DeviceAddress, identity: DeviceAddress? = nil
    ) {
        self.isInitiator = isInitiator
        self.policy = policy
        self.randomness = randomness
        self.own = own
        self.peer = peer
        self.identity = identity ?? own
        bond = Bond(peer: peer)
    }

    var ownNonce: [UInt8] { randomness.nonces[round].octets }

    // MARK: What goes in

    /// Begins, as the initiator.
    mutating func begin(at now: Instant) -> [Output] {
        begin(with: PairingFeatures.side(.pairingRequest, policy)?.octets ?? [], at: now)
    }

    /// Begins, as the initiator, with this Pairing Request of 7 octets.
    public mutating func begin(with octets: [UInt8], at now: Instant) -> [Output] {
        guard isInitiator, let side = PairingFeatures.Side(octets) else { return [] }
        request = side
        send(side.octets)
        expected = [.pairingResponse]
        return taken(now)
    }

    /// Takes a PDU of the other side.
    public mutating func receive(_ octets: [UInt8], at now: Instant) -> [Output] {
        guard !hasEnded, let code = octets.first.map(SMPCode.init(rawValue:)) else { return [] }
        if code == .pairingFailed {
            end(.refused(PairingReason(rawValue: octets.count > 1 ? octets[1] : 0)))
        } else if question != nil, code != .keypressNotification {
            waiting.append(octets)
            if waiting.count > Self.waitingLimit { fail(.unspecified) }
        } else {
            take(code, octets)
        }
        return taken(now)
    }

    /// Takes what a person has said.
    public mutating func answer(_ answer: PairingAnswer, at now: Instant) -> [Output] {
        guard let asked = question, !hasEnded else { return [] }
        question = nil
        switch (asked, answer) {
        case (.consent, .yes): consented()
        case (.compare, .yes): compared()
        case (.enter, .passkey(let passkey)) where passkey < 1_000_000: entered(passkey)
        case (.compare, .no): fail(.numericComparisonFailed)
        case (.enter, _): fail(.passkeyEntryFailed)
        default: fail(.unspecified)
        }
        while question == nil, !hasEnded, !waiting.isEmpty {
            let octets = waiting.removeFirst()
            take(SMPCode(rawValue: octets[0]), octets)
        }
        return taken(now)
    }

    /// Says that the link is encrypted with the key that was agreed on.
    public mutating func encrypted(at now: Instant) -> [Output] {
        guard key != nil, !hasEnded else { return [] }
        beginKeys()
        return taken(now)
    }

    /// Ends it for a reason that lies outside of it.
    mutating func stop(_ failure: PairingFailure) -> [Output] {
        end(failure)
        return taken(.zero)
    }

    mutating func timeReached(_ now: Instant) -> [Output] {
        guard let deadline, deadline <= now, !hasEnded else { return [] }
        end(.timedOut)
        return taken(now)
    }

    // MARK: What it does

    mutating func send(_ octets: [UInt8]) { outputs.append(.send(octets)) }

    /// Sends a PDU with one value of 16 octets.
    mutating func send(_ code: SMPCode, _ value: [UInt8]) { send([code.rawValue] + value.reversed()) }

    mutating func ask(_ new: PairingQuestion) {
        outputs.append(.ask(new))
        if case .display = new { return }
        question = new
    }

    mutating func end(_ failure: PairingFailure) {
        guard !hasEnded else { return }
        hasEnded = true
        outputs.append(.finished(.failure(failure)))
    }

    /// Tells the other side why there is no pairing.
    mutating func fail(_ reason: PairingReason) {
        guard !hasEnded else { return }
        send([SMPCode.pairingFailed.rawValue, reason.rawValue])
        end(.ended(reason))
    }

    mutating func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        outputs.append(.finished(.success(features?.bonds == true ? bond : nil)))
    }

    /// Runs a computation; whatever libcrypto refuses ends the pairing.
    mutating func compute(_ body: (inout Self) throws(CryptoError) -> Void) {
        do throws(CryptoError) { try body(&self) } catch { fail(.unspecified) }
    }

    private mutating func taken(_ now: Instant) -> [Output] {
        if outputs.contains(where: { if case .send = $0 { true } else { false } }) || deadline == nil {
            deadline = now.advanced(by: Self.timeout)
        }
        if hasEnded { deadline = nil }
        defer { outputs = [] }
        return outputs
    }

    private mutating func take(_ code: SMPCode, _ octets: [UInt8]) {
        // The initiator has begun what the responder asks for.
        if code == .keypressNotification || isInitiator && code == .securityRequest { return }
        guard expected.contains(code) else { return fail(.unspecified) }
        guard SMPTable.fault(in: octets.borrowedOctets) == nil else { return fail(.invalidParameters) }
        let value = Array(octets.dropFirst().reversed())
        switch code {
        case .pairingRequest, .pairingResponse: takeFeatures(octets)
        case .pairingPublicKey: takePublicKey(octets)
        case .pairingConfirm: isSecure ? takeSecureConfirm(value) : takeConfirm(value)
        case .pairingRandom: isSecure ? takeSecureRandom(value) : takeRandom(value)
        case .pairingDHKeyCheck: takeCheck(value)
        default: takeKey(code, octets)
        }
    }

    var isSecure: Bool { features?.isSecure == true }
    var method: PairingFeatures.Method { features?.method ?? .justWorks }

    // MARK: Features

    private mutating func takeFeatures(_ octets: [UInt8]) {
        guard let side = PairingFeatures.Side(octets), side.isValid else { return fail(.invalidParameters) }
        if isInitiator {
            guard let request else { return }
            features = PairingFeatures(request: request, response: side)
            return accept() ? (policy.asksConsent && method == .justWorks ? ask(.consent) : consented()) : ()
        }
        request = side
        guard let response = PairingFeatures.side(.pairingResponse, policy, answering: side) else { return }
        features = PairingFeatures(request: side, response: response)
        guard accept() else { return }
        // Nothing is said before the person agrees: a pairing that nobody wants gets no answer.
        policy.asksConsent && method == .justWorks ? ask(.consent) : consented()
    }

    /// Whether the policy lets both sides pair in the way that follows; else it ends.
    private mutating func accept() -> Bool {
        guard let features else { return false }
        if features.keySize < policy.minimumKeySize {
            fail(.encryptionKeySize)
        } else if policy.needsSecureConnections && !features.isSecure
            || policy.needsProtection && !features.method.isAuthenticated
            || policy.needsComparison && features.method != .numericComparison
        {
            fail(.authenticationRequirements)
        } else if features.method == .outOfBand, !hasOutOfBandData {
            fail(.outOfBandNotAvailable)
        } else {
            return true
        }
        return false
    }

    /// Whether this side can do what both have said of data that came by other means.
    private var hasOutOfBandData: Bool {
        isSecure ? !peerHasData || policy.outOfBand.own != nil : policy.outOfBandKey != nil
    }

    private mutating func consented() {
        guard let features else { return }
        if !isInitiator { send(features.response.octets) }
        if features.isSecure {
            expected = [.pairingPublicKey]
            if isInitiator { sendPublicKey() }
            return
        }
        expected = isInitiator ? [] : [.pairingConfirm]
        if features.method == .outOfBand, let key = policy.outOfBandKey {
            sharedValue = key.octets
            return beginConfirm()
        }
        agreeOnPasskey()
    }

    /// Shows the passkey, asks for it, or goes on without one.
    mutating func agreeOnPasskey() {
        guard case .passkey(let initiatorShows, let responderShows) = method else { return haveShared() }
        if isInitiator ? initiatorShows : responderShows {
            ask(.display(randomness.passkey))
            set(passkey: randomness.passkey)
            haveShared()
        } else {
            ask(.enter)
        }
    }

    private mutating func entered(_ passkey: UInt32) {
        set(passkey: passkey)
        haveShared()
    }

    private mutating func haveShared() { isSecure ? beginRound() : beginConfirm() }

    private mutating func set(passkey: UInt32) {
        sharedValue =
            [UInt8](repeating: 0, count: 12)
            + (0..<4).map { UInt8(truncatingIfNeeded: passkey >> UInt32(24 - 8 * $0)) }
    }
}
