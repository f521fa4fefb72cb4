import PayloadFormat
public import WireBytes

/// The meaning of a value, or of an advertisement, in a private protocol above ATT.
public protocol AnnotationContent: AnyObject, Sendable {
    var kind: PrivateProtocol { get }
    /// The name by which frames of its protocol are selected, in lower case.
    var layer: String { get }
    /// Whether it belongs to a device's own protocol, and not to a characteristic that the SIG has assigned.
    var isPrivate: Bool { get }
    /// Whether it asks the receiver to restart, which ends the connection.
    var asksToRestart: Bool { get }
    /// Whether its frame holds a part of a message that a later frame completes.
    var isPart: Bool { get }
    /// The text after its summary line and the fields below, computed on demand.
    var details: AnnotationDetails { get }
    /// Appends its summary line, with the name of its protocol; names from a file are escaped.
    func put(line out: inout TextBuffer)
    /// Passes everything but the problems to a visitor, by the names that NDJSON uses.
    func walk(_ visitor: inout some AnnotationVisitor & ~Copyable)
}

extension AnnotationContent {
    public var isPrivate: Bool { true }
    public var asksToRestart: Bool { false }
    public var isPart: Bool { false }
}

public typealias Annotation = any AnnotationContent

/// The text after an annotation's summary line, and the fields below.
public struct AnnotationDetails {
    /// The session's state after a complete message; nil without sessions.
    public internal(set) var session: String?
    /// The frame of the request that it answers, in the form of ``FramePlace/bits``.
    public internal(set) var requestFrame: UInt64?
    /// Nanoseconds since that request.
    public internal(set) var latency: Int64?
    public internal(set) var fields: [DecodedField]
    /// Number of bytes from the place that the fields' ranges count from to the end of the frame's value; nil
    /// if the value does not hold the fields in clear and in one piece.
    public internal(set) var fieldsFromEnd: Int?
}

extension [Annotation] {
    /// Inserts an annotation after all others of its kind: a frame's annotations are sorted by kind.
    mutating func add(_ annotation: Annotation) {
        guard let last, last.kind.rank > annotation.kind.rank else { return append(annotation) }
        insert(annotation, at: firstIndex { $0.kind.rank > annotation.kind.rank } ?? count)
    }
}

/// A problem that a protocol above ATT finds.
public struct AnnotatedProblem: LayerProblem {
    let kind: PrivateProtocol
    private let finding: AnnotationProblem
    /// The name of the message with the problem, if the problem's text does not contain it.
    public internal(set) var subject: String?
    /// The name of the message with the problem; nil if no message is complete.
    public internal(set) var message: String?
    /// The name of the status in the message; nil if it has none.
    public internal(set) var status: String?
    var request: FramePlace?
    /// The end of the connection, for a request that was unanswered by then.
    var end: ConnectionEnd?

    init(_ kind: PrivateProtocol, _ problem: AnnotationProblem, subject: String? = nil) {
        self.kind = kind
        finding = problem
        self.subject = subject
    }

    /// The annotator's own code for it.
    public var name: String { finding.code }
    /// The usual meaning of it and a remedy to try, as half a sentence.
    var hint: StaticText? {
        if let fault = proofs?.fault { return fault.hint }
        guard let refusedKey else { return finding.kind.hint }
        if Self.isUnset(refusedKey) { return "the phone sent no key: look at where its program gets the key" }
        return otherKey == nil ? finding.kind.hint : "the other key works: use that one"
    }

    /// Whether a key id was probably never set.
    private static func isUnset(_ keyID: [UInt8]) -> Bool { keyID.allSatisfy { $0 == 0 } }

    /// The id of the key that was in use, if the log shows it.
    var keyID: [UInt8]?

    /// Whether the peer looked at this problem's subject before it would have looked at the other's.
    func comesBefore(_ other: Self) -> Bool {
        finding.kind.traits.contains(.ofProof) && other.finding.kind.traits.contains(.checkedAfterProof)
    }

    /// The id of the key that the peer refused, if the log holds the request.
    var refusedKey: [UInt8]? { finding.kind.traits.contains(.ofKey) && request != nil ? keyID : nil }

    /// The first success of the same message with another key: that key's id, and the time from the refusal
    /// in nanoseconds.
    var otherKey: (id: [UInt8], after: Int64)?

    /// The refused proofs of the same key before it, for which the peer refuses the key: their number, the
    /// frames of the first and the last one, and the meaning if each was its sender's fault.
    private var proofs:
        (count: Int, first: FramePlace, last: FramePlace, fault: (hint: StaticText, side: Problem.Party?)?)?

    /// Records a refused proof, or attaches the earlier ones that led to this refusal; returns whether it
    /// attached any.
    ///
    /// - Parameter side: the side of the problem.
    mutating func linkRefusedProofs(
        _ refused: inout [RefusedProofs], at place: FramePlace, by side: Problem.Party?
    ) -> Bool {
        guard let keyID, let message else { return false }
        if finding.kind.traits.contains(.ofProof) {
            let hint = finding.kind.traits.contains(.byReceiver) ? finding.kind.hint : nil
            let fault = hint.map { (hint: $0, side: side) }
            if let index = refused.firstIndex(where: { $0.keyID == keyID && $0.message == message }) {
                refused[index].count &+= 1
                refused[index].last = place
                if fault == nil { refused[index].fault = nil }
            } else if refused.count < RefusedProofs.limit {
                refused.append(
                    RefusedProofs(keyID: keyID, message: message, first: place, last: place, fault: fault))
            }
        }
        guard finding.kind.traits.contains(.afterProofs) else { return false }
        let before = refused.filter { $0.keyID == keyID }
        guard let first = before.map(\.first).min(by: { $0.bits < $1.bits }),
            let last = before.map(\.last).max(by: { $0.bits < $1.bits })
        else { return false }
        let fault = before.allSatisfy { $0.fault != nil } ? before[0].fault : nil
        proofs = (before.reduce(0) { $0 &+ $1.count }, first, last, fault)
        return true
    }

    /// The side whose proofs were refused, if each refusal was that side's fault.
    var sideOfProofs: Problem.Party? { proofs?.fault?.side }

    /// Leaves out the refused proofs before it.
    mutating func forgetProofs() { proofs = nil }

    /// Whether the peer refused a request.
    var isRefusal: Bool { finding.kind.traits.contains(.refusal) }

    private var text: Sentence {
        guard let proofs else { return finding.message }
        let frames: Sentence =
            proofs.count == 1 ? "frame \(proofs.first)" : "frames \(proofs.first) to \(proofs.last)"
        return finding.message + " after \(proofs.count.counting("refused proof")) (" + frames + ")"
    }

    /// The key that the peer refused, and what became of another one.
    var circumstances: String? {
        guard let refusedKey else { return nil }
        let unset = Self.isUnset(refusedKey) ? " (all zeros: perhaps never set)" : ""
        let key = "key id \(Hex.text(refusedKey))\(unset)"
        guard let otherKey, let message else { return key }
        return "\(key); \(message) succeeded \(TextDuration.text(otherKey.after)) later with another key, "
            + "\(Hex.text(otherKey.id))"
    }

    /// Whether a correct repetition of the message may overcome it.
    var isRetried: Bool { finding.kind.traits.contains(.retried) }

    func row(by side: Problem.Party?) -> Problem.Row {
        var severity: Problem.Severity
        var traits: Problem.Traits = []
        switch finding.kind.weight {
        case .warning: severity = .warning
        case .error: severity = .error
        case .unanswered: (severity, traits) = (.unanswered, [.unanswered, .overdue])
        }
        if let end {
            traits.insert(.endsWithLink)
            if let weight = end.severity(ofSilent: side), weight < .error { severity = weight }
        }
        return Problem.Row(
            kind.code, .named(message ?? "messages"), severity: severity, traits: traits,
            status: status.map { .named($0) }, frame: request
        ) { [text] in text }
    }

    func repeats(_ other: Self) -> Bool {
        guard name == other.name, keyID == other.keyID else { return false }
        if finding.kind.weight == .unanswered { return true }
        return finding.message == other.finding.message && subject == other.subject
    }
}

/// The proofs of a key in a message that the peer refused since it last accepted that message.
struct RefusedProofs: Sendable {
    let keyID: [UInt8]
    let message: String
    var count = 1
    let first: FramePlace
    var last: FramePlace
    /// The meaning and the side, if each refusal was the fault of the proof's sender, such as a proof without
    /// a content.
    var fault: (hint: StaticText, side: Problem.Party?)?

    /// Most keys and messages whose refused proofs are counted.
    static let limit = 16
}

extension Problem {
    /// The problem without the refused proofs that caused it.
    package var withoutCauses: Self {
        guard case .annotated(var problem) = kind else { return self }
        var alone = self
        problem.forgetProofs()
        alone.sideOfCause = nil
        alone.kind = .annotated(problem)
        alone.row = alone.kind.row(by: reportedSide)
        return alone
    }
}
