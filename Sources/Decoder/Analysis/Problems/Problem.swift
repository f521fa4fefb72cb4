import BluetoothCore
import PayloadFormat

/// Something that is wrong, or looks wrong, at one frame.
public struct Problem: Sendable {
    /// What is wrong, with its facts.
    public private(set) var kind: Kind
    /// What kind of problem that is.
    public let code: Code
    /// The number of the connection it is about, where that is not its frame's own; else 0.
    public internal(set) var connection = 0
    /// The side that did it, or that did not answer, where that is not a matter of its kind alone.
    private let reportedSide: Party?
    /// Whether the log can't show what came of it: it holds one direction alone.
    var isUnsure = false
    /// Whether the same request was taken later.
    public internal(set) var isOvercome = false
    /// The index of the file of the frame that it is told at: its sentence names frames of other files with
    /// these.
    public internal(set) var file = 0
    /// Whether nothing worked after it, so that it weighs as a failure.
    public internal(set) var isFinal = false
    /// Whether it is that a device of BR/EDR was not reached, while others were spoken to over LE: phones
    /// page the devices that they know on their own.
    public internal(set) var isInBackground = false
    /// Whether it was told before of the same value of the same connection: it counts, and text has no line
    /// for it.
    public internal(set) var isToldBefore = false

    /// A problem of this kind, done by this side where its kind does not say which.
    init(_ kind: Kind, by side: Party? = nil) {
        self.kind = kind
        code = kind.code
        reportedSide = side
    }

    /// What is wrong, by the layer that it is found in.
    public enum Kind: Sendable {
        case record(RecordProblem)
        case hci(HCIProblem)
        case l2cap(L2CAPProblem)
        case att(ATTProblem)
        case smp(SMPProblem)
        /// Of a protocol above ATT.
        case annotated(AnnotatedProblem)
        /// A table of the analysis, which holds this, is full.
        case tableFull(String)
    }

    /// Who takes part in a connection, and who shows it.
    public enum Party: String, Sendable {
        /// The device whose bus was recorded.
        case host
        /// The device at the other end.
        case peer
        /// The host's own Bluetooth controller.
        case controller
        /// The radio link: nothing was heard any more.
        case link

        init(_ side: Side) { self = side == .host ? .host : .peer }
    }

    /// How much a problem weighs when the verdict names the first wrong thing.
    public enum Severity: Int, Sendable, Comparable {
        /// Worth knowing: it does not keep a session from working.
        case note
        /// Something is missing or odd.
        case warning
        /// Something failed.
        case error
        /// What was asked for got no answer at all.
        case unanswered

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}

/// What one layer finds wrong: a problem's facts, and all that follows from them.
///
/// A new kind of problem is a code with its weight in ``Problem/Code``, and a case here of its layer with its
/// sentence.
protocol LayerProblem: Sendable {
    /// What kind of problem it is.
    var code: Problem.Code { get }
    /// How much it weighs, of what is not overcome.
    var severity: Problem.Severity { get }
    /// The side that did it, or that did not answer; nil where the problem does not tell.
    var side: Problem.Party? { get }
    /// Whether another problem with the same code is the same thing again.
    func repeats(_ other: Self) -> Bool
    /// What it says to a person.
    ///
    /// - Parameters:
    ///   - side: the side that did it, where that is known.
    ///   - file: the index of the file of the frame that it is told at.
    func sentence(by side: Problem.Party?, from file: Int) -> String
}

extension LayerProblem {
    var severity: Problem.Severity { code.severity }
    var side: Problem.Party? { nil }
    func repeats(_ other: Self) -> Bool { true }
}

// Each layer answers for its own. No `any LayerProblem`, which would be made anew for each question that all
// problems of a log are asked.
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
    /// The annotator's own code for it, or the full table's name; nil where ``code`` says all.
    public var name: String? {
        switch kind {
        case .annotated(let problem): problem.name
        case .tableFull(let table): table
        default: nil
        }
    }

    /// What it is about, where its sentence does not say so and its frame would: the name of a message.
    public var subject: String? { if case .annotated(let problem) = kind { problem.subject } else { nil } }

    /// The frames beside its own that it is about: the request that was refused or had no response, the
    /// attempt that failed.
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

    /// The side that did it, or that did not answer; nil where the log does not tell.
    public var side: Party? { reportedSide ?? kind.side }

    /// What it says to a person, without its connection: the same in every output. A frame that it names has
    /// its file's number before it, counted from 1, where that is another than that of its own frame.
    public var sentence: String { kind.sentence(by: side, from: file) }

    /// The sentence, after the number of the connection that it is about where that is not its frame's own.
    public var line: String { connection > 0 ? "connection \(connection): \(sentence)" : sentence }

    /// What is known of the connection that it is about, in the words of every output; nil where nothing is.
    public var circumstances: String? {
        guard case .hci(.abnormalDisconnection(_, let conditions?)) = kind else { return nil }
        let text = conditions.text(from: file)
        return text.isEmpty ? nil : text
    }

    /// The connection that was asked for, of a problem with one.
    public var attempt: ConnectAttempt? {
        if case .hci(let problem) = kind { problem.attempt } else { nil }
    }

    /// Notes what became known since of the device that a withdrawn attempt was to.
    mutating func update(by advertisers: AdvertiserTable) {
        guard case .hci(.connectionGivenUp(let status, let attempt)) = kind else { return }
        kind = .hci(.connectionGivenUp(status, attempt.known(by: advertisers)))
    }

    /// The request that a server refused; nil of other problems.
    public var refusedRequest: RefusedRequest? {
        if case .att(.error(_, let request)) = kind { request } else { nil }
    }

    /// The use of an attribute that it is about, and the side that has the attribute, where that is known.
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

    /// How much it weighs.
    public var severity: Severity {
        if isInBackground { return .warning }
        if isFinal { return .error }
        let usual = kind.severity
        if isOvercome || isUnsure { return min(usual, .warning) }
        switch kind {
        case .att(.noResponse(let request, let reason)):
            let end = ConnectionEnd(waited: request.waited, reason: reason)
            return end.severity(ofSilent: side, longWait: ConnectionEnd.longATTWait) ?? usual
        // Of a PDU that the peer has no room for, nothing arrives.
        case .att(.mtuExceeded) where side == .host: return .error
        case .annotated(let problem):
            guard let weight = problem.end?.severity(ofSilent: side), weight < .error else { return usual }
            return weight
        default: return usual
        }
    }

    /// Whether it weighs what it does by how it came about, and not by its code or name alone.
    var isOfOwnWeight: Bool {
        if case .annotated(let problem) = kind { isUnsure || problem.end != nil } else { isUnsure }
    }

    /// Whether it is a request that got no response, whichever it was.
    public var isUnanswered: Bool {
        switch kind {
        case .att(.timeout), .att(.noResponse): true
        case .annotated(let problem): problem.isUnanswered
        default: false
        }
    }

    /// Whether it keeps a session from its purpose: no connection, a lost one, no pairing or encryption, a
    /// dead ATT bearer, a refusal by a protocol above ATT. A refused request alone does not: clients often
    /// try what they may not do; nor does an indication without its confirmation, after which connections
    /// go on for hours.
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

    /// Whether it is that a device of BR/EDR was not reached that has none of these addresses.
    func isPage(besides met: Set<UInt64>) -> Bool {
        switch kind {
        // Without its command in the log the device is not known; pages alone have this status.
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

    /// Whether a connection was ended because of it, and not by its kind alone.
    public var endedItsConnection: Bool { isFinal && code == .authenticatedPayloadTimeout }

    /// Whether a protocol above ATT has it.
    var isOfProtocol: Bool { if case .annotated = kind { true } else { false } }

    /// Whether it is about a whole connection, and not about something on it.
    public var isOfConnection: Bool { code == .connectionFailed || endsConnection }

    /// Whether it is that a connection ended otherwise than by either side's wish after its work.
    var endsConnection: Bool {
        code == .abnormalDisconnection || code == .adapterEnded || code == .endedByPeer
    }

    /// Whether another problem is the same thing again, on the same connection where it is about something
    /// there.
    func repeats(_ other: Problem) -> Bool {
        code == other.code && reportedSide == other.reportedSide && kind.repeats(other.kind)
    }
}
