import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// A kind of private protocol above ATT, as outputs distinguish them.
///
/// Its row is a static property in the file of its ``ProtocolAnnotator``.
public struct PrivateProtocol: Hashable, Sendable {
    /// The place of its annotations among those of a frame, from 0.
    let rank: UInt8
    let code: Problem.Code
    /// The member of NDJSON that holds its annotations.
    public let member: String
    /// The member of NDJSON with the name of one of its protocols.
    public let nameMember: String
    /// Whether the member with its annotations is an array even for a single annotation.
    public let isListed: Bool
    /// Whether it has sessions: an authentication, and commands after that.
    public let hasSessions: Bool

    /// - Parameter code: the name of its problems' code.
    init(
        rank: UInt8, code: String, member: String, nameMember: String, isListed: Bool,
        hasSessions: Bool
    ) {
        self.rank = rank
        self.code = Problem.Code(.annotated, code, .error, .decisive, line: Int(rank))
        self.member = member
        self.nameMember = nameMember
        self.isListed = isListed
        self.hasSessions = hasSessions
    }

    public static func == (left: Self, right: Self) -> Bool { left.rank == right.rank }

    public func hash(into hasher: inout Hasher) { hasher.combine(rank) }
}

/// The circumstances of a value, or of an SDU of an L2CAP channel.
struct ValueContext {
    /// The attribute handle; for an SDU, the channel's number on the link.
    let handle: UInt16
    /// The opcode of the PDU that holds it, or that would hold a value that came in several PDUs. The side
    /// that opened a channel counts as client.
    let opcode: ATTOpcode
    /// The side that sent it; nil if the log does not show it.
    let sender: Side?
    let time: CaptureTime
    let frame: FramePlace
    /// The number of its record in the whole capture.
    let order: Int
    /// Its length on the air, in bytes; a truncated record holds fewer.
    let originalLength: Int
    /// The packets that its file is known to contain.
    let shown: ShownPackets

    var isRead: Bool { opcode == .readResponse }
    var isNotified: Bool { !isRead && opcode.isSentByClient == false }
}

/// The time at which a whole connection is checked.
struct CheckTime {
    /// The time in nanoseconds, by the log's clock.
    let time: Int64
    /// The packets that the connection's file is known to contain.
    let shown: ShownPackets?
}

/// The results of annotating a value, besides the problems and annotations that it adds.
struct ValueFindings {
    /// The time at which the oldest unanswered request times out.
    var deadline = Int64.max
    /// A message that was accepted, the frame of its request, and the key in use, if any: earlier failures of
    /// that message with that key are overcome.
    var success: (message: String, asked: FramePlace, keyID: [UInt8]?)?
}

/// The unfinished exchanges of an annotator, at a request's timeout or at the connection's end.
struct UnfinishedExchanges {
    let kind: PrivateProtocol
    /// Whether responses are missing: a missing subscription may be the cause.
    let lacksAnswers: Bool
    let problems: [Problem]
}

/// A problem that is known only when the log ends, with the frame it is about.
struct LateProblem {
    let problem: Problem
    let place: FramePlace
    /// The number of its record in the whole capture, and the record's time.
    let order: Int
    let time: CaptureTime
}

/// A private protocol above ATT: its characteristics, and its annotators of connections.
///
/// This and ``LinkAnnotator`` are the only interface between the analysis and such protocols. Another one
/// needs types that conform to them, and its place in ``AnnotatorSet/registered``.
protocol ProtocolAnnotator: Sendable {
    /// The name by which its frames are selected; nil if its annotations have several.
    static var layer: String? { get }
    init(_ knowledge: AnalysisKnowledge)
    /// The characteristics of the protocol, including those that a profile of the user decodes instead.
    var watched: [BluetoothUUID] { get }
    /// Whether it may explain the value of a characteristic.
    func explains(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> Bool
    /// Returns the purpose of a subscription to a characteristic; nil if the protocol does not listen to it.
    func listener(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> SubscribedTo?
    /// Whether this is the response characteristic of a protocol that was found on a connection (`uses`).
    func bringsAnswers(_ uuid: BluetoothUUID, in service: BluetoothUUID?, _ uses: [ProtocolUse]) -> Bool
    func open(startSeen: Bool, _ peer: KnownPeer?) -> any LinkAnnotator
    mutating func keepKnowledge(of link: any LinkAnnotator, for peer: KnownPeer?)

    func name(_ uuid: BluetoothUUID) -> StaticText?
    /// Returns the user's profile that decodes this characteristic instead, in the whole run; nil if none.
    func overridingProtocol(for uuid: BluetoothUUID) -> String?
    func annotate(
        advertising data: RawSpan, of device: DeviceAddress, _ annotations: inout [Annotation])
    /// Adds the annotation of a device that advertises its own address as its name.
    func annotate(named data: RawSpan, _ address: DeviceAddress, _ annotations: inout [Annotation])
}

extension ProtocolAnnotator {
    mutating func keepKnowledge(of link: any LinkAnnotator, for peer: KnownPeer?) {}
    func name(_ uuid: BluetoothUUID) -> StaticText? { nil }
    func overridingProtocol(for uuid: BluetoothUUID) -> String? { nil }
    func annotate(
        advertising data: RawSpan, of device: DeviceAddress, _ annotations: inout [Annotation]
    ) {}
    func annotate(named data: RawSpan, _ address: DeviceAddress, _ annotations: inout [Annotation]) {}
}

/// A private protocol above ATT on one connection: it turns values into annotations and problems.
protocol LinkAnnotator: Sendable {
    var kind: PrivateProtocol { get }
    /// Use of the protocol on the connection; empty if it was not found.
    var uses: [ProtocolUse] { get }
    var isDetected: Bool { get }
    /// Memory that incomplete messages use, in bytes.
    var incompleteBytes: Int { get }
    /// The time at which the oldest unanswered request times out.
    var deadline: Int64 { get }
    /// Explains a value; nil if it does not belong to the protocol.
    mutating func annotate(
        _ value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings?
    /// Whether it looks at the SDUs of credit-based L2CAP channels to a service.
    func follows(psm: UInt16) -> Bool
    /// Explains an SDU of such a channel; nil if it does not belong to the protocol.
    mutating func annotate(
        _ sdu: RawSpan, psm: UInt16, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings?
    /// Returns the profile named by the user that this value fits; it is decoded before all other protocols.
    func userProfile(matching value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext) -> String?
    /// Drops incomplete messages.
    mutating func dropIncomplete()
    /// Returns the requests that are unanswered at a time and have not timed out.
    func waiting(at time: Int64) -> [OpenRequest]
    /// Returns the requests that have timed out, each once.
    mutating func overdue(at moment: CheckTime) -> UnfinishedExchanges
    /// Forgets deadlines, so that pending requests do not time out.
    mutating func forgetDeadlines(at time: Int64)
    /// Returns the unfinished exchanges when the connection ends.
    mutating func close(at moment: CheckTime, reason: UInt8?) -> UnfinishedExchanges
    /// Returns the problem of an open connection that is known only when the log ends, at this time.
    func late(at end: Int64) -> LateProblem?
}

extension LinkAnnotator {
    var isDetected: Bool { !uses.isEmpty }
    var deadline: Int64 { .max }
    func follows(psm: UInt16) -> Bool { false }
    mutating func annotate(
        _ sdu: RawSpan, psm: UInt16, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? { nil }
    func userProfile(matching value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext) -> String? {
        nil
    }
    func waiting(at time: Int64) -> [OpenRequest] { [] }
    mutating func overdue(at moment: CheckTime) -> UnfinishedExchanges {
        UnfinishedExchanges(kind: kind, lacksAnswers: false, problems: [])
    }
    mutating func forgetDeadlines(at time: Int64) {}
    func late(at end: Int64) -> LateProblem? { nil }
}

/// A device that is remembered, as seen by one adapter: two adapters may be two phones.
struct KnownPeer: Hashable, Sendable {
    let file: Int
    let adapter: UInt16
    let address: DeviceAddress
}
