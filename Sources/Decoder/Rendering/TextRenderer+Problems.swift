import Analysis
import BluetoothCore
import PayloadFormat
import WireBytes

// One line below its frame for each problem.

extension TextRenderer {
    mutating func problemLines(_ problems: [Problem]) {
        for problem in problems where !problem.isToldBefore { problemLine(problem) }
    }

    private mutating func problemLine(_ problem: Problem) {
        out.fill(0x20, count: Column.layer)
        let severity = problem.severity
        tint(severity >= .error ? .error : severity == .warning ? .warning : .folded)
        out.put(severity == .note ? "- " : "! ")
        ProblemText.put(problem, into: &out)
        untint()
        out.put(0x0A)
    }
}

/// Problems as sentences, the same in every output.
public enum ProblemText {
    /// Appends the sentence; of a connection that is not the frame's own, with its number before it.
    public static func put(_ problem: Problem, into out: inout TextBuffer) {
        if problem.connection > 0 { numbers("connection ", Int64(problem.connection), ": ", &out) }
        put(alone: problem, into: &out)
    }

    /// Appends the sentence without a connection. A frame that it names has its file's number before it,
    /// counted from 1, where that is another file than that of the frame it is told at.
    static func put(alone problem: Problem, into out: inout TextBuffer) {
        switch problem.code {
        case .recordCut: numbers("the recorder kept ", problem.first, " of ", problem.second, " octets", &out)
        case .impossibleOriginalLength:
            numbers("the file holds ", problem.first, " octets and says that fewer were sent", &out)
        case .impossibleTimeFraction:
            out.put("the fraction of a second in the record's time is a second or more")
        case .emptyRecord: out.put("a record without octets")
        case .clockBackwards: duration("the clock went back by ", problem.first, "", &out)
        case .clockJump: duration("the clock jumped ahead by ", problem.first, "", &out)
        case .drops: numbers("the recorder lost ", problem.first, " packets before this one", &out)
        case .unknownPacketType: out.put("a packet type that nothing known here names")
        case .malformedHCI: malformed("malformed HCI packet", problem, &out)
        case .malformedL2CAP: malformed("malformed L2CAP PDU", problem, &out)
        case .malformedMonitor: malformed("malformed monitor record", problem, &out)
        case .malformedAdvertising: malformed("malformed advertising data", problem, &out)
        case .malformedATT: numbers("malformed ATT PDU at +", problem.first, "", &out)
        case .malformedSMP: numbers("malformed SMP PDU at +", problem.first, "", &out)
        case .fragmentWithoutStart: out.put("a continuation fragment without a start")
        case .fragmentsLost: frame("the PDU begun at frame ", problem, " was never completed", &out)
        case .fragmentsTooLong:
            numbers("fragments of ", problem.second, " octets for a PDU of ", problem.first, "", &out)
        case .unknownConnection:
            guard problem.about.frame > 0 else {
                return out.put("no event in this log opened this connection")
            }
            frame(
                "the connection on this handle ended at frame ", problem,
                ", and no event since then opened another", &out)
        case .connectionReplaced:
            numbers("connection ", problem.first, " was on this handle and its end is missing", &out)
        case .vendorACL: out.put("a vendor's data on a handle that is no connection (told once)")
        case .dataBufferOverflow: out.put("the host sent more than the controller had room for")
        case .authenticatedPayloadTimeout:
            out.put("no packet with a valid MIC came within the authenticated payload timeout")
        case .requestWhilePending:
            frame("a request while the one of frame ", problem, " had no response yet", &out)
        case .attTimeout:
            request(problem, &out)
            duration(" had no response for ", problem.second, " (30 s are allowed)", &out)
        case .noResponse: unanswered(problem, &out)
        case .unexpectedResponse: out.put("a response that no request in this log asked for")
        case .notSubscribed: out.put("nothing on this connection subscribed to this value")
        case .notEnabled: out.put(problem.text ?? "")
        case .pairingUnanswered, .pairingUnfinished: pairing(problem, &out)
        case .commandRejected: numbers("L2CAP command rejected, reason ", problem.first, "", &out)
        case .channelRefused: refusedChannel(problem, &out)
        case .signalUnanswered:
            out.put(problem.text ?? "an L2CAP request")
            frame(" of frame ", problem, "", &out)
            duration(" got no answer in ", problem.second, "", &out)
        case .commandUnanswered:
            out.put("the controller did not answer ")
            out.put(problem.text ?? "a command")
            frame(" of frame ", problem, "", &out)
            duration(" for ", problem.second, "", &out)
        case .mtuExceeded:
            numbers("an ATT PDU of ", problem.first, " octets where ATT_MTU is ", problem.second, "", &out)
        case .mtuTooSmall: numbers("an MTU of ", problem.first, ", where 23 is the least", &out)
        case .mtuRepeated: out.put("the MTU is asked for again, which a client may do once")
        case .connectionGivenUp: givenUp(problem.attempt, from: problem.file, &out)
        case .parameterUpdateRejected: out.put("the central refused the connection parameters")
        case .tableFull:
            out.put("a table of this analysis is full")
            if let name = problem.name { out.put(" (\(name))") }
            out.put(": not everything is followed any more")
        case .uqdk, .profile: out.put(problem.text ?? "")
        default: coded(problem, &out)
        }
    }

    /// The request or indication that a problem is about.
    private static func request(_ problem: Problem, _ out: inout TextBuffer) {
        out.put(problem.side == .host ? "the peer's " : "the ")
        out.put(problem.text ?? "request")
        frame(" of frame ", problem, "", &out)
    }

    /// A request on a connection that ended.
    private static func unanswered(_ problem: Problem, _ out: inout TextBuffer) {
        request(problem, &out)
        out.put(" never got a response")
        switch problem.endedBy {
        case .host: duration(": the host ended the connection ", problem.second, " later", &out)
        case .peer: duration(": the peer ended the connection ", problem.second, " later", &out)
        case .link: duration(": the connection was lost ", problem.second, " later", &out)
        default: break
        }
    }

    /// A pairing that nobody went on with.
    private static func pairing(_ problem: Problem, _ out: inout TextBuffer) {
        let isOver = problem.code == .pairingUnfinished
        out.put(isOver ? "pairing was not finished: " : "pairing stopped: ")
        out.escaped(problem.text ?? "")
        frame(" of frame ", problem, "", &out)
        if isOver {
            duration(" was its last PDU, ", problem.second, " before the connection ended", &out)
        } else {
            duration(" had no answer for ", problem.second, " (30 s are allowed)", &out)
        }
    }

    /// What can't be in a packet's lengths or fields.
    private static func malformed(_ what: StaticText, _ problem: Problem, _ out: inout TextBuffer) {
        out.put(what)
        switch problem.second {
        case Problem.atOffset:
            numbers(" at +", problem.first, "", &out)
        case Problem.noHeader:
            numbers(": ", problem.first, problem.first == 1 ? " octet is" : " octets are", &out)
            out.put(" no whole header")
        default:
            numbers(": ", problem.first, problem.first == 1 ? " octet" : " octets", &out)
            numbers(" announced, ", problem.second, " there", &out)
        }
    }

    /// Problems that are an error code with a name.
    private static func coded(_ problem: Problem, _ out: inout TextBuffer) {
        let code = UInt8(truncatingIfNeeded: problem.first)
        switch problem.code {
        case .attError:
            out.put(problem.side == .host ? "the host refused the peer: " : "ATT error: ")
            named(ATTErrorCode(rawValue: code).name, code, &out)
        case .pairingFailed:
            out.put("pairing failed: ")
            named(ValueSet.smpFailureReason.name(UInt64(code)), code, &out)
        case .commandFailed:
            out.put("the controller refused ")
            put(HCIOpcode(rawValue: UInt16(truncatingIfNeeded: problem.second)), &out)
            if let peer = problem.attempt?.peer {
                out.put(" to ")
                out.put(peer)
            }
            out.put(": ")
            named(HCIStatus(rawValue: code).name, code, &out)
        case .connectionFailed:
            out.put("no connection")
            if let attempt = problem.attempt { put(attempt, " to ", from: problem.file, &out) }
            out.put(": ")
            named(HCIStatus(rawValue: code).name, code, &out)
            if let attempt = problem.attempt { duration(" after ", attempt.waited, "", &out) }
        case .procedureFailed:
            put(event: UInt16(truncatingIfNeeded: problem.second), &out)
            out.put(" failed: ")
            named(HCIStatus(rawValue: code).name, code, &out)
        case .abnormalDisconnection:
            let wasNeverThere = code == 0x3E
            out.put(wasNeverThere ? "the connection was not established: " : "connection lost: ")
            named(HCIStatus(rawValue: code).name, code, &out)
        case .encryptionFailed:
            out.put("encryption failed: ")
            named(HCIStatus(rawValue: code).name, code, &out)
        case .unknownATT:
            out.put("an ATT opcode that is not assigned: ")
            out.hexNumber(UInt64(code), digits: 2)
        case .hardwareError:
            out.put("the controller reports hardware error ")
            out.hexNumber(UInt64(code), digits: 2)
        default: out.put(problem.code.rawValue)
        }
    }

    /// A command's name, or its opcode.
    private static func put(_ opcode: HCIOpcode, _ out: inout TextBuffer) {
        if let name = opcode.name { return out.put(name) }
        out.put("command ")
        out.hexNumber(UInt64(opcode.rawValue), digits: 4)
    }

    /// What an event that tells a status tells it of: the event's name without its last word.
    private static func put(event: UInt16, _ out: inout TextBuffer) {
        let code = HCIEventCode(rawValue: UInt8(event >> 8))
        let name =
            code == .leMeta ? LESubeventCode(rawValue: UInt8(event & 0xFF)).name : code.name
        guard let name else { return out.put("a procedure") }
        out.put("\(name)".split(separator: " ").filter { $0 != "Complete" }.joined(separator: " "))
    }

    /// A connection that was asked for.
    private static func put(
        _ attempt: ConnectAttempt, _ before: StaticText, from file: Int?, _ out: inout TextBuffer
    ) {
        if let peer = attempt.peer {
            out.put(before)
            out.put(peer)
        }
        if attempt.isByAcceptList { out.put(" by the accept list") }
        out.put(" (frame ")
        out.put(attempt.place, from: file)
        out.put(")")
    }

    /// A connection that the host asked for and gave up; with nil for `file` its frame comes with its file.
    static func givenUp(_ attempt: ConnectAttempt?, from file: Int?, _ out: inout TextBuffer) {
        out.put("connect")
        guard let attempt else { return out.put(" given up") }
        put(attempt, " to ", from: file, &out)
        duration(attempt.isOpen ? " still waiting after " : " given up after ", attempt.waited, "", &out)
    }

    /// An answer by which channels that were asked for are not opened.
    private static func refusedChannel(_ problem: Problem, _ out: inout TextBuffer) {
        let result = UInt16(truncatingIfNeeded: problem.first)
        let psm = UInt16(truncatingIfNeeded: problem.second)
        let isClassic = problem.second >> 16 == 0x03
        let names: ValueSet = isClassic ? .l2capConnectionResult : .l2capCreditBasedResult
        let text = names.name(UInt64(result)).map { "\($0)" } ?? ""
        out.put(text.hasPrefix("Some") ? "some L2CAP channels" : "L2CAP channel")
        if psm != 0 {
            out.put(isClassic ? " to PSM " : " to SPSM ")
            out.hexNumber(UInt64(psm), digits: 4)
        }
        out.put(" refused: ")
        if let dash = text.lastIndex(of: "-") {
            out.put(String(text[dash...].dropFirst(2)))
            out.put(" (")
            out.hexNumber(UInt64(result), digits: 4)
            out.put(")")
        } else {
            out.put("result ")
            out.hexNumber(UInt64(result), digits: 4)
        }
    }

    private static func named(_ name: StaticText?, _ code: UInt8, _ out: inout TextBuffer) {
        guard let name else {
            out.put("code ")
            return out.hexNumber(UInt64(code), digits: 2)
        }
        out.put(name)
        out.put(" (")
        out.hexNumber(UInt64(code), digits: 2)
        out.put(")")
    }

    private static func numbers(
        _ before: StaticText, _ first: Int64, _ between: StaticText, _ second: Int64,
        _ after: StaticText, _ out: inout TextBuffer
    ) {
        numbers(before, first, between, &out)
        out.decimal(Int(second))
        out.put(after)
    }

    /// The frame that a problem is about.
    private static func frame(
        _ before: StaticText, _ problem: Problem, _ after: StaticText, _ out: inout TextBuffer
    ) {
        out.put(before)
        out.put(problem.about, from: problem.file)
        out.put(after)
    }

    private static func numbers(
        _ before: StaticText, _ first: Int64, _ after: StaticText, _ out: inout TextBuffer
    ) {
        out.put(before)
        out.decimal(Int(first))
        out.put(after)
    }

    private static func duration(
        _ before: StaticText, _ nanoseconds: Int64, _ after: StaticText, _ out: inout TextBuffer
    ) {
        out.put(before)
        TextDuration.put(nanoseconds, into: &out)
        out.put(after)
    }
}
