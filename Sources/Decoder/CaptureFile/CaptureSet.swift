import WireBytes

/// Reads several captures as one: their records on one timeline, each with the index of its file.
///
/// The records of one file keep their order, whatever its clock does: from where it is set back until it has
/// caught up, the file's records are due at once. Of files whose records are due at once the one goes first
/// that has given fewest of them, so that files that hold the same go side by side. Where files overlap, a
/// record that another file has given already (same time, adapter, kind and octets, or one cut shorter) is
/// left out and counted.
@safe
public struct CaptureSet: ~Copyable {
    private let slots: UnsafeMutablePointer<Slot>
    private let count: Int
    /// The slot whose record was given last.
    private var given = 0
    /// Whether that slot has to be read on before the next record is chosen.
    private var mustReadOn = false
    private var duplicates = DuplicateFilter()
    /// What was wrong with the files, in the order in which it was met.
    public private(set) var errors: [CaptureFileError] = []
    /// Records left out because another file had given them.
    public private(set) var duplicateRecords = 0
    private var hasThrown = false
    /// What archives hold that can't be read, told after the last record.
    private var archiveDamage: [CaptureFileError]
    /// The file that each file continues or begins: the parts of a rotated log have the same number here.
    public let logOfFile: [Int]

    /// What the merge remembers of one file.
    private struct Slot: ~Copyable {
        var reader: CaptureReader
        /// Whether it has a record that was not given yet.
        var hasRecord = false
        var isFresh = true
        /// When its record is due: its time, or the latest of the file's where the clock was set back.
        var due = CaptureTime(nanoseconds: .min)
        /// How many of its records were given that were due then.
        var givenThen = 0

        init(reader: consuming CaptureReader, index: Int) {
            self.reader = reader
            self.reader.setIndex(UInt16(truncatingIfNeeded: index))
        }

        /// Reads the next record.
        mutating func fetch() throws(CaptureFileError) {
            hasRecord = false
            guard try reader.advance() else { return }
            hasRecord = true
            if reader.header.time > due { (due, givenThen) = (reader.header.time, 0) }
        }
    }

    /// Opens files, or standard input for `-`; of an archive all captures found in it.
    public init(paths: [String]) throws(CaptureFileError) {
        var sources: [CaptureSource] = []
        for path in paths {
            let found = try CaptureSource.find(path: path)
            // A report's text often holds an empty log beside the files that hold the real one.
            sources += found.count > 1 ? found.filter { !$0.isEmptyBlock } : found
        }
        try self.init(sources)
    }

    /// Opens captures that were found.
    public init(_ sources: [CaptureSource]) throws(CaptureFileError) {
        // Safe: owned by this set alone, and freed when it ends.
        unsafe slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(sources.count, 1))
        logOfFile = RotatedLog.groups(sources.map(\.name))
        archiveDamage = sources.flatMap(\.damage)
        var opened = 0
        do throws(CaptureFileError) {
            for source in sources {
                let slot = Slot(reader: try CaptureReader(source), index: opened)
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
    }

    deinit {
        // Safe: all `count` places were initialized by the only initializer that returns.
        unsafe slots.deinitialize(count: count)
        unsafe slots.deallocate()
    }

    /// The number of files.
    public var fileCount: Int { count }

    /// What a file says about itself; the index must be below `fileCount`.
    public func info(ofFile index: Int) -> CaptureInfo {
        precondition(index >= 0 && index < count)
        // Safe: the index was checked.
        return unsafe slots[index].reader.info
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
                return true
            }
            duplicateRecords += 1
        }
        try end()
        return false
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

    /// Reads on where a record was given, and finds the file with the earliest record; nil after the last.
    private mutating func choose() -> Int? {
        if mustReadOn { fetch(given) }
        mustReadOn = false
        var earliest: Int?
        var first = (due: CaptureTime(nanoseconds: .max), given: Int.max)
        for index in 0..<count {
            // Safe: the index is below the number of initialized places.
            if unsafe slots[index].isFresh { fetch(index) }
            guard unsafe slots[index].hasRecord else { continue }
            let (due, given) = unsafe (slots[index].due, slots[index].givenThen)
            if earliest == nil || (due, given) < (first.due, first.given) {
                (earliest, first) = (index, (due, given))
            }
        }
        return earliest
    }

    /// Reads the next record of a file into its slot.
    private mutating func fetch(_ index: Int) {
        // Safe: the index is below the number of initialized places.
        unsafe slots[index].isFresh = false
        do throws(CaptureFileError) {
            unsafe try slots[index].fetch()
        } catch {
            errors.append(error)
            unsafe slots[index].reader.countUnreadable()
        }
    }
}
