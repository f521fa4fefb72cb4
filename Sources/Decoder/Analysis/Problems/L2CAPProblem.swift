public import BluetoothCore
public import PayloadFormat

/// What is wrong with fragments, signalling and channels.
public enum L2CAPProblem: LayerProblem {
    case malformed(PacketFault)
    /// A fragment that continues nothing.
    case fragmentWithoutStart
    /// The PDU begun at a frame was never completed.
    case fragmentsLost(FramePlace)
    /// The fragments have more bytes than the PDU.
    case fragmentsTooLong(held: Int, of: Int)
    /// A signalling command was not understood, for a reason by its number.
    case commandRejected(UInt16)
    case parameterUpdateRejected
    /// Channels that were asked for are not opened: the answer and its result, and the service.
    case channelRefused(ChannelResult, psm: UInt16?)
    /// A signalling command of a frame has waited for so many nanoseconds.
    case unanswered(String, FramePlace, waited: Int64)

    /// The result of a request for channels.
    public enum ChannelResult: Hashable, Sendable {
        case connection(L2CAPConnectionResult)
        case creditBased(L2CAPCreditBasedResult)
    }

    var code: Problem.Code {
        switch self {
        case .malformed: .malformedL2CAP
        case .fragmentWithoutStart: .fragmentWithoutStart
        case .fragmentsLost: .fragmentsLost
        case .fragmentsTooLong: .fragmentsTooLong
        case .commandRejected: .commandRejected
        case .parameterUpdateRejected: .parameterUpdateRejected
        case .channelRefused: .channelRefused
        case .unanswered: .signalUnanswered
        }
    }

    var severity: Problem.Severity {
        // Enhanced ATT bearers are asked for on the off chance.
        guard case .channelRefused(let result, Channel.enhancedATTPSM) = self else { return code.severity }
        return result.number == 2 || result.number == 4 ? .note : code.severity
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.channelRefused(let result, let psm), .channelRefused(let before, let asked)):
            result == before && psm == asked
        case (.unanswered(let name, _, _), .unanswered(let before, _, _)): name == before
        default: true
        }
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String {
        switch self {
        case .malformed(let fault): "malformed L2CAP PDU\(fault)"
        case .fragmentWithoutStart: "a continuation fragment without a start"
        case .fragmentsLost(let start): "the PDU begun at frame \(start.text(from: file)) was never completed"
        case .fragmentsTooLong(let held, let length): "fragments of \(held) octets for a PDU of \(length)"
        case .commandRejected(let reason): "L2CAP command rejected, reason \(reason)"
        case .parameterUpdateRejected: "the central refused the connection parameters"
        case .channelRefused(let result, let psm): Self.text(result, psm)
        case .unanswered(let name, let place, let waited):
            "\(name) of frame \(place.text(from: file)) got no answer in \(TextDuration.text(waited))"
        }
    }

    private static func text(_ result: ChannelResult, _ psm: UInt16?) -> String {
        let name = result.name
        let what = name.hasPrefix("Some") ? "some L2CAP channels" : "L2CAP channel"
        let to =
            psm.flatMap { $0 == 0 ? nil : $0 }.map {
                " to \(result.isClassic ? "PSM" : "SPSM") \(ProblemText.hex($0))"
            } ?? ""
        let number = ProblemText.hex(result.number)
        guard let dash = name.lastIndex(of: "-") else { return "\(what)\(to) refused: result \(number)" }
        return "\(what)\(to) refused: \(name[dash...].dropFirst(2)) (\(number))"
    }
}

extension L2CAPProblem.ChannelResult {
    fileprivate var number: UInt16 {
        switch self {
        case .connection(let result): result.rawValue
        case .creditBased(let result): result.rawValue
        }
    }

    fileprivate var isClassic: Bool { if case .connection = self { true } else { false } }

    fileprivate var name: String {
        let name =
            switch self {
            case .connection(let result): result.name
            case .creditBased(let result): result.name
            }
        return name.map { "\($0)" } ?? ""
    }
}
