import CaptureFile
import WireBytes

/// Writes the account of the input's bytes.
enum AccountText {
    /// Appends one line; the parts add up to the bytes of the files, or to their unpacked bytes.
    static func put(_ pass: borrowing AnalysisPass, into out: inout TextBuffer) {
        let tally = pass.tally
        let headers = tally.fileHeaderOctets + tally.recordHeaderOctets + tally.paddingOctets
        let total = tally.totalOctets + pass.refusedOctets
        out.decimal(total)
        if let size = pass.fileOctets, size != total {
            out.put(" bytes unpacked from ")
            out.decimal(size)
            out.put(" (only the logs in it are counted) = ")
        } else {
            out.put(" bytes read = ")
        }
        out.decimal(tally.recordOctets - pass.flagged.octets)
        out.put(" decoded + ")
        out.decimal(pass.flagged.octets)
        out.put(" flagged + ")
        out.decimal(headers)
        out.put(" of the file format + ")
        out.decimal(tally.skippedOctets + tally.unreadableOctets + pass.refusedOctets)
        out.put(" skipped\n")
        guard pass.duplicates > 0 else { return }
        out.decimal(pass.duplicates)
        out.put(
            pass.duplicates == 1
                ? " record left out: another file has it too\n"
                : " records left out: another file has them too\n")
        guard pass.longerDuplicates > 0 else { return }
        out.decimal(pass.longerDuplicates)
        out.put(" of them held more bytes than the copy that was used\n")
    }
}
