import BluetoothCore
public import PayloadFormat

/// A problem of pairing.
public enum SMPProblem: LayerProblem {
    /// The fields end too early or contradict each other here, in bytes from the start of the PDU.
    case malformed(at: Int)
    /// One side ended it, with the number of the reason.
    case failed(UInt8)
    /// The pairing timed out.
    case unanswered(PairingWait)
    /// The connection ended before the pairing did.
    case unfinished(PairingWait)

    var code: Problem.Code {
        switch self {
        case .malformed: .malformedSMP
        case .failed: .pairingFailed
        case .unanswered: .pairingUnanswered
        case .unfinished: .pairingUnfinished
        }
    }

    func repeats(_ other: Self) -> Bool {
        guard case .failed(let reason) = self, case .failed(let before) = other else { return true }
        return reason == before
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String {
        switch self {
        case .malformed(let offset): "malformed SMP PDU at +\(offset)"
        case .failed(let reason):
            "pairing failed: "
                + ProblemText.named(ValueSet.smpFailureReason.name(UInt64(reason)), reason)
        case .unanswered(let last):
            "pairing stopped: \(last.text(from: file)) had no answer for \(TextDuration.text(last.waited)) "
                + "(30 s are allowed)"
        case .unfinished(let last):
            "pairing was not finished: \(last.text(from: file)) was its last PDU, "
                + "\(TextDuration.text(last.waited)) before the connection ended"
        }
    }
}

/// The last PDU of an unfinished pairing.
public struct PairingWait: Sendable {
    /// The name of the PDU, with its sender.
    public var name: String
    public var place: FramePlace
    /// Nanoseconds since the PDU.
    public var waited: Int64

    fileprivate func text(from file: Int) -> String { "\(name) of frame \(place.text(from: file))" }
}
