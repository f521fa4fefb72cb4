import BluetoothCore
import PayloadFormat
public import UQDK

// The car's messages, and whether a phone has to believe them.
extension UQDKVisit {
    /// Adds a message of the car.
    ///
    /// - Parameter isAwaited: whether the phone still listens, that is, has not disconnected.
    mutating func hear(_ message: MessageNote, _ pdu: RecordedPDU, isAwaited: Bool) {
        if let counter = message.counter { carCounters.append((pdu.frame, counter)) }
        guard message.isWhole else { return }
        var isAuthentic = message.tag == nil || message.tag == .verified
        if case .wrong = message.checksum { isAuthentic = false }
        let isNew = message.counter.map { $0 > highestCounter ?? 0 || highestCounter == nil } ?? true
        if isAuthentic, isNew { highestCounter = message.counter ?? highestCounter }
        switch message.kind {
        case .response: answer(message, pdu, isAuthentic: isAuthentic)
        case .event where isAuthentic && isNew: note(message, pdu, isAwaited: isAwaited)
        default: break
        }
    }

    private mutating func answer(_ message: MessageNote, _ pdu: RecordedPDU, isAuthentic: Bool) {
        guard let place = requests.lastIndex(where: { $0.id == message.messageID }),
            requests[place].answer == nil, message.isSecured || !requests[place].isSecured
        else { return }
        let status = message.statusName.flatMap { StatusName(rawValue: $0) }
        requests[place].answer = Answer(
            status: status, fields: message.body,
            body: message.bodyOctets, isAuthentic: isAuthentic, time: pdu.time, frame: pdu.frame)
        // Counters restart with each session.
        if message.purpose == .authFinish, status == .success { highestCounter = nil }
    }

    /// Decodes the received messages in the dialect that is known by now.
    mutating func understand() {
        for index in requests.indices {
            let rest = requests[index].answer?.body?.dropFirst(dialect.status.width)
            requests[index].answer?.body = rest.map { Array($0) }
        }
        for index in events.indices where events[index].isRequired {
            let command = dialect.command(events[index].command)
            events[index].isRequired = command?.request.decode(events[index].body).misfit == nil
        }
    }

    private mutating func note(_ message: MessageNote, _ pdu: RecordedPDU, isAwaited: Bool) {
        guard let code = message.command, let body = message.bodyOctets else { return }
        events.append(
            Event(
                frame: pdu.frame, command: code, body: body,
                isRequired: isAwaited && message.tag == .verified))
    }
}

extension SessionModel {
    /// Returns the nonces that the digital-key phone drew, in order.
    public func nonces(_ knowledge: UQDKKnowledge) -> [[UInt8]] {
        connections.flatMap { UQDKVisit($0, knowledge)?.nonces ?? [] }
    }
}
