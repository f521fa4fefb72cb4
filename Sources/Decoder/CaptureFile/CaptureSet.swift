import WireBytes

/// Reads several captures as one: their records on one timeline, each with the index of its file.
///
/// The records of one file keep their order, whatever its clock does: from where it is set back until it has
/// caught up, the file's records are due at once. Of files whose records are due at once the one goes first
/// that has given fewest of them, so that files that hold the same go side by side. Where files overlap, a
/// record that another file has given already (same time, adapter, kind and octets, or one cut shorter) is
/// left out and counted; of two copies that come side by side the one that holds more octets is given. Counts
/// of dropped packets are given as those of the whole log, over all parts of it.
@safe
public struct CaptureSet: ~Copyable {
    private let slots: UnsafeMutablePointer<Slot>
    private let count: Int
    /// The slot whose record was given last.
    private var given = 0
    /// Whether that slot has to be read on before the next record is chosen.
    private var mustReadOn = false
    private var duplicates = DuplicateFilter()
    private var drops: DropCounts
    /// What was wrong with the files, in the order in which it was met.
    public private(set) var errors: [CaptureFileError] = []
    /// Records left out because another file had given them.
    public private(set) var duplicateRecords = 0
    /// Those of them that hold more octets than the copy that was given.
    public private(set) var longerDuplicates = 0
    private var hasThrown = false
    /// What archives hold that can't be read, told after the last record.
    private var archiveDamage: [CaptureFileError]
    /// Captures of other kinds that archives hold.
    private let otherCaptures: [CaptureFileError]
    /// The file that each file continues or begins: the parts of one log have the same number here.
    ///
    /// Names tell it at first. A file whose first records another one has too is of the same recorder: it
    /// joins that one's log with the first record that it gives itself.
    public private(set) var logOfFile: [Int]
    /// The log that the record belongs to which was read last, as ``logOfFile`` has it.
    public private(set) var log = 0

    /// Whether the caller says that all files are parts of one log.
    private let isOneLog: Bool

    /// What the merge remembers of one file.
    private struct Slot: ~Copyable {
        var reader: CaptureReader
        /// Whether it has a record that was not given yet.
        var hasRecord = false
        var isFresh = true
        /// The time of its first record; the last moment there is where it has none.
        var first = CaptureTime(nanoseconds: .max)
        /// When its record is due: its time, or the latest of the file's where the clock was set back.
        var due = CaptureTime(nanoseconds: .min)
        /// How many of its records were given that were due then.
        var givenThen = 0
        /// Whether a record of it was given that no other file had given.
        var hasGiven = false
        /// Nanoseconds that are added to its times.
        var offset: Int64 = 0
        /// How many records of its beginning another file had given, and which.
        var sharedAtStart = 0
        var sharedWith = 0
        /// The row of them that this file had given: how many, the number of the first in that file, and how
        /// many packets this one had lost by then.
        var row = (count: 0, began: 0, drops: UInt32(0))

        init(reader: consuming CaptureReader, index: Int) {
            self.reader = reader
            self.reader.setIndex(UInt16(truncatingIfNeeded: index))
        }

        /// Reads the next record.
        mutating func fetch() throws(CaptureFileError) {
            hasRecord = false
            guard try reader.advance() else { return }
            hasRecord = true
            if offset != 0 { reader.move(by: offset) }
            if reader.header.time > due { (due, givenThen) = (reader.header.time, 0) }
        }
    }

    /// Opens files, or `input` for `-`; of an archive all captures found in it.
    ///
    /// - Parameters:
    ///   - asOneLog: whether all are parts of one log, whatever their names and records say.
    ///   - stop: as for ``CaptureSource/find(path:stop:input:)``.
    ///   - input: the descriptor of standard input; nil where `-` is a file like others.
    public init(
        paths: [String], asOneLog: Bool = false, stop: Int32? = nil, input: Int32? = nil
    ) throws(CaptureFileError) {
        var sources: [CaptureSource] = []
        for path in paths {
            let found = try CaptureSource.find(path: path, stop: stop, input: input)
            // A report's text often holds an empty log beside the files that hold the real one.
            sources += found.count > 1 ? found.filter { !$0.isEmptyBlock } : found
        }
        try self.init(sources, asOneLog: asOneLog)
    }

    /// Opens captures that were found.
    public init(_ sources: [CaptureSource], asOneLog: Bool = false) throws(CaptureFileError) {
        // Safe: owned by this set alone, and freed when it ends.
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

    /// Of how many files it is told which of them gave a record.
    public static let mostFilesTold = DuplicateFilter.mostFilesTold

    /// Whether there are so many files that records of the later ones may be given twice: what two of these
    /// have, and none of the first, is not known to be the same.
    public var mayRepeat: Bool { count > DuplicateFilter.mostFilesTold + 1 }

    /// For each of these paths the index of the first that, by its name, is a part of the same log.
    public static func logs(named paths: [String]) -> [Int] { RotatedLog.groups(paths) }

    /// From how many files on each has a small buffer.
    static let manyFiles = 32

    /// Octets that the buffers of all files have room for, for tests of the bound.
    var bufferCapacity: Int {
        var sum = 0
        // Safe: the index is below the number of initialized places.
        for index in 0..<count { sum &+= unsafe slots[index].reader.bufferCapacity }
        return sum
    }

    /// The number of files.
    public var fileCount: Int { count }

    /// What a file says about itself; the index must be below `fileCount`.
    public func info(ofFile index: Int) -> CaptureInfo {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        return unsafe slots[index].reader.info
    }

    /// Adds nanoseconds to the times of a file of several, before its first record is read; the index must be
    /// below `fileCount`.
    public mutating func move(file index: Int, by nanoseconds: Int64) {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        unsafe slots[index].offset = nanoseconds
    }

    /// Where the octets consumed of a file went; the index must be below `fileCount`.
    public func tally(ofFile index: Int) -> ReaderTally {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        return unsafe slots[index].reader.tally
    }

    /// Where the octets consumed of all files went.
    public var tally: ReaderTally {
        var sum = ReaderTally()
        for index in 0..<count { sum += tally(ofFile: index) }
        return sum
    }

    /// What was passed over so far because its form of Bluetooth records is not read: no error, since the
    /// rest is whole without it.
    public var passedOver: [CaptureFileError] {
        var all = otherCaptures
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if let left = unsafe slots[index].reader.passedOver { all.append(left) }
        }
        return all
    }

    /// Octets consumed of all files.
    public var offset: Int {
        var sum = 0
        // Safe: the index is below the number of initialized places.
        for index in 0..<count { sum &+= unsafe slots[index].reader.offset }
        return sum
    }

    /// Whether a file's next record has not come whole yet and has to be waited for, as on a pipe.
    public var isWaiting: Bool {
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if unsafe slots[index].reader.isWaiting { return true }
        }
        return false
    }

    /// The next record; nil after the last. A file that is damaged ends there, and the others are read on;
    /// its error is thrown after the last record, once.
    @_lifetime(&self)
    public mutating func next() throws(CaptureFileError) -> Record? {
        guard try advance() else { return nil }
        return record()
    }

    /// Reads the next record, which ``record()`` then is; false after the last. Throws as ``next()`` does.
    public mutating func advance() throws(CaptureFileError) -> Bool {
        if count == 1 { return try advanceOne() }
        while let index = choose() {
            given = index
            mustReadOn = true
            // Safe: the index is below the number of initialized places.
            unsafe slots[index].givenThen += 1
            // Safe: the octets stay where they are until the slot is read on.
            let record = unsafe slots[index].reader.record()
            if unsafe record.octets.withUnsafeBytes({ unsafe duplicates.admits(record.header, $0) }) {
                // Safe: as above.
                if unsafe !slots[index].hasGiven { joinLog(index) }
                log = logOfFile[index]
                countDrops(index)
                return true
            }
            duplicateRecords += 1
            if duplicates.latest.isLonger { longerDuplicates += 1 }
            noteShared(index)
            noteDrops(index)
        }
        try end()
        return false
    }

    /// Notes that another file had given a slot's record.
    private mutating func noteShared(_ index: Int) {
        let other = duplicates.latest.file
        // Safe: the index is that of the slot whose record was left out.
        let isNew = unsafe slots[index].sharedAtStart == 0 || slots[index].sharedWith != other
        if isNew, other < count {
            // Safe: the other index is below the number of initialized places; that file has been read on.
            let began = unsafe slots[other].reader.header.number - (slots[other].hasRecord ? 1 : 0)
            // Safe: as above.
            unsafe slots[index].row = (0, began, slots[index].reader.header.cumulativeDrops)
        }
        // Safe: as above.
        unsafe slots[index].sharedAtStart += 1
        unsafe slots[index].row.count += 1
        unsafe slots[index].sharedWith = other
    }

    /// Makes the count of dropped packets of a slot's record that of its log.
    @inline(__always)
    private mutating func countDrops(_ index: Int) {
        // Safe: the index is that of the slot that gives the record.
        let raw = unsafe slots[index].reader.header.cumulativeDrops
        guard raw > 0 || drops.hasBegun else { return }
        // Safe: as above.
        let startsAgain = unsafe slots[index].reader.info.format == .pcapng
        let all = drops.count(raw, part: index, log: logOfFile[index], startsAgain: startsAgain)
        // Safe: as above.
        unsafe slots[index].reader.set(drops: all)
    }

    /// Notes what the counts of a file that may begin inside of another one mean by that one's.
    private mutating func noteDrops(_ index: Int) {
        // Safe: the index is that of the slot whose record was left out.
        let raw = unsafe slots[index].reader.header.cumulativeDrops
        guard raw > 0 || drops.hasBegun else { return }
        let other = duplicates.latest.file
        // Safe: as above.
        guard unsafe !slots[index].hasGiven, other < min(count, DuplicateFilter.mostFilesTold) else { return }
        drops.noteShared(raw, part: index, with: other)
    }

    /// Whether the files are taken for several logs and may be parts of one all the same: no two of these
    /// logs have records of the same time. Known after the last record.
    public var mayBeOneLog: Bool {
        guard !isOneLog else { return false }
        var spans: [Int: (first: CaptureTime, last: CaptureTime)] = [:]
        for index in 0..<count {
            // Times that count from a recorder's start say nothing about another's.
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

    /// How many records of a file's beginning another file must have too: one may be so by accident, where
    /// times count from a recorder's start.
    private static let sharedToJoin = 2

    /// Puts a file, before the first record that it gives, to the log that its beginning is of, whose count
    /// of dropped packets it goes on with.
    private mutating func joinLog(_ index: Int) {
        // Safe: the index is that of the slot that gives the record.
        unsafe slots[index].hasGiven = true
        let (shared, other) = unsafe (slots[index].sharedAtStart, slots[index].sharedWith)
        guard shared > 0, other < min(count, DuplicateFilter.mostFilesTold) else { return }
        if shared >= Self.sharedToJoin, goesOn(index, after: other) { join(index, to: other) }
        if logOfFile[index] == logOfFile[other] { drops.align(index) }
    }

    /// Whether a file that gives its first record goes on where another one has ended, whose last records it
    /// began with: in the time that both cover they hold the same.
    private func goesOn(_ index: Int, after other: Int) -> Bool {
        for file in 0..<count where file != index && logOfFile[file] == logOfFile[other] {
            // Safe: the index is below the number of initialized places.
            let isUnderWay = unsafe slots[file].hasRecord && slots[file].first <= slots[index].due
            guard isUnderWay else { continue }
            // Safe: both records stay where they are until their slots are read on.
            let (own, pending) = unsafe (slots[index].reader.record(), slots[file].reader.record())
            // Of a record that one of them cuts, the longer copy is given.
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

    /// Puts a file and those of its log to another one's log, unless one of them has given a record.
    private mutating func join(_ index: Int, to other: Int) {
        let (old, new) = (logOfFile[index], logOfFile[other])
        let isBegun = (0..<count).contains {
            // Safe: the index is below the number of initialized places.
            unsafe $0 != index && logOfFile[$0] == old && slots[$0].hasGiven
        }
        guard old != new, !isBegun else { return }
        for file in 0..<count where logOfFile[file] == old { logOfFile[file] = new }
    }

    /// The record that was read last: asked for only after ``advance()`` gave true, and valid until that is
    /// called again.
    ///
    /// Mutating: a set that is lent is handed over by all of its fields, one that is changed by its place.
    @_lifetime(&self)
    public mutating func record() -> Record {
        precondition(given < count)
        // Safe: the index was checked. The slot's reader, which this set owns, does not move its window until
        // the next call; of one that has given no record the octets are none.
        return unsafe _overrideLifetime(slots[given].reader.record(), mutating: &self)
    }

    /// What follows the last record: the first error, once.
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

    /// Reads on where a record was given, and finds the file with the earliest record, of files that have it
    /// too the one that holds most octets of it; nil after the last.
    private mutating func choose() -> Int? {
        if mustReadOn { fetch(given) }
        mustReadOn = false
        var earliest: Int?
        var first = (due: CaptureTime(nanoseconds: .max), given: Int.max, rank: Int.max)
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if unsafe slots[index].isFresh { fetch(index) }
            guard unsafe slots[index].hasRecord else { continue }
            // A file that begins inside of another one is left to find out that it does, and goes before one
            // that may only begin inside of it.
            let place = unsafe (
                due: slots[index].due, given: slots[index].givenThen,
                rank: slots[index].hasGiven ? .min : -slots[index].sharedAtStart
            )
            if earliest == nil || place < first { (earliest, first) = (index, place) }
        }
        return earliest.map { longestCopy($0) }
    }

    /// The file whose record is due that holds most octets of the record of this one, which may be cut.
    private func longestCopy(_ index: Int) -> Int {
        var longest = index
        // Safe: the index, as all below, is of an initialized slot.
        guard unsafe slots[index].reader.header.isTruncated else { return index }
        for other in 0..<count where other != longest {
            // Safe: as above; both records stay where they are until their slots are read on.
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
    private mutating func fetch(_ index: Int) {
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
