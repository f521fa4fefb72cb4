import PayloadFormat
import WireBytes

/// Circumstances of a value: handle, sender, time, frame and original length.
public struct UQDKSource: Sendable {
    fileprivate let handle: UInt16
    /// The sender of the value.
    public let sender: Sender
    /// Time in nanoseconds of the log's clock.
    fileprivate var time: Int64
    /// The frame that completes the value, as ``FramePlace/bits``.
    fileprivate var frame: UInt64
    /// Length in bytes on the air; larger than the recorded value if the recorder cut it.
    fileprivate var originalLength: Int

    /// Creates a value's circumstances.
    ///
    /// - Parameters:
    ///   - handle: the attribute handle.
    ///   - sender: the sender of the value.
    ///   - time: time in nanoseconds of the log's clock.
    ///   - frame: the frame that completes the value, as ``FramePlace/bits``.
    ///   - originalLength: length in bytes on the air; larger than the recorded value if the recorder cut it.
    public init(handle: UInt16, sender: Sender, time: Int64, frame: UInt64, originalLength: Int) {
        self.handle = handle
        self.sender = sender
        self.time = time
        self.frame = frame
        self.originalLength = originalLength
    }
}

/// Follows the protocol on one link, turning values into annotations.
///
/// A value without I/O. Its memory is bounded by the dialect's limits, and by eight handles recognized by
/// content and eight candidates for it.
public struct UQDKTracker: Sendable {
    private struct Candidate: Sendable {
        var dialect: Int
        var link: UQDKLink
    }

    /// A handle without a known UUID whose values may be fragments.
    private struct Guess: Sendable {
        var handle: UInt16
        var sender: Sender
        var dialect: Int
        var values: [(octets: [UInt8], time: Int64, frame: UInt64)] = []
        var link: UQDKLink
    }

    private struct Learned: Sendable {
        var handle: UInt16
        var sender: Sender
        var dialect: Int
    }

    private let knowledge: UQDKKnowledge
    private let startSeen: Bool
    /// The possible dialects, each with its own view; the one with the fewest problems is used.
    private var candidates: [Candidate] = []
    private var guesses: [Guess] = []
    private var learned: [Learned] = []
    /// Counters that the car accepted on earlier connections.
    private var remembered = AcceptedCounters()

    /// Creates a tracker for a link; `startSeen` is whether the link's start is in the log.
    public init(_ knowledge: UQDKKnowledge, startSeen: Bool = true) {
        self.knowledge = knowledge
        self.startSeen = startSeen
    }

    /// Sets the counters that the car accepted on earlier connections; call it before the first value.
    public mutating func remember(_ counters: AcceptedCounters) { remembered = counters.earlier }

    /// The auth counters that the car accepted, on this link and before.
    public var accepted: AcceptedCounters {
        bestIndex.map { candidates[$0].link.session.accepted } ?? remembered
    }

    /// Decodes a value of an attribute with this role, or of one without a known UUID.
    ///
    /// Nil if the value does not belong to the protocol.
    public mutating func handle(
        _ value: RawSpan, _ attribute: UQDKAttribute?, from context: UQDKSource
    ) -> UQDKAnnotation? {
        if let attribute {
            return known(value, context, attribute, .label)
        }
        if learned.isEmpty && guesses.isEmpty && !matchesProbe(value) { return nil }
        if let known = learned.first(where: { $0.handle == context.handle && $0.sender == context.sender }) {
            let attribute = UQDKAttribute(
                role: context.sender == .phone ? .command : .event, dialects: [known.dialect])
            return self.known(value, context, attribute, .content)
        }
        return guess(value, context)
    }

    /// Returns the problems of everything still open at the end of the link.
    public mutating func close(at time: Int64) -> [AnnotationProblem] {
        guard let best = bestIndex else { return [] }
        defer { noteDeadline() }
        return candidates[best].link.close(at: time)
    }

    /// A request that has no response yet.
    public struct WaitingRequest: Sendable {
        /// The name of its command.
        public var name: String
        /// The frame that completed the request.
        public var frame: UInt64
        /// Time of that frame, in nanoseconds of the log's clock.
        public var time: Int64
    }

    /// The requests that have neither timed out nor a response, not even one that the phone ignores.
    public var waiting: [WaitingRequest] {
        guard let best = bestIndex else { return [] }
        return candidates[best].link.pending.filter(\.isOwed)
            .map { WaitingRequest(name: candidates[best].link.name(of: $0), frame: $0.frame, time: $0.time) }
    }

    /// Time at which the oldest waiting request times out; the maximum if none waits.
    ///
    /// Stored because it is read after every value, and a computed property would copy the tracker.
    public private(set) var deadline = Int64.max

    /// Memory in bytes taken by incomplete messages and those remembered for a while.
    public var room: Int {
        candidates.reduce(0) { $0 &+ $1.link.room }
            &+ guesses.reduce(0) { sum, guess in
                guess.values.reduce(sum &+ guess.link.room) {
                    $0 &+ Reassembler.roomOfMessage &+ $1.octets.capacity
                }
            }
    }

    /// Drops incomplete messages; their remaining fragments are dropped too.
    public mutating func dropIncomplete() {
        for index in candidates.indices { candidates[index].link.dropIncomplete() }
        guesses = []
    }

    private mutating func noteDeadline() {
        guard let best = bestIndex else { return }
        deadline = candidates[best].link.deadline
    }

    /// Returns a problem for each request that has timed out, once per request.
    public mutating func overdue(at time: Int64) -> [AnnotationProblem] {
        guard let best = bestIndex else { return [] }
        defer { noteDeadline() }
        return candidates[best].link.overdue(at: time)
    }

    /// The name of the dialect that the link uses; nil if none is recognized.
    public var dialect: String? { bestIndex.map { candidates[$0].link.shared.dialect.name } }

    private func matchesProbe(_ value: RawSpan) -> Bool {
        // With one dialect, comparing one byte rejects nearly every other value.
        if let sole = knowledge.soleProbe, value.octet(at: sole.offset) != sole.octet { return false }
        for probe in knowledge.probes where matches(value, probe) { return true }
        return false
    }

    private func matches(_ value: RawSpan, _ probe: UQDKKnowledge.Probe) -> Bool {
        for (index, octet) in probe.octets.enumerated() where value.octet(at: probe.offset + index) != octet {
            return false
        }
        return true
    }

    private var bestIndex: Int? {
        if candidates.count == 1 { return 0 }
        return candidates.indices.min { candidates[$0].link.doubts < candidates[$1].link.doubts }
    }

    private mutating func known(
        _ value: RawSpan, _ context: UQDKSource, _ attribute: UQDKAttribute,
        _ recognition: UQDKAnnotation.Recognition
    ) -> UQDKAnnotation? {
        if attribute.role == .info { return info(value, context, attribute) }
        // The phone only writes and the car only notifies; nothing else is a message.
        guard (attribute.role == .command) == (context.sender == .phone) else { return nil }
        for index in attribute.dialects where !candidates.contains(where: { $0.dialect == index }) {
            var link = UQDKLink(knowledge.shared[index], knowledge.keys, startSeen: startSeen)
            link.keepsBodies = knowledge.keepsBodies
            link.session.accepted = remembered
            candidates.append(Candidate(dialect: index, link: link))
        }
        return feed(value, context, attribute, recognition)
    }

    private mutating func feed(
        _ value: RawSpan, _ context: UQDKSource, _ attribute: UQDKAttribute,
        _ recognition: UQDKAnnotation.Recognition
    ) -> UQDKAnnotation? {
        if candidates.count == 1, attribute.dialects.contains(candidates[0].dialect) {
            let annotation = candidates[0].link.handle(
                value, isCut: context.originalLength > value.byteCount, from: context.sender,
                at: context.time, frame: context.frame, by: recognition)
            deadline = candidates[0].link.deadline
            return annotation
        }
        defer { noteDeadline() }
        var best: (annotation: UQDKAnnotation, doubts: Int)?
        for index in candidates.indices where attribute.dialects.contains(candidates[index].dialect) {
            let annotation = candidates[index].link.handle(
                value, isCut: context.originalLength > value.byteCount, from: context.sender,
                at: context.time, frame: context.frame, by: recognition)
            let doubts = candidates[index].link.doubts
            if best.map({ doubts < $0.doubts }) ?? true { best = (annotation, doubts) }
        }
        return best?.annotation
    }

    private func info(
        _ value: RawSpan, _ context: UQDKSource, _ attribute: UQDKAttribute
    ) -> UQDKAnnotation? {
        guard context.sender == .car, let index = attribute.dialects.first else { return nil }
        let chosen =
            attribute.dialects.first { index in candidates.contains { $0.dialect == index } } ?? index
        let octets = value.copied()
        var problems: [AnnotationProblem] = []
        if context.originalLength > value.byteCount {
            problems.append(
                AnnotationProblem(
                    .infoCut, "the recorder kept only \(value.byteCount.counting("byte"))"))
        } else if knowledge.shared[chosen].infoWidth != octets.count,
            let misfit = knowledge.dialects[chosen].gatt.infoLayout.decode(octets).misfit
        {
            problems.append(AnnotationProblem(.info, "\(misfit)"))
        }
        return UQDKAnnotation(knowledge.shared[chosen], .label, told: .info(octets), problems: problems)
    }

    // MARK: Recognition by content

    private mutating func guess(_ value: RawSpan, _ context: UQDKSource) -> UQDKAnnotation? {
        guard context.originalLength <= value.byteCount else { return nil }
        if !guesses.contains(where: { $0.handle == context.handle && $0.sender == context.sender }) {
            for probe in knowledge.probes where matches(value, probe) {
                if guesses.count >= 8 { guesses.removeFirst() }
                let link = UQDKLink(knowledge.shared[probe.dialect], knowledge.keys, startSeen: startSeen)
                guesses.append(
                    Guess(handle: context.handle, sender: context.sender, dialect: probe.dialect, link: link))
            }
        }
        let octets = value.copied()
        for index in guesses.indices.reversed()
        where guesses[index].handle == context.handle && guesses[index].sender == context.sender {
            let annotation = guesses[index].link.handle(
                value, isCut: false, from: context.sender, at: context.time, frame: context.frame)
            guesses[index].values.append((octets, context.time, context.frame))
            let isMessage = annotation.message?.isWhole == true
            let isFailure =
                annotation.fragment.map { $0.state == .failed || $0.state == .dropped } ?? !isMessage
            if isMessage && !annotation.problems.contains(where: { $0.kind.traits.contains(.ofMessage) }) {
                return recognize(guesses[index], context)
            }
            if isMessage || isFailure || guesses[index].values.count > Reassembler.maximumOpen {
                guesses.remove(at: index)
            }
        }
        return nil
    }

    /// Passes all values held back so far to the link's view.
    private mutating func recognize(_ guess: Guess, _ context: UQDKSource) -> UQDKAnnotation? {
        guesses.removeAll { $0.handle == guess.handle && $0.sender == guess.sender }
        if learned.count >= 8 { learned.removeFirst() }
        learned.append(Learned(handle: guess.handle, sender: guess.sender, dialect: guess.dialect))
        let attribute = UQDKAttribute(
            role: guess.sender == .phone ? .command : .event, dialects: [guess.dialect])
        var last: UQDKAnnotation?
        for value in guess.values {
            var earlier = context
            (earlier.time, earlier.frame) = (value.time, value.frame)
            earlier.originalLength = value.octets.count
            last = known(value.octets.borrowedOctets, earlier, attribute, .content)
        }
        return last
    }
}
