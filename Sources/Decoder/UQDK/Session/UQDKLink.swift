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
        var isOverdue = false
        /// Whether a response came that the phone does not accept, which was reported.
        var hasIgnoredAnswer = false

        /// Whether its missing response is still to be reported.
        var isOwed: Bool { !isOverdue && !hasIgnoredAnswer }

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
        return UQDKAnnotation(shared, recognition, problems: [AnnotationProblem(kind, "\(text)")])
    }

    private mutating func take(
        _ fragment: FragmentHeader, _ slice: RawSpan, _ isCut: Bool, _ sender: Sender, _ time: Int64,
        _ frame: UInt64, _ recognition: UQDKAnnotation.Recognition
    ) -> UQDKAnnotation {
        var ended: [Reassembler.Ended] = []
        var others: [Reassembler.Ended] = []
        let outcome: Reassembler.Outcome
        if sender == .phone {
            outcome = phone.accept(fragment, slice, isCut, time, frame, &ended)
            car.expire(at: time, &others)
        } else {
            outcome = car.accept(fragment, slice, isCut, time, frame, &ended)
            phone.expire(at: time, &others)
        }
        var problems = ended.map { Self.problem($0) }
        problems += others.map { Self.problem($0, .byReceiver) }
        var count = fragment.count ?? (fragment.isLast ? fragment.index + 1 : nil)
        let state: FragmentFate
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
    mutating func close(at time: Int64) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for ended in phone.reassembler.reset() + car.reassembler.reset() {
            problems.append(Self.problem(ended))
        }
        for request in pending where request.isOwed { problems.append(unanswered(request)) }
        pending = []
        return problems
    }

    /// Memory in bytes taken by incomplete messages and those remembered for a while.
    var room: Int { phone.reassembler.room &+ car.reassembler.room }

    /// Drops incomplete messages without blaming their senders.
    mutating func dropIncomplete() {
        phone.reassembler.giveUp()
        car.reassembler.giveUp()
    }

    /// Time at which the oldest unanswered request times out.
    ///
    /// Inlined because it is read after every value, and a call would copy the link.
    @inline(__always)
    var deadline: Int64 {
        var earliest = Int64.max
        for request in pending where request.isOwed {
            earliest = min(earliest, request.deadline(after: shared.patience))
        }
        return earliest
    }

    /// Returns a problem for each request that has timed out, once per request.
    mutating func overdue(at time: Int64) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for index in pending.indices where pending[index].isOwed {
            guard time > pending[index].deadline(after: shared.patience) else { continue }
            pending[index].isOverdue = true
            problems.append(
                AnnotationProblem(
                    .requestTimeout,
                    "no response to \(name(of: pending[index])) of frame \(pending[index].place)"
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
                        "id \(request.messageID) is used again while frame \(earlier.place) has no response"))
            }
        }
        if pending.count >= max(1, shared.dialect.limits.outstanding) {
            let oldest = pending.removeFirst()
            if oldest.isOwed { problems.append(unanswered(oldest)) }
        }
        pending.append(request)
    }

    func name(of request: Pending) -> String { shared.name(ofCommand: request.command) ?? "a request" }

    private func unanswered(_ request: Pending) -> AnnotationProblem {
        AnnotationProblem(
            .requestUnanswered,
            "\(name(of: request)) of frame \(request.place) has no response")
    }

    /// Returns the problem for a message that ended before it was complete.
    static func problem(
        _ ended: Reassembler.Ended, _ traits: AnnotationProblem.Kind.Traits = []
    ) -> AnnotationProblem {
        let frames = ended.frames.map { "\(FramePlace(bits: $0))" as Sentence }.joined(separator: ", ")
        let place: Sentence =
            frames.isEmpty ? "" : " (\(ended.frames.count == 1 ? "frame" : "frames") \(frames))"
        return AnnotationProblem(
            .fragment(ended.failure, traits),
            "message \(ended.messageID) was not completed\(place): \(ended.failure.description)")
    }

    /// The fragments of one direction.
    struct Side: Sendable {
        var reassembler: Reassembler
        /// Number of fragments so far, without repetitions.
        var count = 0
        /// Messages whose first fragment has arrived, oldest first.
        private var begun: [Begun] = []

        /// A message with its first fragment but not yet its last.
        private struct Begun: Sendable {
            /// Value of `count` at its first fragment.
            var start: Int
            /// The facts that the first fragment revealed.
            var beginning: MessageBeginning
        }

        init(reassembler: Reassembler) { self.reassembler = reassembler }

        /// Number of messages kept, for tests of the bound.
        var begunCount: Int { begun.count }

        mutating func accept(
            _ fragment: FragmentHeader, _ slice: RawSpan, _ isCut: Bool, _ time: Int64, _ frame: UInt64,
            _ ended: inout [Reassembler.Ended]
        ) -> Reassembler.Outcome {
            let outcome = reassembler.accept(
                fragment, slice, isCut: isCut, at: time, frame: frame, ended: &ended)
            let isRepeated = if case .repeated = outcome { true } else { false }
            if !isRepeated { count += 1 }
            for one in ended where one.messageID != fragment.messageID { forget(one.messageID) }
            return outcome
        }

        /// Ends the messages whose next fragment is overdue.
        mutating func expire(at time: Int64, _ ended: inout [Reassembler.Ended]) {
            let before = ended.count
            reassembler.expire(at: time, ended: &ended)
            for one in ended.dropFirst(before) { forget(one.messageID) }
        }

        /// Forgets the message that `last` completes. Returns whether its fragments were contiguous.
        mutating func finish(_ last: FragmentHeader) -> Bool {
            guard let index = place(of: last.messageID) else { return last.index == 0 }
            let start = begun.remove(at: index).start
            return last.index == 0 || count - start == last.index
        }

        /// Records that the last counted fragment began this message; the oldest message may be evicted.
        mutating func begin(_ beginning: MessageBeginning) {
            forget(beginning.messageID)
            if begun.count >= UQDKLink.begunLimit { begun.removeFirst() }
            begun.append(Begun(start: count, beginning: beginning))
        }

        func beginning(of id: UInt64) -> MessageBeginning? { place(of: id).flatMap { begun[$0].beginning } }

        mutating func forget(_ id: UInt64) {
            if let index = place(of: id) { begun.remove(at: index) }
        }

        private func place(of id: UInt64) -> Int? {
            for index in begun.indices.reversed() where begun[index].beginning.messageID == id {
                return index
            }
            return nil
        }
    }

    /// Limit of begun messages per direction: the number of one-byte ids.
    ///
    /// Without a limit, messages whose last fragment never comes would stay forever.
    static let begunLimit = 256

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
            problems.append(AnnotationProblem(error.problem, "\(error.text)"))
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
        session.learn(message, command: command, &note, answersClear: answersClear, &problems)
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
            // The car answers a request of which it lacks a part, which is reported.
            let isOfUnfinished = problems.contains { $0.kind.traits.contains(.byReceiver) }
            if session.startSeen, !isOfUnfinished {
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
                    "the request of frame \(request.place) was \(name(of: request))"))
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

    private mutating func unsecured(
        _ message: Whole, _ note: borrowing MessageFacts, _ request: Pending?,
        _ problems: inout [AnnotationProblem]
    ) {
        guard shared.securing != nil, let command = message.commandIndex, shared.isSecured(command: command)
        else { return }
        switch message.kind {
        case .request:
            problems.append(
                AnnotationProblem(
                    .unsecuredRequest, "\(shared.mustBeSecured(command: command))"))
        case .event:
            guard session.state(at: message.time) == .established else { return }
            problems.append(
                AnnotationProblem(
                    .unsecuredEvent, "an unsecured event during a session is ignored"))
        case .response:
            guard let request, request.isSecured else { return }
            let status = shared.status(note.content.octets.borrowedOctets.clamped(note.content.place))
            let meaning = status.flatMap { shared.meaning(ofStatus: $0) }
            if meaning == .authenticationRequired { return }
            // A car that accepted the tag would answer secured.
            let isNotOpened = meaning == .badMessage
            let text: Sentence =
                isNotOpened
                ? "the car could not verify the secured request of frame \(request.place)"
                : "an unsecured response to the secured request of frame \(request.place) is ignored"
            problems.append(
                AnnotationProblem(
                    isNotOpened ? session.ofSession(.requestNotOpened) : .unsecuredResponse, text))
        }
    }
}
