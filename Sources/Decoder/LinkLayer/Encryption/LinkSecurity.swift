public import BluetoothCore
import Crypto
import WireBytes

/// The security of one connection as a sniffer hears it: who encrypts from which PDU on, the pairing that
/// made the key, and the plaintext of encrypted PDUs.
///
/// Every new data PDU with a length goes to ``open(header:payload:fromCentral:keys:)``; control PDUs that
/// were in clear or opened go to ``receive(control:)``, and Security Manager PDUs to
/// ``receive(pairing:fromCentral:senderIsCertain:keys:)``. Retransmissions go to none of them.
/// Source: Core Specification, Vol 6, Part B, 5.1.3.
public struct LinkSecurity: Sendable {
    /// Result of ``open(header:payload:fromCentral:keys:)``.
    public enum Opened: Equatable, Sendable {
        /// The PDU is not encrypted, and has no MIC.
        case clear
        /// The PDU is not encrypted, although others of the session were.
        case plaintext
        /// The plaintext.
        case opened([UInt8])
        /// The PDU is held back: packets before it are missing, and chance could explain that it opens at a
        /// counter far ahead. It counts as closed unless the next PDU of this direction gives `confirmed`.
        case pending
        /// The plaintext of the pending PDU of this direction, which comes first, and of this one.
        case confirmed(pending: [UInt8], [UInt8])
        /// The PDU stays closed.
        case closed(Reason)
    }

    /// The reason why a PDU stays closed.
    public enum Reason: Hashable, Sendable {
        /// No known key fits.
        case noKey
        /// LL_ENC_REQ, LL_ENC_RSP or both were not heard, which hold a part of the session key each.
        case noEncryptionRequest
        /// LE Secure Connections pairing without a private key of one of its sides.
        case noPrivateKey
        /// Legacy pairing with out-of-band data that is not known.
        case noTemporaryKey
        /// Pairing of which a part was not heard that the key follows from.
        case incompletePairing
        /// More packets were missed than the search of the counter covers.
        case gap
        /// The MIC is wrong, although the key opened other PDUs.
        case wrongMIC
        /// The PDU was opened before.
        case repeated
    }

    private enum Phase: Sendable {
        case clear
        /// LL_ENC_REQ or LL_ENC_RSP was heard.
        case starting
        case encrypted
        /// The recorder decrypted the PDUs.
        case decrypted
    }

    let central: DeviceAddress?
    let peripheral: DeviceAddress?
    private var phase = Phase.clear
    /// Whether a PDU of the session was certainly encrypted: otherwise the recorder may have decrypted all,
    /// or encryption was refused by a packet that was missed.
    private var hasEncrypted = false
    var session = EncryptedSession()
    var pairing = HeardPairing()

    /// Whether the central sent the last PDU that was opened, held back or found repeated.
    public private(set) var openedFromCentral = true

    /// Creates the state of a new connection; the addresses are those of its request, nil if that was not
    /// heard.
    public init(central: DeviceAddress? = nil, peripheral: DeviceAddress? = nil) {
        self.central = central
        self.peripheral = peripheral
    }

    /// Whether new data PDUs are encrypted.
    public var isEncrypted: Bool { phase == .encrypted }

    /// The source of the key that opens the current session; nil while nothing has opened.
    public var keyOrigin: LinkKeys.Origin? { session.key?.source.origin }

    // MARK: Control PDUs

    /// Takes a control PDU in clear or opened: its opcode and CtrData. The opcode tells who sent it.
    public mutating func receive(control pdu: RawSpan) {
        switch pdu.octet(at: 0) {
        case 0x03: requested(pdu.dropping(1))
        case 0x04: answered(pdu.dropping(1))
        case 0x05:
            // The peripheral sends nothing else in clear, and the central encrypts its answer.
            if phase == .clear { session = EncryptedSession() }
            if phase != .encrypted { hasEncrypted = false }
            if phase != .decrypted { phase = .encrypted }
        case 0x0B:
            // After the peripheral's answer both send in clear; if it was missed, the central's shows it.
            phase = .clear
        case 0x0D: if phase == .starting { phase = .clear }
        case 0x07, 0x11: if phase == .starting, pdu.octet(at: 1) == 0x03 { phase = .clear }
        default: break
        }
    }

    /// LL_ENC_REQ: Rand, EDIV, SKDm, IVm.
    private mutating func requested(_ data: RawSpan) {
        guard data.byteCount >= 22 else { return }
        session = EncryptedSession()
        session.diversifier = LinkKeys.Diversifier(
            ediv: data.u16le(at: 8) ?? 0, rand: data.clamped(0..<8).copied().littleEndianValue)
        session.centralHalf = (data.clamped(10..<18).copied(), data.clamped(18..<22).copied())
        phase = .starting
    }

    /// LL_ENC_RSP: SKDs, IVs.
    private mutating func answered(_ data: RawSpan) {
        guard data.byteCount >= 12 else { return }
        if phase != .starting { session = EncryptedSession() }
        session.peripheralHalf = (data.clamped(0..<8).copied(), data.clamped(8..<12).copied())
        phase = .starting
    }

    // MARK: Pairing

    /// Takes a whole Security Manager PDU, and adds the keys that it reveals to `keys`; `senderIsCertain` is
    /// false if `fromCentral` was inferred.
    public mutating func receive(
        pairing pdu: [UInt8], fromCentral: Bool, senderIsCertain: Bool = true, keys: inout LinkKeys
    ) {
        pairing.receive(pdu, fromInitiator: fromCentral, senderIsCertain: senderIsCertain)
        let found = pairing.distributed(
            pdu, by: fromCentral ? central : peripheral, to: fromCentral ? peripheral : central,
            fromInitiator: fromCentral)
        if let found { keys.learn(found) }
    }

    // MARK: Data PDUs

    /// Returns the plaintext of a new data PDU with a length above 0.
    ///
    /// - Parameters:
    ///   - header: the first byte of the PDU's header.
    ///   - payload: the payload with the MIC, without a CTEInfo byte.
    ///   - fromCentral: the sender as the sniffer or the follower took it. Of an encrypted PDU the MIC
    ///     decides, because both may err after a missed packet: see ``openedFromCentral``.
    ///   - keys: the keys to try, to which those that are learned are added.
    public mutating func open(
        header: UInt8, payload: RawSpan, fromCentral: Bool, keys: inout LinkKeys
    ) -> Opened {
        switch phase {
        case .clear, .decrypted: return .clear
        case .starting:
            if ClearPDU.isPlausibleInStart(header, payload) { return .clear }
            // LL_START_ENC_REQ was not heard.
            phase = .encrypted
        case .encrypted: break
        }
        switch ClearPDU(header, payload) {
        case .startResponse:
            phase = .decrypted
            return .clear
        case .other: return .clear
        case nil: break
        }
        guard payload.byteCount > EncryptedPacket.micLength else { return .closed(.wrongMIC) }
        var opened = Opened.closed(.noEncryptionRequest)
        if session.iv != nil {
            let packets = [
                EncryptedPacket(header: header, payload: payload, fromCentral: fromCentral),
                EncryptedPacket(header: header, payload: payload, fromCentral: !fromCentral),
            ]
            opened = (try? open(packets, &keys)) ?? .closed(.noKey)
        }
        switch opened {
        case .closed where ClearPDU.isAnswer(header, payload): return .clear
        case .closed where ClearPDU.isWholeL2CAP(header, payload): return hasEncrypted ? .plaintext : .clear
        case .closed where ClearPDU.hasOpcode(header, payload) != false: break
        case .clear, .plaintext, .pending: break
        case .opened, .confirmed, .closed: hasEncrypted = true
        }
        return opened
    }

    private mutating func open(
        _ packets: [EncryptedPacket], _ keys: inout LinkKeys
    ) throws(CryptoError) -> Opened {
        if session.needsCandidates(keys.revision) { try findCandidates(packets, &keys) }
        let wasSettled = session.key != nil
        let result = try decrypt(packets, &keys.effort)
        if !wasSettled, let source = session.key?.source, let kind = source.kind {
            keys.learn(
                LinkKeys.Learned(kind: kind, key: source.key, device: peripheral, peer: central))
        }
        switch result {
        case .opened(let plaintext): return .opened(plaintext)
        case .confirmed(let held, let plaintext): return .confirmed(pending: held, plaintext)
        case .held: return .pending
        case .repeated: return .closed(.repeated)
        case .failed: return .closed(wasSettled ? lossReason(packets[0].fromCentral) : keyReason)
        }
    }

    private mutating func decrypt(
        _ packets: [EncryptedPacket], _ effort: inout SearchEffort
    ) throws(CryptoError) -> EncryptedSession.Result {
        for isNear in [true, false] {
            for packet in packets {
                openedFromCentral = packet.fromCentral
                let result =
                    isNear ? try session.openNear(packet, &effort) : try session.openFar(packet, &effort)
                guard case .failed = result else { return result }
            }
        }
        openedFromCentral = packets[0].fromCentral
        return .failed
    }

    /// A link with a wrong MIC ends at once (Vol 6, Part B, 4.5.13), so several in a row mean lost packets.
    private func lossReason(_ fromCentral: Bool) -> Reason {
        session[fromCentral].failures >= 3 ? .gap : .wrongMIC
    }

    private var keyReason: Reason {
        guard session.diversifier?.isZero == true, pairing.isHeard else { return .noKey }
        if pairing.isSecure {
            return pairing.hasWholeExchange(central, peripheral) ? .noPrivateKey : .incompletePairing
        }
        guard pairing.shortTermInput != nil else { return .incompletePairing }
        if pairing.isOutOfBand { return .noTemporaryKey }
        return pairing.confirmation(central, peripheral) == nil ? .incompletePairing : .noKey
    }
}

/// PDUs that are in clear although the link is about to be encrypted, or is.
private enum ClearPDU {
    case startResponse
    case other

    /// Lengths of the PDUs that may follow LL_ENC_REQ and LL_ENC_RSP in clear, by opcode.
    private static let startLengths: [LLControlOpcode: Int] = [
        .terminateIndication: 2, .encryptionRequest: 23, .encryptionResponse: 13, .startEncryptionRequest: 1,
        .unknownResponse: 2, .featureRequest: 9, .featureResponse: 9, .pauseEncryptionResponse: 1,
        .versionIndication: 6, .rejectIndication: 2, .peripheralFeatureRequest: 9,
        .extendedRejectIndication: 3, .lengthRequest: 9, .lengthResponse: 9, .phyRequest: 3, .phyResponse: 3,
    ]

    /// Nil unless the PDU can't be an encrypted one.
    init?(_ header: UInt8, _ payload: RawSpan) {
        guard header & 3 == 3, let opcode = payload.octet(at: 0) else { return nil }
        if payload.byteCount <= EncryptedPacket.micLength {
            self = opcode == EncryptedPacket.startResponse && payload.byteCount == 1 ? .startResponse : .other
        } else if opcode == LLControlOpcode.encryptionRequest.rawValue, payload.byteCount == 23 {
            // No control PDU has 19 bytes, which an encrypted one of this length would have.
            self = .other
        } else {
            return nil
        }
    }

    /// Whether the PDU looks like an LL_ENC_RSP in clear, which an encrypted one could do by chance.
    static func isAnswer(_ header: UInt8, _ payload: RawSpan) -> Bool {
        header & 3 == 3 && payload.byteCount == 13
            && payload.octet(at: 0) == LLControlOpcode.encryptionResponse.rawValue
    }

    /// Whether the PDU is an L2CAP PDU on a fixed channel of LE, which an encrypted one does not look like by
    /// chance.
    static func isWholeL2CAP(_ header: UInt8, _ payload: RawSpan) -> Bool {
        guard header & 3 == 2, let channel = payload.u16le(at: 2) else { return false }
        return (4...6).contains(channel) && isPlausibleInStart(header, payload)
    }

    /// Whether a control PDU has an opcode that a specification defines; nil for other PDUs.
    static func hasOpcode(_ header: UInt8, _ payload: RawSpan) -> Bool? {
        guard header & 3 == 3, let opcode = payload.octet(at: 0) else { return nil }
        return AirTable.controlName(opcode) != nil
    }

    /// Whether a PDU between LL_ENC_REQ and LL_START_ENC_REQ is in clear, as it should be.
    static func isPlausibleInStart(_ header: UInt8, _ payload: RawSpan) -> Bool {
        switch header & 3 {
        case 3:
            guard let opcode = payload.octet(at: 0) else { return true }
            return LLControlOpcode(rawValue: opcode).flatMap { startLengths[$0] } == payload.byteCount
        case 2: return payload.u16le(at: 0).map(Int.init) == payload.byteCount - 4
        default: return false
        }
    }
}

extension LinkSecurity.Reason: CustomStringConvertible {
    /// The missing fact, as a part of a sentence.
    public var description: String {
        switch self {
        case .noKey: "its key is not known"
        case .noEncryptionRequest: "the start of its encryption was not heard"
        case .noPrivateKey: "neither private key of its pairing is known"
        case .noTemporaryKey: "the out-of-band data of its pairing is not known"
        case .incompletePairing: "a part of its pairing was not heard"
        case .gap: "too many packets before it were missed"
        case .wrongMIC: "its integrity code is wrong"
        case .repeated: "it was opened before"
        }
    }
}
