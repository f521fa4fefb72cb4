import BluetoothCore
import PayloadFormat

/// Something that is wrong, or looks wrong, at one frame.
public struct Problem: Sendable {
    /// The problem, with its facts.
    public private(set) var kind: Kind
    /// The code of its kind.
    public let code: Code
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
        code = kind.code
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
/// A new kind of problem needs a code with its severity in ``Problem/Code``, and a case here in its layer
/// with its sentence.
protocol LayerProblem: Sendable {
    /// The code of its kind.
    var code: Problem.Code { get }
    /// Its severity, if it is not overcome.
    var severity: Problem.Severity { get }
    /// The side that caused it, or that did not answer; nil if the problem does not show it.
    var side: Problem.Party? { get }
    /// Whether another problem with the same code is a repetition of it.
    func repeats(_ other: Self) -> Bool
    /// Returns its text for a person.
    ///
    /// - Parameters:
    ///   - side: the side that caused it, if known.
    ///   - file: the index of the file of the frame that reports it.
    func sentence(by side: Problem.Party?, from file: Int) -> String
}

extension LayerProblem {
    var severity: Problem.Severity { code.severity }
    var side: Problem.Party? { nil }
    func repeats(_ other: Self) -> Bool { true }
}

// Each layer implements its own. `any LayerProblem` is not used: it would be created anew for each property
// that is read of all problems of a log.
extension Problem.Kind: LayerProblem {
    var code: Problem.Code {
        switch self {
        case .record(let problem): problem.code
        case .hci(let problem): problem.code
        case .l2cap(let problem): problem.code
        case .att(let problem): problem.code
        case .smp(let problem): problem.code
        case .annotated(let problem): problem.code
        case .tableFull: .tableFull
        }
    }

    var severity: Problem.Severity {
        switch self {
        case .hci(let problem): problem.severity
        case .l2cap(let problem): problem.severity
        case .att(let problem): problem.severity
        case .annotated(let problem): problem.severity
        case .record, .smp, .tableFull: code.severity
        }
    }

    var side: Problem.Party? {
        switch self {
        case .hci(let problem): problem.side
        case .att(let problem): problem.side
        case .record, .l2cap, .smp, .annotated, .tableFull: nil
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

    func sentence(by side: Problem.Party?, from file: Int) -> String {
        switch self {
        case .record(let problem): problem.sentence(by: side, from: file)
        case .hci(let problem): problem.sentence(by: side, from: file)
        case .l2cap(let problem): problem.sentence(by: side, from: file)
        case .att(let problem): problem.sentence(by: side, from: file)
        case .smp(let problem): problem.sentence(by: side, from: file)
        case .annotated(let problem): problem.sentence(by: side, from: file)
        case .tableFull(let table):
            "table full (\(table)): from here on not everything is tracked"
        }
    }
}

extension Problem {
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
    public var related: [FramePlace] {
        switch kind {
        case .hci(.commandUnanswered(_, let place, _)), .hci(.latePacket(let place)),
            .hci(.endedConnection(_, let place, _)), .att(.requestWhilePending(let place)),
            .hci(.buffersHeld(_, let place, _)), .l2cap(.creditsSpent(_, let place, _)),
            .l2cap(.fragmentsLost(let place)), .l2cap(.unanswered(_, let place, _)):
            [place]
        case .att(.timeout(let request)), .att(.noResponse(let request, _)): [request.place]
        case .att(.askedAgain(let request)): [request.first]
        case .hci(.endedAfterWrite(_, let write)): [write.frame]
        case .smp(.unanswered(let step)), .smp(.unfinished(let step)): [step.place]
        case .annotated(let problem): problem.request.map { [$0] } ?? []
        default: attempt.map { [$0.place] } ?? []
        }
    }

    /// The side that caused it, or that did not answer; nil if the log does not show it.
    public var side: Party? { reportedSide ?? kind.side }

    /// The text for a person, without its connection: the same in every output. A frame in another file than
    /// its own frame's has the file's number before it, counted from 1.
    public var sentence: String { kind.sentence(by: side, from: file) }

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
        case .att(.notSubscribed(let handle)):
            (RefusedRequest(opcode: .handleValueNotification, handle: handle), side)
        default: nil
        }
    }

    /// The weight of the problem.
    public var severity: Severity {
        if isInBackground { return .warning }
        if isFinal { return .error }
        let usual = kind.severity
        if isOvercome || isUnsure { return min(usual, .warning) }
        switch kind {
        case .att(.noResponse(let request, let reason)):
            let end = ConnectionEnd(waited: request.waited, reason: reason)
            return end.severity(ofSilent: side, longWait: ConnectionEnd.longATTWait) ?? usual
        // A PDU that the peer has no room for does not arrive.
        case .att(.mtuExceeded) where side == .host: return .error
        case .annotated(let problem):
            guard let weight = problem.end?.severity(ofSilent: side), weight < .error else { return usual }
            return weight
        default: return usual
        }
    }

    /// Whether its severity depends on its circumstances, and not only on its code or name.
    var isOfOwnWeight: Bool {
        if case .annotated(let problem) = kind { isUnsure || problem.end != nil } else { isUnsure }
    }

    /// Whether it is any request that got no response.
    public var isUnanswered: Bool {
        switch kind {
        case .att(.timeout), .att(.noResponse): true
        case .annotated(let problem): problem.isUnanswered
        default: false
        }
    }

    /// Whether it keeps a session from its purpose: no connection, a lost one, no pairing or encryption, a
    /// dead ATT bearer, a refusal by a protocol above ATT. A refused request alone is not decisive, since
    /// clients often try what they may not do; nor is an unconfirmed indication, after which connections go
    /// on for hours.
    public var isDecisive: Bool {
        if isInBackground { return false }
        if isFinal { return true }
        if case .att(.timeout(let request)) = kind, request.isIndication { return false }
        switch code {
        case .connectionFailed, .abnormalDisconnection, .adapterEnded, .endedByPeer, .encryptionFailed,
            .pairingFailed, .pairingUnanswered, .pairingUnfinished, .hardwareError, .commandUnanswered,
            .attTimeout, .notEnabled, .mtuExceeded, .buffersHeld, .creditsSpent:
            return severity >= .error
        default: return isOfProtocol && severity >= .error
        }
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
    public var keptFromAdvertising: Bool {
        guard isFinal, case .hci(let problem) = kind else { return false }
        return problem.refusesAdvertising
    }

    /// Whether a connection was ended because of it, which its kind alone does not say.
    public var endedItsConnection: Bool { isFinal && code == .authenticatedPayloadTimeout }

    /// Whether it is of a protocol above ATT.
    var isOfProtocol: Bool { if case .annotated = kind { true } else { false } }

    /// Whether it is about a whole connection, and not about an exchange on it.
    public var isOfConnection: Bool { code == .connectionFailed || endsConnection }

    /// Whether it is the unintended or premature end of a connection.
    var endsConnection: Bool {
        code == .abnormalDisconnection || code == .adapterEnded || code == .endedByPeer
    }

    /// Whether another problem repeats it. Problems of exchanges on a connection repeat only on that
    /// connection, which the caller checks.
    func repeats(_ other: Problem) -> Bool {
        code == other.code && reportedSide == other.reportedSide && kind.repeats(other.kind)
    }
}
