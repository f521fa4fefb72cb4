import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// A kind of private protocol above ATT, as outputs tell them apart.
public enum PrivateProtocol: UInt8, Sendable {
    /// The digital-key protocol.
    case uqdk
    /// A protocol that a profile describes.
    case profile

    /// The member of NDJSON that holds what is of it.
    public var member: String { self == .uqdk ? "uqdk" : "profiles" }

    /// Whether that member is an array even of one.
    public var isListed: Bool { self == .profile }

    /// What NDJSON calls the name of one of its protocols.
    public var nameMember: String { self == .uqdk ? "dialect" : "profile" }

    /// Whether it has sessions: an authentication, and commands after that.
    public var hasSessions: Bool { self == .uqdk }

    var code: Problem.Code { self == .uqdk ? .uqdk : .profile }
}

/// Where a value comes from, beside its octets.
struct ValueContext {
    /// The attribute handle.
    let handle: UInt16
    /// The PDU that holds it, or the like of those that it came in.
    let opcode: ATTOpcode
    /// Who sent it; nil where the log does not tell.
    let sender: Side?
    let time: CaptureTime
    /// The frame that completes it.
    let frame: FramePlace
    /// The number of that record among all of the capture.
    let order: Int
    /// Octets that it had on the air: more than there are where the recorder cut it.
    let originalLength: Int
    /// What its file is known to hold.
    let shown: ShownPackets

    var isRead: Bool { opcode == .readResponse }
    var isNotified: Bool { !isRead && opcode.isSentByClient == false }
}

/// When something is asked about a connection as a whole.
struct LinkMoment {
    /// In nanoseconds of the log's clock.
    let time: Int64
    /// The file of the frame that it is told at.
    let file: Int
    /// What the connection's file is known to hold.
    let shown: ShownPackets?
}

/// What an annotator makes of a value, beside the problems and annotations that it adds.
struct ValueFindings {
    /// When the oldest request without a response has waited as long as it may.
    var deadline = Int64.max
    /// A message that was taken, and the frame since when: earlier failures of the same were overcome.
    var success: (message: String, asked: FramePlace)?
}

/// What an annotator had open when time ran out, for a request or for the connection.
struct OpenEnd {
    let kind: PrivateProtocol
    /// Whether answers did not come, for which there may be a cause.
    let lacksAnswers: Bool
    let problems: [Problem]
}

/// A problem that is known only when the log ends, with the frame it is about.
struct LateProblem {
    let problem: Problem
    let place: FramePlace
    /// The number of that record among all of the capture.
    let order: Int
}

/// A private protocol above ATT on one connection: values in, annotations and problems out.
///
/// The one seam between the analysis and such protocols: a further one is a type like these, a case of
/// ``PrivateProtocol`` and of ``Annotation``, and a place in ``LinkAnnotators`` and ``AnnotatorSet``.
protocol LinkAnnotator: Sendable {
    /// What the attribute of a value is for, where its label tells.
    associatedtype Purpose
    /// What the protocol did on the connection; empty where it was not met.
    var uses: [ProtocolUse] { get }
    /// Octets of memory that messages which are not whole take.
    var room: Int { get }
    /// Explains a value; nil where it does not belong to the protocol.
    mutating func annotate(
        _ value: RawSpan, _ purpose: Purpose?, _ context: ValueContext, _ annotations: inout [Annotation],
        _ problems: inout [Problem]
    ) -> ValueFindings?
    /// The requests that have no response by then and have time for one.
    func waiting(at time: Int64) -> [OpenRequest]
    /// Gives up the messages that are not whole.
    mutating func giveUpUnfinished()
    /// What is left open as the connection ends.
    mutating func close(at moment: LinkMoment, reason: UInt8?) -> OpenEnd
}
