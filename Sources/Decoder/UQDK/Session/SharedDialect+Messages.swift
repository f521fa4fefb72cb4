import PayloadFormat
import WireBytes

// Queries that need only the dialect. They are kept apart from the link so that callers don't copy the link.

extension SharedDialect {
    /// Returns the facts that the first fragment reveals about an incomplete message.
    func read(
        first slice: RawSpan, of id: UInt64, _ sender: Sender
    ) -> (beginning: MessageBeginning, fragments: Int?, isDoubtful: Bool) {
        var beginning = MessageBeginning(messageID: id)
        let isWrong = dialect.message.header.hasWrongFields(in: slice)
        if isWrong,
            dialect.message.header.wrongFields(in: slice).contains(where: { $0.role == .magic })
        {
            return (beginning, nil, true)
        }
        beginning.kind = MessageReading.kind(slice, dialect, from: sender, id: id)
        let isDoubtful = isWrong || beginning.kind == nil
        beginning.command = dialect.message.header.value(of: .command, in: slice)
        beginning.isSecured = dialect.message.isSecured(slice)
        guard let says = dialect.message.header.value(of: .length, in: slice), !slice.isEmpty,
            says <= UInt64(dialect.limits.messageOctets)
        else { return (beginning, nil, isDoubtful) }
        var total = Int(says)
        if dialect.message.lengthMeaning == .payload { total += emptyWidth }
        return (beginning, max(1, (total + slice.byteCount - 1) / slice.byteCount), isDoubtful)
    }

    /// Reports an id outside the range of its message kind.
    func checkID(_ message: UQDKLink.Whole, _ problems: inout [AnnotationProblem]) {
        guard let ids else { return }
        let (id, kind) = (message.id, message.kind)
        let range = kind == .event ? ids.events : ids.requests
        guard !range.contains(id) else { return }
        problems.append(
            AnnotationProblem(
                .fragmentID,
                "id \(id) is not in the range of a\(kind == .event ? "n event" : " \(kind.word)"), "
                    + "\(range.lowerBound) to \(range.upperBound)"))
    }

    /// Reads the status of a body in clear, and checks that the rest has the expected fields.
    func explain(
        _ message: UQDKLink.Whole, _ note: inout MessageFacts, answersClear: Bool,
        _ problems: inout [AnnotationProblem]
    ) {
        let isResponse = message.kind == .response
        if isResponse {
            let body = note.content.place
            note.content.place =
                min(body.lowerBound + dialect.status.width, body.upperBound)..<body.upperBound
            guard let status = self.status(note.content.octets.borrowedOctets.clamped(body)) else {
                problems.append(AnnotationProblem(.body, "a response without a status"))
                return
            }
            note.status = status
            let meaning = self.meaning(ofStatus: status)
            if meaning != .success {
                // A car may answer a message in clear by asking for authentication: that is not a refusal.
                let isAsking = answersClear && meaning == .authenticationRequired
                return refused(status, isAsking: isAsking, &note, &problems)
            }
        }
        guard let command = message.commandIndex else {
            note.content.isOpaque = !note.content.place.isEmpty
            return
        }
        note.content.hasFields = true
        if plainWidth(command, ofResponse: isResponse) == note.content.place.count { return }
        let decoded = layout(command, ofResponse: isResponse)
            .decode(note.content.octets[note.content.place])
        if let misfit = decoded.misfit {
            problems.append(AnnotationProblem(.body, misfit.description))
            note.content.isOpaque = true
        }
    }

    /// Reports the meaning of a failure status; nothing should follow it.
    private func refused(
        _ status: UInt64, isAsking: Bool, _ note: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        let name = note.statusName ?? "an unknown status, \(status)"
        var text = TextBuffer(capacity: 128)
        text.put(note.name ?? "the request")
        text.put(" is answered with ")
        text.put(name)
        problems.append(
            AnnotationProblem(
                isAsking ? .authenticationRequired : .status(meaning(ofStatus: status)), text.text))
        guard !note.content.place.isEmpty else { return }
        problems.append(
            AnnotationProblem(.body, "\(note.content.place.count) bytes after a status of failure"))
        note.content.isOpaque = true
    }
}
