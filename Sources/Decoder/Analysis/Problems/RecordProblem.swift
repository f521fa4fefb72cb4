import PayloadFormat
import WireBytes

/// A problem of a record itself, found before the analysis of its content.
public enum RecordProblem: LayerProblem {
    /// The recorder truncated a packet to this many bytes.
    case cut(kept: Int, of: Int)
    /// The file holds this many bytes, more than the record says were sent.
    case impossibleOriginalLength(held: Int)
    /// The fraction of a second in the record's time is a second or more.
    case impossibleTimeFraction
    /// The record has no bytes.
    case empty
    /// The record is this many nanoseconds older than the previous one.
    case clockBackwards(Int64)
    /// The record is this many nanoseconds later than the previous one.
    case clockJump(Int64)
    /// The recorder says that it lost this many packets.
    case drops(Int)
    /// The file is damaged just before the record.
    case behindDamage
    /// The packet is of an unknown type.
    case unknownPacketType
    /// A record of the monitor channel is malformed.
    case malformedMonitor(PacketFault)

    func row(by side: Problem.Party?) -> Problem.Row {
        func row(_ code: Problem.Code, _ sentence: @escaping @Sendable () -> Sentence) -> Problem.Row {
            Problem.Row(code, .named("recording"), sentence: sentence)
        }
        return switch self {
        case .cut(let kept, let all): row(.recordCut) { "the recorder kept \(kept) of \(all) bytes" }
        case .impossibleOriginalLength(let held):
            row(.impossibleOriginalLength) { "the file holds \(held) bytes and says that fewer were sent" }
        case .impossibleTimeFraction:
            row(.impossibleTimeFraction) {
                "malformed time: more microseconds than a second has, so times may be wrong here"
            }
        case .empty: row(.emptyRecord) { "a record without bytes" }
        case .clockBackwards(let gap):
            row(.clockBackwards) { "the clock went back by \(TextDuration.text(gap))" }
        case .clockJump(let gap): row(.clockJump) { "the clock jumped ahead by \(TextDuration.text(gap))" }
        case .drops(let count):
            row(.drops) { "the recorder lost \(count.counting("packet")) before this one" }
        case .behindDamage:
            row(.behindDamage) { "the file is damaged before this record, and what stood there is lost" }
        case .unknownPacketType: row(.unknownPacketType) { "a packet type that nothing known here names" }
        case .malformedMonitor(let fault): row(.malformedMonitor) { "malformed monitor record\(fault)" }
        }
    }
}

extension Problem.Code {
    public static let recordCut = Self(.record, "record-cut", .note)
    public static let impossibleOriginalLength = Self(
        .record, "impossible-original-length", .warning, .malformed)
    public static let impossibleTimeFraction = Self(.record, "impossible-time-fraction", .warning, .malformed)
    public static let emptyRecord = Self(.record, "empty-record", .note, .malformed)
    public static let clockBackwards = Self(.record, "clock-backwards", .note)
    public static let clockJump = Self(.record, "clock-jump", .note)
    public static let drops = Self(.record, "recorder-drops", .warning, .losesPackets)
    public static let behindDamage = Self(.record, "behind-damage", .note)
    public static let unknownPacketType = Self(.record, "unknown-packet-type", .warning, .malformed)
    public static let malformedMonitor = Self(.record, "malformed-monitor", .warning, .malformed)
}

/// A fault in a packet's lengths or fields.
public enum PacketFault: Hashable, Sendable, CustomStringConvertible {
    /// A length that differs from the number of bytes that are there.
    case length(announced: Int, held: Int)
    /// The fields end too early or contradict each other at this offset in the parameters, in bytes.
    case field(at: Int)
    /// The packet has only this many bytes, fewer than its header.
    case header(held: Int)

    /// The text that follows the name of the packet in a sentence.
    public var description: String {
        switch self {
        case .field(let offset): " at +\(offset)"
        case .header(let held): ": \(held) \(held == 1 ? "byte" : "bytes"), less than a header"
        case .length(let announced, let held):
            ": \(announced) \(announced == 1 ? "byte" : "bytes") announced, \(held) there"
        }
    }
}
