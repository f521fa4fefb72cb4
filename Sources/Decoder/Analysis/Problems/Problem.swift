import BluetoothCore
import PayloadFormat

/// Something that is wrong, or looks wrong, at one frame.
public struct Problem: Sendable {
    /// The problem, with its facts.
    public private(set) var kind: Kind
    /// Its code, and everything that follows from its facts.
    private(set) var row: Row
    /// The number of the connection that it is about, if that is not its frame's own; else 0.
    public internal(set) var connection = 0
    /// The side that caused it, or that did not answer, if its kind alone does not determine that.
    private let reportedSide: Party?
    /// Whether the log can't show its outcome, as when it holds only one direction.
    var isUnsure = false
    /// Whether the same request was accepted later.
    public internal(set) var isOvercome = false
    /// The index of the file of the frame that reports it: its sentence adds the file to frames of other
    /// files.
    public internal(set) var file = 0
    /// Whether nothing worked after it, so that it counts as a failure.
    public internal(set) var isFinal = false
    /// Whether it is a failed page of a BR/EDR device, while other devices were connected over LE: phones
    /// page the devices that they know on their own.
    public internal(set) var isInBackground = false
    /// Whether it was reported before for the same value of the same connection: it counts, but has no line
    /// in text.
    public internal(set) var isToldBefore = false

    /// Creates a problem of this kind, caused by this side if its kind does not determine that.
    init(_ kind: Kind, by side: Party? = nil) {
        self.kind = kind
        row = kind.row(by: side)
        reportedSide = side
    }

    /// A problem by the layer that it is found in.
    public enum Kind: Sendable {
        case record(RecordProblem)
        case hci(HCIProblem)
        case l2cap(L2CAPProblem)
        case att(ATTProblem)
        case smp(SMPProblem)
        /// Of a protocol above ATT.
        case annotated(AnnotatedProblem)
        /// A table of the analysis, which holds these, is full.
        case tableFull(String)
    }

    /// A party that a problem can be attributed to.
    public enum Party: String, Sendable {
        /// The device whose bus was recorded.
        case host
        /// The device at the other end.
        case peer
        /// The host's own Bluetooth controller.
        case controller
        /// The radio link, if the other side was not heard any more.
        case link

        init(_ side: Side) { self = side == .host ? .host : .peer }
    }

    /// The weight of a problem when the verdict names the first failure.
    public enum Severity: Int, Sendable, Comparable {
        /// A fact that does not keep a session from working.
        case note
        /// Something is missing or odd.
        case warning
        /// Something failed.
        case error
        /// A request got no answer at all.
        case unanswered

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}

/// A problem found in one layer: its facts, and everything that follows from them.
///
/// A new kind of problem needs a case here in its layer, with its row, and the row of its code below that.
protocol LayerProblem: Sendable {
    /// Returns its code and everything that follows from the facts.
    ///
    /// - Parameter side: the side that was reported to have caused it, or not to have answered.
    func row(by side: Problem.Party?) -> Problem.Row
    /// Whether another problem with the same code is a repetition of it.
    func repeats(_ other: Self) -> Bool
}

extension LayerProblem {
    func repeats(_ other: Self) -> Bool { true }
}

// Each layer implements its own.
extension Problem.Kind: LayerProblem {
    func row(by side: Problem.Party?) -> Problem.Row {
        switch self {
        case .record(let problem): problem.row(by: side)
        case .hci(let problem): problem.row(by: side)
        case .l2cap(let problem): problem.row(by: side)
        case .att(let problem): problem.row(by: side)
        case .smp(let problem): problem.row(by: side)
        case .annotated(let problem): problem.row(by: side)
        case .tableFull(let table):
            Problem.Row(.tableFull, .named("recording")) { _ in
                "table full (\(table)): from here on not everything is tracked"
            }
        }
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.record(let own), .record(let other)): own.repeats(other)
        case (.hci(let own), .hci(let other)): own.repeats(other)
        case (.l2cap(let own), .l2cap(let other)): own.repeats(other)
        case (.att(let own), .att(let other)): own.repeats(other)
        case (.smp(let own), .smp(let other)): own.repeats(other)
        case (.annotated(let own), .annotated(let other)): own.repeats(other)
        case (.tableFull(let own), .tableFull(let other)): own == other
        default: false
        }
    }
}

extension Problem {
    /// The code of its kind.
    public var code: Code { row.code }

    /// Its traits, and those of its code.
    public var traits: Traits { row.traits }

    /// The procedure under way.
    public var phase: Phase { row.phase }

    /// The status of the specification, or of a protocol above ATT, as its signature names it.
    public var status: String? { row.status?.text }

    /// The kind of setback that a later success may overcome; nil if absent.
    var setback: Setback.Kind? { row.setback }

    /// The annotator's own code for it, or the full table's name; nil if ``code`` says everything.
    public var name: String? {
        switch kind {
        case .annotated(let problem): problem.name
        case .tableFull(let table): table
        default: nil
        }
    }

    /// The name of the message that it is about, if its sentence does not say so and its frame would.
    public var subject: String? { if case .annotated(let problem) = kind { problem.subject } else { nil } }

    /// The other frames that it is about: the request that was refused or unanswered, the attempt that
    /// failed.
    public var related: [FramePlace] { row.frame.map { [$0] } ?? [] }

    /// The side that caused it, or that did not answer; nil if the log does not show it.
    public var side: Party? { reportedSide ?? row.side }

    /// The text for a person, without its connection: the same in every output. A frame in another file than
    /// its own frame's has the file's number before it, counted from 1.
    public var sentence: String { row.sentence(file) }

    /// The sentence, after the number of the connection that it is about if that is not its frame's own.
    public var line: String { connection > 0 ? "connection \(connection): \(sentence)" : sentence }

    /// The known facts about the connection that it is about, in the words of every output; nil if there are
    /// none.
    public var circumstances: String? {
        guard case .hci(.abnormalDisconnection(_, let conditions?)) = kind else { return nil }
        let text = conditions.text(from: file)
        return text.isEmpty ? nil : text
    }

    /// The requested connection, if it is about one.
    public var attempt: ConnectAttempt? {
        if case .hci(let problem) = kind { problem.attempt } else { nil }
    }

    /// Adds later knowledge about the device of a withdrawn attempt.
    mutating func update(by advertisers: AdvertiserTable) {
        guard case .hci(.connectionGivenUp(let status, let attempt)) = kind else { return }
        kind = .hci(.connectionGivenUp(status, attempt.known(by: advertisers)))
        row = kind.row(by: reportedSide)
    }

    /// The request that a server refused; nil for other problems.
    public var refusedRequest: RefusedRequest? {
        if case .att(.error(_, let request)) = kind { request } else { nil }
    }

    /// The use of an attribute that it is about, and the side that has the attribute, if known.
    public var use: (request: RefusedRequest, server: Party?)? {
        switch kind {
        case .att(.error(_, let request)): (request, side)
        case .att(.timeout(let request)), .att(.noResponse(let request, _)):
            // Clients confirm indications.
            (
                RefusedRequest(opcode: request.opcode, handle: request.handle),
                request.isIndication ? (side == .host ? .peer : .host) : side
            )
        case .hci(.endedAfterWrite(_, let write)):
            (RefusedRequest(opcode: write.opcode, handle: write.content.handle), .peer)
        case .att(.notSubscribed(let handle, let isIndication)):
            (
                RefusedRequest(
                    opcode: isIndication ? .handleValueIndication : .handleValueNotification, handle: handle),
                side
            )
        default: nil
        }
    }

    /// The weight of the problem.
    public var severity: Severity {
        if isInBackground { return .warning }
        if isFinal { return .error }
        return isOvercome || isUnsure ? min(row.severity, .warning) : row.severity
    }

    /// Whether it is any request that got no response.
    public var isUnanswered: Bool { traits.contains(.unanswered) }

    /// Whether it keeps a session from its purpose: no connection, a lost one, no pairing or encryption, a
    /// dead ATT bearer, a refusal by a protocol above ATT.
    public var isDecisive: Bool {
        !isInBackground && (isFinal || traits.contains(.decisive) && severity >= .error)
    }

    /// Whether it is a failed page of a BR/EDR device with none of these addresses.
    func isPage(besides met: Set<UInt64>) -> Bool {
        switch kind {
        // Without its command in the log, the device is unknown; only pages have this status.
        case .hci(.connectionFailed(let status, nil)): status.rawValue == 0x04
        case .hci(.connectionFailed(_, let attempt?)), .hci(.connectionGivenUp(_, let attempt)):
            !attempt.isLE && attempt.peer.map { !met.contains($0.value) } == true
        default: false
        }
    }

    /// Whether advertising never started because of it.
    public var keptFromAdvertising: Bool { isFinal && traits.contains(.keepsFromAdvertising) }

    /// Whether a connection was ended because of it, which its kind alone does not say.
    public var endedItsConnection: Bool { isFinal && code == .authenticatedPayloadTimeout }

    /// Whether it is of a protocol above ATT.
    var isOfProtocol: Bool { if case .annotated = kind { true } else { false } }

    /// Whether it is about a whole connection, and not about an exchange on it.
    public var isOfConnection: Bool { code == .connectionFailed || endsConnection }

    /// Whether it is the unintended or premature end of a connection.
    var endsConnection: Bool { traits.contains(.endsConnection) }

    /// Whether another problem repeats it. Problems of exchanges on a connection repeat only on that
    /// connection, which the caller checks.
    func repeats(_ other: Problem) -> Bool {
        code == other.code && reportedSide == other.reportedSide && kind.repeats(other.kind)
    }
}
