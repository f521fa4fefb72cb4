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

extension FakeLink {
    mutating func takeSecurity(_ octets: [UInt8], _ air: inout RecordedAir) {
        if pairing != nil || connection.pairing != nil { return takePairing(octets, &air) }
        let isAsked = openSecurity > 0
        if isAsked { openSecurity -= 1 }
        if let step = first(in: .security, where: { $0.action == .security(octets) }) {
            return match(step: step, octets, &air)
        }
        // A refusal does not change the session; and the host has rules of its own for a peer's security
        // request.
        let isRefusal = octets.first == SMPCode.pairingFailed.rawValue && octets.count == 2
        let isRequest = octets.first == SMPCode.pairingRequest.rawValue && octets.count == 7
        guard isRefusal || isRequest && (isAsked || air.hasPairings) else {
            return diverge(.unexpected, octets, .securityManager, &air)
        }
        isRequest && air.hasPairings ? refusePairing(&air) : air.judge.note(.security)
    }

    /// Handles a Security Manager PDU on a link with a recorded pairing. Only the code is compared with the
    /// log; the live peer checks the content.
    mutating func takePairing(_ octets: [UInt8], _ air: inout RecordedAir) {
        let code = octets.first.map(SMPCode.init(rawValue:))
        if code == .pairingKeypressNotification { return air.judge.note(.pairing) }
        guard let due = dueSecurity, let expected = script.steps[due].octets,
            expected.first == octets.first, expected.count == octets.count,
            code != .pairingFailed || expected == octets
        else { return takeUnrecorded(octets, &air) }
        if code == .pairingRequest || code == .pairingResponse {
            guard connection.pairing?.isRepeated(by: octets) == true else {
                return diverge(.different, octets, .securityManager, &air)
            }
        }
        if code == .pairingRequest { beginPairing(at: air.now) }
        var outputs: [Pairing.Output] = []
        if code != .securityRequest {
            guard var pairing else { return diverge(.unexpected, octets, .securityManager, &air) }
            outputs = pairing.peer.receive(octets, at: air.now)
            // A rejection by the live peer shows a difference, unless the recorded peer rejected the PDU too.
            let mayRefuse = code == .pairingFailed || isRefusalRecorded(outputs, after: due)
            guard mayRefuse || !outputs.contains(where: \.isRefusal) else {
                return diverge(.different, octets, .securityManager, &air)
            }
            pairing.heard = air.now
            self.pairing = pairing
        }
        if expected != octets { air.judge.note(.pairing) }
        air.transcript.joinLast(to: script.steps[due].frame)
        finish(step: due, &air)
        apply(outputs, &air)
        if code == .pairingFailed { insistOnRefusals(after: .zero, &air) }
    }

    /// Makes the callbacks of held-back refusals required, since the pairing has failed.
    private mutating func insistOnRefusals(after delay: Duration, _ air: inout RecordedAir) {
        for held in expectedCallbacks where held.event.refusal?.asksForSecurity == true {
            insist(on: held.event, after: delay, &air)
        }
    }

    /// Longest delay after the peer's Pairing Failed for a PDU of the host that crossed it.
    private static let crossing = Duration.milliseconds(100)

    /// Handles a PDU that is not in the log, or need not be: the log ends before it, it crossed the peer's
    /// Pairing Failed, or it begins another pairing.
    private mutating func takeUnrecorded(_ octets: [UInt8], _ air: inout RecordedAir) {
        let code = octets.first
        guard let recorded = connection.pairing, dueSecurity == nil, var pairing
        else { return diverge(.different, octets, .securityManager, &air) }
        if recorded.isSuccessful {
            // The log ends while the devices exchange their keys.
            let outputs = pairing.peer.receive(octets, at: air.now)
            guard recorded.unrecorded.contains(where: { $0.rawValue == code }),
                !outputs.contains(where: \.isRefusal)
            else { return diverge(.different, octets, .securityManager, &air) }
            self.pairing = pairing
            air.judge.note(.pairing)
            return apply(outputs, &air)
        }
        let optional = first(in: .security) { !$0.isRequired && $0.octets?.first == code }
        if let optional { return match(step: optional, octets, &air) }
        let isRequest = code == SMPCode.pairingRequest.rawValue && octets.count == 7
        if isRequest, connection.isCentral, !isPairing(at: air.now) { return refusePairing(&air) }
        // Only the next PDU of the protocol's sequence, because the peer no longer answers.
        let next: [SMPCode] = [
            .pairingResponse, .pairingPublicKey, .pairingConfirm, .pairingRandom, .pairingDHKeyCheck,
        ]
        let isOnItsWay =
            recorded.failure?.side == .peer
            ? air.now <= pairing.latest.advanced(by: Self.crossing) : recorded.isLeftByPeer
        guard isOnItsWay, !pairing.hasSentMore, next.contains(where: { $0.rawValue == code }) else {
            return diverge(.unexpected, octets, .securityManager, &air)
        }
        self.pairing?.hasSentMore = true
        air.judge.note(.pairing)
    }

    mutating func refusePairing(_ air: inout RecordedAir) {
        air.judge.note(.security)
        let refusal = [SMPCode.pairingFailed.rawValue, PairingReason.pairingNotSupported.rawValue]
        transmit(PeerPDU(channel: .securityManager, octets: refusal, frame: 0, isReply: false), &air)
    }

    /// Whether the recorded peer refused the same PDU for the same reason.
    private func isRefusalRecorded(_ outputs: [Pairing.Output], after due: Int) -> Bool {
        guard let recorded = connection.pairing, let failure = recorded.failure, failure.side == .peer
        else { return false }
        // If the log has no response, the recorded peer's rules are unknown.
        guard recorded.features != nil else { return true }
        let isLast = first(in: .security) { $0.isRequired && $0.index > due } == nil
        return isLast
            && outputs.contains { if case .send(let octets) = $0 { octets == failure.octets } else { false } }
    }

    /// Lets the peer, as the central, start pairing with the recorded request.
    mutating func begin(with request: RecordedPDU, _ air: inout RecordedAir) {
        beginPairing(at: air.now)
        pairing?.sent = 1
        _ = pairing?.peer.begin(with: request.octets, at: air.now)
        sendFailure(&air)
    }

    /// Creates the peer's side of the pairing.
    private mutating func beginPairing(at now: Instant) {
        guard let recorded = connection.pairing,
            let randomness = try? PairingRandomness(
                RecordedEntropy(
                    [.pairing: recorded.peerDraws],
                    // The seed differs from the host's, so that the two sides never draw the same key.
                    fallback: SeededEntropy(seed: ~UInt64(connection.number))))
        else { return }
        let peer = connection.peer
        let own = DeviceAddress(peer.value, peer.isRandom ? .random : .public)
        let policy = recorded.peerPolicy
        pairing = PlayedPairing(
            peer: connection.isCentral
                ? Pairing(answering: host, as: own, policy, randomness)
                : Pairing(initiatingWith: host, as: own, policy, randomness),
            passkey: randomness.passkey, latest: now, heard: now)
    }

    /// Lets the live peer of the pairing act, and sends its PDUs.
    mutating func advancePairing(
        _ air: inout RecordedAir, _ body: (inout Pairing, Instant) -> [Pairing.Output]
    ) {
        guard !isClosed, var pairing else { return }
        let outputs = body(&pairing.peer, air.now)
        self.pairing = pairing
        apply(outputs, &air)
        advance(&air)
    }

    private mutating func apply(_ outputs: [Pairing.Output], _ air: inout RecordedAir) {
        for output in outputs {
            switch output {
            case .send(let octets): send(octets, &air)
            case .ask(let question): ask(question, &air)
            case .legacy, .encrypt, .finished: break
            }
        }
        sendFailure(&air)
    }

    /// Sends the recorded Pairing Failed, after all PDUs before it, in place of the live peer's PDU.
    private mutating func sendFailure(_ air: inout RecordedAir) {
        guard let recorded = connection.pairing, let failure = recorded.failure, failure.side == .peer,
            dueSecurity == nil, pairing?.sent == recorded.sent.count - 1
        else { return }
        send(failure.octets, &air)
        insistOnRefusals(after: air.now.duration(to: pairing?.latest ?? air.now), &air)
    }

    /// Sends a PDU of the live peer in place of the recorded one with the same code. Keys are the recorded
    /// ones.
    private mutating func send(_ octets: [UInt8], _ air: inout RecordedAir) {
        guard let recorded = connection.pairing, let pairing else { return }
        let next = recorded.sent.indices.dropFirst(pairing.sent)
            .first { recorded.sent[$0].octets.first == octets.first }
        guard next != nil || recorded.isSuccessful else { return }
        let counterpart = next.map { recorded.sent[$0] }
        let isKey = (SMPCode.encryptionInformation.rawValue...SMPCode.signingInformation.rawValue)
            .contains(octets.first ?? 0)
        let delay = counterpart.flatMap { script.peerSecurityDelays[$0.frame] } ?? .zero
        var time = air.now.advanced(by: delay)
        if let counterpart {
            let usual = time
            // The host's next PDU must also come within the 30 s.
            let hostDelay = script.hostSecurityDelays[counterpart.frame] ?? .zero
            let limit = pairing.heard.advanced(by: Placement.latest - hostDelay)
            time = air.placed(
                cause: air.now, delay: delay, converted: replayed(counterpart.time),
                until: max(usual, limit))
        }
        time = max(time, pairing.latest)
        if let next { self.pairing?.sent = next + 1 }
        self.pairing?.latest = time
        replies += 1
        let isFailure = octets.first == SMPCode.pairingFailed.rawValue
        var sent = isKey || isFailure ? counterpart?.octets ?? octets : octets
        // The recorded host rejected this value, so it must be wrong again.
        if let counterpart, recorded.isRefused(counterpart) { sent[sent.count - 1] ^= 1 }
        let pdu = PeerPDU(
            channel: .securityManager, octets: sent, frame: counterpart?.frame ?? 0, isReply: true)
        air.schedule(.link(index, .pdu(pdu)), at: time)
    }

    /// Answers the peer's question as its user would.
    private mutating func ask(_ question: PairingQuestion, _ air: inout RecordedAir) {
        switch question {
        case .display: break
        case .compare, .consent, .replaceBond: advancePairing(&air) { $0.answer(.yes, at: $1) }
        case .enter:
            pairing?.isWaiting = true
            enterShown(&air)
        }
    }

    /// Enters the host's passkey at the peer, once the host shows it and the peer waits for it.
    private mutating func enterShown(_ air: inout RecordedAir) {
        guard let pairing, pairing.isWaiting, let shown = pairing.shown else { return }
        self.pairing?.isWaiting = false
        advancePairing(&air) { $0.answer(.passkey(shown), at: $1) }
    }

    /// Returns the answer of the host's user to a question; nil without an answer.
    mutating func answer(to question: PairingQuestion, _ air: inout RecordedAir) -> PairingAnswer? {
        guard let pairing else { return .no }
        switch question {
        case .display(let passkey):
            self.pairing?.shown = passkey
            enterShown(&air)
            return nil
        case .compare, .consent, .replaceBond:
            return connection.pairing?.answer(to: question, .yes)
        case .enter:
            // If neither side shows a passkey, both users enter the same one.
            self.pairing?.shown = pairing.passkey
            enterShown(&air)
            return connection.pairing?.answer(to: question, .passkey(pairing.passkey))
        }
    }
}

extension Pairing.Output {
    fileprivate var isRefusal: Bool {
        if case .finished(.failure) = self { true } else { false }
    }
}
