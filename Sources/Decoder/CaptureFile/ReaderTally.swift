/// Accounts for every byte of an input: the byte counts add up to the bytes consumed.
public struct ReaderTally: Equatable, Sendable {
    /// Records delivered.
    public var records = 0
    /// Bytes of delivered records, without headers of the file format.
    public var recordOctets = 0
    /// Bytes of the headers of files, sections and interfaces.
    public var fileHeaderOctets = 0
    /// Bytes around the delivered records: headers, options, direction, packet type.
    public var recordHeaderOctets = 0
    /// Padding bytes up to a boundary.
    public var paddingOctets = 0
    /// Records skipped because their link type is not Bluetooth HCI.
    public var skippedRecords = 0
    /// Unused blocks without packets: statistics, names, secrets, unknown blocks.
    public var skippedBlocks = 0
    /// Bytes of the skipped records and blocks.
    public var skippedOctets = 0
    /// Bytes from the damaged place to the end of the input.
    public var unreadableOctets = 0
    /// Records of which the recorder kept fewer bytes than were sent.
    public var truncatedRecords = 0

    /// Comments on the file after its first packet, or beyond the number that is kept.
    public var laterComments = 0
    /// Discarded texts about the recorder, its system and interfaces.
    public var descriptions = 0
    /// Packets dropped by the recorder that no record reports, because none follows.
    public var dropsAfterLast = 0

    public init() {}

    /// Sum of all byte counts; equal to the bytes consumed.
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
