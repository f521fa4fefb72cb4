import WireBytes

extension UQDKLink {
    /// Explains a message that is whole.
    mutating func complete(
        _ assembled: Reassembler.Assembled, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ isUnbroken: Bool, _ annotation: inout UQDKAnnotation
    ) {
        let id = assembled.messageID
        let decoding = shared.decode(assembled.octets, from: sender, id: id)
        annotation.completesMessage = true
        var note = MessageNote()
        note.messageID = hasMessageIDs ? id : nil
        note.isWhole = true
        note.kind = decoding.kind
        note.frames = assembled.frames
        note.octetCount = assembled.octets.count
        if let checksum = decoding.checksum {
            note.checksum =
                checksum.found == checksum.expected
                ? .right : .wrong(found: checksum.found, expected: checksum.expected)
        }
        for error in decoding.errors {
            annotation.problems.append(AnnotationProblem(error.code.description, error.text))
        }
        guard let message = decoding.message, !decoding.errors.contains(.magic) else {
            annotation.message = note
            return
        }
        note.command = message.command
        let command = shared.command(message.command)
        note.name = command?.name
        note.isSecured = message.isSecured
        if message.isSecured && !isUnbroken {
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.message.interleaved", "a secured message has other fragments between its own"))
        }
        checkID(id, message.kind, &annotation)
        // A message whose octets are wrong moves no state: neither side would have taken it.
        let isSound = decoding.errors.isEmpty
        let request = message.kind == .response ? answer(message, id, time, &note, &annotation) : nil
        if message.kind == .request {
            ask(
                Pending(
                    messageID: id, command: message.command, name: note.name ?? "a request",
                    isSecured: message.isSecured, frame: frame, time: time), &annotation)
        }
        var body: [UInt8]? = message.payload
        if message.isSecured {
            let opened = session.open(message, decoding.headerOctets, id, sender, time, isSound)
            note.counter = opened.counter
            note.tag = opened.verification
            if !opened.problems.isEmpty { annotation.problems += opened.problems }
            body = opened.body
            if opened.body == nil { note.opaque = opened.opaque }
        } else {
            let problems = unsecured(message, command, request, time)
            if !problems.isEmpty { annotation.problems += problems }
        }
        if let body {
            if keepsBodies { note.bodyOctets = body }
            explain(body, message, command, &note, answersClear: request?.isSecured == false, &annotation)
            if isSound, let command {
                session.learn(
                    message, command, note, body, time, answersClear: request?.isSecured == false,
                    &annotation)
                note.proof = session.takeProof()
            }
        }
        annotation.message = note
    }

    private func checkID(_ id: UInt64, _ kind: MessageKind, _ annotation: inout UQDKAnnotation) {
        guard let fragments = shared.dialect.fragments, fragments.format.header.field(.messageID) != nil
        else {
            return
        }
        let range = kind == .event ? fragments.eventIDs : fragments.requestIDs
        guard !range.contains(id) else { return }
        annotation.problems.append(
            AnnotationProblem(
                "uqdk.fragment.id-range",
                "id \(id) is none of a\(kind == .event ? "n event" : " \(kind.word)"), "
                    + "\(range.lowerBound) to \(range.upperBound)"))
    }

    /// Joins a response to its request.
    private mutating func answer(
        _ message: Message, _ id: UInt64, _ time: Int64, _ note: inout MessageNote,
        _ annotation: inout UQDKAnnotation
    ) -> Pending? {
        let index =
            hasMessageIDs
            ? pending.firstIndex { $0.messageID == id }
            : pending.firstIndex { $0.command == message.command } ?? pending.indices.first
        guard let index else {
            if session.startSeen {
                annotation.problems.append(
                    AnnotationProblem("uqdk.response.unexpected", "no request waits for this response"))
            }
            return nil
        }
        let request = pending.remove(at: index)
        note.requestFrame = request.frame
        let latency = time &- request.time
        note.latency = latency
        if let asked = request.command, asked != message.command {
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.response.command", "the request of frame \(request.frame) was \(request.name)"))
        }
        if latency > shared.dialect.limits.command &* 1_000_000, !request.isOverdue {
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.request.timeout",
                    "the response came after \(latency / 1_000_000) ms, more than the "
                        + "\(shared.dialect.limits.command) ms that a phone waits"))
        }
        return request
    }

    /// What is wrong with a message that is not secured.
    private mutating func unsecured(
        _ message: Message, _ command: DialectCommand?, _ request: Pending?, _ time: Int64
    ) -> [AnnotationProblem] {
        guard shared.dialect.securing != nil, let command, command.isSecured else { return [] }
        switch message.kind {
        case .request:
            return [
                AnnotationProblem("uqdk.session.unsecured-request", "\(command.name) must be secured")
            ]
        case .event:
            guard session.state(at: time) == .established else { return [] }
            return [
                AnnotationProblem(
                    "uqdk.session.unsecured-event", "an event in clear while a session stands is ignored")
            ]
        case .response:
            guard let request, request.isSecured else { return [] }
            if let status = shared.dialect.statusCode(message.payload),
                shared.dialect.status.meaning(status) == .authenticationRequired
            {
                return []
            }
            return [
                AnnotationProblem(
                    "uqdk.session.unsecured-response",
                    "a response in clear to the secured request of frame \(request.frame) is ignored")
            ]
        }
    }

    /// Reads the body's fields.
    private func explain(
        _ body: [UInt8], _ message: Message, _ command: DialectCommand?, _ note: inout MessageNote,
        answersClear: Bool, _ annotation: inout UQDKAnnotation
    ) {
        var rest = body[...]
        var layout = command?.request
        if message.kind == .response {
            layout = command?.response
            guard let status = shared.dialect.statusCode(body) else {
                annotation.problems.append(AnnotationProblem("uqdk.body", "a response without a status"))
                return
            }
            note.status = status
            note.statusName = shared.dialect.status.names[status]
            rest = rest.dropFirst(shared.dialect.status.width)
            if shared.dialect.status.meaning(status) != .success {
                let name = note.statusName ?? "an unknown status, \(status)"
                // A car asks what was sent in clear for authentication first: that is no refusal.
                let isAsking =
                    answersClear && shared.dialect.status.meaning(status) == .authenticationRequired
                annotation.problems.append(
                    AnnotationProblem(
                        isAsking ? "uqdk.status.authentication-required" : "uqdk.status",
                        "\(note.name ?? "the request") is answered with \(name)"))
                if !rest.isEmpty {
                    annotation.problems.append(
                        AnnotationProblem("uqdk.body", "\(rest.count) octets after a status of failure"))
                    note.opaque = Array(rest)
                }
                return
            }
        }
        guard let layout else {
            if !rest.isEmpty { note.opaque = Array(rest) }
            return
        }
        let decoded = layout.decode(rest)
        note.body = decoded.fields
        if let misfit = decoded.misfit {
            annotation.problems.append(AnnotationProblem("uqdk.body", misfit.description))
            note.opaque = Array(rest)
        }
    }
}
