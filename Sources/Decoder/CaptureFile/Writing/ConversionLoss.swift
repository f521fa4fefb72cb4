/// What a written file does not hold of the records that were to be written, counted.
public struct ConversionLoss: Equatable, Sendable {
    /// Records of the recorder (monitor channel, notes, log lines) that the format has no place for.
    public var notes = 0
    /// Packets without a known type, or without an octet, that the format has no place for.
    public var unknownPackets = 0
    /// Packets that were sent or received by another adapter than the one the format knows.
    public var adapters = 0
    /// Packets whose direction is not known, written as sent because the format must say one.
    public var directions = 0
    /// Packets cut by the recorder whose original length the format can't hold.
    public var originalLengths = 0
    /// Times finer than the format's, or outside of what it can hold.
    public var times = 0
    /// Dropped packets that the recorder counted and the format can't.
    public var drops = 0
    /// Comments.
    public var comments = 0
    /// Texts about the recorder, its system and interfaces.
    public var descriptions = 0

    public init() {}

    /// This and another file's counts together.
    public func adding(_ other: ConversionLoss) -> ConversionLoss {
        var sum = self
        sum.notes &+= other.notes
        sum.unknownPackets &+= other.unknownPackets
        sum.adapters &+= other.adapters
        sum.directions &+= other.directions
        sum.originalLengths &+= other.originalLengths
        sum.times &+= other.times
        sum.drops &+= other.drops
        sum.comments &+= other.comments
        sum.descriptions &+= other.descriptions
        return sum
    }

    /// Whether all was written.
    public var isNone: Bool { self == ConversionLoss() }

    /// How the sentence about counts of dropped packets ends.
    public static let ofDrops = " of dropped packets"

    /// The counts with what they count, those that are 0 left out.
    public var sentences: [(count: Int, what: String)] {
        [
            (notes, "note", " of the recorder"), (unknownPackets, "packet", " of unknown type"),
            (adapters, "adapter", " of packets"), (directions, "direction", " (unknown, written as sent)"),
            (originalLengths, "original length", " of cut packets"),
            (times, "time", " (finer or out of range)"), (drops, "count", Self.ofDrops),
            (comments, "comment", ""), (descriptions, "description", " of recorder and interfaces"),
        ].filter { $0.0 > 0 }.map { (count, noun, rest) in (count, noun + (count == 1 ? "" : "s") + rest) }
    }
}
