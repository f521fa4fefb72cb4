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
        /// Whether its time ran out and that was said.
        var isOverdue = false
        /// Whether an answer came that the phone does not take.
        var hasIgnoredAnswer = false

        var place: FramePlace { FramePlace(bits: frame) }

        /// When it will have waited that many nanoseconds: at no time that there is, where that would be
        /// after the last one.
        func deadline(after patience: Int64) -> Int64 {
            let (deadline, isPast) = time.addingReportingOverflow(patience)
            return isPast ? .max : deadline
        }
    }

    let shared: SharedDialect
    /// Whether notes of messages keep the octets of bodies in clear.
    var keepsBodies = false
    private(set) var phone: Side
    private(set) var car: Side
    var pending: [Pending] = []
    var session: SessionTracker
    /// What speaks against this dialect: problems, and messages that start as none of its.
    private(set) var doubts = 0

    init(_ shared: SharedDialect, _ keys: KeyStore, startSeen: Bool) {
        self.shared = shared
        phone = Side(reassembler: Reassembler(limits: shared.dialect.reassemblyLimits))
        car = phone
        session = SessionTracker(shared, keys, startSeen: startSeen)
    }

    /// Takes the value of a command or event characteristic, which was recognized in this way.
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
        let code = isCut ? "uqdk.fragment.cut" : "uqdk.fragment.header"
        let text =
            isCut
            ? "the recorder kept only \(value.byteCount.counting("byte")) of this fragment"
            : "\(value.byteCount.counting("byte")) that start with no fragment header of this dialect"
        return UQDKAnnotation(shared, recognition, problems: [AnnotationProblem(code, text)])
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

    /// Octets of memory that messages which are not whole take, and those remembered for a while.
    var room: Int { phone.reassembler.room &+ car.reassembler.room }

    /// Gives up the messages that are not whole: their senders are not blamed for it.
    mutating func giveUpUnfinished() {
        phone.reassembler.giveUp()
        car.reassembler.giveUp()
    }

    /// When the oldest request without a response will have waited as long as it may.
    ///
    /// Inlined, since it is asked of every value: who calls it copies the link first.
    @inline(__always)
    var deadline: Int64 {
        var earliest = Int64.max
        for request in pending where !request.isOverdue {
            earliest = min(earliest, request.deadline(after: shared.patience))
        }
        return earliest
    }

    /// The requests that have waited longer than they may, each once.
    mutating func overdue(at time: Int64, from file: Int) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for index in pending.indices where !pending[index].isOverdue {
            guard time > pending[index].deadline(after: shared.patience) else { continue }
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

    /// The last fragment of a message that can't be read: the request counts as asked, the response as given,
    /// of which `facts` then tell what is known.
    ///
    /// `first` is what this frame tells of it, where it does; else its first fragment told.
    private mutating func lose(
        _ id: UInt64, _ first: MessageBeginning?, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ facts: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        let beginning = first ?? (sender == .phone ? phone.beginning(of: id) : car.beginning(of: id))
        if sender == .phone {
            // A last fragment that nothing came before, of a message that is waited on: it came once more.
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

    /// A value that is a message of its own.
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
                    "uqdk.fragment.cut",
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

    /// Notes a request that now waits for its response.
    mutating func ask(_ request: Pending, _ problems: inout [AnnotationProblem]) {
        if shared.hasMessageIDs, let index = pending.firstIndex(where: { $0.messageID == request.messageID })
        {
            let earlier = pending.remove(at: index)
            if !earlier.hasIgnoredAnswer {
                problems.append(
                    AnnotationProblem(
                        "uqdk.request.id-reused",
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

    /// The name of a request's command, for a person.
    func name(of request: Pending) -> String { shared.name(ofCommand: request.command) ?? "a request" }

    private func unanswered(_ request: Pending, from file: Int) -> AnnotationProblem {
        let but = request.hasIgnoredAnswer ? " but one in clear, which is ignored" : ""
        return AnnotationProblem(
            "uqdk.request.unanswered",
            "\(name(of: request)) of frame \(request.place.text(from: file)) has no response\(but)")
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
