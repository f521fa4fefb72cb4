import BluetoothCore

// The host's PDUs outside the Attribute Protocol: L2CAP signalling and the Security Manager.

extension FakeController {
    mutating func takeSignal(_ octets: [UInt8], link index: Int) {
        guard octets.count >= 4 else { return diverge(.malformed, octets, .leSignalling, link: index) }
        let isAnswer = Self.isAnswer(octets[0])
        if isAnswer {
            guard let asked = links[index].openSignals[octets[1]], Self.fits(octets[0], asked) else {
                return takeUnasked(octets, link: index)
            }
        }
        let due = links[index].first(in: .signalling) { $0.isRequired }
        if let step = links[index].first(in: .signalling, where: { $0.action == .signal(octets) }) {
            if isAnswer { links[index].openSignals[octets[1]] = nil }
            return noteMatch(step: step, octets, link: index)
        }
        if let due, answersAlike(octets, links[index].script.steps[due].octets) {
            links[index].openSignals[octets[1]] = nil
            normalizations.note(.connectionParameters)
            return noteMatch(step: due, octets, link: index)
        }
        guard isAnswer, due == nil else { return diverge(.different, octets, .leSignalling, link: index) }
        // The log lacks the answer.
        links[index].openSignals[octets[1]] = nil
        normalizations.note(.signalling)
    }

    /// Handles an answer without a request, which the recorded host may have sent too.
    private mutating func takeUnasked(_ octets: [UInt8], link index: Int) {
        let same = links[index].first(in: .signalling) { !$0.isRequired && $0.action == .signal(octets) }
        guard let same else { return diverge(.unexpected, octets, .leSignalling, link: index) }
        noteMatch(step: same, octets, link: index)
    }

    /// Whether a code is Command Reject or Connection Parameter Update Response.
    static func isAnswer(_ code: UInt8) -> Bool { code == 0x01 || code == 0x13 }

    /// Whether a response code belongs to a request code (Vol 3, Part A, 4).
    static func fits(_ answer: UInt8, _ request: UInt8) -> Bool { answer == 0x01 || answer == request &+ 1 }

    /// Whether both PDUs answer the same parameter update request, with equal code, identifier and length:
    /// only the host's decision may differ.
    private func answersAlike(_ octets: [UInt8], _ expected: [UInt8]?) -> Bool {
        guard let expected, octets.count == 6, expected.count == 6 else { return false }
        return octets[0] == 0x13 && octets[..<4] == expected[..<4]
    }

    /// Whether the tested host pairs because the recorded host did.
    private var hasPairings: Bool { model.connections.contains { $0.pairing != nil } }

    mutating func takeSecurity(_ octets: [UInt8], link index: Int) {
        if links[index].pairing != nil || links[index].connection.pairing != nil {
            return takePairing(octets, link: index)
        }
        let isAsked = links[index].openSecurity > 0
        if isAsked { links[index].openSecurity -= 1 }
        if let step = links[index].first(in: .security, where: { $0.action == .security(octets) }) {
            return noteMatch(step: step, octets, link: index)
        }
        // A refusal does not change the session; and the host has rules of its own for a peer's security
        // request.
        let isRefusal = octets.first == SMPCode.pairingFailed.rawValue && octets.count == 2
        let isRequest = octets.first == SMPCode.pairingRequest.rawValue && octets.count == 7
        guard isRefusal || isRequest && (isAsked || hasPairings) else {
            return diverge(.unexpected, octets, .securityManager, link: index)
        }
        isRequest && hasPairings ? refusePairing(link: index) : normalizations.note(.security)
    }
}
