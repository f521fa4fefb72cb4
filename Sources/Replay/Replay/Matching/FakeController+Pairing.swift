import BluetoothCore
import LEHost
import Runtime

// Recorded pairings, played with a live peer, since no log contains the private keys.

/// The peer's side of a pairing in progress.
struct PlayedPairing: Sendable {
    var peer: Pairing
    /// The passkey that the peer shows, if it shows one.
    let passkey: UInt32
    /// The passkey that the host shows.
    var shown: UInt32?
    /// Whether the peer waits for the passkey that the host shows.
    var isWaiting = false
    /// Number of the peer's recorded PDUs that were sent.
    var sent = 0
    /// Time of the peer's last PDU.
    var latest: Instant
    /// Time of the host's last PDU; both sides have to continue within 30 s (Vol 3, Part H, 3.4).
    var heard: Instant
    /// Whether the host has sent one PDU beyond those in the log.
    var hasSentMore = false
}

extension FakeController {
    /// Handles a Security Manager PDU on a link with a recorded pairing. Only the code is compared with the
    /// log; the live peer checks the content.
    mutating func takePairing(_ octets: [UInt8], link index: Int) {
        let code = octets.first.map(SMPCode.init(rawValue:))
        if code == .pairingKeypressNotification { return normalizations.note(.pairing) }
        guard let due = links[index].dueSecurity, let expected = links[index].script.steps[due].octets,
            expected.first == octets.first, expected.count == octets.count,
            code != .pairingFailed || expected == octets
        else { return takeUnrecorded(octets, link: index) }
        if code == .pairingRequest || code == .pairingResponse {
            guard links[index].connection.pairing?.isRepeated(by: octets) == true else {
                return diverge(.different, octets, .securityManager, link: index)
            }
        }
        if code == .pairingRequest { begin(link: index) }
        var outputs: [Pairing.Output] = []
        if code != .securityRequest {
            guard var pairing = links[index].pairing else {
                return diverge(.unexpected, octets, .securityManager, link: index)
            }
            outputs = pairing.peer.receive(octets, at: now)
            // A rejection by the live peer shows a difference, unless the recorded peer rejected the PDU too.
            let mayRefuse = code == .pairingFailed || isRefusalRecorded(outputs, after: due, link: index)
            guard mayRefuse || !outputs.contains(where: \.isRefusal) else {
                return diverge(.different, octets, .securityManager, link: index)
            }
            pairing.heard = now
            links[index].pairing = pairing
        }
        if expected != octets { normalizations.note(.pairing) }
        joinLast(to: links[index].script.steps[due].frame)
        finish(step: due, link: index)
        apply(outputs, link: index)
        if code == .pairingFailed { insistOnRefusals(after: .zero, link: index) }
    }

    /// Makes the callbacks of held-back refusals required, since the pairing has failed.
    private mutating func insistOnRefusals(after delay: Duration, link index: Int) {
        for held in links[index].expectedCallbacks where held.event.refusal?.asksForSecurity == true {
            insist(on: held.event, after: delay, link: index)
        }
    }

    /// Longest delay after the peer's Pairing Failed for a PDU of the host that crossed it.
    private static let crossing = Duration.milliseconds(100)

    /// Handles a PDU that is not in the log, or need not be: it crossed the peer's Pairing Failed, or begins
    /// another pairing.
    private mutating func takeUnrecorded(_ octets: [UInt8], link index: Int) {
        let code = octets.first
        guard let recorded = links[index].connection.pairing, !recorded.isWhole,
            links[index].dueSecurity == nil, let pairing = links[index].pairing
        else { return diverge(.different, octets, .securityManager, link: index) }
        let optional = links[index].first(in: .security) { !$0.isRequired && $0.octets?.first == code }
        if let optional { return noteMatch(step: optional, octets, link: index) }
        let isRequest = code == SMPCode.pairingRequest.rawValue && octets.count == 7
        if isRequest, links[index].connection.isCentral, !links[index].isPairing(at: now) {
            return refusePairing(link: index)
        }
        // Only the next PDU of the protocol's sequence, because the peer no longer answers.
        let next: [SMPCode] = [
            .pairingResponse, .pairingPublicKey, .pairingConfirm, .pairingRandom, .pairingDHKeyCheck,
        ]
        let isOnItsWay =
            recorded.failure?.side == .peer
            ? now <= pairing.latest.advanced(by: Self.crossing) : recorded.isLeftByPeer
        guard isOnItsWay, !pairing.hasSentMore, next.contains(where: { $0.rawValue == code }) else {
            return diverge(.unexpected, octets, .securityManager, link: index)
        }
        links[index].pairing?.hasSentMore = true
        normalizations.note(.pairing)
    }

    mutating func refusePairing(link index: Int) {
        normalizations.note(.security)
        let refusal = [SMPCode.pairingFailed.rawValue, PairingReason.pairingNotSupported.rawValue]
        transmit(PeerPDU(channel: .securityManager, octets: refusal, frame: 0, isReply: false), link: index)
    }

    /// Whether the recorded peer refused the same PDU for the same reason.
    private func isRefusalRecorded(_ outputs: [Pairing.Output], after due: Int, link index: Int) -> Bool {
        guard let recorded = links[index].connection.pairing, let failure = recorded.failure,
            failure.side == .peer
        else { return false }
        // If the log has no response, the recorded peer's rules are unknown.
        guard recorded.features != nil else { return true }
        let isLast = links[index].first(in: .security) { $0.isRequired && $0.index > due } == nil
        return isLast
            && outputs.contains { if case .send(let octets) = $0 { octets == failure.octets } else { false } }
    }

    /// Lets the peer, as the central, start pairing with the recorded request.
    mutating func begin(with request: RecordedPDU, link index: Int) {
        begin(link: index)
        links[index].pairing?.sent = 1
        _ = links[index].pairing?.peer.begin(with: request.octets, at: now)
        sendFailure(link: index)
    }

    /// Creates the peer's side of a link's pairing.
    private mutating func begin(link index: Int) {
        let link = links[index]
        guard let recorded = link.connection.pairing,
            let randomness = try? PairingRandomness(
                RecordedEntropy(
                    [.pairing: recorded.peerDraws],
                    // The seed differs from the host's, so that the two sides never draw the same key.
                    fallback: SeededEntropy(seed: ~UInt64(link.connection.number))))
        else { return }
        let peer = link.connection.peer
        let own = DeviceAddress(peer.value, peer.isRandom ? .random : .public)
        let policy = recorded.peerPolicy
        links[index].pairing = PlayedPairing(
            peer: link.connection.isCentral
                ? Pairing(answering: link.host, as: own, policy, randomness)
                : Pairing(initiatingWith: link.host, as: own, policy, randomness),
            passkey: randomness.passkey, latest: now, heard: now)
    }

    /// Advances the peer's side of a link's pairing.
    mutating func advancePairing(link index: Int, _ body: (inout Pairing, Instant) -> [Pairing.Output]) {
        guard !links[index].isClosed, var pairing = links[index].pairing else { return }
        let outputs = body(&pairing.peer, now)
        links[index].pairing = pairing
        apply(outputs, link: index)
        advanceLink(link: index)
    }

    private mutating func apply(_ outputs: [Pairing.Output], link index: Int) {
        for output in outputs {
            switch output {
            case .send(let octets): send(octets, link: index)
            case .ask(let question): ask(question, link: index)
            case .legacy, .encrypt, .finished: break
            }
        }
        sendFailure(link: index)
    }

    /// Sends the recorded Pairing Failed, after all PDUs before it, in place of the live peer's PDU.
    private mutating func sendFailure(link index: Int) {
        guard let recorded = links[index].connection.pairing, let failure = recorded.failure,
            failure.side == .peer, links[index].dueSecurity == nil,
            links[index].pairing?.sent == recorded.sent.count - 1
        else { return }
        send(failure.octets, link: index)
        insistOnRefusals(after: now.duration(to: links[index].pairing?.latest ?? now), link: index)
    }

    /// Sends a PDU of the live peer in place of the recorded one with the same code. Keys are the recorded
    /// ones.
    private mutating func send(_ octets: [UInt8], link index: Int) {
        guard let recorded = links[index].connection.pairing, let pairing = links[index].pairing else {
            return
        }
        let next = recorded.sent.indices.dropFirst(pairing.sent)
            .first { recorded.sent[$0].octets.first == octets.first }
        guard next != nil || recorded.isWhole else { return }
        let place = next.map { recorded.sent[$0] }
        let isKey = (SMPCode.encryptionInformation.rawValue...SMPCode.signingInformation.rawValue)
            .contains(octets.first ?? 0)
        let delay = place.flatMap { links[index].script.peerDelay(ofSecurity: $0.frame) } ?? .zero
        var time = now.advanced(by: delay)
        if let place {
            let usual = time
            let limit = pairing.heard.advanced(
                by: Placement.latest - links[index].script.hostDelay(afterSecurity: place.frame))
            time = placed(
                cause: now, delay: delay, recorded: links[index].replayed(place.time),
                until: max(usual, limit))
        }
        time = max(time, pairing.latest)
        if let next { links[index].pairing?.sent = next + 1 }
        links[index].pairing?.latest = time
        links[index].replies += 1
        let isFailure = octets.first == SMPCode.pairingFailed.rawValue
        var sent = isKey || isFailure ? place?.octets ?? octets : octets
        if let place, recorded.isRefused(place) { sent[sent.count - 1] ^= 1 }
        let pdu = PeerPDU(
            channel: .securityManager, octets: sent, frame: place?.frame ?? 0, isReply: true)
        schedule(.pdu(index, pdu), at: time)
    }

    /// Answers the peer's question as its user would.
    private mutating func ask(_ question: PairingQuestion, link index: Int) {
        switch question {
        case .display: break
        case .compare, .consent, .replaceBond: advancePairing(link: index) { $0.answer(.yes, at: $1) }
        case .enter:
            links[index].pairing?.isWaiting = true
            enterShown(link: index)
        }
    }

    /// Enters the host's passkey at the peer, once the host shows it and the peer waits for it.
    private mutating func enterShown(link index: Int) {
        guard let pairing = links[index].pairing, pairing.isWaiting, let shown = pairing.shown else { return }
        links[index].pairing?.isWaiting = false
        advancePairing(link: index) { $0.answer(.passkey(shown), at: $1) }
    }

    /// Returns the answer of the host's user to a question; nil without an answer.
    mutating func answer(to question: PairingQuestion) -> PairingAnswer? {
        guard let index = links.lastIndex(where: { !$0.isClosed && $0.isPairing(at: now) }),
            let pairing = links[index].pairing
        else { return .no }
        switch question {
        case .display(let passkey):
            links[index].pairing?.shown = passkey
            enterShown(link: index)
            return nil
        case .compare, .consent, .replaceBond:
            return links[index].connection.pairing?.answer(to: question, .yes)
        case .enter:
            // If neither side shows a passkey, both users enter the same one.
            links[index].pairing?.shown = pairing.passkey
            enterShown(link: index)
            return links[index].connection.pairing?.answer(to: question, .passkey(pairing.passkey))
        }
    }
}

extension Pairing.Output {
    fileprivate var isRefusal: Bool {
        if case .finished(.failure) = self { true } else { false }
    }
}
