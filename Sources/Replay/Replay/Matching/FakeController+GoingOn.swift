import BluetoothCore

// Continuation of a session after a divergence, so that later differences are also found.

extension FakeController {
    /// Continues after a divergence: from a later step that matches the host's PDU, or else as if the host
    /// had performed the due step.
    mutating func goOn(
        _ octets: [UInt8]?, _ expected: HostStep?, _ channel: L2CAPChannelID, _ index: Int
    ) {
        guard let octets else {
            // The host ended the connection, so it need not perform any more steps.
            for step in links[index].script.steps { skip(step.index, index) }
            return
        }
        guard channel == .attribute else {
            if let expected { skip(expected.index, index) }
            return advanceLink(index)
        }
        let isRequest = ATTOpcode(rawValue: octets.first ?? 0).kind == .request
        if isRequest { links[index].pendingRequest = nil }
        let later = links[index].script.steps.first { step in
            step.lane == .client && step.index > (expected?.index ?? -1) && step.octets == octets
                && !links[index].isConsumed[step.index]
        }
        if let later {
            for step in links[index].script.steps[..<later.index] where step.lane == .client {
                skip(step.index, index)
            }
            return takeAttribute(octets, index)
        }
        // A PDU with another opcode does not take the place of the due step.
        if let expected, expected.octets?.first == octets.first || expected.isResponse {
            skip(expected.index, index)
        }
        if let handle = octets.handle { links[index].answeredFreely.insert(handle) }
        takeLive(octets, index)
        advanceLink(index)
    }

    /// Continues without a step that the host did not perform; returns false if the session ends instead.
    mutating func goOn(without step: HostStep, _ index: Int) -> Bool {
        let connection = links[index].connection
        guard options.continues, !links[index].isClosed else { return false }
        let isKept = keep(
            Divergence(
                kind: .missing, time: now, connection: connection.number, peer: connection.peer,
                expected: step, channel: step.channel, before: transcript.last(8, of: connection.number),
                callbacks: transcript.callbacks, state: state))
        guard isKept else { return false }
        skip(step.index, index)
        advanceLink(index)
        return true
    }

    /// Whether the event comes from an answer that is not in the log; each such answer counts once.
    mutating func isOfFreeAnswer(_ event: ApplicationEvent, _ index: Int) -> Bool {
        guard let handle = event.handle else { return false }
        let database = links[index].connection.database
        let answered = links[index].answeredFreely.first {
            $0 == handle || database.value(ofConfiguration: $0) == handle
        }
        return answered.map { links[index].answeredFreely.remove($0) } != nil
    }

    /// Stops waiting for a step.
    private mutating func skip(_ step: Int, _ index: Int) {
        guard !links[index].isConsumed[step] else { return }
        links[index].isSkipped.insert(step)
        links[index].consume(step, at: now)
    }
}

extension [UInt8] {
    /// The attribute handle of a PDU that starts with one.
    fileprivate var handle: UInt16? { count < 3 ? nil : UInt16(self[1]) | UInt16(self[2]) << 8 }
}
