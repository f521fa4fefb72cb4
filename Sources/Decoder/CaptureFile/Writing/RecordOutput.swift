import Glibc
import WireBytes

/// Where records are written to: whole records are collected in one buffer and handed over together, so that
/// what is in the file ends with a whole record whenever the program ends.
@safe
struct RecordOutput: ~Copyable {
    /// The descriptor, which this output closes; nil where the octets stay in memory.
    private let descriptor: Int32?
    private let name: String
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// Octets in the buffer.
    private(set) var count = 0
    /// Octets handed over to the descriptor.
    private(set) var written = 0

    /// Where a pipe takes the octets: a descriptor that becomes readable when the writing has to end, so that
    /// a reader that has stopped reading can't hold the program.
    var stop: Int32?

    static let initialCapacity = 256 << 10
    /// Milliseconds that a pipe's reader has to go on reading once the writing has to end.
    private static let patience: Int32 = 2000
    /// Octets that a pipe takes at once where it takes any (PIPE_BUF).
    private static let pipeStep = 4096

    init(descriptor: Int32?, name: String) {
        self.descriptor = descriptor
        self.name = name
        capacity = Self.initialCapacity
        // Safe: owned by this output alone, and freed when it ends.
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        // Safe: allocated by this output, which can't be copied.
        unsafe base.deallocate()
        if let descriptor { close(descriptor) }
    }

    /// Makes room for a record of `length` octets, handing over the records before it where there is none.
    mutating func reserve(_ length: Int) throws(CaptureFileError) {
        if capacity &- count >= length { return }
        if descriptor != nil { try flush() }
        if capacity &- count >= length { return }
        let larger = max(2 &* capacity, count &+ length)
        // Safe: the new buffer is larger than what the old one holds.
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe moved.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    /// Hands over all that is in the buffer.
    mutating func flush() throws(CaptureFileError) {
        guard let descriptor else { return }
        var place = 0
        while place < count {
            let (step, wentWell) = room(descriptor, for: count &- place)
            // Safe: the octets up to `count` are in the buffer.
            let done = wentWell ? unsafe write(descriptor, base + place, step) : -1
            if done >= 0 {
                place &+= done
            } else if !wentWell || errno != EINTR {
                let code = wentWell ? errno : ETIMEDOUT
                cutBack(descriptor, place)
                throw CaptureFileError(
                    .system(call: "write", errno: code), file: name, fileOffset: written)
            }
        }
        written &+= count
        count = 0
    }

    /// How many octets may be written now without waiting for long: all, or where a stop is watched, as many
    /// as a pipe takes; false where it takes none and the writing has to end.
    private func room(_ descriptor: Int32, for length: Int) -> (step: Int, wentWell: Bool) {
        guard let stop else { return (length, true) }
        var wanted = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        // Safe: the kernel fills as many structures as the array has.
        while unsafe poll(&wanted, 2, -1) < 0 && errno == EINTR {}
        if wanted[0].revents == 0 {
            // Safe: the kernel fills the first structure of the array.
            while unsafe poll(&wanted, 1, Self.patience) < 0 && errno == EINTR {}
        }
        return (min(length, Self.pipeStep), wanted[0].revents != 0)
    }

    /// Waits until what was handed over is on the disk; pipes have none.
    func sync() throws(CaptureFileError) {
        guard let descriptor, fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
        throw CaptureFileError(.system(call: "write", errno: errno), file: name, fileOffset: written)
    }

    /// Whether the file has no name any more: what is written to it is gone with its end.
    var isRemoved: Bool {
        guard let descriptor else { return false }
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return status.st_nlink == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Takes a record that was written in part off the end of a file (the disk is full): pipes keep it.
    private mutating func cutBack(_ descriptor: Int32, _ partly: Int) {
        if partly > 0 && lseek(descriptor, 0, SEEK_CUR) == written &+ partly {
            _ = ftruncate(descriptor, written)
        }
        count = 0
    }

    /// Hands over what is left and closes.
    consuming func finish() throws(CaptureFileError) {
        try flush()
    }

    /// What has been written, where it stays in memory.
    func collected() -> [UInt8] {
        // Safe: the octets up to `count` are in the buffer.
        unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Appends an integer; room has been reserved for it.
    @inline(__always)
    mutating func put<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, _ order: OctetOrder) {
        guard capacity &- count >= MemoryLayout<T>.size else { return }
        // Safe: the guard above proved that there is room.
        unsafe base.storeBytes(
            of: order == .leastSignificantFirst ? value.littleEndian : value.bigEndian, toByteOffset: count,
            as: T.self)
        count &+= MemoryLayout<T>.size
    }

    /// Appends octets; room has been reserved for them.
    @inline(__always)
    mutating func put(_ octets: RawSpan) {
        guard capacity &- count >= octets.byteCount else { return }
        // Safe: the guard above proved that there is room.
        unsafe octets.withUnsafeBytes {
            if let from = $0.baseAddress { unsafe (base + count).copyMemory(from: from, byteCount: $0.count) }
        }
        count &+= octets.byteCount
    }

    /// Appends zeros up to a multiple of four octets after `length` of them.
    @inline(__always)
    mutating func fill(after length: Int) {
        for _ in length..<Pcapng.padded(length) { put(UInt8(0), .leastSignificantFirst) }
    }
}
