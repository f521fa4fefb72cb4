import BluetoothCore

// Continuation of a session after a divergence, so that later differences are also found.

extension FakeController {
    /// Continues after a divergence, from the later step that matches the host's PDU, or else as if the due
    /// step had been performed.
    mutating func goOn(
        _ octets: [UInt8]?, _ expected: HostStep?, _ channel: L2CAPChannelID, link index: Int
    ) {
        guard let octets else {
            // The host ends the connection, so no more steps are expected.
            for step in links[index].script.steps { skip(step.index, link: index) }
            return
        }
        guard channel == .attribute else {
            if let expected { skip(expected.index, link: index) }
            return advanceLink(link: index)
        }
        let isRequest = ATTOpcode(rawValue: octets.first ?? 0).kind == .request
        if isRequest { links[index].pendingRequest = nil }
        let later = links[index].script.steps.first { step in
            step.lane == .client && step.index > (expected?.index ?? -1) && step.octets == octets
                && !links[index].isConsumed[step.index]
        }
        if let later {
            for step in links[index].script.steps[..<later.index] where step.lane == .client {
                skip(step.index, link: index)
            }
            return takeAttribute(octets, link: index)
        }
        // A PDU with another opcode doesn't replace the due step.
        if let expected, expected.octets?.first == octets.first || expected.isResponse {
            skip(expected.index, link: index)
        }
        if let handle = octets.handle { links[index].answeredFreely.insert(handle) }
        takeLive(octets, link: index)
        advanceLink(link: index)
    }

    /// Continues without a step that did not come; false if the session ends there.
    mutating func goOn(without step: HostStep, link index: Int) -> Bool {
        let connection = links[index].connection
        guard options.continues, !links[index].isClosed else { return false }
        let isKept = keep(
            Divergence(
                kind: .missing, time: now, connection: connection.number, peer: connection.peer,
                expected: step, channel: step.channel, before: transcript.last(8, of: connection.number),
                callbacks: transcript.callbacks, state: state))
        guard isKept else { return false }
        skip(step.index, link: index)
        advanceLink(link: index)
        return true
    }

    /// Whether the event reports an answer that the log does not entail. Each such answer counts once.
    mutating func isOfFreeAnswer(_ event: ApplicationEvent, link index: Int) -> Bool {
        guard let handle = event.handle else { return false }
        let database = links[index].connection.database
        let answered = links[index].answeredFreely.first {
            $0 == handle || database.value(ofConfiguration: $0) == handle
        }
        return answered.map { links[index].answeredFreely.remove($0) } != nil
    }

    /// Stops waiting for a step.
    private mutating func skip(_ step: Int, link index: Int) {
        guard !links[index].isConsumed[step] else { return }
        links[index].isSkipped.insert(step)
        links[index].consume(step, at: now)
    }
}

extension [UInt8] {
    /// The attribute handle of a PDU that starts with one.
    fileprivate var handle: UInt16? { count < 3 ? nil : UInt16(self[1]) | UInt16(self[2]) << 8 }
}
