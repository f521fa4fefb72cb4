import PayloadFormat
import WireBytes

/// The queue of one client's prepared writes on one bearer, as the server holds it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6. Parts of several attributes may be mixed; one Execute
/// Write Request writes them all. Values that don't fit are not joined.
struct PreparedWrites: Sendable {
    struct Value: Sendable {
        var handle: UInt16
        var octets: [UInt8]
    }

    private struct Part: Sendable {
        var frame: FramePlace
        var handle: UInt16
        var offset: UInt16
        /// The range of the part's bytes in `octets` of the queue; nil if the record was truncated.
        var octets: Range<Int>?
    }

    /// An unfinished value: its bytes, and the ranges that parts have filled.
    private struct Assembly {
        var handle: UInt16
        var octets: [UInt8] = []
        var filled: [Range<Int>] = []
        var hasHole = false

        /// Whether the parts fill the value from start to end.
        var isWhole: Bool {
            if hasHole || octets.isEmpty { return false }
            var end = 0
            for range in filled.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if range.lowerBound > end { return false }
                end = max(end, range.upperBound)
            }
            return end == octets.count
        }

        mutating func put(_ part: ArraySlice<UInt8>, at offset: Int) {
            let end = offset + part.count
            if octets.count < end { octets += [UInt8](repeating: 0, count: end - octets.count) }
            octets.replaceSubrange(offset..<end, with: part)
            filled.append(offset..<end)
        }
    }

    /// Limit of the parts in a queue.
    static let partLimit = 256
    /// Limit of the bytes of all parts in a queue.
    static let octetLimit = 8192
    /// Limit of the bytes of a value; an attribute value has at most 512.
    static let valueLimit = 4096

    private var parts: [Part] = []
    private var octets: [UInt8] = []
    /// Whether a part did not fit, so that the values of the queue are unknown.
    private var isIncomplete = false

    /// Number of bytes and parts, for tests of the limits.
    var counts: (octets: Int, parts: Int) { (octets.count, parts.count) }

    /// Memory in use, in bytes.
    var incompleteBytes: Int { octets.capacity &+ parts.capacity &* MemoryLayout<Part>.stride }

    /// Drops the queued parts; the values of the queue are then unknown.
    mutating func dropIncomplete() {
        guard !parts.isEmpty else { return }
        parts = []
        octets = []
        isIncomplete = true
    }

    /// Queues a part; returns false if it does not fit.
    ///
    /// - Parameters:
    ///   - value: the part's bytes, as far as the recorder kept them.
    ///   - frame: the frame of the Prepare Write Request.
    ///   - isCut: whether the recorder truncated the part.
    mutating func add(
        _ value: RawSpan, to handle: UInt16, offset: UInt16, frame: FramePlace, isCut: Bool
    ) -> Bool {
        guard !isIncomplete else { return true }
        guard parts.count < Self.partLimit, octets.count &+ value.byteCount <= Self.octetLimit else {
            isIncomplete = true
            return false
        }
        var part = Part(frame: frame, handle: handle, offset: offset)
        if !isCut {
            part.octets = octets.count..<octets.count &+ value.byteCount
            octets += value.copied()
        }
        parts.append(part)
        return true
    }

    /// Removes the part that a frame prepared, since the server refused it.
    mutating func remove(frame: FramePlace) {
        guard let index = parts.lastIndex(where: { $0.frame == frame }) else { return }
        parts.remove(at: index)
        // Free the bytes at the end that no other part uses.
        let end = parts.reduce(0) { max($0, $1.octets?.upperBound ?? 0) }
        if end < octets.count { octets.removeLast(octets.count &- end) }
    }

    /// The values that the queue writes, without those with gaps, in the order of their first parts.
    ///
    /// Each part goes to its offset, over earlier parts. A part with offset 0 that overlaps earlier parts
    /// starts another value of the attribute.
    var values: [Value] {
        guard !isIncomplete else { return [] }
        var values: [Assembly] = []
        for part in parts {
            let offset = Int(part.offset)
            let count = part.octets?.count ?? 0
            let known = values.lastIndex { $0.handle == part.handle }
            let startsOver = known.map { index in
                offset == 0 && values[index].filled.contains { $0.lowerBound < max(count, 1) }
            }
            let index: Int
            if let known, startsOver == false {
                index = known
            } else {
                index = values.count
                values.append(Assembly(handle: part.handle))
            }
            guard let place = part.octets, offset &+ count <= Self.valueLimit else {
                values[index].hasHole = true
                continue
            }
            values[index].put(octets[place], at: offset)
        }
        return values.filter(\.isWhole).map { Value(handle: $0.handle, octets: $0.octets) }
    }
}
