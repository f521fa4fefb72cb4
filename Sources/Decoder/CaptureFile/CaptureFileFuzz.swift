import WireBytes

/// Entries for fuzzing: any octets, every reader and every writer, to the end.
public enum CaptureFileFuzz {
    /// Reads the octets as a capture of whatever format they look like, and writes what was read in every
    /// format but one chosen by the input's length; throws nothing, whatever the octets are.
    ///
    /// - Returns: the records read.
    @discardableResult
    public static func run(_ octets: [UInt8]) -> Int {
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

    /// The same for octets that are borrowed, as a fuzzer gives them.
    @discardableResult
    public static func run(_ octets: RawSpan) -> Int { run(octets.copied()) }
}
