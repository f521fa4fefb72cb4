import BluetoothCore
import Runtime

// What of a connection can't be played: of exchanges that the log holds in part nothing is.

extension RecordedConnection {
    /// The longest transaction (Vol 3, Part F, 3.3.3).
    private static var transaction: Duration { .seconds(30) }

    /// Leaves out answers to nothing, PDUs that are cut, and requests whose response is missing, each with
    /// what belongs to it.
    ///
    /// - Returns: The frames of answers without their question and of requests without their response; what
    mutating func leaveOutIncomplete() -> [Int] {
        let responses = HostScript.responses(self)
        var out: Set<Int> = []
        var frames: [Int] = []
        var hasAsked: Set<RecordedPDU.Side> = []
        for (place, pdu) in pdus.enumerated() {
            if pdu.isCut { out.formUnion([place, pdu.answers, responses[place]].compactMap(\.self)) }
            guard pdu.channel == .attribute else { continue }
            attPDUs.recorded += 1
            switch pdu.opcode.kind {
            case .request, .indication:
                hasAsked.insert(pdu.side)
                guard pdu.isRequest, responses[place] < 0, isLeftUnanswered(place) else { continue }
                out.insert(place)
                frames.append(pdu.frame)
            case .response, .confirmation:
                guard pdu.answers == nil else { continue }
                out.insert(place)
                if !wasOpenAtStart || hasAsked.contains(pdu.side == .host ? .peer : .host) {
                    frames.append(pdu.frame)
                }
            default: break
            }
        }
        out.remove(-1)
        attPDUs.kept = attPDUs.recorded - out.count { pdus[$0].channel == .attribute }
        if !out.isEmpty { leaveOut(out) }
        return frames
    }

    /// Whether a request has no response, although the same side goes on asking: the log does not have it.
    private func isLeftUnanswered(_ place: Int) -> Bool {
        let asked = pdus[place]
        guard let next = pdus[(place + 1)...].first(where: { $0.isRequest && $0.side == asked.side }) else {
            return false
        }
        return asked.time.duration(to: next.time) < Self.transaction
    }

    private mutating func leaveOut(_ out: Set<Int>) {
        var places = [Int?](repeating: nil, count: pdus.count)
        var kept: [RecordedPDU] = []
        for (place, pdu) in pdus.enumerated() where !out.contains(place) {
            places[place] = kept.count
            kept.append(pdu)
        }
        for place in kept.indices { kept[place].answers = kept[place].answers.flatMap { places[$0] } }
        for index in updates.indices {
            updates[index].pdusBefore -= out.count { $0 < updates[index].pdusBefore }
        }
        pdus = kept
    }
}
