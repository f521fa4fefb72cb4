import CaptureFile
import WireBytes

/// Entry points for fuzzing, which run every reader and every writer over arbitrary bytes.
enum CaptureFileFuzz {
    /// Reads the bytes as a capture of any format, and writes the records in a format selected by the input's
    /// length; never throws.
    ///
    /// - Returns: the records read.
    @discardableResult
    static func run(_ octets: [UInt8]) -> Int {
        guard var reader = try? CaptureReader(octets: octets, name: "fuzz") else { return 0 }
        let formats = CaptureWriter.Format.allCases
        let format = formats[octets.count % formats.count]
        guard var writer = try? CaptureWriter(collecting: format, nanoseconds: octets.count & 1 == 1) else {
            return 0
        }
        var records = 0
        var more = true
        while more {
            do throws(CaptureFileError) {
                more = try step(&reader, &writer)
                if more { records &+= 1 }
            } catch { more = false }
        }
        reader.countUnreadable()
        precondition(reader.tally.totalOctets == reader.offset, "every byte is accounted for")
        return records
    }

    private static func step(
        _ reader: inout CaptureReader, _ writer: inout CaptureWriter
    ) throws(CaptureFileError) -> Bool {
        guard let record = try reader.next() else { return false }
        precondition(record.octets.byteCount == record.header.capturedLength, "lengths agree")
        record.forEachComment { _ in }
        try writer.write(record)
        return true
    }
}
