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
    /// Milliseconds until the writing has to end by itself, as the one who reads the clock says; -1 where it
    /// has no end.
    var left: (() -> Int32)?
    /// Whether the writing has to end: from here on a pipe that takes nothing is waited for only so often.
    var isEnding = false
    private var waitsLeft = 20
    /// Where in the buffer records begin, so that a file can be cut behind a whole one.
    private var starts: [Int] = []
    /// The buffer's memory where another process sees it too; nil where it is this output's alone.
    private var room: WriteRoom?

    static let initialCapacity = 256 << 10
    /// Milliseconds of one of the waits for a pipe's reader once the writing has to end.
    private static let patience: Int32 = 100
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
        if room == nil { unsafe base.deallocate() }
        if let descriptor { close(descriptor) }
    }

    /// Moves the buffer into memory that another process sees too, before anything is handed over; whether
    /// that could be done.
    mutating func share(_ memory: Int32) -> Bool {
        guard descriptor != nil, written == 0, room == nil, count <= WriteRoom.capacity,
            let shared = WriteRoom(memory)
        else { return false }
        // Safe: the new buffer holds as much as was just checked; the old one is this output's own.
        unsafe shared.buffer.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = shared.buffer
        capacity = WriteRoom.capacity
        shared.endWriting(at: 0)
        shared.whole = count
        room = shared
        return true
    }

    /// Makes room for a record of `length` octets, handing over the records before it where there is none.
    mutating func reserve(_ length: Int) throws(CaptureFileError) {
        if capacity &- count < length {
            if descriptor != nil { try flush() }
            if capacity &- count < length { grow(length) }
        }
        if descriptor != nil { starts.append(count) }
        // What stands before the next record is whole.
        room?.whole = count
    }

    private mutating func grow(_ length: Int) {
        let larger = max(2 &* capacity, count &+ length)
        // Safe: the new buffer is larger than what the old one holds.
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe moved.copyMemory(from: base, byteCount: count)
        if room == nil { unsafe base.deallocate() }
        // No room that is shared is as large; here all before was handed over.
        room = nil
        unsafe base = moved
        capacity = larger
    }

    /// Hands over all that is in the buffer.
    mutating func flush() throws(CaptureFileError) {
        guard let descriptor else { return }
        room?.beginWriting(count, starts: starts)
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
        empty()
    }

    private mutating func empty() {
        count = 0
        starts.removeAll(keepingCapacity: true)
        room?.endWriting(at: written)
    }

    /// How many octets may be written now without waiting for long: all, or where a stop is watched, as many
    /// as a pipe takes; false where it takes none and the writing has to end.
    private mutating func room(_ descriptor: Int32, for length: Int) -> (step: Int, wentWell: Bool) {
        guard let stop else { return (length, true) }
        var wanted = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        if !isEnding {
            // Safe: the kernel fills as many structures as the array has.
            while unsafe poll(&wanted, 2, left?() ?? -1) < 0 && errno == EINTR {}
            isEnding = wanted[0].revents == 0
        }
        // An interrupted wait counts as well: it ends sooner, and so does the program.
        var tries = isEnding ? waitsLeft &+ 1 : 0
        while tries > 0, wanted[0].revents == 0 {
            tries &-= 1
            // Safe: the kernel fills the first structure of the array.
            if unsafe poll(&wanted, 1, Self.patience) <= 0 { waitsLeft = max(0, waitsLeft &- 1) }
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

    /// Takes a record that was written in part off the end of a file (the disk is full), and keeps the whole
    /// ones before it; pipes keep it.
    private mutating func cutBack(_ descriptor: Int32, _ partly: Int) {
        let whole = (starts.last { $0 <= partly } ?? 0)
        if partly > 0 && lseek(descriptor, 0, SEEK_CUR) == written &+ partly {
            if ftruncate(descriptor, written &+ whole) == 0 { lseek(descriptor, written &+ whole, SEEK_SET) }
            written &+= whole
        }
        empty()
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
