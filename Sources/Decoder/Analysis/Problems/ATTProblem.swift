public import BluetoothCore
import CaptureFile
public import PayloadFormat

/// What is wrong with PDUs of the Attribute Protocol, and with who asks and answers them.
public enum ATTProblem: LayerProblem {
    /// The fields end too early or contradict each other here, in bytes from the start of the PDU.
    case malformed(at: Int)
    case unknownOpcode(ATTOpcode)
    /// A server refused a request.
    case error(ATTErrorCode, RefusedRequest)
    /// A request has waited longer than it may.
    case timeout(UnansweredRequest)
    /// The connection ended before the response, for a reason, where one is known.
    case noResponse(UnansweredRequest, HCIStatus?)
    case unexpectedResponse
    /// A client asks the same again and again, and gets the same answer.
    case askedAgain(RepeatedRequest)
    /// A control point did not do what was written to it.
    case controlRefused(ControlRefusal)
    /// The request of a frame has no response yet.
    case requestWhilePending(FramePlace)
    /// Nothing subscribed to the value with this handle.
    case notSubscribed(UInt16)
    /// The value that answers come by was never switched on: in words.
    case notEnabled(String)
    /// A PDU of so many bytes where ATT_MTU allows so many.
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
        // A server that has the least MTU alone says so by this (Vol 3, Part F, 3.4.2.2).
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
    /// The attribute's handle; 0 where the request names none.
    public var handle: UInt16
}

/// A request or indication without its response.
public struct UnansweredRequest: Sendable {
    public var opcode: ATTOpcode
    /// The handle of the attribute that it names; 0 for none.
    public var handle: UInt16
    public var place: FramePlace
    /// Nanoseconds.
    public var waited: Int64

    /// Whether its client sent it before the one before had its response.
    var isEarly: Bool

    /// Whether it is an indication.
    var isIndication: Bool { opcode == .handleValueIndication }

    init(_ pending: PendingRequest, at time: CaptureTime) {
        opcode = pending.opcode
        handle = pending.handle
        place = pending.frame
        waited = time.since(pending.time)
        isEarly = pending.isEarly
    }

    /// The request as a sentence begins with it, of a side that did not answer.
    fileprivate func text(_ side: Problem.Party?, from file: Int) -> String {
        (side == .host ? "the peer's " : "the ") + (opcode.name.map { "\($0)" } ?? "request")
            + " of frame \(place.text(from: file))"
    }

}

/// The end of a connection on which a request had no response yet.
struct ConnectionEnd: Sendable {
    /// Nanoseconds from the request.
    var waited: Int64
    /// Nil where the log does not tell.
    var reason: HCIStatus?

    /// Who ended it: the link, where it was lost.
    var ender: Problem.Party? {
        switch reason?.rawValue {
        case nil: nil
        case 0x16: .host
        case 0x13, 0x14, 0x15: .peer
        default: .link
        }
    }

    /// How much the missing response weighs: where the link was lost, that is what failed; who ended the
    /// connection did not care any more for what it had just asked. Nil where the log does not tell.
    ///
    /// - Parameter longWait: how long whoever asked waits, in nanoseconds, before hanging up means that the
    ///   answer was missed.
    func severity(
        ofSilent side: Problem.Party?, longWait: Int64 = OpenRequest.shortestWait
    ) -> Problem.Severity? {
        guard let ender else { return nil }
        if ender == .link { return .warning }
        if ender == side || waited >= longWait { return .error }
        return waited < OpenRequest.shortestWait ? .note : .warning
    }

    /// That wait for a request of ATT, which many programs drop as they leave.
    static let longATTWait: Int64 = 5_000_000_000
}
