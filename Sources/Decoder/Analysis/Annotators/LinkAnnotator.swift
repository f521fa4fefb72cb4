import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// A kind of private protocol above ATT, as outputs distinguish them.
public enum PrivateProtocol: UInt8, Sendable {
    /// The digital-key protocol.
    case uqdk
    /// A protocol that a profile describes.
    case profile

    /// The member of NDJSON that holds its annotations.
    public var member: String { self == .uqdk ? "uqdk" : "profiles" }

    /// Whether that member is an array even for a single annotation.
    public var isListed: Bool { self == .profile }

    /// The member of NDJSON with the name of one of its protocols.
    public var nameMember: String { self == .uqdk ? "dialect" : "profile" }

    /// Whether it has sessions: an authentication, and commands after that.
    public var hasSessions: Bool { self == .uqdk }

    var code: Problem.Code { self == .uqdk ? .uqdk : .profile }
}

/// The circumstances of a value.
struct ValueContext {
    let handle: UInt16
    /// The opcode of the PDU that holds it, or that would hold a value that came in several PDUs.
    let opcode: ATTOpcode
    /// The side that sent it; nil if the log does not show it.
    let sender: Side?
    let time: CaptureTime
    /// The frame that completes it.
    let frame: FramePlace
    /// The number of its record in the whole capture.
    let order: Int
    /// Its length on the air, in bytes: more than there are if the recorder truncated it.
    let originalLength: Int
    /// The packets that its file is known to contain.
    let shown: ShownPackets

    var isRead: Bool { opcode == .readResponse }
    var isNotified: Bool { !isRead && opcode.isSentByClient == false }
}

/// The moment of a question about a whole connection.
struct LinkMoment {
    /// The time in nanoseconds, by the log's clock.
    let time: Int64
    /// The file of the frame that reports the answer.
    let file: Int
    /// The packets that the connection's file is known to contain.
    let shown: ShownPackets?
}

/// The results of annotating a value, besides the problems and annotations that it adds.
struct ValueFindings {
    /// The time at which the oldest unanswered request times out.
    var deadline = Int64.max
    /// A message that was accepted, and the frame of its request: earlier failures of that message are
    /// overcome.
    var success: (message: String, asked: FramePlace)?
}

/// The unfinished exchanges of an annotator, at a request's timeout or at the connection's end.
struct OpenEnd {
    let kind: PrivateProtocol
    /// Whether answers are missing, for which there may be a common cause.
    let lacksAnswers: Bool
    let problems: [Problem]
}

/// A problem that is known only when the log ends, with the frame it is about.
struct LateProblem {
    let problem: Problem
    let place: FramePlace
    /// The number of its record in the whole capture.
    let order: Int
}

/// A private protocol above ATT on one connection: it turns values into annotations and problems.
///
/// This is the only interface between the analysis and such protocols: another one needs a type like these, a
/// case of ``PrivateProtocol`` and of ``Annotation``, and a place in ``LinkAnnotators`` and ``AnnotatorSet``.
protocol LinkAnnotator: Sendable {
    /// The purpose of a value's attribute, if its label shows it.
    associatedtype Purpose
    /// Use of the protocol on the connection; empty if it was not found.
    var uses: [ProtocolUse] { get }
    /// Memory that incomplete messages use, in bytes.
    var room: Int { get }
    /// Explains a value; nil if it does not belong to the protocol.
    mutating func annotate(
        _ value: RawSpan, _ purpose: Purpose?, _ context: ValueContext, _ annotations: inout [Annotation],
        _ problems: inout [Problem]
    ) -> ValueFindings?
    /// Returns the requests that are unanswered at a time and have not timed out.
    func waiting(at time: Int64) -> [OpenRequest]
    /// Drops incomplete messages.
    mutating func giveUpUnfinished()
    /// Returns the unfinished exchanges when the connection ends.
    mutating func close(at moment: LinkMoment, reason: UInt8?) -> OpenEnd
}
