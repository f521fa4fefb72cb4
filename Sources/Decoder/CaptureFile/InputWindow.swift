import Glibc
import WireBytes

/// The octets of a file or pipe, seen through one buffer that moves forward.
///
/// A reader asks for the octets it needs next; what it has consumed is given up. The buffer grows only as far
/// as one request needs, and requests are bounded by their format, so memory does not depend on the file.
@safe
struct InputWindow: ~Copyable {
    /// Where octets come from.
    enum Source {
        /// A descriptor that this window closes.
        case descriptor(Int32)
        /// Octets that are all in the buffer.
        case memory
    }

    static let initialCapacity = 256 << 10

    private let source: Source
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var start = 0
    private var end = 0
    private var sourceEnded = false
    /// Octets from the start of the input to the first octet that was not consumed.
    private(set) var offset = 0
    /// Why reading failed; what was read before it stays usable.
    private(set) var failure: CaptureFileError.Cause?

    /// A window over a descriptor, which it owns from here on.
    init(descriptor: Int32) {
        source = .descriptor(descriptor)
        capacity = Self.initialCapacity
        // Safe: owned by this window alone, and freed when it ends.
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    }

    /// A window over octets in memory.
    init(_ octets: [UInt8]) {
        source = .memory
        capacity = max(octets.count, 1)
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        // Safe: the buffer was made as large as the array.
        unsafe octets.withUnsafeBytes {
            if let from = $0.baseAddress { unsafe base.copyMemory(from: from, byteCount: $0.count) }
        }
        end = octets.count
        sourceEnded = true
    }

    deinit {
        // Safe: allocated by this window, which can't be copied.
        unsafe base.deallocate()
        if case .descriptor(let descriptor) = source { close(descriptor) }
    }

    /// Octets that are in the buffer and not consumed.
    var available: Int { end &- start }

    /// Whether `count` octets can be had, reading more where they are not yet in the buffer.
    mutating func holds(_ count: Int) -> Bool {
        if available >= count { return true }
        return fill(count)
    }

    private mutating func fill(_ count: Int) -> Bool {
        if case .memory = source { return false }
        if start > 0 {
            // Safe: `start..<end` lies within the buffer, and so does the place it moves to.
            unsafe base.copyMemory(from: base + start, byteCount: available)
            end = available
            start = 0
        }
        if count > capacity { enlarge(to: count) }
        while end < count && !sourceEnded { readMore() }
        return end >= count
    }

    private mutating func enlarge(to count: Int) {
        let larger = max(count, 2 * capacity)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        // Safe: `end` octets of the old buffer are in use and fit in the new one.
        unsafe moved.copyMemory(from: base, byteCount: end)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    private mutating func readMore() {
        guard case .descriptor(let descriptor) = source else { return }
        // Safe: the kernel writes at most the octets between `end` and `capacity`.
        let count = unsafe read(descriptor, base + end, capacity &- end)
        if count > 0 {
            end &+= count
        } else if count == 0 {
            sourceEnded = true
        } else if errno != EINTR {
            failure = .system(call: "read", errno: errno)
            sourceEnded = true
        }
    }

    /// Gives up the next `count` octets, which must be available.
    mutating func consume(_ count: Int) {
        let taken = min(count, available)
        start &+= taken
        offset &+= taken
    }

    /// The record whose octets start `skip` octets ahead, and its options `options` ahead; consumes `total`
    /// octets. The spans are valid until the window moves.
    @inline(__always)
    @_lifetime(&self)
    mutating func deliver(
        _ header: RecordHeader, after skip: Int, options: Range<Int> = 0..<0,
        order: OctetOrder = .leastSignificantFirst, consuming total: Int
    ) -> Record {
        let from = min(start &+ max(0, skip), end)
        let length = min(max(0, header.capturedLength), end &- from)
        let optionsFrom = min(start &+ max(0, options.lowerBound), end)
        let optionsLength = min(options.count, end &- optionsFrom)
        consume(total)
        // Safe: all were clamped to the octets in the buffer, which stay in place until the next fill.
        let octets = unsafe UnsafeRawBufferPointer(start: base + from, count: length)
        let optionOctets = unsafe UnsafeRawBufferPointer(start: base + optionsFrom, count: optionsLength)
        let record = unsafe Record(header, octets, options: optionOctets, order)
        return unsafe _overrideLifetime(record, mutating: &self)
    }

    /// `count` octets that start `skip` octets ahead, or as many as are available; valid until the window moves.
    @_lifetime(borrow self)
    func next(_ skip: Int, _ count: Int) -> RawSpan {
        let from = min(start &+ max(0, skip), end)
        let length = min(max(0, count), end &- from)
        // Safe: both were clamped to the octets that are in the buffer.
        let buffer = unsafe UnsafeRawBufferPointer(start: base + from, count: length)
        return unsafe _overrideLifetime(buffer.bytes, borrowing: self)
    }
}

// Fields of a header that is in the buffer; 0 where it is not.
extension InputWindow {
    @inline(__always)
    func u8(_ skip: Int) -> UInt8 { next(skip, 1).octet(at: 0) ?? 0 }

    @inline(__always)
    func u16(_ skip: Int, _ order: OctetOrder) -> UInt16 { next(skip, 2).u16(0, order) }

    @inline(__always)
    func u32(_ skip: Int, _ order: OctetOrder) -> UInt32 { next(skip, 4).u32(0, order) }

    @inline(__always)
    func u64(_ skip: Int, _ order: OctetOrder) -> UInt64 { next(skip, 8).u64(0, order) }
}
