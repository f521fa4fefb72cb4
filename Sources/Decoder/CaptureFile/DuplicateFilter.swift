import WireBytes

/// Finds records that another file has returned recently.
///
/// Two files hold the same record if kind, adapter, bytes and time are equal. Times are compared in
/// microseconds, since one of the files may have no finer ones; an unknown direction matches any; bytes may
/// be fewer where the recorder cut the record. A record that occurs several times in one file is no duplicate
/// of itself: each file may return as many equal records as the file that returned most of them.
///
/// The last records returned are remembered regardless of their times, so that duplicates are found even if a
/// clock was set back within the part that two files share.
struct DuplicateFilter {
    /// Properties that two copies of a record share, besides their bytes.
    private struct Traits {
        var microseconds: Int64
        var originalLength: Int
        var count: Int
        var adapter: UInt16
        var kind: RecordKind
        var direction: Direction

        init(_ header: RecordHeader, count: Int) {
            microseconds = header.time.nanoseconds / 1000
            originalLength = header.originalLength
            self.count = count
            adapter = header.adapter
            kind = header.kind
            direction = header.direction
        }

        /// Whether two records are copies of one, provided that their common bytes are equal.
        @inline(__always)
        func agrees(with other: Traits) -> Bool {
            guard microseconds == other.microseconds, kind == other.kind, adapter == other.adapter,
                originalLength == other.originalLength
            else { return false }
            let bothKnown = direction != .unknown && other.direction != .unknown
            guard !bothKnown || direction == other.direction else { return false }
            return count == other.count || min(count, other.count) < originalLength
        }
    }

    private struct Given {
        var traits: Traits
        /// Start of its bytes, counted over all bytes ever remembered.
        var start: Int
        /// The files that contained this record, as bits; files from 63 on share the last bit.
        var files: UInt64
        /// The file that returned it.
        var giver: Int
        /// The previous record with the same place in the table; -1 for none.
        var previous: Int
        /// Digest of the bytes; nil until it is needed.
        var digest: UInt64?
    }

    /// Number of files that can be named as the source of a duplicate record.
    static let mostFilesTold = 63
    static let mostRecords = 4096
    /// Most bytes remembered; larger than the longest record.
    static let mostOctets = 1 << 20
    /// Most records of the same place in the table that a record is compared with.
    static let mostCompared = 256

    /// Number of records with the same traits whose bytes are compared before digests are used; in real logs
    /// at most one is equal.
    static let mostByOctets = 4

    /// Number of byte comparisons, for tests of the bounds.
    private(set) var comparisons = 0
    /// The records by their number, modulo ``mostRecords``; numbers start at 0.
    private var given: [Given] = []
    /// For each place of the table, the number of the latest record; -1 for none.
    private var newest: [Int] = []
    private var octets: [UInt8] = []
    private var oldest = 0
    private var next = 0
    /// Position of the next bytes, counted over all bytes ever remembered.
    private var end = 0

    /// For the last record that was not admitted: the file that returned it, and whether that copy is
    /// shorter.
    private(set) var latest = (file: 0, isLonger: false)

    /// Returns whether the record is new; if not, ``latest`` names the file that returned it.
    mutating func admits(_ header: RecordHeader, _ record: UnsafeRawBufferPointer) -> Bool {
        if newest.isEmpty {
            newest = [Int](repeating: -1, count: Self.mostRecords)
            octets = [UInt8](repeating: 0, count: Self.mostOctets)
        }
        let file = UInt64(1) &<< UInt64(min(header.file, 63))
        let traits = Traits(header, count: record.count)
        let place = Self.place(of: traits.microseconds)
        var number = newest[place]
        var left = Self.mostCompared
        var alike = 0
        var digest: UInt64?
        while number >= oldest, left > 0 {
            let index = number % Self.mostRecords
            // Safe: the caller lends the record's bytes for the call.
            if given[index].files & file == 0, given[index].traits.agrees(with: traits) {
                if unsafe alike < Self.mostByOctets || mayBeSame(at: index, traits, record, &digest),
                    unsafe startsAlike(at: index, record)
                {
                    latest = (given[index].giver, record.count > given[index].traits.count)
                    given[index].files |= file
                    return false
                }
                alike += 1
            }
            number = given[index].previous
            left -= 1
        }
        // Safe: the caller lends the record's bytes for the call.
        unsafe remember(traits, record, at: place, file: file)
        return true
    }

    private static func place(of microseconds: Int64) -> Int {
        let mixed = UInt64(bitPattern: microseconds) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed &>> 40) % mostRecords
    }

    private mutating func remember(
        _ traits: Traits, _ record: UnsafeRawBufferPointer, at place: Int, file: UInt64
    ) {
        guard record.count <= Self.mostOctets else { return }
        // A record's bytes stay contiguous: they don't wrap around the end of the buffer.
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
            // Safe: the index is below the number of bytes that the caller lends.
            octets[from + index] = unsafe record[index]
        }
        let giver = file.trailingZeroBitCount
        let new = Given(traits: traits, start: start, files: file, giver: giver, previous: newest[place])
        if given.count < Self.mostRecords { given.append(new) } else { given[next % Self.mostRecords] = new }
        newest[place] = next
        next += 1
    }

    /// Whether two records are copies of one; either may be cut.
    static func isSame(_ one: borrowing Record, _ other: borrowing Record) -> Bool {
        let (left, right) = (one.octets.byteCount, other.octets.byteCount)
        guard Traits(one.header, count: left).agrees(with: Traits(other.header, count: right)) else {
            return false
        }
        let common = min(left, right)
        return one.octets.clamped(0..<common).elementsEqual(other.octets.clamped(0..<common))
    }

    /// Whether, by their digests, a returned record may equal this one; digests can't exclude a cut record.
    private mutating func mayBeSame(
        at index: Int, _ traits: Traits, _ record: UnsafeRawBufferPointer, _ digest: inout UInt64?
    ) -> Bool {
        let other = given[index].traits
        guard other.count == traits.count else { return true }
        let from = given[index].start % Self.mostOctets
        let theirs = given[index].digest ?? FNV1a.hash(octets[from..<from + other.count])
        given[index].digest = theirs
        // Safe: the caller lends the record's bytes for the call.
        let own = unsafe digest ?? FNV1a.hash(record)
        digest = own
        return own == theirs
    }

    /// Whether the common bytes are equal.
    private mutating func startsAlike(at index: Int, _ record: UnsafeRawBufferPointer) -> Bool {
        comparisons &+= 1
        let one = given[index]
        let common = min(one.traits.count, record.count)
        let from = one.start % Self.mostOctets
        // Safe: `common` is at most the length of the record.
        return unsafe octets[from..<from + common].elementsEqual(record.prefix(common))
    }
}
