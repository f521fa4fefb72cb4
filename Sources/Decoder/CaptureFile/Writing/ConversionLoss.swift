/// Counts of the data that a written file does not hold.
public struct ConversionLoss: Equatable, Sendable {
    /// Records of the recorder (monitor channel, notes, log lines) that the format can't hold.
    public var notes = 0
    /// Packets of unknown type, or empty ones, that the format can't hold.
    public var unknownPackets = 0
    /// Packets of adapters other than the one that the format has.
    public var adapters = 0
    /// Packets of unknown direction, written as sent because the format requires one.
    public var directions = 0
    /// Packets cut by the recorder whose original length the format can't hold.
    public var originalLengths = 0
    /// Times finer than the format's resolution, or out of its range.
    public var times = 0
    /// Dropped packets that the recorder counted and the format can't hold.
    public var drops = 0
    /// Comments.
    public var comments = 0
    /// Texts about the recorder, its system and interfaces.
    public var descriptions = 0

    public init() {}

    /// The sums of these counts and another file's.
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

    /// Whether everything was written.
    public var isNone: Bool { self == ConversionLoss() }

    /// End of the sentence about counts of dropped packets.
    public static let ofDrops = " of dropped packets"

    /// The nonzero counts with their descriptions.
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
