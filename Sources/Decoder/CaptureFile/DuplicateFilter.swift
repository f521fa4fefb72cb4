/// Finds records that two files have in common, among those of one instant.
///
/// A record that occurs several times at one instant in one file is no duplicate of itself: each file may
/// give as many of the same as the file that gave most of them.
struct DuplicateFilter {
    /// A record given at the instant.
    private struct Given {
        var header: RecordHeader
        var octets: Range<Int>
        /// The files that have shown this very record, as bits; files from 64 on share the last.
        var files: UInt64
    }

    /// More records at one instant are not compared with each other.
    static let mostAtOneInstant = 256

    private var instant = CaptureTime(nanoseconds: .min)
    private var given: [Given] = []
    private var octets: [UInt8] = []

    /// Whether the record is new; if not, another file has given it.
    mutating func admits(_ header: RecordHeader, _ record: UnsafeRawBufferPointer) -> Bool {
        if header.time != instant {
            instant = header.time
            given.removeAll(keepingCapacity: true)
            octets.removeAll(keepingCapacity: true)
        }
        let file = UInt64(1) &<< UInt64(min(header.file, 63))
        for index in given.indices where given[index].files & file == 0 {
            // Safe: the caller lends the record's octets for the call.
            if unsafe isSame(given[index], header, record) {
                given[index].files |= file
                return false
            }
        }
        if given.count < Self.mostAtOneInstant {
            let start = octets.count
            // Safe: the caller lends the record's octets for the call.
            unsafe octets.append(contentsOf: record)
            given.append(Given(header: header, octets: start..<octets.count, files: file))
        }
        return true
    }

    private func isSame(_ one: Given, _ other: RecordHeader, _ record: UnsafeRawBufferPointer) -> Bool {
        guard one.header.kind == other.kind, one.header.adapter == other.adapter,
            one.header.originalLength == other.originalLength
        else { return false }
        let common = min(one.octets.count, record.count)
        let isWhole = one.octets.count == record.count
        guard isWhole || one.header.isTruncated || other.isTruncated else { return false }
        // Safe: `common` is at most the length of the record.
        return unsafe octets[one.octets].prefix(common).elementsEqual(record.prefix(common))
    }
}
