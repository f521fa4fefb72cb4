import WireBytes

/// Finds records that another file has given already, among those given last.
///
/// Two files hold the same record where kind, adapter, octets and time are the same. Times count in
/// microseconds, since one of the files may hold no finer ones; a direction that one file does not know may
/// be any; octets may be fewer where the recorder cut the record. A record that occurs several times in one
/// file is no duplicate of itself: each file may give as many of the same as the file that gave most of them.
///
/// The records given last are remembered whatever their times are, so that a clock that was set back in what
/// two files share does not tell them apart.
struct DuplicateFilter {
    /// A record that was given.
    private struct Given {
        var microseconds: Int64
        var originalLength: Int
        /// Where its octets start, counted over all octets that were ever remembered.
        var start: Int
        var count: Int
        /// The files that have shown this very record, as bits; files from 64 on share the last.
        var files: UInt64
        /// The record given before that has the same place in the table; -1 for none.
        var previous: Int
        var adapter: UInt16
        var kind: RecordKind
        var direction: Direction
    }

    /// Of how many files it is told which of them gave a record.
    static let mostFilesTold = 63
    /// How many records are remembered at most.
    static let mostRecords = 4096
    /// How many of their octets are remembered at most: more than the longest record has.
    static let mostOctets = 1 << 20
    /// With how many records of the same place in the table a record is compared at most.
    static let mostCompared = 256

    /// The records by their number, modulo ``mostRecords``; numbers start at 0.
    private var given: [Given] = []
    /// For each place of the table the number of the latest record; -1 for none.
    private var newest: [Int] = []
    private var octets: [UInt8] = []
    private var oldest = 0
    private var next = 0
    /// Where the next octets go, counted over all octets that were ever remembered.
    private var end = 0

    /// The record that was not admitted last: which file gave it first, and whether that copy is shorter.
    private(set) var latest = (file: 0, isLonger: false)

    /// Whether the record is new; if not, another file has given it, as ``latest`` says.
    mutating func admits(_ header: RecordHeader, _ record: UnsafeRawBufferPointer) -> Bool {
        if newest.isEmpty {
            newest = [Int](repeating: -1, count: Self.mostRecords)
            octets = [UInt8](repeating: 0, count: Self.mostOctets)
        }
        let file = UInt64(1) &<< UInt64(min(header.file, 63))
        let microseconds = header.time.nanoseconds / 1000
        let place = Self.place(of: microseconds)
        var number = newest[place]
        var left = Self.mostCompared
        while number >= oldest, left > 0 {
            let index = number % Self.mostRecords
            // Safe: the caller lends the record's octets for the call.
            if given[index].microseconds == microseconds, given[index].files & file == 0,
                unsafe isSame(given[index], header, record)
            {
                latest = (
                    given[index].files.trailingZeroBitCount, record.count > given[index].count
                )
                given[index].files |= file
                return false
            }
            number = given[index].previous
            left -= 1
        }
        // Safe: the caller lends the record's octets for the call.
        unsafe remember(header, record, microseconds, place, file)
        return true
    }

    private static func place(of microseconds: Int64) -> Int {
        let mixed = UInt64(bitPattern: microseconds) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed &>> 40) % mostRecords
    }

    private mutating func remember(
        _ header: RecordHeader, _ record: UnsafeRawBufferPointer, _ microseconds: Int64, _ place: Int,
        _ file: UInt64
    ) {
        guard record.count <= Self.mostOctets else { return }
        // A record's octets stay together: they do not go over the end of the buffer.
        let room = Self.mostOctets - end % Self.mostOctets
        let start = record.count <= room ? end : end + room
        end = start + record.count
        while oldest < next,
            given[oldest % Self.mostRecords].start + Self.mostOctets < end
                || next - oldest == Self.mostRecords
        {
            oldest += 1
        }
        let from = start % Self.mostOctets
        for index in 0..<record.count {
            // Safe: the index is below the number of octets that the caller lends.
            octets[from + index] = unsafe record[index]
        }
        let new = Given(
            microseconds: microseconds, originalLength: header.originalLength, start: start,
            count: record.count, files: file, previous: newest[place], adapter: header.adapter,
            kind: header.kind, direction: header.direction)
        if given.count < Self.mostRecords { given.append(new) } else { given[next % Self.mostRecords] = new }
        newest[place] = next
        next += 1
    }

    /// Whether two records are copies of one, of which either may be cut.
    static func isSame(_ one: borrowing Record, _ other: borrowing Record) -> Bool {
        let (left, right) = (one.header, other.header)
        let bothKnown = left.direction != .unknown && right.direction != .unknown
        guard left.kind == right.kind, left.adapter == right.adapter,
            left.originalLength == right.originalLength,
            left.time.nanoseconds / 1000 == right.time.nanoseconds / 1000,
            !bothKnown || left.direction == right.direction
        else { return false }
        let common = min(one.octets.byteCount, other.octets.byteCount)
        return one.octets.clamped(0..<common).elementsEqual(other.octets.clamped(0..<common))
    }

    private func isSame(_ one: Given, _ other: RecordHeader, _ record: UnsafeRawBufferPointer) -> Bool {
        guard one.kind == other.kind, one.adapter == other.adapter,
            one.originalLength == other.originalLength
        else { return false }
        let bothKnown = one.direction != .unknown && other.direction != .unknown
        guard !bothKnown || one.direction == other.direction else { return false }
        let common = min(one.count, record.count)
        let isWhole = one.count == record.count
        guard isWhole || one.count < one.originalLength || other.isTruncated else { return false }
        let from = one.start % Self.mostOctets
        // Safe: `common` is at most the length of the record.
        return unsafe octets[from..<from + common].elementsEqual(record.prefix(common))
    }
}
