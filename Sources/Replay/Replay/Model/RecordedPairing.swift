import BluetoothCore
import LEHost
import Runtime

/// A pairing that came about, so that it can be played: its peer lives, and says of itself what the recorded
/// one said.
struct RecordedPairing: Sendable {
    /// The frames of the first and the last PDU of it.
    let frames: ClosedRange<Int>
    /// Pairing Request and Pairing Response.
    let request: [UInt8]
    let response: [UInt8]
    let features: PairingFeatures
    /// The frames, times and octets of what the peer sent.
    let sent: [RecordedPDU]
    /// What the host sent.
    private let own: [RecordedPDU]
    /// Whether the host is the central, which begins to pair.
    private let isCentral: Bool

    /// Nil where there is none, or none that can be played: it failed, came more than once, needs data that
    /// no log has, or the link was not encrypted for it.
    init?(_ connection: RecordedConnection) {
        let pdus = connection.pdus.filter { $0.channel == .securityManager }
        let initiator: RecordedPDU.Side = connection.isCentral ? .host : .peer
        guard let first = pdus.firstIndex(where: { $0.code == .pairingRequest && $0.side == initiator }),
            pdus[..<first].allSatisfy({ $0.code == .securityRequest }),
            let encryption = connection.encryption, encryption.done != nil,
            encryption.frame > pdus[first].frame
        else { return nil }
        let all = pdus[first...]
        let answer = all.dropFirst().first { $0.code == .pairingResponse && $0.side != initiator }
        let isWhole = all.dropFirst().allSatisfy { pdu in
            !pdu.isCut && pdu.code != .pairingRequest && pdu.code != .pairingFailed
        }
        guard isWhole, !pdus[first].isCut, let answer, let last = all.last,
            let features = PairingFeatures(request: pdus[first].octets, response: answer.octets),
            features.method != .outOfBand
        else { return nil }
        frames = pdus[first].frame...last.frame
        request = pdus[first].octets
        response = answer.octets
        self.features = features
        sent = all.filter { $0.side == .peer && $0.code != .securityRequest }
        own = all.filter { $0.side == .host }
        isCentral = connection.isCentral
    }

    /// Whether a number is shown on one side and entered on the other.
    var needsPerson: Bool { if case .passkey = features.method { true } else { false } }
    /// A host that pairs as the recorded one did.
    var hostPolicy: SecurityPolicy { policy(isCentral ? request : response, own) }
    /// The recorded peer's way to pair.
    var peerPolicy: SecurityPolicy { policy(isCentral ? response : request, sent) }
    /// The random numbers that the log shows of the host, as they are drawn.
    var hostDraws: [[UInt8]] { draws(own) }
    /// Those of the peer.
    var peerDraws: [[UInt8]] { draws(sent) }

    /// Whether a host's Pairing Request or Pairing Response leads to the way to pair that was recorded.
    func isRepeated(by said: [UInt8]) -> Bool {
        let isRequest = said.first == SMPCode.pairingRequest.rawValue
        let new = PairingFeatures(
            request: isRequest ? said : request, response: isRequest ? response : said)
        guard let new else { return false }
        // The keys that a host gives show by themselves, and so do those that it asks for as the central.
        return new.method == features.method && new.isSecure == features.isSecure
            && new.keySize == features.keySize && new.bonds == features.bonds
            && (isRequest || new.asksForSameKeys(as: features))
    }

    private func policy(_ said: [UInt8], _ pdus: [RecordedPDU]) -> SecurityPolicy {
        var policy = SecurityPolicy()
        policy.features = Array(said.dropFirst())
        policy.minimumKeySize = 7
        policy.acceptsDebugKey = true
        if let key = pdus.first(where: { $0.code == .identityInformation }) {
            policy.setIdentityKey(key.value)
        }
        return policy
    }

    /// Nonces, then, where all that is behind them is known, the keys of legacy pairing; see
    /// ``PairingRandomness``.
    private func draws(_ pdus: [RecordedPDU]) -> [[UInt8]] {
        let nonces = pdus.filter { $0.code == .pairingRandom && $0.value.count == 16 }.map(\.value)
        guard let key = pdus.first(where: { $0.code == .encryptionInformation })?.value,
            let name = pdus.first(where: { $0.code == .centralIdentification })?.octets.dropFirst(),
            key.count == 16, name.count == 10
        else { return nonces }
        let passkey = [UInt8](repeating: 0, count: 8)
        return nonces + [key + name.prefix(2).reversed() + name.suffix(8).reversed() + passkey]
    }
}

extension RecordedPDU {
    /// What kind of PDU of the Security Manager it is.
    var code: SMPCode { SMPCode(rawValue: octets.first ?? 0) }

    /// Whether it is the peer's request to pair, where that is played.
    func begins(_ pairing: RecordedPairing?) -> Bool {
        side == .peer && frame == pairing?.frames.lowerBound
    }

    /// The one value of it, most significant octet first.
    fileprivate var value: [UInt8] { octets.dropFirst().reversed() }
}
