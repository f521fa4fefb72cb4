import BluetoothCore
import PayloadFormat
public import WireBytes

/// A fault, or a suspicious fact, at one frame.
public struct Problem: Sendable {
    /// The problem, with its facts.
    public internal(set) var kind: Kind
    /// The code, and everything else that the facts determine.
    var row: Row
    /// The number of the connection with the problem, if it is not the frame's own; else 0. Before
    /// `countProblems`, any number means that it is already counted on its link.
    public internal(set) var connection = 0
    /// The device of the connection, if the problem is its end: the end of one with another device is no
    /// repetition.
    var device: DeviceAddress?
    /// The side that caused the problem or did not answer, if `kind` alone does not determine it.
    let reportedSide: Party?
    /// The side that caused the earlier problems that led to this one, if that is known.
    var sideOfCause: Party?
    /// The packets that the peer acknowledged, if it did not answer.
    var acknowledgement: Acknowledgement?
    /// The command or request that the frame with the problem answers; nil for other frames.
    var answered: FramePlace?
    /// Whether its connection was encrypted with keys that had worked: data had come since.
    var keysHadWorked = false
    /// Whether the log can't show the outcome, for example because it holds only one direction.
    var isUnsure = false
    /// Whether the same request was accepted later.
    public internal(set) var isOvercome = false
    /// Whether ``isOvercome`` is only inferred: the refusal asked for encryption, which followed.
    public internal(set) var isOvercomeByEncryption = false
    /// The number of the connection on which it was accepted, if that is another one.
    public internal(set) var overcomeElsewhere: Int?
    /// The property, in words, by which a declaration allows what the server refused; nil for others.
    public internal(set) var contradicted: StaticText?
    /// The index of the file of the frame that reports the problem: `sentence` adds the file to frames of
    /// other files.
    public internal(set) var file = 0
    /// The frame at which the verdict shows the problem, if it is earlier than the frame that revealed it:
    /// the last packet of a connection that fell silent, or the request that timed out.
    public internal(set) var reportedAt: FramePlace?
    /// Whether the frame that reports the problem was heard on the air.
    var isOnAir = false
    /// Whether later frames made it a failure: nothing worked after it, it ended its connection, or the
    /// request that was sent too early got no response.
    public internal(set) var wasRaisedToFailure = false
    /// Whether it is a failed BR/EDR page while other devices were connected over LE: phones page known
    /// devices on their own.
    public internal(set) var isInBackground = false
    /// Whether its connection had an equal problem with the same value: counted, but without a line in text.
    public internal(set) var wasReportedBefore = false

    /// Creates a problem. `side` caused it, if the kind does not determine that.
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
        /// A problem of a protocol above ATT.
        case annotated(AnnotatedProblem)
        /// A table of the analysis is full; the text names its contents.
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
        /// The radio link, if the other side was no longer heard.
        case link

        init(_ side: Side) { self = side == .host ? .host : .peer }
    }

    /// The weight of a problem when the verdict names the first failure.
    public enum Severity: Int, Sendable, Comparable {
        /// A fact that does no harm to a session.
        case note
        /// A missing or odd fact.
        case warning
        /// A failure.
        case error
        /// A request without any answer.
        case unanswered

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}

/// A problem of one layer, with its facts.
///
/// A new kind of problem is a case in its layer's file, with its row and the row of its code.
protocol LayerProblem: Sendable {
    /// Returns the code and everything else that the facts determine.
    ///
    /// - Parameter side: the side that was reported to have caused the problem, or not to have answered.
    func row(by side: Problem.Party?) -> Problem.Row
    /// Whether another problem with the same code is a repetition of this one.
    func repeats(_ other: Self) -> Bool
}

extension LayerProblem {
    func repeats(_ other: Self) -> Bool { true }
}

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
            Problem.Row(.tableFull, .named("recording")) {
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
    /// The code of the problem's kind.
    public var code: Code { row.code }

    /// The traits of the problem and of its code.
    public var traits: Traits { row.traits }

    /// The procedure under way.
    public var phase: Phase { row.phase }

    /// The status in the verdict's signature (docs/fleet.md); nil without one.
    public var status: String? { row.status?.text }

    /// The kind of setback that a later success may overcome; nil if it can't be overcome.
    var setback: Setback.Kind? { row.setback }

    /// The annotator's own code, or the name of the full table; nil for other problems, which ``code`` names.
    public var name: String? {
        switch kind {
        case .annotated(let problem): problem.name
        case .tableFull(let table): table
        default: nil
        }
    }

    /// The name of the message with the problem, if ``sentence`` does not contain it.
    public var subject: String? { if case .annotated(let problem) = kind { problem.subject } else { nil } }

    /// The other frames of the problem: the refused or unanswered request, the failed attempt.
    public var related: [FramePlace] { row.frame.map { [$0] } ?? [] }

    /// The frames that show the problem beside its own: the frames in ``related``, the command or request
    /// that its frame answers, and an earlier change that failed.
    public var evidence: [FramePlace] {
        var places = related + [answered].compactMap { $0 }
        if case .hci(.abnormalDisconnection(_, let conditions?, _)) = kind { places += conditions.frames }
        return places
    }

    /// The side that caused the problem, or did not answer; nil if the log does not show it.
    public var side: Party? { sideOfCause ?? sideAlone }

    /// The side without knowledge of earlier problems, so that it is the same in each place of a problem.
    package var sideAlone: Party? { reportedSide ?? row.side }

    /// The name of that side in outputs for a person, in brackets and behind two spaces; empty without one.
    public var sideMark: String { side.map { "  [\($0.words(isOnAir: isOnAir).name)]" } ?? "" }

    var timedOut: UnansweredRequest? {
        if case .att(.timeout(let request)) = kind { request } else { nil }
    }

    /// Whether the sentence is true of every repetition. Not of unknown opcodes, of which each has its own.
    public var sentenceFitsRepetitions: Bool {
        switch kind {
        case .att(.unknownOpcode), .smp(.wrongKeyIdentifier): false
        default: true
        }
    }

    /// The requested connection; nil if the problem is not about one.
    public var attempt: ConnectAttempt? {
        if case .hci(let problem) = kind { problem.attempt } else { nil }
    }

    /// Adds later knowledge about the device of a withdrawn attempt.
    mutating func update(by advertisers: AdvertiserTable) {
        guard case .hci(.connectionGivenUp(let status, let attempt)) = kind else { return }
        kind = .hci(.connectionGivenUp(status, attempt.known(by: advertisers)))
        row = kind.row(by: reportedSide)
    }

    /// Records a refused proof, or attaches the earlier ones that led to this refusal.
    mutating func linkRefusedProofs(_ all: inout [RefusedProofs], at place: FramePlace) {
        guard case .annotated(var problem) = kind,
            problem.linkRefusedProofs(&all, at: place, by: side)
        else { return }
        sideOfCause = problem.sideOfProofs
        kind = .annotated(problem)
        row = kind.row(by: reportedSide)
    }

    /// The request that a server refused; nil for other problems.
    public var refusedRequest: AttributeUse? {
        if case .att(.error(_, let request, _, _)) = kind { request } else { nil }
    }

    /// Whether a success can still overcome it: even after encryption seemed to overcome it, a success of the
    /// request itself may.
    ///
    /// - Parameter encrypts: whether the success is only that the link is encrypted.
    func mayBeOvercome(encrypts: Bool) -> Bool { !isOvercome || isOvercomeByEncryption && !encrypts }

    /// Whether a server refused a request because the link was not secure enough.
    package var asksForSecurity: Bool {
        if case .att(.error(let error, _, _, _)) = kind { error.asksForSecurity } else { false }
    }

    /// The requested attribute and the side that has it, if known.
    public var use: (request: AttributeUse, server: Party?)? {
        switch kind {
        case .att(.error(_, let request, let server, _)): (request, server)
        case .att(.timeout(let request)), .att(.noResponse(let request, _)):
            // Clients confirm indications.
            (
                AttributeUse(opcode: request.opcode, handle: request.handle),
                request.isIndication && !request.isUnsubscribed ? (side == .host ? .peer : .host) : side
            )
        case .hci(.endedAfterWrite(_, let write)):
            (AttributeUse(opcode: write.opcode, handle: write.content.handle), .peer)
        case .att(.notSubscribed(let handle, true)):
            (AttributeUse(opcode: .handleValueIndication, handle: handle), side)
        case .att(.notSubscribed(let handle, false)):
            (AttributeUse(opcode: .handleValueNotification, handle: handle), side)
        default: nil
        }
    }

    /// The weight of the problem, with what happened later.
    public var severity: Severity {
        if isInBackground { return .warning }
        if wasRaisedToFailure { return .error }
        return isOvercome || isUnsure ? min(row.severity, .warning) : row.severity
    }

    /// Whether a request got no response.
    public var isUnanswered: Bool { traits.contains(.unanswered) }

    /// Whether the session could not do its job because of it: no connection or a lost one, no pairing or
    /// encryption, a dead ATT bearer, a refusal by a protocol above ATT.
    public var isDecisive: Bool {
        !isInBackground && (wasRaisedToFailure || traits.contains(.decisive) && severity >= .error)
    }

    /// Whether it is a failed page of a BR/EDR device with none of these addresses.
    func isPage(besides connected: Set<UInt64>) -> Bool {
        switch kind {
        // Without its command in the log, the device is unknown; only pages have this status.
        case .hci(.connectionFailed(let status, nil)): status.rawValue == 0x04
        case .hci(.connectionFailed(_, let attempt?)), .hci(.connectionGivenUp(_, let attempt)):
            !attempt.isLE && !attempt.isIncoming && attempt.peer.map { !connected.contains($0.value) } == true
        default: false
        }
    }

    /// Whether advertising never started because of it.
    public var keptFromAdvertising: Bool { wasRaisedToFailure && traits.contains(.keepsFromAdvertising) }

    /// Whether it is the cause of its connection's end, unlike most problems of its kind; a problem with
    /// ``endsConnection`` is the end itself.
    public var endedItsConnection: Bool {
        wasRaisedToFailure && [.authenticatedPayloadTimeout, .attTimeout].contains(code)
    }

    /// Whether a protocol above ATT reported it.
    var isProtocolProblem: Bool { if case .annotated = kind { true } else { false } }

    /// Whether it is about a whole connection, not about an exchange on it.
    public var isOfConnection: Bool { code == .connectionFailed || endsConnection }

    var endsConnection: Bool { traits.contains(.endsConnection) }

    /// Whether another problem repeats this one; a failure never repeats a warning. Problems of exchanges
    /// repeat only on the same connection, which the caller checks.
    public func repeats(_ other: Problem) -> Bool {
        code == other.code && sideAlone == other.sideAlone && device == other.device
            && (row.severity >= .error) == (other.row.severity >= .error) && kind.repeats(other.kind)
    }
}

extension Problem.Status {
    /// The text in a signature.
    var text: String {
        var out = TextBuffer(capacity: 16)
        switch self {
        case .hci(let status): out.hexNumber(UInt64(status.rawValue), digits: 2)
        case .att(let error): out.hexNumber(UInt64(error.rawValue), digits: 2)
        case .smp(let reason): out.hexNumber(UInt64(reason), digits: 2)
        case .l2cap(let result): out.hexNumber(UInt64(result), digits: 4)
        case .named(let name): return name
        }
        return out.text
    }
}

/// Text shared by the sentences of problems.
enum ProblemText {
    /// Returns a number in hexadecimal, with `0x` and all digits.
    static func hex<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16)
        return "0x" + String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }

    static func named(_ name: StaticText?, _ code: UInt8) -> String {
        name.map { "\($0) (\(hex(code)))" } ?? "code \(hex(code))"
    }

    /// The time that an answer may take (Vol 3, Part F, 3.3.3, and Part H, 3.4). The frame that shows that it
    /// has passed may come much later, so its time says nothing.
    static let timeAllowed = "within 30 s"
}

/// Durations as text, in a unit that suits their size.
public enum TextDuration {
    /// Appends a duration in nanoseconds, rounded to a tenth of a unit.
    public static func put(_ nanoseconds: Int64, into out: inout TextBuffer) {
        if nanoseconds < 0 { out.put(0x2D) }
        for unit in units {
            let tenths = (nanoseconds.magnitude + unit.tenth / 2) / unit.tenth
            if tenths < unit.end { return fixed(tenths, unit.name, into: &out) }
        }
    }

    /// Units: the nanoseconds in a tenth, and the number of tenths from which the next unit is used.
    private static let units: [(tenth: UInt64, end: UInt64, name: StaticText)] = [
        (100_000, 10_000, " ms"), (100_000_000, 6_000, " s"), (6_000_000_000, 1_200, " min"),
        (360_000_000_000, 480, " h"), (8_640_000_000_000, .max, " d"),
    ]

    /// Returns the text of a duration in nanoseconds.
    public static func text(_ nanoseconds: Int64) -> String {
        var out = TextBuffer(capacity: 16)
        put(nanoseconds, into: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self)
    }

    /// Appends tenths with one digit after the point.
    private static func fixed(_ tenths: UInt64, _ unit: StaticText, into out: inout TextBuffer) {
        out.decimal(tenths / 10)
        out.put(0x2E)
        out.decimal(tenths % 10, digits: 1)
        out.put(unit)
    }
}
