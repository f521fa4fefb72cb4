import PayloadFormat
import WireBytes

extension UQDKLink {
    /// Explains a complete message.
    mutating func complete(
        _ assembled: Reassembler.Assembled, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ isUnbroken: Bool, _ note: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        let id = assembled.messageID
        let reading = shared.read(assembled.octets.borrowedOctets, from: sender, id: id)
        note.isOfMessage = true
        note.messageID = shared.hasMessageIDs ? id : nil
        note.isWhole = true
        note.kind = reading.kind
        note.frames = assembled.frames
        note.octetCount = assembled.octets.count
        if let checksum = reading.checksum {
            note.checksum =
                checksum.found == checksum.expected
                ? .right : .wrong(found: checksum.found, expected: checksum.expected)
        }
        for error in reading.errors {
            problems.append(AnnotationProblem(error.problem, error.text))
        }
        if let kind = reading.kind, let payload = reading.payload, !reading.errors.contains(.magic) {
            note.command = reading.command
            note.isSecured = reading.isSecured
            note.content.octets = assembled.octets
            note.content.place = payload
            if reading.isSecured && !isUnbroken {
                problems.append(
                    AnnotationProblem(
                        .messageInterleaved, "a secured message has other fragments between its own"))
            }
            let message = Whole(
                id: id, kind: kind, command: reading.command, commandIndex: reading.commandIndex,
                isSound: reading.errors.isEmpty, sender: sender, time: time, frame: frame)
            follow(message, &note, &problems)
        }
    }

    /// The facts about a complete message that every rule needs.
    struct Whole {
        let id: UInt64
        let kind: MessageKind
        let command: UInt64
        /// Index of its command in the dialect; nil if the code is unknown.
        let commandIndex: Int?
        /// Whether its bytes are valid. An invalid message changes no state, since neither side would have
        /// accepted it.
        let isSound: Bool
        let sender: Sender
        let time: Int64
        let frame: UInt64
    }

    /// Follows requests and the session; the content of `note` is the payload.
    private mutating func follow(
        _ message: Whole, _ note: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        shared.checkID(message, &problems)
        var request: Pending?
        switch message.kind {
        case .response: request = answer(message, &note, &problems)
        case .request:
            ask(
                Pending(
                    messageID: message.id, command: message.command, isSecured: note.isSecured,
                    frame: message.frame, time: message.time), &problems)
        case .event: break
        }
        if note.isSecured {
            session.open(message, &note, &problems)
            if note.content.isOpaque { return }
        } else {
            unsecured(message, note, request, &problems)
            if var request, problems.contains(where: { $0.kind == .unsecuredResponse }) {
                // The phone keeps waiting for a response that it may accept.
                request.hasIgnoredAnswer = true
                pending.append(request)
            }
        }
        if keepsBodies { note.content.clearStart = note.content.place.lowerBound }
        let answersClear = request?.isSecured == false
        shared.explain(message, &note, answersClear: answersClear || request == nil, &problems)
        guard message.isSound, let command = message.commandIndex else { return }
        session.learn(message, command, &note, answersClear: answersClear, &problems)
    }

    /// Joins a response to its request.
    private mutating func answer(
        _ message: Whole, _ note: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) -> Pending? {
        let index =
            shared.hasMessageIDs
            ? pending.firstIndex { $0.messageID == message.id }
            : pending.firstIndex { $0.command == message.command } ?? pending.indices.first
        guard let index else {
            if session.startSeen {
                problems.append(
                    AnnotationProblem(.responseUnexpected, "no request waits for this response"))
            }
            return nil
        }
        let request = pending.remove(at: index)
        note.requestFrame = request.frame
        let latency = message.time &- request.time
        note.latency = latency
        if let asked = request.command, asked != message.command {
            problems.append(
                AnnotationProblem(
                    .responseCommand,
                    "the request of frame "
                        + request.place.text(from: FramePlace(bits: message.frame).file) + " was "
                        + name(of: request)))
        }
        if latency > shared.patience, !request.isOverdue {
            problems.append(
                AnnotationProblem(
                    .requestTimeout,
                    "the response came after \(latency / 1_000_000) ms, more than the "
                        + "\(shared.dialect.limits.command) ms that a phone waits"))
        }
        return request
    }

    /// Reports problems of an unsecured message.
    private mutating func unsecured(
        _ message: Whole, _ note: borrowing MessageFacts, _ request: Pending?,
        _ problems: inout [AnnotationProblem]
    ) {
        guard shared.securing != nil, let command = message.commandIndex, shared.isSecured(command)
        else { return }
        switch message.kind {
        case .request:
            problems.append(
                AnnotationProblem(
                    .unsecuredRequest, shared.mustBeSecured(command)))
        case .event:
            guard session.state(at: message.time) == .established else { return }
            problems.append(
                AnnotationProblem(
                    .unsecuredEvent, "an unsecured event during a session is ignored"))
        case .response:
            guard let request, request.isSecured else { return }
            if let status = shared.status(note.content.octets.borrowedOctets.clamped(note.content.place)),
                shared.meaning(ofStatus: status) == .authenticationRequired
            {
                return
            }
            problems.append(
                AnnotationProblem(
                    .unsecuredResponse,
                    "an unsecured response to the secured request of frame "
                        + request.place.text(from: FramePlace(bits: message.frame).file) + " is ignored"))
        }
    }
}
