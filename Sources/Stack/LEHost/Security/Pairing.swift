public import BluetoothCore
import Crypto
public import Runtime
import WireBytes

/// One pairing on a link, from either side: a state machine without I/O.
///
/// Values of 16 and 32 bytes are stored most significant byte first, and reversed on the air. Source: Core
/// Specification, Vol 3, Part H, 2.3 to 2.4 and Appendix C.
public struct Pairing: Sendable {
    /// An output of the pairing.
    public enum Output: Hashable, Sendable {
        /// Send a PDU to the peer.
        case send([UInt8])
        /// Ask a person.
        case ask(PairingQuestion)
        /// A pairing that should be protected uses legacy pairing; it continues if accepted, otherwise it
        /// ends.
        case legacy(isAccepted: Bool)
        /// Encrypt the link, as the central.
        case encrypt(LongTermKey)
        /// The pairing has ended; there is a bond if both sides keep one.
        case finished(Result<Bond?, PairingFailure>)
    }

    /// Number of rounds for a passkey with LE Secure Connections: one for each bit.
    static let rounds = 20
    /// Longest silence of the peer.
    static let timeout: Duration = .seconds(30)
    /// Limit of the PDUs received while a person is asked.
    static let waitingLimit = 4

    let isInitiator: Bool
    let policy: SecurityPolicy
    let randomness: PairingRandomness
    let own: DeviceAddress
    let peer: DeviceAddress
    /// The address by which the peer will later know this side.
    let identity: DeviceAddress

    var outputs: [Output] = []
    /// The PDUs that may come next; while it is empty, every PDU is an error.
    var expected: [SMPCode] = []
    /// The question that a person is being asked; nil without one.
    var question: PairingQuestion?
    private var waiting: [[UInt8]] = []
    private(set) var deadline: Instant?
    private(set) var hasEnded = false

    var request: PairingFeatures.Side?
    var features: PairingFeatures?
    /// The temporary key of legacy pairing, or the passkey of LE Secure Connections: 16 bytes.
    var sharedValue = [UInt8](repeating: 0, count: 16)
    var round = 0
    var peerNonce: [UInt8] = []
    var peerConfirm: [UInt8] = []
    var secure = SecureExchange()
    /// The key to encrypt with; nil until both sides have it.
    public internal(set) var key: LongTermKey?
    var bond: Bond
    /// The identity of the peer, if a bond resolves its address on the link.
    var peerIdentity: DeviceAddress
    /// Bonded devices whose bonds this pairing may replace only with a person's consent.
    var guarded: [DeviceAddress] = []
    /// Devices whose bonds a person agreed to replace.
    private var released: [DeviceAddress] = []

    /// Creates the responding side of a pairing, before the Pairing Request comes.
    ///
    /// - Parameters:
    ///   - own: the address of this side on the link; `peer` is the other side's.
    public init(
        answering peer: DeviceAddress, as own: DeviceAddress, _ policy: SecurityPolicy,
        _ randomness: PairingRandomness
    ) {
        self.init(isInitiator: false, policy, randomness, own: own, peer: peer)
        expected = [.pairingRequest]
    }

    /// Creates the initiating side of a pairing.
    ///
    /// - Parameters:
    ///   - own: the address of this side on the link; `peer` is the other side's.
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
        peerIdentity = peer
    }

    var ownNonce: [UInt8] { randomness.nonces[round].octets }

    // MARK: Inputs

    mutating func begin(at now: Instant) -> [Output] {
        begin(with: PairingFeatures.side(.pairingRequest, policy)?.octets ?? [], at: now)
    }

    /// Starts as the initiator, with this Pairing Request of 7 bytes.
    public mutating func begin(with octets: [UInt8], at now: Instant) -> [Output] {
        guard isInitiator, let side = PairingFeatures.Side(octets) else { return [] }
        request = side
        send(side.octets)
        expected = [.pairingResponse]
        return taken(now)
    }

    /// Handles a PDU of the peer.
    public mutating func receive(_ octets: [UInt8], at now: Instant) -> [Output] {
        guard !hasEnded, let code = octets.first.map(SMPCode.init(rawValue:)) else { return [] }
        if code == .pairingFailed {
            end(.refused(PairingReason(rawValue: octets.count > 1 ? octets[1] : 0)))
        } else if question != nil, code != .pairingKeypressNotification {
            waiting.append(octets)
            if waiting.count > Self.waitingLimit { fail(.unspecifiedReason) }
        } else {
            take(code, octets)
        }
        return taken(now)
    }

    /// Handles a person's answer.
    public mutating func answer(_ answer: PairingAnswer, at now: Instant) -> [Output] {
        guard let asked = question, !hasEnded else { return [] }
        question = nil
        switch (asked, answer) {
        case (.consent, .yes): consented()
        case (.replaceBond, .yes):
            released += [peerIdentity, bond.peer]
            key == nil ? consented() : keysTaken()
        case (.compare, .yes): compared()
        case (.enter, .passkey(let passkey)) where passkey < 1_000_000: entered(passkey)
        case (.compare, .no): fail(.numericComparisonFailed)
        case (.enter, _): fail(.passkeyEntryFailed)
        default: fail(.unspecifiedReason)
        }
        while question == nil, !hasEnded, !waiting.isEmpty {
            let octets = waiting.removeFirst()
            take(SMPCode(rawValue: octets[0]), octets)
        }
        return taken(now)
    }

    /// Continues when the link has been encrypted with the agreed key.
    public mutating func encrypted(at now: Instant) -> [Output] {
        guard key != nil, !hasEnded else { return [] }
        beginKeys()
        return taken(now)
    }

    /// Ends the pairing for a reason outside of it.
    mutating func stop(_ failure: PairingFailure) -> [Output] {
        end(failure)
        return taken(.zero)
    }

    mutating func timeReached(_ now: Instant) -> [Output] {
        guard let deadline, deadline <= now, !hasEnded else { return [] }
        end(.timedOut)
        return taken(now)
    }

    // MARK: Actions

    mutating func send(_ octets: [UInt8]) { outputs.append(.send(octets)) }

    /// Sends a PDU with one value of 16 bytes.
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

    /// Sends the peer the reason, and ends the pairing.
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

    /// Runs a computation; a failure in libcrypto ends the pairing.
    mutating func compute(_ body: (inout Self) throws(CryptoError) -> Void) {
        do throws(CryptoError) { try body(&self) } catch { fail(.unspecifiedReason) }
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
        // The pairing that the responder requests has already begun.
        if code == .pairingKeypressNotification || isInitiator && code == .securityRequest { return }
        guard expected.contains(code) else { return fail(.unspecifiedReason) }
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
            return accept() ? askConsent() : ()
        }
        request = side
        guard let response = PairingFeatures.side(.pairingResponse, policy, answering: side) else { return }
        features = PairingFeatures(request: side, response: response)
        guard accept() else { return }
        // No answer before the person agrees: an unwanted pairing gets none.
        askConsent()
    }

    private mutating func askConsent() {
        if features?.isAuthenticated == true {
            // The person who compares the numbers sees the device itself.
            released.append(peerIdentity)
        } else if takesPlace(of: peerIdentity) {
            return ask(.replaceBond)
        }
        policy.asksConsent && method == .justWorks ? ask(.consent) : consented()
    }

    /// Whether this pairing would replace the bond with a device without a person's consent.
    func takesPlace(of device: DeviceAddress) -> Bool {
        features?.bonds == true && guarded.contains { $0.names(device) }
            && !released.contains { $0.names(device) }
    }

    /// Checks whether the policy allows this kind of pairing; otherwise ends the pairing and returns false.
    private mutating func accept() -> Bool {
        guard let features else { return false }
        let isWeak = policy.wantsAuthentication && !features.isSecure && features.method != .outOfBand
        if isWeak { outputs.append(.legacy(isAccepted: policy.acceptsLegacyPairing)) }
        if features.keySize < policy.minimumKeySize {
            fail(.encryptionKeySize)
        } else if policy.needsSecureConnections && !features.isSecure
            || isWeak && !policy.acceptsLegacyPairing
            || policy.needsProtection && features.method == .justWorks
            || policy.needsComparison && features.method != .numericComparison
        {
            fail(.authenticationRequirements)
        } else if features.method == .outOfBand, !hasOutOfBandData {
            fail(.oobNotAvailable)
        } else {
            return true
        }
        return false
    }

    /// Whether this side has the out of band data that the features announce.
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

    /// Shows the passkey, asks for it, or continues without one.
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

// The keys that both sides exchange when the link has been encrypted.

extension Pairing {
    /// Starts the distribution of keys; the responder sends its keys first.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.4.3 and 3.6.1.
    mutating func beginKeys() {
        guard let features else { return }
        if features.isSecure {
            bond.asCentral = key
            bond.asPeripheral = key
        }
        let fromPeer = isInitiator ? features.responderKeys : features.initiatorKeys
        expected = []
        if fromPeer.contains(.encryption) { expected += [.encryptionInformation, .centralIdentification] }
        if fromPeer.contains(.identity) { expected += [.identityInformation, .identityAddressInformation] }
        if fromPeer.contains(.signature) { expected.append(.signingInformation) }
        if !isInitiator { sendKeys() }
        if expected.isEmpty { keysTaken() }
    }

    mutating func keysTaken() {
        guard !takesPlace(of: bond.peer) else { return ask(.replaceBond) }
        if isInitiator { sendKeys() }
        finish()
    }

    private mutating func sendKeys() {
        guard let features else { return }
        let keys = isInitiator ? features.initiatorKeys : features.responderKeys
        if keys.contains(.encryption) {
            let size = Int(features.keySize)
            let octets = [UInt8](repeating: 0, count: 16 - size) + randomness.longTermKey.octets.suffix(size)
            let longTerm = LongTermKey(SecretKey(octets), ediv: randomness.ediv, rand: randomness.rand)
            // The sender uses this key as the peripheral.
            bond.asPeripheral = longTerm
            send(.encryptionInformation, octets)
            send(
                [SMPCode.centralIdentification.rawValue] + longTerm.ediv.littleOctets(2)
                    + longTerm.rand.littleOctets(8))
        }
        if keys.contains(.identity), let identityKey = policy.identityKey {
            send(.identityInformation, identityKey.octets)
            send(
                [SMPCode.identityAddressInformation.rawValue, identity.hciType] + identity.octets.reversed())
        }
    }

    /// Handles one of the keys that the peer sends.
    mutating func takeKey(_ code: SMPCode, _ octets: [UInt8]) {
        expected.removeAll { $0 == code }
        let value = Array(octets[1...])
        switch code {
        case .encryptionInformation: bond.asCentral = LongTermKey(SecretKey(value.reversed()))
        case .centralIdentification:
            bond.asCentral?.ediv = UInt16(value[0]) | UInt16(value[1]) << 8
            bond.asCentral?.rand = value[2..<10].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        case .identityInformation:
            // A device without private addresses may send a key of zeros, which is no identity.
            if value.contains(where: { $0 != 0 }) { bond.identityKey = SecretKey(value.reversed()) }
        case .identityAddressInformation:
            guard let address = SMPTable.identityAddress(in: octets.borrowedOctets), address.isIdentity else {
                return fail(.invalidParameters)
            }
            bond.peer = address
        default: break
        }
        if expected.isEmpty { keysTaken() }
    }
}

// LE legacy pairing.

extension Pairing {
    /// Returns an address in the form in which pairing functions take it.
    static func octets(_ address: DeviceAddress) -> [UInt8] { [address.hciType] + address.octets }

    private func confirm(_ random: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let features else { throw .inputLength(0) }
        return try PairingFunctions.c1(
            key: sharedValue, random: random, request: features.request.octets.reversed(),
            response: features.response.octets.reversed(),
            initiator: Self.octets(isInitiator ? own : peer), responder: Self.octets(isInitiator ? peer : own)
        )
    }

    /// Starts the exchange of confirm values, when the temporary key is known.
    mutating func beginConfirm() {
        expected = [.pairingConfirm]
        guard isInitiator else { return }
        compute { pairing throws(CryptoError) in
            pairing.send(.pairingConfirm, try pairing.confirm(pairing.ownNonce))
        }
    }

    mutating func takeConfirm(_ value: [UInt8]) {
        peerConfirm = value
        expected = [.pairingRandom]
        if isInitiator { return send(.pairingRandom, ownNonce) }
        compute { pairing throws(CryptoError) in
            pairing.send(.pairingConfirm, try pairing.confirm(pairing.ownNonce))
        }
    }

    mutating func takeRandom(_ value: [UInt8]) {
        compute { pairing throws(CryptoError) in
            // A peer that sends back our own values does not prove that it knows the key.
            let isOwn = ConstantTime.equal(value, pairing.ownNonce)
            guard !isOwn, ConstantTime.equal(try pairing.confirm(value), pairing.peerConfirm) else {
                return pairing.fail(.confirmValueFailed)
            }
            let (initiator, responder) =
                pairing.isInitiator ? (pairing.ownNonce, value) : (value, pairing.ownNonce)
            let key = try PairingFunctions.s1(
                key: pairing.sharedValue, responder: responder, initiator: initiator)
            if !pairing.isInitiator { pairing.send(.pairingRandom, pairing.ownNonce) }
            pairing.agree(on: key)
        }
    }

    /// Encrypts the link with the key, shortened to the agreed length.
    mutating func agree(on octets: [UInt8]) {
        let size = Int(features?.keySize ?? 16)
        let key = LongTermKey(SecretKey([UInt8](repeating: 0, count: 16 - size) + octets.suffix(size)))
        self.key = key
        expected = []
        bond.security.isEncrypted = true
        bond.security.isAuthenticated = features?.isAuthenticated == true
        bond.security.isSecureConnections = isSecure
        bond.security.keySize = UInt8(size)
        if isInitiator { outputs.append(.encrypt(key)) }
    }
}
