import WireBytes

/// One dialect's view of one link: fragments, messages, requests and the session.
struct UQDKLink: Sendable {
    /// A request that has no response yet.
    struct Pending: Sendable {
        var messageID: UInt64
        var command: UInt64?
        var isSecured: Bool
        var frame: UInt64
        var time: Int64
        /// Whether its time ran out and that was said.
        var isOverdue = false
        /// Whether an answer came that the phone does not take.
        var hasIgnoredAnswer = false

        var place: FramePlace { FramePlace(bits: frame) }
    }

    let shared: SharedDialect
    /// Whether notes of messages keep the octets of bodies in clear.
    var keepsBodies = false
    private(set) var phone: Side
    private(set) var car: Side
    var pending: [Pending] = []
    var session: SessionTracker

    init(_ shared: SharedDialect, _ keys: KeyStore, startSeen: Bool) {
        self.shared = shared
        phone = Side(reassembler: Reassembler(limits: shared.dialect.reassemblyLimits))
        car = phone
        session = SessionTracker(shared, keys, startSeen: startSeen)
    }

    /// Takes the value of a command or event characteristic.
    mutating func handle(
        _ value: RawSpan, isCut: Bool, from sender: Sender, at time: Int64, frame: UInt64
    ) -> UQDKAnnotation {
        var annotation = UQDKAnnotation(shared)
        guard shared.isFragmented else {
            whole(value, isCut, sender, time, frame, &annotation)
            annotation.session = session.state(at: time)
            return annotation
        }
        guard let fragment = shared.fragment(value) else {
            let code = isCut ? "uqdk.fragment.cut" : "uqdk.fragment.header"
            let text =
                isCut
                ? "the recorder kept only \(value.byteCount) octets of this fragment"
                : "\(value.byteCount) octets that start with no fragment header of this dialect"
            annotation.problems.append(AnnotationProblem(code, text))
            return annotation
        }
        let slice = value.dropping(shared.fragmentWidth)
        var ended: [Reassembler.Ended] = []
        let outcome =
            sender == .phone
            ? phone.accept(fragment, slice, isCut, time, frame, &ended)
            : car.accept(fragment, slice, isCut, time, frame, &ended)
        for one in ended { annotation.problems.append(Self.problem(one, from: FramePlace(bits: frame).file)) }
        let isUnbroken = sender == .phone ? phone.isUnbroken(fragment) : car.isUnbroken(fragment)
        let state = FragmentNote.State(outcome)
        annotate(fragment, slice, state, isCut, sender, &annotation)
        if case .complete(let assembled) = consume outcome {
            complete(assembled, sender, time, frame, isUnbroken, &annotation)
        } else if fragment.isLast, state != .repeated {
            lost(fragment.messageID, sender, time, frame, &annotation)
        }
        annotation.session = session.state(at: time)
        return annotation
    }

    /// What is left open when the link ends.
    mutating func close(at time: Int64, from file: Int) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for ended in phone.reassembler.reset() + car.reassembler.reset() {
            problems.append(Self.problem(ended, from: file))
        }
        for request in pending where !request.isOverdue { problems.append(unanswered(request, from: file)) }
        pending = []
        return problems
    }

    /// When the oldest request without a response will have waited as long as it may.
    var deadline: Int64 {
        var earliest = Int64.max
        for request in pending where !request.isOverdue {
            earliest = min(earliest, request.time &+ shared.patience)
        }
        return earliest
    }

    /// The requests that have waited longer than they may, each once.
    mutating func overdue(at time: Int64, from file: Int) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for index in pending.indices where !pending[index].isOverdue {
            guard time &- pending[index].time > shared.patience else { continue }
            pending[index].isOverdue = true
            problems.append(
                AnnotationProblem(
                    "uqdk.request.timeout",
                    "no response to \(name(of: pending[index])) of frame "
                        + pending[index].place.text(from: file)
                        + " within the \(shared.dialect.limits.command) ms that a phone waits"))
        }
        return problems
    }

    private mutating func annotate(
        _ fragment: FragmentHeader, _ slice: RawSpan, _ state: FragmentNote.State, _ isCut: Bool,
        _ sender: Sender, _ annotation: inout UQDKAnnotation
    ) {
        var count = fragment.count ?? (fragment.isLast ? fragment.index + 1 : nil)
        if fragment.index == 0, state != .complete, state != .repeated {
            let first = read(first: slice, of: fragment.messageID, sender)
            if sender == .phone { phone.keep(first.beginning) } else { car.keep(first.beginning) }
            annotation.beginning = first.beginning
            annotation.isDoubtful = first.isDoubtful
            if count == nil, !isCut { count = first.fragments }
        }
        annotation.fragment = FragmentNote(
            messageID: fragment.messageID, index: fragment.index, isLast: fragment.isLast, count: count,
            state: state)
        guard state == .complete else { return }
        if sender == .phone { phone.forget(fragment.messageID) } else { car.forget(fragment.messageID) }
    }

    /// What the first fragment tells about a message that is not whole yet.
    private func read(
        first slice: RawSpan, of id: UInt64, _ sender: Sender
    ) -> (beginning: MessageBeginning, fragments: Int?, isDoubtful: Bool) {
        var beginning = MessageBeginning(messageID: id)
        let isWrong = shared.dialect.message.header.hasWrongFields(in: slice)
        if isWrong,
            shared.dialect.message.header.wrongFields(in: slice).contains(where: { $0.role == .magic })
        {
            return (beginning, nil, true)
        }
        beginning.kind = MessageReading.kind(slice, shared.dialect, from: sender, id: id)
        let isDoubtful = isWrong || beginning.kind == nil
        beginning.command = shared.dialect.message.header.value(of: .command, in: slice)
        beginning.isSecured = shared.dialect.message.isSecured(slice)
        guard let says = shared.dialect.message.header.value(of: .length, in: slice), !slice.isEmpty,
            says <= UInt64(shared.dialect.limits.messageOctets)
        else { return (beginning, nil, isDoubtful) }
        var total = Int(says)
        if shared.dialect.message.lengthMeaning == .payload { total += shared.emptyWidth }
        return (beginning, max(1, (total + slice.byteCount - 1) / slice.byteCount), isDoubtful)
    }

    /// The last fragment of a message that can't be read: the request counts as asked, the response as given.
    ///
    /// What is known of it stands in the annotation where this frame tells it, else its first fragment told.
    private mutating func lost(
        _ id: UInt64, _ sender: Sender, _ time: Int64, _ frame: UInt64, _ annotation: inout UQDKAnnotation
    ) {
        let beginning =
            annotation.beginning ?? (sender == .phone ? phone.beginning(of: id) : car.beginning(of: id))
        if sender == .phone {
            // A last fragment that nothing came before, of a message that is waited on: it came once more.
            let isWaitedOn = shared.hasMessageIDs && pending.contains { $0.messageID == id }
            if beginning == nil, isWaitedOn { return }
            phone.forget(id)
            ask(
                Pending(
                    messageID: id, command: beginning?.command, isSecured: beginning?.isSecured ?? false,
                    frame: frame, time: time), &annotation)
        } else {
            car.forget(id)
            guard let index = pending.firstIndex(where: { $0.messageID == id }) else { return }
            var message = MessageFacts(shared, beginning ?? MessageBeginning(messageID: id))
            message.requestFrame = pending[index].frame
            message.latency = time &- pending[index].time
            annotation.note = MessageNote(message)
            pending.remove(at: index)
        }
    }

    /// A value that is a message of its own.
    private mutating func whole(
        _ value: RawSpan, _ isCut: Bool, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ annotation: inout UQDKAnnotation
    ) {
        let id = shared.dialect.message.header.value(of: .messageID, in: value) ?? 0
        if isCut {
            annotation.beginning = read(first: value, of: id, sender).beginning
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.fragment.cut", "the recorder kept only \(value.byteCount) octets of this message"))
            return lost(id, sender, time, frame, &annotation)
        }
        let assembled = Reassembler.Assembled(
            messageID: id, octets: value.copied(), frames: FrameNumbers(frame))
        complete(assembled, sender, time, frame, true, &annotation)
    }

    /// Notes a request that now waits for its response.
    mutating func ask(_ request: Pending, _ annotation: inout UQDKAnnotation) {
        if shared.hasMessageIDs, let index = pending.firstIndex(where: { $0.messageID == request.messageID })
        {
            let earlier = pending.remove(at: index)
            if !earlier.hasIgnoredAnswer {
                annotation.problems.append(
                    AnnotationProblem(
                        "uqdk.request.id-reused",
                        "id \(request.messageID) is used again while frame "
                            + earlier.place.text(from: request.place.file) + " has no response"))
            }
        }
        if pending.count >= max(1, shared.dialect.limits.outstanding) {
            let oldest = pending.removeFirst()
            if !oldest.isOverdue { annotation.problems.append(unanswered(oldest, from: request.place.file)) }
        }
        pending.append(request)
    }

    /// The name of a request's command, for a person.
    func name(of request: Pending) -> String { shared.name(ofCommand: request.command) ?? "a request" }

    private func unanswered(_ request: Pending, from file: Int) -> AnnotationProblem {
        let but = request.hasIgnoredAnswer ? " but one in clear, which is ignored" : ""
        return AnnotationProblem(
            "uqdk.request.unanswered",
            "\(name(of: request)) of frame \(request.place.text(from: file)) has no response\(but)")
    }
}

extension FragmentNote.State {
    fileprivate init(_ outcome: borrowing Reassembler.Outcome) {
        self =
            switch outcome {
            case .incomplete: .open
            case .complete: .complete
            case .repeated: .repeated
            case .dropped: .dropped
            case .failed: .failed
            }
    }
}

extension UQDKLink {
    /// A message that ended before it was whole, as a problem.
    static func problem(_ ended: Reassembler.Ended, from file: Int) -> AnnotationProblem {
        let code =
            switch ended.failure {
            case .gap: "gap"
            case .differentRepeat: "repeat"
            case .timeout: "timeout"
            case .restarted: "restarted"
            case .tooManyFragments: "too-many"
            case .tooLong: "too-long"
            case .cut: "cut"
            case .disconnected: "disconnected"
            case .evicted: "evicted"
            }
        let frames = ended.frames.map { FramePlace(bits: $0).text(from: file) }.joined(separator: ", ")
        let place = frames.isEmpty ? "" : " (\(ended.frames.count == 1 ? "frame" : "frames") \(frames))"
        return AnnotationProblem(
            "uqdk.fragment.\(code)",
            "message \(ended.messageID) was not completed\(place): \(ended.failure.sentence)")
    }
}
