import BluetoothCore
import CaptureFile
import PayloadFormat
import UQDK

/// The digital-key protocol on one connection.
struct KeyProtocolAnnotator: LinkAnnotator {
    private var tracker: UQDKTracker
    private var use = KeyProtocolUse()
    private var phone: Side?

    /// The purposes of the protocol's characteristics.
    private let attributes: [(uuid: BluetoothUUID, attribute: UQDKAttribute)]

    init(
        _ knowledge: UQDKKnowledge, startSeen: Bool,
        attributes: [(uuid: BluetoothUUID, attribute: UQDKAttribute)] = []
    ) {
        tracker = UQDKTracker(knowledge, startSeen: startSeen)
        self.attributes = attributes
    }

    var kind: PrivateProtocol { .uqdk }
    var isDetected: Bool { use.shown != nil }
    var uses: [ProtocolUse] { use.shown.map { [$0] } ?? [] }
    var incompleteBytes: Int { tracker.room }

    /// The time at which the oldest unanswered request has waited as long as a phone waits.
    var deadline: Int64 { tracker.deadline }

    /// The auth counters that the car accepted; nil if absent.
    var accepted: AcceptedCounters? {
        guard isDetected else { return nil }
        let counters = tracker.accepted
        return counters.isEmpty ? nil : counters
    }

    /// Sets the counters that the car accepted on earlier connections; called before the first value.
    mutating func remember(_ counters: AcceptedCounters) { tracker.remember(counters) }

    func waiting(at time: Int64) -> [OpenRequest] {
        tracker.waiting.map {
            OpenRequest(place: FramePlace(bits: $0.frame), name: $0.name, waited: time &- $0.time)
        }
    }

    mutating func dropIncomplete() { tracker.dropIncomplete() }

    // MARK: Values

    mutating func annotate(
        _ value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        var purpose: UQDKAttribute?
        if let label {
            for entry in attributes where entry.uuid == label.characteristic { purpose = entry.attribute }
            if purpose == nil { return nil }
        }
        return annotate(value, purpose: purpose, context, &annotations, &problems)
    }

    mutating func annotate(
        _ value: RawSpan, purpose: UQDKAttribute?, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        let isWritten = !context.isRead && !context.isNotified
        let made = tracker.handle(
            value, purpose,
            from: UQDKSource(
                handle: context.handle, sender: isWritten ? .phone : .car,
                time: context.time.nanoseconds, frame: context.frame.bits,
                originalLength: context.originalLength))
        guard let made else { return nil }
        if isWritten { phone = context.sender }
        use.follow(made, context)
        for problem in made.problems { problems.append(self.problem(problem, of: made, context)) }
        annotations.add(made)
        let message = made.completesMessage ? made.message : nil
        return ValueFindings(
            deadline: tracker.deadline, success: message.flatMap { success($0, made, context) })
    }

    /// Returns a problem of a value, with the message that it is about if its words don't name it.
    private func problem(
        _ problem: AnnotationProblem, of annotation: UQDKAnnotation, _ context: ValueContext
    ) -> Problem {
        // Problems of fragments are usually about the fragments of another message.
        let isOfMessage = annotation.completesMessage && !problem.kind.traits.contains(.ofFragments)
        let name = isOfMessage ? annotation.message?.name : nil
        let subject = name.flatMap { problem.message.begins(with: $0) ? nil : $0 }
        var annotated = AnnotatedProblem(.uqdk, problem, subject: subject)
        annotated.message = name
        annotated.keyID = use.keyID
        annotated.status = isOfMessage ? annotation.message?.statusName : nil
        annotated.request = annotation.message?.requestFrame.map { FramePlace(bits: $0) }
        var reported = Problem(.annotated(annotated), by: side(of: problem, sender: context.sender))
        // The packets of both sides are needed to know where a session began, and which one it is.
        if problem.kind.traits.contains(.needsBothSides) {
            reported.isUnsure =
                !context.shown.holdsPackets(of: .host)
                || !context.shown.holdsPackets(of: .peer)
        }
        return reported
    }

    /// Returns the name and the request of a command that was accepted: its earlier failures are overcome.
    private func success(
        _ message: MessageNote, _ annotation: UQDKAnnotation, _ context: ValueContext
    ) -> (message: String, asked: FramePlace, keyID: [UInt8]?)? {
        guard message.kind == .response, message.status != nil, let name = message.name,
            !annotation.problems.contains(where: { $0.kind.traits.contains(.refusal) })
        else { return nil }
        // A late answer does not overcome the failures that came after its request.
        return (name, message.requestFrame.map { FramePlace(bits: $0) } ?? context.frame, use.keyID)
    }

    /// Returns the side that caused a problem: the car if it did not answer in time, else the frame's sender,
    /// or its receiver.
    private func side(of problem: AnnotationProblem, sender: Side?) -> Problem.Party? {
        let sender = problem.kind.traits.contains(.byReceiver) ? sender?.other : sender
        return (problem.kind.weight == .unanswered ? phone?.other : sender).map(Problem.Party.init)
    }

    // MARK: Timeouts

    /// Returns the requests that have waited longer than a phone waits, each once.
    mutating func overdue(at moment: CheckTime) -> UnfinishedExchanges {
        let problems = tracker.overdue(at: moment.time)
        return UnfinishedExchanges(
            kind: .uqdk, lacksAnswers: !problems.isEmpty,
            problems: problems.compactMap { open($0, moment, nil) })
    }

    /// Forgets deadlines, so that pending requests do not time out.
    mutating func forgetDeadlines(at time: Int64) { _ = tracker.overdue(at: time) }

    mutating func close(at moment: CheckTime, reason: UInt8?) -> UnfinishedExchanges {
        var asked = tracker.waiting.makeIterator()
        var problems = [unauthenticated(end: nil)].compactMap { $0 }
        for problem in tracker.close(at: moment.time) {
            let since = problem.kind == .requestUnanswered ? asked.next()?.time : nil
            let end = since.map {
                ConnectionEnd(waited: moment.time &- $0, reason: reason.map { HCIStatus(rawValue: $0) })
            }
            if let problem = open(problem, moment, end) { problems.append(problem) }
        }
        return UnfinishedExchanges(kind: .uqdk, lacksAnswers: isDetected, problems: problems)
    }

    /// Returns a problem at the timeout of a request, or at the end of its connection; nil if the log would
    /// not show the answer.
    private mutating func open(
        _ problem: AnnotationProblem, _ moment: CheckTime, _ end: ConnectionEnd?
    ) -> Problem? {
        if problem.kind.weight == .unanswered {
            if let car = phone?.other, moment.shown?.holdsPackets(of: car) == false { return nil }
            use.shown?.unanswered &+= 1
        }
        var annotated = AnnotatedProblem(.uqdk, problem)
        annotated.end = end
        return Problem(.annotated(annotated), by: side(of: problem, sender: nil))
    }

    /// Returns the problem of a connection that still lacked an authentication when the log ended.
    func late(at end: Int64) -> LateProblem? {
        guard let refusal = use.refusedInClear,
            let problem = unauthenticated(end: end)
        else { return nil }
        return LateProblem(
            problem: problem, place: refusal.frame, order: refusal.order,
            time: CaptureTime(nanoseconds: refusal.time))
    }

    /// Returns the problem of a command in the clear that the car refused for lack of authentication, if none
    /// was tried since.
    ///
    /// `end` is the end of the log, if the connection was open then: shortly after the refusal, an
    /// authentication might still have followed.
    private func unauthenticated(end: Int64?) -> Problem? {
        guard let refusal = use.refusedInClear else { return nil }
        if let end, end &- refusal.time < ClearRefusal.patience { return nil }
        let frame: Sentence = end == nil ? " at frame \(refusal.frame)" : ""
        let text: Sentence = "\(refusal.name) in clear was refused\(frame), and no authentication followed"
        let problem = AnnotationProblem(.notAuthenticated, text)
        return Problem(.annotated(AnnotatedProblem(.uqdk, problem)), by: phone.map(Problem.Party.init))
    }
}
