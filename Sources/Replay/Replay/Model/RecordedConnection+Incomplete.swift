import BluetoothCore
import Runtime

// Incomplete exchanges, which can't be played. Only writes are kept, with made-up responses.

extension RecordedConnection {
    /// Frames that were left out, or got a made-up response.
    struct Incomplete {
        /// The frames of answers without a request, and of requests without a response. Not included:
        /// requests from before a log that begins in mid-connection.
        var frames: [Int] = []
        var malformed: [Int] = []
        /// The frames of writes whose response was made up.
        var answered: [Int] = []
    }

    /// Leaves out answers without requests, truncated PDUs, requests without responses, and PDUs that only
    /// the recorded host can send; each with its counterpart. Counts ``attPDUs`` before it does so.
    mutating func leaveOutIncomplete() -> Incomplete {
        let responses = HostScript.responses(self)
        var out: Set<Int> = []
        var found = Incomplete()
        var writes: Set<Int> = []
        var hasAsked: Set<RecordedPDU.Side> = []
        for (place, pdu) in pdus.enumerated() {
            if pdu.isCut { out.formUnion([place, pdu.answers, responses[place]].compactMap(\.self)) }
            guard pdu.channel == .attribute else { continue }
            attPDUs += 1
            if pdu.isMalformed, pdu.side == .host {
                found.malformed.append(pdu.frame)
                out.formUnion([place, pdu.answers, responses[place]].compactMap(\.self))
                continue
            }
            switch pdu.opcode.kind {
            case .request, .indication:
                hasAsked.insert(pdu.side)
                guard pdu.isRequest else { continue }
                let response = responses[place]
                let isMalformed = pdu.side == .host && response.map { pdus[$0].isMalformed } ?? false
                if isMalformed, let response {
                    found.malformed.append(pdus[response].frame)
                    out.insert(response)
                }
                guard response == nil || isMalformed else { continue }
                let goesOn = isLeftUnanswered(place: place) || mayBeUnheard(responseTo: pdu)
                guard goesOn || isMalformed || isFollowedByCommands(place: place) else { continue }
                if goesOn || isMalformed, pdu.opcode == .writeRequest, pdu.side == .host, !pdu.isCut {
                    writes.insert(place)
                    if !isMalformed { found.answered.append(pdu.frame) }
                } else {
                    out.insert(place)
                    if !isMalformed { found.frames.append(pdu.frame) }
                }
            case .response, .confirmation:
                guard pdu.answers == nil else { continue }
                out.insert(place)
                if !wasOpenAtStart || hasAsked.contains(pdu.side == .host ? .peer : .host) {
                    found.frames.append(pdu.frame)
                }
            default: break
            }
        }
        if !out.isEmpty { leaveOutRemains(&out, &found) }
        if !out.isEmpty || !writes.isEmpty { leaveOut(out, answering: writes) }
        return found
    }

    /// Leaves out the remaining parts of incomplete long reads and prepared writes.
    private func leaveOutRemains(_ out: inout Set<Int>, _ found: inout Incomplete) {
        var rest = self
        rest.pdus = pdus.map { pdu in
            guard let place = pdu.answers, out.contains(place) else { return pdu }
            var pdu = pdu
            pdu.answers = nil
            return pdu
        }
        // On no known channel they make no steps, and the indices of the others stay.
        for place in out { rest.pdus[place].channel = L2CAPChannelID(rawValue: 0) }
        let responses = HostScript.responses(rest)
        for step in HostScript.steps(of: rest, responses) {
            guard case .request = step.action, let place = step.pdus.first, pdus[place].isPart else {
                continue
            }
            found.frames.append(step.frame)
            out.formUnion([place, responses[place]].compactMap(\.self))
        }
    }

    /// Whether the log lacks the response to a request: the same side sent another request before the
    /// timeout.
    private func isLeftUnanswered(place: Int) -> Bool {
        let asked = pdus[place]
        guard let next = pdus[(place + 1)...].first(where: { $0.isRequest && $0.side == asked.side }) else {
            return false
        }
        return asked.time.duration(to: next.time) < HostScript.transaction
    }

    /// Whether a sniffer may have missed the response to a request, or could not read it.
    ///
    /// Otherwise it heard that the server stayed silent until the timeout, or that the connection ended.
    private func mayBeUnheard(responseTo request: RecordedPDU) -> Bool {
        guard let hearing else { return false }
        return request.frame < hearing.gap
            || end == nil && request.time.duration(to: hearing.last) < HostScript.transaction
    }

    /// Whether the host sent commands after a request without a response.
    ///
    /// An application that waits for each call to end would never send them.
    private func isFollowedByCommands(place: Int) -> Bool {
        pdus[place].side == .host
            && pdus[(place + 1)...].contains {
                $0.channel == .attribute && $0.side == .host && $0.opcode.kind == .command
            }
    }

    /// Leaves out the PDUs at these indices.
    ///
    /// - Parameter writes: the indices of writes that get a Write Response.
    mutating func leaveOut(_ out: Set<Int>, answering writes: Set<Int> = []) {
        var places = [Int?](repeating: nil, count: pdus.count)
        var kept: [RecordedPDU] = []
        for (place, pdu) in pdus.enumerated() where !out.contains(place) {
            places[place] = kept.count
            var pdu = pdu
            pdu.answers = pdu.answers.flatMap { places[$0] }
            kept.append(pdu)
            guard writes.contains(place) else { continue }
            kept.append(
                RecordedPDU(
                    frame: pdu.frame, time: pdu.time, side: .peer, channel: .attribute,
                    octets: ATTWriteResponse().pdu, isCut: false, answers: kept.count - 1,
                    isMadeUp: true))
        }
        for index in updates.indices {
            let before = updates[index].pdusBefore
            updates[index].pdusBefore += writes.count { $0 < before } - out.count { $0 < before }
        }
        pdus = kept
    }
}

extension RecordedPDU {
    /// Whether this complete PDU does not have the format of its opcode, or has an unknown opcode.
    fileprivate var isMalformed: Bool { !isCut && att == nil }

    /// Whether the PDU reads or writes a part of a long value.
    fileprivate var isPart: Bool {
        [.readBlobRequest, .prepareWriteRequest, .executeWriteRequest].contains(opcode)
    }
}
