/// Where every octet of an input went: the sum of the octet counts is what has been consumed of it.
public struct ReaderTally: Equatable, Sendable {
    /// Records delivered, and their octets as delivered.
    public var records = 0
    /// Octets of delivered records, without any header of the file format.
    public var recordOctets = 0
    /// Octets of the headers of files, sections and interfaces.
    public var fileHeaderOctets = 0
    /// Octets before and after the octets of delivered records: headers, options, direction, packet type.
    public var recordHeaderOctets = 0
    /// Octets that only fill up to a boundary.
    public var paddingOctets = 0
    /// Records that were not delivered because their link type is not Bluetooth HCI.
    public var skippedRecords = 0
    /// Blocks that hold no packet and are not used: statistics, names, secrets, blocks unknown here.
    public var skippedBlocks = 0
    /// Octets of the skipped records and blocks.
    public var skippedOctets = 0
    /// Octets from the place where the input was found damaged to its end.
    public var unreadableOctets = 0
    /// Records whose recorder kept fewer octets than were sent.
    public var truncatedRecords = 0

    /// Comments on the file that stand behind its first packet, or beyond those that are kept.
    public var laterComments = 0
    /// Texts about the recorder, its system and interfaces that are not kept.
    public var descriptions = 0
    /// Packets that the recorder says it dropped, and no record after tells of.
    public var dropsAfterLast = 0

    public init() {}

    /// All octets counted; equal to the octets consumed.
    public var totalOctets: Int {
        recordOctets &+ fileHeaderOctets &+ recordHeaderOctets &+ paddingOctets &+ skippedOctets
            &+ unreadableOctets
    }

    /// Adds the counts of another input.
    public static func += (left: inout Self, right: Self) {
        left.records &+= right.records
        left.recordOctets &+= right.recordOctets
        left.fileHeaderOctets &+= right.fileHeaderOctets
        left.recordHeaderOctets &+= right.recordHeaderOctets
        left.paddingOctets &+= right.paddingOctets
        left.skippedRecords &+= right.skippedRecords
        left.skippedBlocks &+= right.skippedBlocks
        left.skippedOctets &+= right.skippedOctets
        left.unreadableOctets &+= right.unreadableOctets
        left.truncatedRecords &+= right.truncatedRecords
        left.laterComments &+= right.laterComments
        left.descriptions &+= right.descriptions
        left.dropsAfterLast &+= right.dropsAfterLast
    }
}
