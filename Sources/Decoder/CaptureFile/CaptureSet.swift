/// Merges several captures: their records on one timeline, each with the index of its file.
///
/// The records of one file keep their order even if its clock is set back: until it has caught up, the file's
/// records are due at once. Among files with records due at the same time, the one that has returned the
/// fewest of them goes first, so that files with the same content advance together. Where files overlap, a
/// record that another file has returned already (same time, adapter, kind and bytes, or one cut shorter) is
/// left out and counted; of two copies that are due together, the one with more bytes is returned. Counts of
/// dropped packets cover the whole log with all its parts.
@safe
public struct CaptureSet: ~Copyable {
    private let slots: UnsafeMutablePointer<Slot>
    private let count: Int
    /// Slot of the last record returned.
    private var given = 0
    /// Whether that slot must be read before the next record is chosen.
    private var mustReadOn = false
    private var duplicates = DuplicateFilter()
    private var drops: DropCounts
    /// Errors in the files, in the order in which they occurred.
    public private(set) var errors: [CaptureFileError] = []
    /// Records left out because another file had returned them.
    public private(set) var duplicateRecords = 0
    /// Left-out records that hold more bytes than the copy that was returned.
    public private(set) var longerDuplicates = 0
    private var hasThrown = false
    /// Unreadable entries of archives, reported after the last record.
    private var archiveDamage: [CaptureFileError]
    /// Captures of unsupported kinds in archives.
    private let otherCaptures: [CaptureFileError]
    /// For each file, the number of its log: the index of one file that all parts of the log share.
    ///
    /// Names decide at first. A file whose first records also occur in another file is from the same
    /// recorder: it joins that file's log at the first record that only it has.
    public private(set) var logOfFile: [Int]
    /// The log of the last record read, as in ``logOfFile``.
    public private(set) var log = 0

    /// Whether the caller declares all files to be parts of one log.
    private let isOneLog: Bool

    /// Merge state of one file.
    private struct Slot: ~Copyable {
        var reader: CaptureReader
        /// Whether it has a record that was not returned yet.
        var hasRecord = false
        var isFresh = true
        /// The time of its first record; the latest possible time if it has none.
        var first = CaptureTime(nanoseconds: .max)
        /// Due time of its record: the record's time, or the file's latest time if its clock was set back.
        var due = CaptureTime(nanoseconds: .min)
        /// Number of its records returned with that due time.
        var givenThen = 0
        /// Whether it returned a record that no other file had returned.
        var hasGiven = false
        /// Nanoseconds to add to its times.
        var offset: Int64 = 0
        /// Number of its leading records that another file had returned, and that file.
        var sharedAtStart = 0
        var sharedWith = 0
        /// The run of records shared with that file: its length, the number of its first record in that file,
        /// and this file's dropped packets at that point.
        var row = (count: 0, began: 0, drops: UInt32(0))

        init(reader: consuming CaptureReader, index: Int) {
            self.reader = reader
            self.reader.input.fileIndex = UInt16(truncatingIfNeeded: index)
        }

        mutating func fetch() throws(CaptureFileError) {
            hasRecord = false
            guard try reader.advance() else { return }
            hasRecord = true
            let time = reader.header.time.nanoseconds
            if offset != 0 { reader.input.latest.time = CaptureTime(nanoseconds: time &+ offset) }
            if reader.header.time > due { (due, givenThen) = (reader.header.time, 0) }
        }
    }

    /// Opens files, or `input` for `-`; an archive adds all captures in it.
    ///
    /// - Parameters:
    ///   - asOneLog: whether all are parts of one log, regardless of their names and records.
    ///   - stop: as for ``CaptureSource/find(path:stop:input:)``.
    ///   - input: the descriptor of standard input; nil if `-` is an ordinary file name.
    public init(
        paths: [String], asOneLog: Bool = false, stop: Int32? = nil, input: Int32? = nil
    ) throws(CaptureFileError) {
        var sources: [CaptureSource] = []
        for path in paths {
            let found = try CaptureSource.find(path: path, stop: stop, input: input)
            // A report's text often has an empty log beside the files with the real one.
            sources += found.count > 1 ? found.filter { !$0.isEmptyBlock } : found
        }
        try self.init(sources, asOneLog: asOneLog)
    }

    /// Opens captures that were found.
    public init(_ sources: [CaptureSource], asOneLog: Bool = false) throws(CaptureFileError) {
        // Safe: owned only by this set, and freed when it ends.
        unsafe slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(sources.count, 1))
        isOneLog = asOneLog
        logOfFile = asOneLog ? sources.map { _ in 0 } : RotatedLog.groups(sources.map(\.name))
        archiveDamage = sources.flatMap(\.damage)
        otherCaptures = sources.flatMap(\.passedOver)
        var opened = 0
        do throws(CaptureFileError) {
            for source in sources {
                let isOneOfMany = sources.count >= Self.manyFiles
                let reader = try CaptureReader(source, isOneOfMany: isOneOfMany)
                let slot = Slot(reader: reader, index: opened)
                // Safe: `opened` is below the capacity, and this place has not been initialized before.
                unsafe (slots + opened).initialize(to: slot)
                opened += 1
            }
        } catch {
            // Safe: exactly the first `opened` places were initialized.
            unsafe slots.deinitialize(count: opened)
            unsafe slots.deallocate()
            throw error
        }
        count = opened
        log = logOfFile.first ?? 0
        drops = DropCounts(files: opened)
    }

    deinit {
        // Safe: all `count` places were initialized by the only initializer that returns.
        unsafe slots.deinitialize(count: count)
        unsafe slots.deallocate()
    }

    /// Number of files that can be named as the source of a duplicate record.
    public static let mostFilesTold = DuplicateFilter.mostFilesTold

    /// Whether there are so many files that records of the later ones may be returned twice: duplicates among
    /// only those files are not recognized.
    public var mayRepeat: Bool { count > DuplicateFilter.mostFilesTold + 1 }

    /// For each path, the index of the first path that by its name belongs to the same log.
    public static func logs(named paths: [String]) -> [Int] { RotatedLog.groups(paths) }

    /// Number of files from which on each has a small buffer.
    static let manyFiles = 32

    /// Total buffer size of all files in bytes, for tests of the bound.
    var bufferCapacity: Int {
        var sum = 0
        // Safe: the index is below the number of initialized places.
        for index in 0..<count { sum &+= unsafe slots[index].reader.bufferCapacity }
        return sum
    }

    /// The number of files.
    public var fileCount: Int { count }

    /// Returns a file's metadata; the index must be below `fileCount`.
    public func info(ofFile index: Int) -> CaptureInfo {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        return unsafe slots[index].reader.info
    }

    /// Adds nanoseconds to the times of one of several files, before its first record is read; the index must
    /// be below `fileCount`.
    public mutating func move(file index: Int, by nanoseconds: Int64) {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        unsafe slots[index].offset = nanoseconds
    }

    /// Counts of a file's consumed bytes, by their use; the index must be below `fileCount`.
    public func tally(ofFile index: Int) -> ReaderTally {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        return unsafe slots[index].reader.tally
    }

    /// Counts of all files' consumed bytes, by their use.
    public var tally: ReaderTally {
        var sum = ReaderTally()
        for index in 0..<count { sum += tally(ofFile: index) }
        return sum
    }

    /// Records skipped so far because their form of Bluetooth records is not supported; not errors, since the
    /// remaining records are complete.
    public var passedOver: [CaptureFileError] {
        var all = otherCaptures
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if let left = unsafe slots[index].reader.passedOver { all.append(left) }
        }
        return all
    }

    /// Bytes consumed of all files.
    public var offset: Int {
        var sum = 0
        // Safe: the index is below the number of initialized places.
        for index in 0..<count { sum &+= unsafe slots[index].reader.offset }
        return sum
    }

    /// Whether a file's next record is not complete yet and must be waited for, as on a pipe.
    public var isWaiting: Bool {
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if unsafe slots[index].reader.isWaiting { return true }
        }
        return false
    }

    /// The next record; nil after the last. A damaged file ends at the damage while the others continue; its
    /// error is thrown after the last record, once.
    @_lifetime(&self)
    public mutating func next() throws(CaptureFileError) -> Record? {
        guard try advance() else { return nil }
        return record()
    }

    /// Reads the next record, then available from ``record()``; returns false after the last. Throws as
    /// ``next()`` does.
    public mutating func advance() throws(CaptureFileError) -> Bool {
        if count == 1 { return try advanceOne() }
        while let index = choose() {
            given = index
            mustReadOn = true
            // Safe: the index is below the number of initialized places.
            unsafe slots[index].givenThen += 1
            // Safe: the bytes stay in place until the slot is read again.
            let record = unsafe slots[index].reader.record()
            if unsafe record.octets.withUnsafeBytes({ unsafe duplicates.admits(record.header, $0) }) {
                // Safe: as above.
                if unsafe !slots[index].hasGiven { joinLog(log: index) }
                log = logOfFile[index]
                countDrops(log: index)
                return true
            }
            duplicateRecords += 1
            if duplicates.latest.isLonger { longerDuplicates += 1 }
            noteShared(log: index)
            noteDrops(log: index)
        }
        try end()
        return false
    }

    /// Notes that another file had returned a slot's record.
    private mutating func noteShared(log index: Int) {
        let other = duplicates.latest.file
        // Safe: the index is that of the slot whose record was left out.
        let isNew = unsafe slots[index].sharedAtStart == 0 || slots[index].sharedWith != other
        if isNew, other < count {
            // Safe: the other index is below the number of initialized places; that file's next record has
            // been read.
            let began = unsafe slots[other].reader.header.number - (slots[other].hasRecord ? 1 : 0)
            // Safe: as above.
            unsafe slots[index].row = (0, began, slots[index].reader.header.cumulativeDrops)
        }
        // Safe: as above.
        unsafe slots[index].sharedAtStart += 1
        unsafe slots[index].row.count += 1
        unsafe slots[index].sharedWith = other
    }

    /// Replaces the count of dropped packets in a slot's record with the count of its log.
    @inline(__always)
    private mutating func countDrops(log index: Int) {
        // Safe: the index is that of the slot that returns the record.
        let raw = unsafe slots[index].reader.header.cumulativeDrops
        guard raw > 0 || drops.hasBegun else { return }
        // Safe: as above.
        let startsAgain = unsafe slots[index].reader.info.format == .pcapng
        let all = drops.count(raw, part: index, log: logOfFile[index], startsAgain: startsAgain)
        // Safe: as above.
        unsafe slots[index].reader.input.latest.cumulativeDrops = all
    }

    /// Notes how the drop counts of a file that may begin inside another file correspond to that file's
    /// counts.
    private mutating func noteDrops(log index: Int) {
        // Safe: the index is that of the slot whose record was left out.
        let raw = unsafe slots[index].reader.header.cumulativeDrops
        guard raw > 0 || drops.hasBegun else { return }
        let other = duplicates.latest.file
        // Safe: as above.
        guard unsafe !slots[index].hasGiven, other < min(count, DuplicateFilter.mostFilesTold) else { return }
        drops.noteShared(raw, part: index, with: other)
    }

    /// Whether the files are read as several logs but may be parts of one: no two of these logs overlap in
    /// time. Known after the last record.
    public var mayBeOneLog: Bool {
        guard !isOneLog else { return false }
        var spans: [Int: (first: CaptureTime, last: CaptureTime)] = [:]
        for index in 0..<count {
            // Times counted from a recorder's start can't be compared with another recorder's.
            if info(ofFile: index).hasRelativeTime { return false }
            // Safe: the index is below the number of initialized places.
            let (first, last) = unsafe (slots[index].first, slots[index].due)
            guard first <= last else { continue }
            let span = spans[logOfFile[index]] ?? (first, last)
            spans[logOfFile[index]] = (min(span.first, first), max(span.last, last))
        }
        let sorted = spans.values.sorted { $0.first < $1.first }
        return sorted.count > 1 && zip(sorted, sorted.dropFirst()).allSatisfy { $0.last < $1.first }
    }

    /// Number of leading records that another file must share: a single match may be a coincidence where
    /// times count from a recorder's start.
    private static let sharedToJoin = 2

    /// Before a file returns its first record, moves the file to the log whose records it began with, and
    /// continues the log's count of dropped packets.
    private mutating func joinLog(log index: Int) {
        // Safe: the index is that of the slot that returns the record.
        unsafe slots[index].hasGiven = true
        let (shared, other) = unsafe (slots[index].sharedAtStart, slots[index].sharedWith)
        guard shared > 0, other < min(count, DuplicateFilter.mostFilesTold) else { return }
        if shared >= Self.sharedToJoin, goesOn(log: index, after: other) { join(log: index, to: other) }
        if logOfFile[index] == logOfFile[other] { drops.align(part: index) }
    }

    /// Whether a file continues where another file ended, whose last records it began with: both hold the
    /// same records in the time that both cover.
    private func goesOn(log index: Int, after other: Int) -> Bool {
        for file in 0..<count where file != index && logOfFile[file] == logOfFile[other] {
            // Safe: the index is below the number of initialized places.
            let isUnderWay = unsafe slots[file].hasRecord && slots[file].first <= slots[index].due
            guard isUnderWay else { continue }
            // Safe: both records stay in place until their slots are read again.
            let (own, pending) = unsafe (slots[index].reader.record(), slots[file].reader.record())
            // If one of them cuts the record, the longer copy is returned.
            guard DuplicateFilter.isSame(own, pending) else { return false }
        }
        // Safe: as above.
        let row = unsafe slots[index].row
        // Safe: as above.
        guard unsafe !slots[other].hasRecord,
            unsafe slots[index].reader.header.cumulativeDrops == row.drops
        else { return true }
        // Safe: as above.
        return unsafe slots[other].reader.header.number == row.began + row.count - 1
    }

    /// Merges a file's log into another file's log, unless a file of the first has already returned a record.
    private mutating func join(log index: Int, to other: Int) {
        let (old, new) = (logOfFile[index], logOfFile[other])
        let isBegun = (0..<count).contains {
            // Safe: the index is below the number of initialized places.
            unsafe $0 != index && logOfFile[$0] == old && slots[$0].hasGiven
        }
        guard old != new, !isBegun else { return }
        for file in 0..<count where logOfFile[file] == old { logOfFile[file] = new }
    }

    /// The last record read; call it only after ``advance()`` returned true. It is valid until the next such
    /// call.
    ///
    /// Mutating because a borrowed set is passed field by field, and a mutated one by its address.
    @_lifetime(&self)
    public mutating func record() -> Record {
        precondition(given < count)
        // Safe: the index was checked. The slot's reader, owned by this set, does not move its window until
        // the next call; if it has returned no record, the bytes are empty.
        return unsafe _overrideLifetime(slots[given].reader.record(), mutating: &self)
    }

    /// Ends the sequence: throws the first error, once.
    private mutating func end() throws(CaptureFileError) {
        errors += archiveDamage
        archiveDamage = []
        if !hasThrown, let error = errors.first {
            hasThrown = true
            throw error
        }
    }

    @inline(__always)
    private mutating func advanceOne() throws(CaptureFileError) -> Bool {
        do throws(CaptureFileError) {
            // Safe: there is one slot.
            if unsafe try slots[0].reader.advance() { return true }
        } catch {
            errors.append(error)
            // Safe: there is one slot.
            unsafe slots[0].reader.countUnreadable()
        }
        try end()
        return false
    }

    /// Reads the next record of the file that returned the last one, then returns the file with the earliest
    /// record; among files that have the same record, the one with most bytes of it; nil after the last.
    private mutating func choose() -> Int? {
        if mustReadOn { fetch(log: given) }
        mustReadOn = false
        var earliest: Int?
        var first = (due: CaptureTime(nanoseconds: .max), given: Int.max, rank: Int.max)
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if unsafe slots[index].isFresh { fetch(log: index) }
            guard unsafe slots[index].hasRecord else { continue }
            // A file that already shares records with another one goes before a file that may only turn out
            // to share some, so that it is recognized as beginning inside the other.
            let place = unsafe (
                due: slots[index].due, given: slots[index].givenThen,
                rank: slots[index].hasGiven ? .min : -slots[index].sharedAtStart
            )
            if earliest == nil || place < first { (earliest, first) = (index, place) }
        }
        return earliest.map { longestCopy(log: $0) }
    }

    /// The file whose due record is the longest copy of this file's record, which may be cut.
    private func longestCopy(log index: Int) -> Int {
        var longest = index
        // Safe: this index and all below belong to initialized slots.
        guard unsafe slots[index].reader.header.isTruncated else { return index }
        for other in 0..<count where other != longest {
            // Safe: as above; both records stay in place until their slots are read again.
            guard unsafe slots[other].hasRecord else { continue }
            let record = unsafe slots[longest].reader.record()
            let copy = unsafe slots[other].reader.record()
            if copy.octets.byteCount > record.octets.byteCount, DuplicateFilter.isSame(record, copy) {
                longest = other
            }
        }
        return longest
    }

    /// Reads the next record of a file into its slot.
    private mutating func fetch(log index: Int) {
        // Safe: the index is below the number of initialized places.
        let isFirst = unsafe slots[index].isFresh
        unsafe slots[index].isFresh = false
        do throws(CaptureFileError) {
            unsafe try slots[index].fetch()
            // Safe: as above.
            if isFirst, unsafe slots[index].hasRecord {
                unsafe slots[index].first = slots[index].reader.header.time
            }
        } catch {
            errors.append(error)
            unsafe slots[index].reader.countUnreadable()
        }
    }
}
