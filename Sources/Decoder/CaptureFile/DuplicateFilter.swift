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
    /// What two copies of a record have in common beside their octets.
    private struct Traits {
        var microseconds: Int64
        var originalLength: Int
        /// How many octets there are of it.
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

        /// Whether two records are copies of one, if the octets that both have are the same.
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

    /// A record that was given.
    private struct Given {
        var traits: Traits
        /// Where its octets start, counted over all octets that were ever remembered.
        var start: Int
        /// The files that have shown this very record, as bits; files from 64 on share the last.
        var files: UInt64
        /// Which of them gave it.
        var giver: Int
        /// The record given before that has the same place in the table; -1 for none.
        var previous: Int
        /// A number that all records of the same octets have; nil until it is asked for.
        var digest: UInt64?
    }

    /// Of how many files it is told which of them gave a record.
    static let mostFilesTold = 63
    /// How many records are remembered at most.
    static let mostRecords = 4096
    /// How many of their octets are remembered at most: more than the longest record has.
    static let mostOctets = 1 << 20
    /// With how many records of the same place in the table a record is compared at most.
    static let mostCompared = 256

    /// With how many records of the same traits the octets of one are compared before their digests are: of
    /// logs as they are, one is the same or none.
    static let mostByOctets = 4

    /// How often octets were compared, for tests of the bounds.
    private(set) var comparisons = 0
    /// The records by their number, modulo ``mostRecords``; numbers start at 0.
    private var given: [Given] = []
    /// For each place of the table the number of the latest record; -1 for none.
    private var newest: [Int] = []
    private var octets: [UInt8] = []
    private var oldest = 0
    private var next = 0
    /// Where the next octets go, counted over all octets that were ever remembered.
    private var end = 0

    /// The record that was not admitted last: which file gave it, and whether that copy is shorter.
    private(set) var latest = (file: 0, isLonger: false)

    /// Whether the record is new; if not, another file has given it, as ``latest`` says.
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
            // Safe: the caller lends the record's octets for the call.
            if given[index].files & file == 0, given[index].traits.agrees(with: traits) {
                if unsafe alike < Self.mostByOctets || mayBeSame(index, traits, record, &digest),
                    unsafe startsAlike(index, record)
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
        // Safe: the caller lends the record's octets for the call.
        unsafe remember(traits, record, place, file)
        return true
    }

    private static func place(of microseconds: Int64) -> Int {
        let mixed = UInt64(bitPattern: microseconds) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed &>> 40) % mostRecords
    }

    private mutating func remember(
        _ traits: Traits, _ record: UnsafeRawBufferPointer, _ place: Int, _ file: UInt64
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
        let giver = file.trailingZeroBitCount
        let new = Given(traits: traits, start: start, files: file, giver: giver, previous: newest[place])
        if given.count < Self.mostRecords { given.append(new) } else { given[next % Self.mostRecords] = new }
        newest[place] = next
        next += 1
    }

    /// Whether two records are copies of one, of which either may be cut.
    static func isSame(_ one: borrowing Record, _ other: borrowing Record) -> Bool {
        let (left, right) = (one.octets.byteCount, other.octets.byteCount)
        guard Traits(one.header, count: left).agrees(with: Traits(other.header, count: right)) else {
            return false
        }
        let common = min(left, right)
        return one.octets.clamped(0..<common).elementsEqual(other.octets.clamped(0..<common))
    }

    /// Whether a record that was given may be this one by their digests, which tell nothing of one that is
    /// cut.
    private mutating func mayBeSame(
        _ index: Int, _ traits: Traits, _ record: UnsafeRawBufferPointer, _ digest: inout UInt64?
    ) -> Bool {
        let other = given[index].traits
        guard other.count == traits.count else { return true }
        let from = given[index].start % Self.mostOctets
        let theirs = given[index].digest ?? FNV1a.hash(octets[from..<from + other.count])
        given[index].digest = theirs
        // Safe: the caller lends the record's octets for the call.
        let own = unsafe digest ?? FNV1a.hash(record)
        digest = own
        return own == theirs
    }

    /// Whether the octets that both have are the same.
    private mutating func startsAlike(_ index: Int, _ record: UnsafeRawBufferPointer) -> Bool {
        comparisons &+= 1
        let one = given[index]
        let common = min(one.traits.count, record.count)
        let from = one.start % Self.mostOctets
        // Safe: `common` is at most the length of the record.
        return unsafe octets[from..<from + common].elementsEqual(record.prefix(common))
    }
}
