import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import UQDK

// What the digital-key protocol says on a link: problems, counts, and what is remembered of its car.

extension Analyzer {
    mutating func follow(_ annotation: UQDKAnnotation, _ slot: Int) {
        for problem in annotation.problems { report(uqdk: problem, of: annotation, slot) }
        links[slot].follow(
            annotation, MessagePlace(time: frame.time, frame: frame.place, order: totals.records &+ 1))
        note(deadline: trackers[slot].uqdk.deadline, slot)
        if annotation.completesMessage, let message = annotation.message {
            follow(success: message, annotation, slot)
        }
        if uqdk == nil { uqdk = annotation } else { furtherUQDK.append(annotation) }
        isAnnotated = true
    }

    /// Adds a problem of a frame's value, with the message that it is about where its words don't name it.
    private mutating func report(
        uqdk problem: AnnotationProblem, of annotation: UQDKAnnotation, _ slot: Int
    ) {
        // What is wrong with fragments is most often wrong with those of another message.
        let isOfMessage = annotation.completesMessage && !problem.code.hasPrefix("uqdk.fragment.")
        let name = isOfMessage ? annotation.message?.name : nil
        let subject = name.flatMap { problem.message.hasPrefix($0) ? nil : $0 }
        var annotated = AnnotatedProblem(.uqdk, problem, subject: subject)
        annotated.message = name
        annotated.request = annotation.message?.requestFrame.map { FramePlace(bits: $0) }
        var reported = Problem(
            .annotated(annotated),
            by: side(of: problem.code, slot, sender: frame.sender))
        // Where a session began and which one it is, is in what both sides said.
        if problem.code == "uqdk.session.none" || problem.code == "uqdk.counter.replayed",
            let shown = progress(ofFile: frame.file)?.shown
        {
            reported.isUnsure = !shown.contains(.host) || !shown.contains(.peer)
        }
        problems.append(reported)
    }

    /// A command that failed before is taken: the earlier failures were overcome.
    private mutating func follow(success message: MessageNote, _ annotation: UQDKAnnotation, _ slot: Int) {
        guard message.kind == .response, message.status != nil, let name = message.name,
            !annotation.problems.contains(where: \.isRefusal)
        else { return }
        // A late answer puts nothing right that failed since its request.
        let asked = message.requestFrame.map { FramePlace(bits: $0) } ?? frame.place
        overcome(on: links[slot].number) { incident in
            guard case .annotated(let problem) = incident.problem.kind, incident.place.bits < asked.bits
            else { return false }
            return problem.isRetried && problem.message == name
        }
    }

    /// Who did what a problem tells: the car, where it did not answer in time; else who sent its frame.
    private func side(of code: String, _ slot: Int, sender: Side?) -> Problem.Party? {
        let isOfCar = code == "uqdk.request.timeout" || code == "uqdk.request.unanswered"
        return (isOfCar ? links[slot].phone?.other : sender).map(Problem.Party.init)
    }

    /// Adds a problem that the digital-key protocol has at the end of a request's time, or of its link.
    ///
    /// - Parameter since: when the request was sent that it is about, where its link ends.
    mutating func report(uqdk problem: AnnotationProblem, _ slot: Int, since: Int64? = nil) {
        if problem.code.hasPrefix("uqdk.request.") {
            let shown = progress(ofFile: links[slot].file)?.shown
            if let car = links[slot].phone?.other, shown?.contains(car) == false { return }
            links[slot].uqdk?.unanswered &+= 1
            raiseTooLong(slot)
        }
        var annotated = AnnotatedProblem(.uqdk, problem)
        annotated.end = since.map {
            ConnectionEnd(
                waited: frame.time.nanoseconds &- $0,
                reason: links[slot].endReason.map { HCIStatus(rawValue: $0) })
        }
        report(.annotated(annotated), by: side(of: problem.code, slot, sender: nil), on: slot)
    }

    /// A PDU of the phone that was longer than the MTU weighs as a failure where it never got an answer: the
    /// car's stack drops it.
    private mutating func raiseTooLong(_ slot: Int) {
        guard let long = links[slot].tooLong, !links[slot].hasHeardAnswers else { return }
        links[slot].tooLong = nil
        totals.raise(long.problem, long.place, order: long.order)
        if links[slot].isChosen { selection?.totals.raise(long.problem, long.place, order: long.order) }
    }

    /// What the protocols above ATT had open as their link ends.
    mutating func closeTrackers(_ slot: Int) {
        let file = frame.place.file
        var asked = trackers[slot].uqdk.waiting.makeIterator()
        let ofKeyProtocol = trackers[slot].uqdk.close(at: frame.time.nanoseconds, from: file)
        let ofProfiles = trackers[slot].profiles.close(at: frame.time.nanoseconds, from: file)
        if links[slot].counts.uqdkMessages > 0 { reportUnheard(slot, ofKeyProtocol: true) }
        if ofProfiles.contains(where: { $0.code.hasPrefix("profile.request") }) {
            reportUnheard(slot, ofKeyProtocol: false)
        }
        if let problem = links.span[slot].unauthenticated(end: nil, from: file) {
            report(problem, on: slot)
        }
        for problem in ofKeyProtocol {
            let isOfRequest = problem.code == "uqdk.request.unanswered"
            report(uqdk: problem, slot, since: isOfRequest ? asked.next()?.time : nil)
        }
        for problem in ofProfiles {
            report(.annotated(AnnotatedProblem(.profile, problem)), on: slot)
        }
    }

    /// The peer of a link by what it is remembered under; nil where the log does not tell it.
    private func car(_ slot: Int) -> DeviceAddress? { peers[links[slot].peer].address ?? links[slot].address }

    /// Tells the tracker of a new link what its car took on earlier ones.
    mutating func recallCounters(_ slot: Int) {
        guard !takenCounters.isEmpty, let car = car(slot) else { return }
        let (file, adapter) = (links[slot].file, links[slot].adapter)
        guard let known = takenCounters.first(where: { $0.isOf(car, file, adapter) }) else { return }
        trackers[slot].uqdk.remember(known.counters)
    }

    /// Keeps what the car took on a link that ends.
    mutating func keepCounters(_ slot: Int) {
        guard links[slot].uqdk != nil, let car = car(slot) else { return }
        let counters = trackers[slot].uqdk.accepted
        guard !counters.isEmpty else { return }
        let (file, adapter) = (links[slot].file, links[slot].adapter)
        takenCounters.removeAll { $0.isOf(car, file, adapter) }
        if takenCounters.count >= TakenCounters.limit { takenCounters.removeFirst() }
        takenCounters.append(TakenCounters(file: file, adapter: adapter, car: car, counters: counters))
    }

    /// Counts, at the log's end, what an open link waits for in vain.
    mutating func countUnauthenticated(_ slot: Int, end: Int64) {
        guard let refusal = links[slot].uqdk?.refusedInClear,
            let problem = links[slot].unauthenticated(end: end, from: refusal.frame.file)
        else { return }
        let place = refusal.frame
        let number = links[slot].number
        links[slot].counts.problems &+= 1
        totals.order = refusal.order
        selection?.totals.order = refusal.order
        totals.count(problem, at: place, link: number, speaksProtocol: true)
        if links[slot].isChosen {
            selection?.totals.count(problem, at: place, link: number, speaksProtocol: true)
        }
    }
}

/// What a car took on links that ended: of one adapter, since two may be two phones.
struct TakenCounters: Sendable {
    /// How many cars are remembered.
    static let limit = 64

    var file: Int
    var adapter: UInt16
    var car: DeviceAddress
    var counters: AcceptedCounters

    func isOf(_ car: DeviceAddress, _ file: Int, _ adapter: UInt16) -> Bool {
        self.car == car && self.file == file && self.adapter == adapter
    }
}

extension AnnotationProblem {
    /// Whether a car refused something.
    var isRefusal: Bool { code.hasPrefix("uqdk.status") }
}

extension Link {
    /// Counts what a frame says for the report about its link.
    fileprivate mutating func follow(_ annotation: UQDKAnnotation, _ place: MessagePlace) {
        if annotation.completesMessage, let message = annotation.message {
            counts.uqdkMessages &+= 1
            if dialect == nil { dialect = annotation.dialect }
            count(message, annotation, place)
        }
        if annotation.session == .authenticating, phases.authenticationStarted == nil {
            phases.authenticationStarted = place.time
        }
        if annotation.session == .established, phases.authenticated == nil {
            phases.authenticated = place.time
        }
    }

    private mutating func count(
        _ message: MessageNote, _ annotation: UQDKAnnotation, _ place: MessagePlace
    ) {
        let isFirst = phases.firstCommand == nil && message.isSecured && message.kind == .request
        if isFirst { phases.firstCommand = place.time }
        // Changed in place: what is compared with nil, or taken out, would be copied.
        var answersFirst = uqdk?.follow(message, annotation, place, isFirstCommand: isFirst)
        if answersFirst == nil {
            var use = UQDKUse(dialect: annotation.dialect)
            answersFirst = use.follow(message, annotation, place, isFirstCommand: isFirst)
            uqdk = use
        }
        guard answersFirst == true, phases.firstCommandAnswered == nil,
            !annotation.problems.contains(where: { $0.code == "uqdk.session.unsecured-response" })
        else { return }
        phases.firstCommandAnswered = place.time
    }

    /// A command in clear that the car refused for want of an authentication, where none was tried since.
    ///
    /// `end` is the log's last moment, where the link was open then: shortly after the refusal an
    /// authentication may yet have followed.
    func unauthenticated(end: Int64?, from file: Int) -> Problem? {
        guard let refusal = uqdk?.refusedInClear else { return nil }
        if let end, end &- refusal.time < ClearRefusal.patience { return nil }
        let frame = end == nil ? " at frame \(refusal.frame.text(from: file))" : ""
        let text = "\(refusal.name) in clear was refused\(frame), and no authentication followed"
        let problem = AnnotationProblem("uqdk.session.not-authenticated", text)
        return Problem(.annotated(AnnotatedProblem(.uqdk, problem)), by: phone.map(Problem.Party.init))
    }
}
