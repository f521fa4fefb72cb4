import BluetoothCore
public import PayloadFormat

/// A problem of fragments, signalling or channels.
public enum L2CAPProblem: LayerProblem {
    case malformed(PacketFault)
    /// A continuation fragment without a started PDU.
    case fragmentWithoutStart
    /// The PDU begun at this frame was never completed.
    case fragmentsLost(FramePlace)
    /// The fragments have more bytes than the PDU.
    case fragmentsTooLong(held: Int, of: Int)
    /// A signalling command was rejected, with this reason code.
    case commandRejected(UInt16)
    case parameterUpdateRejected
    /// Requested channels were not opened.
    case channelRefused(ChannelRefusal)
    /// The last credit for this service was spent at this frame; no new one came for this many nanoseconds.
    case creditsSpent(UInt16, FramePlace, waited: Int64)
    /// The signalling command of this frame, by name, has waited for this many nanoseconds, and whether its
    /// answer was announced.
    case unanswered(String, FramePlace, waited: Int64, isPending: Bool)

    func row(by side: Problem.Party?) -> Problem.Row {
        func row(
            _ code: Problem.Code, traits: Problem.Traits = [], frame: FramePlace? = nil,
            sentence: @escaping @Sendable () -> Sentence
        ) -> Problem.Row {
            Problem.Row(code, .named("l2cap"), traits: traits, frame: frame, sentence: sentence)
        }
        return switch self {
        case .malformed(let fault): row(.malformedL2CAP) { "malformed L2CAP PDU\(fault)" }
        case .fragmentWithoutStart:
            row(.fragmentWithoutStart) { "a continuation fragment without a start" }
        case .fragmentsLost(let start):
            row(.fragmentsLost, frame: start) {
                "the PDU begun at frame \(start) was never completed"
            }
        case .fragmentsTooLong(let held, let length):
            row(.fragmentsTooLong) { "fragments of \(held) bytes for a PDU of \(length)" }
        case .commandRejected(let reason):
            row(.commandRejected) { "L2CAP command rejected, reason \(reason)" }
        case .parameterUpdateRejected:
            row(.parameterUpdateRejected) { "the central refused the connection parameters" }
        case .channelRefused(let refusal):
            Problem.Row(
                .channelRefused, .named("l2cap"), severity: refusal.severity, status: .l2cap(refusal.result)
            ) { "\(refusal.text)" }
        case .creditsSpent(let psm, let place, let waited):
            row(.creditsSpent, traits: .endsWithLink, frame: place) {
                "all credits of the channel to SPSM \(ProblemText.hex(psm)) were spent at frame "
                    + "\(place), and none came for \(TextDuration.text(waited))"
            }
        case .unanswered(let name, let place, let waited, let isPending):
            row(.signalUnanswered, traits: .endsWithLink, frame: place) {
                "\(name) of frame \(place) "
                    + "\(isPending ? "was answered as pending, and nothing more came" : "got no answer")"
                    + " in \(TextDuration.text(waited))"
            }
        }
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.channelRefused(let refusal), .channelRefused(let before)): refusal == before
        case (.creditsSpent(let psm, _, _), .creditsSpent(let before, _, _)): psm == before
        case (.unanswered(let name, _, _, _), .unanswered(let before, _, _, _)): name == before
        default: true
        }
    }
}

extension Problem.Code {
    public static let malformedL2CAP = Self(
        .l2cap, "malformed-l2cap", .warning, [.malformed, .losesFragments])
    public static let fragmentWithoutStart = Self(.l2cap, "fragment-without-start", .warning, .losesFragments)
    public static let fragmentsLost = Self(.l2cap, "fragments-lost", .warning, .losesFragments)
    public static let fragmentsTooLong = Self(
        .l2cap, "fragments-too-long", .warning, [.malformed, .losesFragments])
    public static let commandRejected = Self(.l2cap, "l2cap-command-rejected")
    public static let parameterUpdateRejected = Self(.l2cap, "parameter-update-rejected")
    public static let channelRefused = Self(.l2cap, "l2cap-channel-refused")
    public static let creditsSpent = Self(.l2cap, "l2cap-credits-spent", .error, .decisive)
    public static let signalUnanswered = Self(.l2cap, "l2cap-no-response")
}

/// A response that refuses requested channels.
public struct ChannelRefusal: Hashable, Sendable {
    public var result: UInt16
    /// Whether the result is that of a response for credit-based channels; otherwise of a Connection
    /// Response.
    public var isOfCredits: Bool
    /// The requested service; nil if the log does not show it.
    public var psm: UInt16?
    var isPartial = false
    /// Whether the side that refuses has itself just closed a channel to this service.
    var followsClosing = false

    fileprivate var severity: Problem.Severity {
        // Hosts request enhanced ATT bearers without knowing whether the peer supports them.
        if psm == Channel.enhancedATTPSM { return [2, 4].contains(result) ? .note : .warning }
        // A channel whose request is unknown may be an enhanced ATT bearer.
        if psm == nil { return .warning }
        // The sides disagree about whether the service is still wanted.
        if followsClosing { return .warning }
        // Hosts also request BR/EDR services that the other side lacks.
        return isPartial || !isOfCredits && result == 2 ? .warning : .error
    }

    fileprivate var text: String {
        let names: ValueSet = isOfCredits ? .l2capCreditBasedResult : .l2capConnectionResult
        let name = names.name(UInt64(result)).map { "\($0)" } ?? ""
        let what = isPartial ? "some L2CAP channels" : "L2CAP channel"
        let asked = psm.flatMap { $0 == 0 ? nil : $0 }
        let to = asked.map { " to " + Self.service($0, isOfCredits: isOfCredits) } ?? ""
        let number = ProblemText.hex(result)
        let end = followsClosing ? ", just after the same side had closed it" : ""
        guard let dash = name.lastIndex(of: "-") else {
            return "\(what)\(to) refused: result \(number)\(end)"
        }
        return "\(what)\(to) refused: \(name[dash...].dropFirst(2)) (\(number))\(end)"
    }

    /// Returns the service's name with its number: `AVCTP (PSM 0x0017)`.
    private static func service(_ psm: UInt16, isOfCredits: Bool) -> String {
        let number = "\(isOfCredits ? "SPSM" : "PSM") \(ProblemText.hex(psm))"
        return ValueSet.l2capPSM.name(UInt64(psm)).map { "\($0) (\(number))" } ?? number
    }
}
