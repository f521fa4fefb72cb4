public import BluetoothCore
import CaptureFile
public import PayloadFormat

/// A problem of Attribute Protocol PDUs, or of the order of requests and responses.
public enum ATTProblem: LayerProblem {
    /// The fields end too early or contradict each other here, in bytes from the start of the PDU.
    case malformed(at: Int)
    case unknownOpcode(ATTOpcode)
    /// A server refused a request.
    case error(ATTErrorCode, RefusedRequest)
    /// A request has timed out.
    case timeout(UnansweredRequest)
    /// The connection ended before the response, with the reason if it is known.
    case noResponse(UnansweredRequest, HCIStatus?)
    case unexpectedResponse
    /// A client repeats the same request, and gets the same answer.
    case askedAgain(RepeatedRequest)
    /// A control point did not do what was requested.
    case controlRefused(ControlRefusal)
    /// A request was sent while the request of this frame had no response yet.
    case requestWhilePending(FramePlace)
    /// Nothing subscribed to the value with this handle.
    case notSubscribed(UInt16)
    /// The value that carries answers was never enabled: in words.
    case notEnabled(String)
    /// A PDU of this many bytes is longer than ATT_MTU.
    case mtuExceeded(Int, mtu: UInt16)
    case mtuTooSmall(UInt16)
    case mtuRepeated

    var code: Problem.Code {
        switch self {
        case .malformed: .malformedATT
        case .unknownOpcode: .unknownATT
        case .error: .attError
        case .timeout: .attTimeout
        case .noResponse: .noResponse
        case .unexpectedResponse: .unexpectedResponse
        case .askedAgain: .askedAgain
        case .controlRefused: .controlRefused
        case .requestWhilePending: .requestWhilePending
        case .notSubscribed: .notSubscribed
        case .notEnabled: .notEnabled
        case .mtuExceeded: .mtuExceeded
        case .mtuTooSmall: .mtuTooSmall
        case .mtuRepeated: .mtuRepeated
        }
    }

    var side: Problem.Party? { if case .notEnabled = self { .host } else { nil } }

    var severity: Problem.Severity {
        // A server that supports only the minimum MTU says so with this error (Vol 3, Part F, 3.4.2.2).
        guard case .error(.requestNotSupported, let request) = self, request.opcode == .exchangeMTURequest
        else { return code.severity }
        return .note
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.error(let error, let request), .error(let before, let asked)):
            error == before && request == asked
        case (.askedAgain(let request), .askedAgain(let before)):
            request.opcode == before.opcode && request.range == before.range
        case (.controlRefused(let refusal), .controlRefused(let before)): refusal == before
        case (.notEnabled(let text), .notEnabled(let before)): text == before
        case (.timeout(let request), .timeout(let before)): request.isIndication == before.isIndication
        default: true
        }
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String {
        switch self {
        case .malformed(let offset): return "malformed ATT PDU at +\(offset)"
        case .unknownOpcode(let opcode):
            return "unassigned ATT opcode \(ProblemText.hex(opcode.rawValue))"
        case .error(let error, _):
            return (side == .host ? "the host refused the peer: " : "ATT error: ")
                + ProblemText.named(error.name, error.rawValue)
        case .timeout(let request):
            return "\(request.text(side, from: file)) had no response for "
                + "\(TextDuration.text(request.waited)) (30 s are allowed)"
        case .noResponse(let request, let reason):
            let what = request.text(side, from: file)
            let end: String
            switch ConnectionEnd(waited: request.waited, reason: reason).ender {
            case .host: end = "the host ended the connection"
            case .peer: end = "the peer ended the connection"
            case .link: end = "the connection was lost"
            default: return "\(what) never got a response"
            }
            return "\(what) had no response when \(end), \(TextDuration.text(request.waited)) later"
        case .unexpectedResponse: return "a response without a request in this log"
        case .askedAgain(let request):
            let name = request.opcode.name.map { "\($0)" } ?? "request"
            return "the same \(name) (\(ProblemText.hex(request.range.lowerBound)) to "
                + "\(ProblemText.hex(request.range.upperBound))) \(request.count) times in a row since frame "
                + "\(request.first.text(from: file)), with the same answer"
        case .controlRefused(let refusal): return refusal.text
        case .requestWhilePending(let place):
            return "a request while the one of frame \(place.text(from: file)) had no response yet"
        case .notSubscribed: return "nothing on this connection subscribed to this value"
        case .notEnabled(let text): return text
        case .mtuExceeded(let count, let mtu): return "an ATT PDU of \(count) bytes where ATT_MTU is \(mtu)"
        case .mtuTooSmall(let mtu): return "MTU \(mtu) is below the minimum of 23"
        case .mtuRepeated: return "a second MTU request; a client may send one"
        }
    }
}

/// A kind of request for an attribute.
public struct RefusedRequest: Hashable, Sendable {
    public var opcode: ATTOpcode
    /// The attribute's handle; 0 if the request names none.
    public var handle: UInt16
}

/// A request or indication without its response.
public struct UnansweredRequest: Sendable {
    public var opcode: ATTOpcode
    /// The handle of the attribute that it names; 0 if absent.
    public var handle: UInt16
    public var place: FramePlace
    /// Nanoseconds since the request.
    public var waited: Int64

    /// Whether its client sent it before the previous request was answered.
    var isEarly: Bool

    var isIndication: Bool { opcode == .handleValueIndication }

    init(_ pending: PendingRequest, at time: CaptureTime) {
        opcode = pending.opcode
        handle = pending.handle
        place = pending.frame
        waited = time.since(pending.time)
        isEarly = pending.isEarly
    }

    /// Returns the request as the beginning of a sentence, for a side that did not answer.
    fileprivate func text(_ side: Problem.Party?, from file: Int) -> String {
        (side == .host ? "the peer's " : "the ") + (opcode.name.map { "\($0)" } ?? "request")
            + " of frame \(place.text(from: file))"
    }

}

/// The end of a connection on which a request was unanswered.
struct ConnectionEnd: Sendable {
    /// Nanoseconds from the request.
    var waited: Int64
    /// Nil if the log does not show it.
    var reason: HCIStatus?

    /// The party that ended it: the link, if it was lost.
    var ender: Problem.Party? {
        switch reason?.rawValue {
        case nil: nil
        case 0x16: .host
        case 0x13, 0x14, 0x15: .peer
        default: .link
        }
    }

    /// Returns the severity of the missing response. If the link was lost, that is the failure; a side that
    /// ended the connection was no longer interested in the request that it had just sent. Nil if the log
    /// does not show the reason.
    ///
    /// - Parameter longWait: the time, in nanoseconds, after which the requester's disconnection means that
    ///   it missed the answer.
    func severity(
        ofSilent side: Problem.Party?, longWait: Int64 = OpenRequest.shortestWait
    ) -> Problem.Severity? {
        guard let ender else { return nil }
        if ender == .link { return .warning }
        if ender == side || waited >= longWait { return .error }
        return waited < OpenRequest.shortestWait ? .note : .warning
    }

    /// That time for an ATT request: many programs drop such requests as they exit.
    static let longATTWait: Int64 = 5_000_000_000
}
