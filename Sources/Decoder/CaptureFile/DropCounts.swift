/// Counts the dropped packets of logs over all of their parts.
///
/// A recorder that begins a new file either counts on in it or starts again; which of the two it did is
/// decided once for each part, with the first record that it gives. A first count of at least the last one of
/// the part before goes on, a lower one starts again. That is right but for a recorder that starts again and
/// dropped, between two parts, at least as many packets as in all of the part before.
struct DropCounts {
    /// One of the files.
    private struct Part {
        /// What its counts lack, or have too much, to count from the beginning of its log.
        var offset: Int64
        /// The count of its latest record.
        var last: UInt32
    }

    /// One recorder's files.
    private struct Log {
        /// The packets dropped so far.
        var total: Int64 = 0
        /// The file of the latest record that counts.
        var part: Int?
    }

    private var parts: [Part?]
    /// Of each file the counts that it has if it is of the log that its beginning is of.
    private var asShared: [Part?]
    private var logs: [Log]
    /// Whether any record had a count: before that there is nothing to add up.
    private(set) var hasBegun = false

    /// Counts of as many files as there are at most; logs are numbered below that too.
    init(files: Int) {
        parts = Array(repeating: nil, count: files)
        asShared = parts
        logs = Array(repeating: Log(), count: files)
    }

    /// The packets that a log's recorder had dropped before the record that is given next.
    ///
    /// - Parameters:
    ///   - raw: what the file says.
    ///   - part: the index of the file.
    ///   - log: the index of the log, which stays the same from the file's first record on.
    ///   - startsAgain: whether the file is of a format whose counts begin with the file.
    mutating func count(_ raw: UInt32, part: Int, log: Int, startsAgain: Bool) -> UInt32 {
        hasBegun = true
        let offset = parts[part]?.offset ?? offset(of: raw, after: logs[log], startsAgain: startsAgain)
        parts[part] = Part(offset: offset, last: raw)
        logs[log].part = part
        logs[log].total = max(logs[log].total, offset &+ Int64(raw))
        return UInt32(clamping: logs[log].total)
    }

    private func offset(of raw: UInt32, after log: Log, startsAgain: Bool) -> Int64 {
        guard let before = log.part.flatMap({ parts[$0] }) else { return 0 }
        return startsAgain || raw < before.last ? log.total : before.offset
    }

    /// Takes note of a record at the beginning of a file that another one has given just before: if both are
    /// of one log, the counts of both mean the same from there.
    mutating func noteShared(_ raw: UInt32, part: Int, with other: Int) {
        // One that has no count yet had dropped nothing up to there.
        let known = parts[other] ?? Part(offset: 0, last: 0)
        asShared[part] = Part(offset: known.offset &+ Int64(known.last) &- Int64(raw), last: raw)
    }

    /// A file is of the log that its beginning is of.
    mutating func align(_ part: Int) {
        if let shared = asShared[part] { parts[part] = shared }
    }
}
