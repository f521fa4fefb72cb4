import PayloadFormat
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
        /// Whether its timeout was reported.
        var isOverdue = false
        /// Whether a response came that the phone does not accept.
        var hasIgnoredAnswer = false

        var place: FramePlace { FramePlace(bits: frame) }

        /// Returns the time after `patience` nanoseconds of waiting, or the maximum on overflow.
        func deadline(after patience: Int64) -> Int64 {
            let (deadline, isPast) = time.addingReportingOverflow(patience)
            return isPast ? .max : deadline
        }
    }

    let shared: SharedDialect
    /// Whether message notes keep the bytes of bodies in clear.
    var keepsBodies = false
    private(set) var phone: Side
    private(set) var car: Side
    var pending: [Pending] = []
    var session: SessionTracker
    /// Evidence against this dialect: problems, and messages that don't start like its own.
    private(set) var doubts = 0

    init(_ shared: SharedDialect, _ keys: KeyStore, startSeen: Bool) {
        self.shared = shared
        phone = Side(reassembler: Reassembler(limits: shared.dialect.reassemblyLimits))
        car = phone
        session = SessionTracker(shared, keys, startSeen: startSeen)
    }

    /// Decodes the value of a command or event characteristic.
    mutating func handle(
        _ value: RawSpan, isCut: Bool, from sender: Sender, at time: Int64, frame: UInt64,
        by recognition: UQDKAnnotation.Recognition = .label
    ) -> UQDKAnnotation {
        if !shared.isFragmented { return whole(value, isCut, sender, time, frame, recognition) }
        if let fragment = shared.fragment(value) {
            let slice = value.dropping(shared.fragmentWidth)
            return take(fragment, slice, isCut, sender, time, frame, recognition)
        }
        doubts += 1
        let kind = isCut ? AnnotationProblem.Kind.fragmentCut : .fragmentHeader
        let text =
            isCut
            ? "the recorder kept only \(value.byteCount.counting("byte")) of this fragment"
            : "\(value.byteCount.counting("byte")) that start with no fragment header of this dialect"
        return UQDKAnnotation(shared, recognition, problems: [AnnotationProblem(kind, text)])
    }

    private mutating func take(
        _ fragment: FragmentHeader, _ slice: RawSpan, _ isCut: Bool, _ sender: Sender, _ time: Int64,
        _ frame: UInt64, _ recognition: UQDKAnnotation.Recognition
    ) -> UQDKAnnotation {
        var ended: [Reassembler.Ended] = []
        let outcome =
            sender == .phone
            ? phone.accept(fragment, slice, isCut, time, frame, &ended)
            : car.accept(fragment, slice, isCut, time, frame, &ended)
        var problems = ended.map { Self.problem($0, from: FramePlace(bits: frame).file) }
        var count = fragment.count ?? (fragment.isLast ? fragment.index + 1 : nil)
        let state: FragmentNote.State
        var facts = MessageFacts(shared)
        switch consume outcome {
        case .complete(let assembled):
            state = .complete
            let isUnbroken = sender == .phone ? phone.finish(fragment) : car.finish(fragment)
            complete(assembled, sender, time, frame, isUnbroken, &facts, &problems)
        case .incomplete: state = .open
        case .repeated: state = .repeated
        case .dropped: state = .dropped
        case .failed: state = .failed
        }
        if state != .complete, state != .repeated {
            var beginning: MessageBeginning?
            if fragment.index == 0 {
                let first = shared.read(first: slice, of: fragment.messageID, sender)
                if sender == .phone { phone.begin(first.beginning) } else { car.begin(first.beginning) }
                beginning = first.beginning
                facts.begin(first.beginning)
                if first.isDoubtful { doubts += 1 }
                if count == nil, !isCut { count = first.fragments }
            }
            if fragment.isLast {
                lose(fragment.messageID, beginning, sender, time, frame, &facts, &problems)
            }
        }
        doubts += problems.count
        return UQDKAnnotation(
            facts, recognition,
            fragment: FragmentNote(
                messageID: fragment.messageID, index: fragment.index, isLast: fragment.isLast, count: count,
                state: state),
            session: session.state(at: time), problems: problems)
    }

    /// Returns the problems of messages and requests still open when the link ends.
    mutating func close(at time: Int64, from file: Int) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for ended in phone.reassembler.reset() + car.reassembler.reset() {
            problems.append(Self.problem(ended, from: file))
        }
        for request in pending where !request.isOverdue { problems.append(unanswered(request, from: file)) }
        pending = []
        return problems
    }

    /// Memory in bytes taken by incomplete messages and those remembered for a while.
    var room: Int { phone.reassembler.room &+ car.reassembler.room }

    /// Drops incomplete messages without blaming their senders.
    mutating func giveUpUnfinished() {
        phone.reassembler.giveUp()
        car.reassembler.giveUp()
    }

    /// Time at which the oldest unanswered request times out.
    ///
    /// Inlined because it is read after every value, and a call would copy the link.
    @inline(__always)
    var deadline: Int64 {
        var earliest = Int64.max
        for request in pending where !request.isOverdue {
            earliest = min(earliest, request.deadline(after: shared.patience))
        }
        return earliest
    }

    /// Returns a problem for each request that has timed out, once per request.
    mutating func overdue(at time: Int64, from file: Int) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for index in pending.indices where !pending[index].isOverdue {
            guard time > pending[index].deadline(after: shared.patience) else { continue }
            pending[index].isOverdue = true
            problems.append(
                AnnotationProblem(
                    .requestTimeout,
                    "no response to \(name(of: pending[index])) of frame "
                        + pending[index].place.text(from: file)
                        + " within the \(shared.dialect.limits.command) ms that a phone waits"))
        }
        return problems
    }

    /// Handles the last fragment of an unreadable message: the request counts as sent, the response as
    /// received.
    ///
    /// For a response, `facts` then holds what is known of it. `first` is the beginning found in this frame,
    /// if any; otherwise the one remembered from its first fragment is used.
    private mutating func lose(
        _ id: UInt64, _ first: MessageBeginning?, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ facts: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        let beginning = first ?? (sender == .phone ? phone.beginning(of: id) : car.beginning(of: id))
        if sender == .phone {
            // A last fragment without earlier ones, of a message that is awaiting its response: a repetition.
            let isWaitedOn = shared.hasMessageIDs && pending.contains { $0.messageID == id }
            if beginning == nil, isWaitedOn { return }
            phone.forget(id)
            ask(
                Pending(
                    messageID: id, command: beginning?.command, isSecured: beginning?.isSecured ?? false,
                    frame: frame, time: time), &problems)
            return
        }
        car.forget(id)
        guard let index = pending.firstIndex(where: { $0.messageID == id }) else { return }
        facts.begin(beginning ?? MessageBeginning(messageID: id))
        let request = pending.remove(at: index)
        facts.requestFrame = request.frame
        facts.latency = time &- request.time
    }

    /// Decodes a value that is a message by itself.
    private mutating func whole(
        _ value: RawSpan, _ isCut: Bool, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ recognition: UQDKAnnotation.Recognition
    ) -> UQDKAnnotation {
        let id = shared.dialect.message.header.value(of: .messageID, in: value) ?? 0
        var problems: [AnnotationProblem] = []
        var facts = MessageFacts(shared)
        if isCut {
            let beginning = shared.read(first: value, of: id, sender).beginning
            facts.begin(beginning)
            problems.append(
                AnnotationProblem(
                    .fragmentCut,
                    "the recorder kept only \(value.byteCount.counting("byte")) of this message"))
            lose(id, beginning, sender, time, frame, &facts, &problems)
        } else {
            let assembled = Reassembler.Assembled(
                messageID: id, octets: value.copied(), frames: FrameNumbers(frame))
            complete(assembled, sender, time, frame, true, &facts, &problems)
        }
        doubts += problems.count
        return UQDKAnnotation(facts, recognition, session: session.state(at: time), problems: problems)
    }

    /// Adds a request that now waits for its response.
    mutating func ask(_ request: Pending, _ problems: inout [AnnotationProblem]) {
        if shared.hasMessageIDs, let index = pending.firstIndex(where: { $0.messageID == request.messageID })
        {
            let earlier = pending.remove(at: index)
            if !earlier.hasIgnoredAnswer {
                problems.append(
                    AnnotationProblem(
                        .requestID,
                        "id \(request.messageID) is used again while frame "
                            + earlier.place.text(from: request.place.file) + " has no response"))
            }
        }
        if pending.count >= max(1, shared.dialect.limits.outstanding) {
            let oldest = pending.removeFirst()
            if !oldest.isOverdue { problems.append(unanswered(oldest, from: request.place.file)) }
        }
        pending.append(request)
    }

    /// Returns the name of a request's command for output.
    func name(of request: Pending) -> String { shared.name(ofCommand: request.command) ?? "a request" }

    private func unanswered(_ request: Pending, from file: Int) -> AnnotationProblem {
        let but = request.hasIgnoredAnswer ? " but one in clear, which is ignored" : ""
        return AnnotationProblem(
            .requestUnanswered,
            "\(name(of: request)) of frame \(request.place.text(from: file)) has no response\(but)")
    }
}

extension UQDKLink {
    /// Returns the problem for a message that ended before it was complete.
    static func problem(_ ended: Reassembler.Ended, from file: Int) -> AnnotationProblem {
        let frames = ended.frames.map { FramePlace(bits: $0).text(from: file) }.joined(separator: ", ")
        let place = frames.isEmpty ? "" : " (\(ended.frames.count == 1 ? "frame" : "frames") \(frames))"
        return AnnotationProblem(
            .fragment(ended.failure),
            "message \(ended.messageID) was not completed\(place): \(ended.failure.sentence)")
    }
}
