import BluetoothCore
public import PayloadFormat

/// A problem of fragments, signalling or channels.
public enum L2CAPProblem: LayerProblem {
    case malformed(PacketFault)
    /// A fragment that continues nothing.
    case fragmentWithoutStart
    /// The PDU begun at this frame was never completed.
    case fragmentsLost(FramePlace)
    /// The fragments have more bytes than the PDU.
    case fragmentsTooLong(held: Int, of: Int)
    /// A signalling command was not understood, with the number of the reason.
    case commandRejected(UInt16)
    case parameterUpdateRejected
    /// Requested channels are not opened.
    case channelRefused(ChannelRefusal)
    /// The last credit for a service was spent at a frame, and none came for this many nanoseconds.
    case creditsSpent(UInt16, FramePlace, waited: Int64)
    /// A signalling command of a frame has waited for this many nanoseconds.
    case unanswered(String, FramePlace, waited: Int64)

    var code: Problem.Code {
        switch self {
        case .malformed: .malformedL2CAP
        case .fragmentWithoutStart: .fragmentWithoutStart
        case .fragmentsLost: .fragmentsLost
        case .fragmentsTooLong: .fragmentsTooLong
        case .commandRejected: .commandRejected
        case .parameterUpdateRejected: .parameterUpdateRejected
        case .channelRefused: .channelRefused
        case .creditsSpent: .creditsSpent
        case .unanswered: .signalUnanswered
        }
    }

    var severity: Problem.Severity {
        guard case .channelRefused(let refusal) = self else { return code.severity }
        // Hosts request enhanced ATT bearers without knowing whether the peer has them.
        if refusal.psm == Channel.enhancedATTPSM {
            return [2, 4].contains(refusal.result) ? .note : .warning
        }
        // A channel whose request is unknown may be such a bearer.
        if refusal.psm == nil { return .warning }
        // Hosts also request BR/EDR services that the other side does not have.
        return refusal.isPartial || !refusal.isOfCredits && refusal.result == 2 ? .warning : .error
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.channelRefused(let refusal), .channelRefused(let before)): refusal == before
        case (.creditsSpent(let psm, _, _), .creditsSpent(let before, _, _)): psm == before
        case (.unanswered(let name, _, _), .unanswered(let before, _, _)): name == before
        default: true
        }
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String {
        switch self {
        case .malformed(let fault): "malformed L2CAP PDU\(fault)"
        case .fragmentWithoutStart: "a continuation fragment without a start"
        case .fragmentsLost(let start): "the PDU begun at frame \(start.text(from: file)) was never completed"
        case .fragmentsTooLong(let held, let length): "fragments of \(held) bytes for a PDU of \(length)"
        case .commandRejected(let reason): "L2CAP command rejected, reason \(reason)"
        case .parameterUpdateRejected: "the central refused the connection parameters"
        case .channelRefused(let refusal): refusal.text
        case .creditsSpent(let psm, let place, let waited):
            "all credits of the channel to SPSM \(ProblemText.hex(psm)) were spent at frame "
                + "\(place.text(from: file)), and none came for \(TextDuration.text(waited))"
        case .unanswered(let name, let place, let waited):
            "\(name) of frame \(place.text(from: file)) got no answer in \(TextDuration.text(waited))"
        }
    }
}

/// An answer that refuses requested channels.
public struct ChannelRefusal: Hashable, Sendable {
    public var result: UInt16
    /// Whether the channels are credit-based; otherwise the result is that of a Connection Response of
    /// BR/EDR.
    public var isOfCredits: Bool
    /// The requested service; nil if the log does not show it.
    public var psm: UInt16?
    /// Whether other channels of the same command are opened.
    var isPartial = false

    fileprivate var text: String {
        let names: ValueSet = isOfCredits ? .l2capCreditBasedResult : .l2capConnectionResult
        let name = names.name(UInt64(result)).map { "\($0)" } ?? ""
        let what = isPartial ? "some L2CAP channels" : "L2CAP channel"
        let asked = psm.flatMap { $0 == 0 ? nil : $0 }
        let to = asked.map { " to \(isOfCredits ? "SPSM" : "PSM") \(ProblemText.hex($0))" } ?? ""
        let number = ProblemText.hex(result)
        guard let dash = name.lastIndex(of: "-") else { return "\(what)\(to) refused: result \(number)" }
        return "\(what)\(to) refused: \(name[dash...].dropFirst(2)) (\(number))"
    }
}
