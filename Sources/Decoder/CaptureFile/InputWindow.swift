import Glibc

/// The bytes of a file or pipe, seen through one buffer that moves forward.
///
/// A reader asks for the bytes it needs next; consumed bytes are discarded. The buffer grows only as far as
/// one request needs, and requests are bounded by their format, so memory does not depend on the file.
@safe
struct InputWindow: ~Copyable {
    enum Source {
        case descriptor(OwnedDescriptor)
        /// An entry that is being unpacked.
        case archive(ArchiveStream)
        /// Bytes that are all in the buffer.
        case memory
    }

    static let initialCapacity = 256 << 10
    /// Capacity of each window when many are open at once.
    static let capacityOfMany = 64 << 10

    private let source: Source
    private var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    /// Bytes behind the buffer for packets that don't lie in the input as a whole.
    private var annex = 0
    /// Capacity that it returns to after a request that needed more.
    private let usual: Int
    private var start = 0
    private var end = 0
    private var sourceEnded = false
    /// Bytes from the start of the input to the first byte not consumed.
    private(set) var offset = 0
    /// Reason why reading failed; the bytes read before stay usable.
    private(set) var failure: CaptureFileError.Cause?
    /// Reason why the source ends early, if it does.
    private let ending: CaptureFileError.Cause?

    /// A window over `head`, which was read already, and the source's further bytes.
    private init(
        _ source: Source, head: [UInt8], capacity: Int, ending: CaptureFileError.Cause? = nil
    ) {
        self.source = source
        self.ending = ending
        usual = max(head.count, capacity)
        self.capacity = usual
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 16)
        // Safe: the buffer was made at least as large as the array.
        unsafe head.withUnsafeBytes {
            if let from = $0.baseAddress { unsafe base.copyMemory(from: from, byteCount: $0.count) }
        }
        end = head.count
    }

    /// A window over a descriptor; `head` was read from it already, and `ending` is the reason why the
    /// descriptor's data ends early, if it does.
    init(
        descriptor: OwnedDescriptor, head: [UInt8] = [], ending: CaptureFileError.Cause? = nil,
        capacity: Int = initialCapacity
    ) {
        self.init(.descriptor(descriptor), head: head, capacity: capacity, ending: ending)
    }

    /// A window over an unpacked entry; `head` was unpacked already.
    init(_ stream: ArchiveStream, head: [UInt8] = []) {
        self.init(.archive(stream), head: head, capacity: Self.initialCapacity)
    }

    /// A window over bytes in memory; `failure` is the reason why more are missing, if any are.
    init(_ octets: [UInt8], failure: CaptureFileError.Cause? = nil) {
        self.init(.memory, head: octets, capacity: 1)
        sourceEnded = true
        self.failure = failure
    }

    deinit {
        // Safe: allocated by this window, which can't be copied.
        unsafe base.deallocate()
    }

    /// Bytes in the buffer that are not consumed.
    var available: Int { end &- start }

    /// Whether `count` bytes are available, reading more if they are not yet in the buffer.
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
        if count > capacity {
            resize(to: max(count, 2 * capacity))
        } else if capacity > usual && max(count, end) <= usual {
            resize(to: usual)
        }
        // Beyond the usual capacity only what was requested, so that the buffer can shrink again.
        let limit = max(count, usual)
        while end < count && !sourceEnded { readMore(to: limit) }
        return end >= count
    }

    /// Moves the used bytes, which must fit, into a buffer of another size.
    private mutating func resize(to count: Int) {
        let moved = UnsafeMutableRawPointer.allocate(byteCount: count &+ annex, alignment: 16)
        // Safe: `end` bytes of the old buffer are in use and fit in the new one.
        unsafe moved.copyMemory(from: base, byteCount: end)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = count
    }

    /// Copies a packet behind the buffer, and returns its place; valid until the window is filled again.
    mutating func lend(_ packet: [UInt8]) -> Range<Int> {
        if packet.count > annex {
            annex = max(packet.count, 4096)
            resize(to: capacity)
        }
        // Safe: the annex, which follows the buffer, has been made at least as long as the packet.
        unsafe packet.withUnsafeBytes {
            if let from = $0.baseAddress {
                unsafe (base + capacity).copyMemory(from: from, byteCount: $0.count)
            }
        }
        return capacity..<capacity &+ packet.count
    }

    /// Reads some more bytes into the buffer, at most up to `limit`, which is after its end.
    private mutating func readMore(to limit: Int) {
        let count: Int
        switch source {
        case .memory: return
        case .descriptor(let descriptor):
            // Safe: the kernel writes at most the bytes between `end` and `limit`, which the buffer holds.
            count = unsafe descriptor.read(into: base + end, count: limit &- end)
        case .archive(let stream):
            do throws(ArchiveStream.Problem) {
                // Safe: the stream writes at most the bytes between `end` and `limit`, as above.
                count = unsafe try stream.read(into: base + end, count: limit &- end)
            } catch {
                failure = error.cause
                sourceEnded = true
                return
            }
        }
        if count > 0 {
            end &+= count
        } else if count == 0 {
            failure = ending
            sourceEnded = true
        } else {
            failure = .system(call: "read", errno: errno)
            sourceEnded = true
        }
    }

    /// Whether a read beyond the buffer would block: a pipe or a terminal without data. Files, archives and
    /// ended sources never block.
    var mustWait: Bool {
        guard case .descriptor(let descriptor) = source, !sourceEnded else { return false }
        var wanted = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        return unsafe poll(&wanted, 1, 0) == 0
    }

    /// Discards the next `count` bytes, which must be available.
    mutating func consume(_ count: Int) {
        let taken = min(count, available)
        start &+= taken
        offset &+= taken
    }

    /// The place in the buffer of `count` bytes from `skip` bytes ahead, cut to what is available.
    @inline(__always)
    func place(at skip: Int, count: Int) -> Range<Int> {
        let from = min(start &+ max(0, skip), end)
        return from..<from &+ min(max(0, count), end &- from)
    }

    /// The record with its bytes and options at these places, which must come from ``place(at:count:)`` since
    /// the last fill. It is valid until the window is filled again, and the caller must bind its lifetime to
    /// that.
    @inline(__always)
    @unsafe
    @_lifetime(immortal)
    func record(
        _ header: RecordHeader, at octets: Range<Int>, options: Range<Int>, _ order: OctetOrder
    ) -> Record {
        // Safe: both were clamped to the bytes in the buffer, which stay in place until the next fill.
        unsafe Record(
            header, UnsafeRawBufferPointer(start: base + octets.lowerBound, count: octets.count),
            options: UnsafeRawBufferPointer(start: base + options.lowerBound, count: options.count), order)
    }

    /// Up to `count` available bytes that start `skip` bytes ahead; valid until the window moves.
    @_lifetime(borrow self)
    func next(at skip: Int, count: Int) -> RawSpan {
        let from = min(start &+ max(0, skip), end)
        let length = min(max(0, count), end &- from)
        // Safe: both were clamped to the bytes that are in the buffer.
        let buffer = unsafe UnsafeRawBufferPointer(start: base + from, count: length)
        return unsafe _overrideLifetime(buffer.bytes, borrowing: self)
    }
}

// Fields of a header in the buffer; 0 if they are outside it.
extension InputWindow {
    @inline(__always)
    private func load<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, at skip: Int) -> T {
        guard skip >= 0, skip <= available &- MemoryLayout<T>.size else { return 0 }
        // Safe: the guard above proved that all bytes of the integer are in the buffer.
        return unsafe (base + start + skip).loadUnaligned(as: T.self)
    }

    @inline(__always)
    func u8(at skip: Int) -> UInt8 { load(UInt8.self, at: skip) }

    @inline(__always)
    func u16(at skip: Int, _ order: OctetOrder) -> UInt16 { order.value(load(UInt16.self, at: skip)) }

    @inline(__always)
    func u32(at skip: Int, _ order: OctetOrder) -> UInt32 { order.value(load(UInt32.self, at: skip)) }

    /// Three consecutive 64-bit integers.
    @inline(__always)
    func u64s(at skip: Int, _ order: OctetOrder) -> (UInt64, UInt64, UInt64) {
        guard skip >= 0, skip <= available &- 24 else { return (0, 0, 0) }
        // Safe: the guard above proved that all bytes of the three are in the buffer.
        return unsafe (
            order.value((base + start + skip).loadUnaligned(as: UInt64.self)),
            order.value((base + start + skip + 8).loadUnaligned(as: UInt64.self)),
            order.value((base + start + skip + 16).loadUnaligned(as: UInt64.self))
        )
    }

    @inline(__always)
    func u64(at skip: Int, _ order: OctetOrder) -> UInt64 { order.value(load(UInt64.self, at: skip)) }
}

// Lines of text.
extension InputWindow {
    /// Length of the next line with its line end, at most `limit`; nil at the end.
    mutating func lineLength(atMost limit: Int) -> Int? {
        var searched = 0
        while holds(searched &+ 1) {
            let count = min(available, limit) &- searched
            // Safe: `count` bytes from there are in the buffer.
            if let found = unsafe memchr(base + start + searched, 0x0A, count) {
                return unsafe UnsafeMutableRawPointer(found) - (base + start) &+ 1
            }
            searched &+= count
            if searched >= limit { return searched }
        }
        return searched > 0 ? searched : nil
    }

    mutating func starts(with text: [UInt8]) -> Bool {
        guard holds(text.count) else { return false }
        for index in 0..<text.count where u8(at: index) != text[index] { return false }
        return true
    }
}
