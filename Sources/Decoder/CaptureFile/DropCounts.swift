/// Adds up the dropped packets of logs over all their parts.
///
/// In a new file a recorder either continues its count or starts again; this is decided once for each part,
/// at the first record it returns. A first count of at least the previous part's last one continues it; a
/// lower one starts again. This is wrong only for a recorder that starts again and dropped, between two
/// parts, at least as many packets as in the whole previous part.
struct DropCounts {
    private struct Part {
        /// Correction of its counts to count from the beginning of its log.
        var offset: Int64
        var last: UInt32
    }

    /// One recorder's files.
    private struct Log {
        /// The packets dropped so far.
        var total: Int64 = 0
        /// The file of the latest counted record.
        var part: Int?
    }

    private var parts: [Part?]
    /// For each file, the counts that apply if it joins the log whose records it began with.
    private var asShared: [Part?]
    private var logs: [Log]
    /// Whether any record had a nonzero count; before that there is nothing to add up.
    private(set) var hasBegun = false

    /// Creates the counts for `files` files; logs are numbered below `files` too.
    init(files: Int) {
        parts = Array(repeating: nil, count: files)
        asShared = parts
        logs = Array(repeating: Log(), count: files)
    }

    /// Returns the packets that a log's recorder had dropped before the record that is returned next.
    ///
    /// - Parameters:
    ///   - raw: the count in the file.
    ///   - part: the index of the file.
    ///   - log: the index of the log, which is fixed from the file's first record on.
    ///   - startsAgain: whether the file's format starts counting with each file.
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

    /// Notes a record at the beginning of a file that another file has just returned: if both belong to one
    /// log, their counts correspond from there.
    mutating func noteShared(_ raw: UInt32, part: Int, with other: Int) {
        // A file without a count has dropped nothing so far.
        let known = parts[other] ?? Part(offset: 0, last: 0)
        asShared[part] = Part(offset: known.offset &+ Int64(known.last) &- Int64(raw), last: raw)
    }

    /// Applies the counts noted by `noteShared`, because the file joins the log whose records it began with.
    mutating func align(part: Int) {
        if let shared = asShared[part] { parts[part] = shared }
    }
}
