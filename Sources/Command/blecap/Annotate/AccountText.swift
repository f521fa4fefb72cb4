import CaptureFile
import WireBytes

/// Says where every octet of the input went.
enum AccountText {
    /// Appends one line: the parts add up to the octets read.
    static func put(_ tally: ReaderTally, _ flagged: FlaggedCount, into out: inout TextBuffer) {
        let headers = tally.fileHeaderOctets + tally.recordHeaderOctets + tally.paddingOctets
        out.decimal(tally.totalOctets)
        out.put(" octets read = ")
        out.decimal(tally.recordOctets - flagged.octets)
        out.put(" decoded + ")
        out.decimal(flagged.octets)
        out.put(" flagged + ")
        out.decimal(headers)
        out.put(" of the file format + ")
        out.decimal(tally.skippedOctets + tally.unreadableOctets)
        out.put(" skipped\n")
    }
}
