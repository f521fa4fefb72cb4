import Glibc

/// Destination of records: whole records are collected in one buffer and written together, so that the file
/// ends with a whole record whenever the program ends.
@safe
struct RecordOutput: ~Copyable {
    /// The descriptor, which this output closes; nil to keep the bytes in memory.
    private let descriptor: Int32?
    private let name: String
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    private(set) var written = 0

    /// For a pipe: a descriptor that becomes readable when writing has to end, so that a reader that has
    /// stopped reading can't block the program.
    var stop: Int32?
    /// Returns the milliseconds until writing has to end, by the caller's clock; -1 for no limit.
    var left: (() -> Int32)?
    /// Whether writing has to end: from then on the number of waits for a blocked pipe is limited.
    var isEnding = false
    private var waitsLeft = 20
    /// Starts of the records in the buffer, for cutting the file after a whole one.
    private var starts: [Int] = []
    /// The buffer's memory if it is shared with another process; else nil.
    private var room: WriteRoom?

    static let initialCapacity = 256 << 10
    /// Milliseconds of each wait for a pipe's reader once writing has to end.
    private static let patience: Int32 = 100
    /// Bytes that a writable pipe accepts at once (PIPE_BUF).
    private static let pipeStep = 4096

    init(descriptor: Int32?, name: String) {
        self.descriptor = descriptor
        self.name = name
        capacity = Self.initialCapacity
        // Safe: owned only by this output, and freed when it ends.
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        // Safe: allocated by this output, which can't be copied.
        if room == nil { unsafe base.deallocate() }
        if let descriptor { close(descriptor) }
    }

    /// Moves the buffer into memory shared with another process, before anything is written; returns whether
    /// that succeeded.
    mutating func share(_ memory: Int32) -> Bool {
        guard descriptor != nil, written == 0, room == nil, count <= WriteRoom.capacity,
            let shared = WriteRoom(memory)
        else { return false }
        // Safe: the new buffer's size was just checked; the old one is owned by this output.
        unsafe shared.buffer.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = shared.buffer
        capacity = WriteRoom.capacity
        shared.endWriting(at: 0)
        shared.whole = count
        room = shared
        return true
    }

    /// Makes room for a record of `length` bytes, writing the buffered records if necessary.
    mutating func reserve(_ length: Int) throws(CaptureFileError) {
        if capacity &- count < length {
            if descriptor != nil { try flush() }
            if capacity &- count < length { grow(length) }
        }
        if descriptor != nil { starts.append(count) }
        // Everything before the next record is whole.
        room?.whole = count
    }

    private mutating func grow(_ length: Int) {
        let larger = max(2 &* capacity, count &+ length)
        // Safe: the new buffer is larger than the contents of the old one.
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe moved.copyMemory(from: base, byteCount: count)
        if room == nil { unsafe base.deallocate() }
        // Shared memory can't grow; everything before was written.
        room = nil
        unsafe base = moved
        capacity = larger
    }

    /// Writes everything in the buffer.
    mutating func flush() throws(CaptureFileError) {
        guard let descriptor else { return }
        room?.beginWriting(count, starts: starts)
        var place = 0
        while place < count {
            let (step, wentWell) = room(descriptor, for: count &- place)
            // Safe: the bytes up to `count` are in the buffer.
            let done = wentWell ? unsafe write(descriptor, base + place, step) : -1
            if done >= 0 {
                place &+= done
            } else if !wentWell || errno != EINTR {
                let code = wentWell ? errno : ETIMEDOUT
                cutBack(descriptor, partly: place)
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

    /// Returns the number of bytes that can be written without a long wait: all, or what a pipe accepts if
    /// there is a stop descriptor; `wentWell` is false if the pipe is blocked and writing has to end.
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
        // An interrupted wait counts too, since it is shorter and the program ends sooner.
        var tries = isEnding ? waitsLeft &+ 1 : 0
        while tries > 0, wanted[0].revents == 0 {
            tries &-= 1
            // Safe: the kernel fills the first structure of the array.
            if unsafe poll(&wanted, 1, Self.patience) <= 0 { waitsLeft = max(0, waitsLeft &- 1) }
        }
        return (min(length, Self.pipeStep), wanted[0].revents != 0)
    }

    /// Waits until the written data is on the disk; does nothing for pipes.
    func sync() throws(CaptureFileError) {
        guard let descriptor, fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
        throw CaptureFileError(.system(call: "write", errno: errno), file: name, fileOffset: written)
    }

    /// Whether the file was deleted, so that its content is lost when it is closed.
    var isRemoved: Bool {
        guard let descriptor else { return false }
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return status.st_nlink == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Removes a partially written record from the end of a file (the disk is full), and keeps the whole ones
    /// before it; a pipe can't be cut.
    private mutating func cutBack(_ descriptor: Int32, partly: Int) {
        let whole = (starts.last { $0 <= partly } ?? 0)
        if partly > 0 && lseek(descriptor, 0, SEEK_CUR) == written &+ partly {
            if ftruncate(descriptor, written &+ whole) == 0 { lseek(descriptor, written &+ whole, SEEK_SET) }
            written &+= whole
        }
        empty()
    }

    /// The file so far, if it is kept in memory.
    func collected() -> [UInt8] {
        // Safe: the bytes up to `count` are in the buffer.
        unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Appends an integer, for which room was reserved.
    @inline(__always)
    mutating func put<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, _ order: OctetOrder) {
        guard capacity &- count >= MemoryLayout<T>.size else { return }
        // Safe: the guard above proved that there is room.
        unsafe base.storeBytes(
            of: order == .leastSignificantFirst ? value.littleEndian : value.bigEndian, toByteOffset: count,
            as: T.self)
        count &+= MemoryLayout<T>.size
    }

    /// Appends bytes, for which room was reserved.
    @inline(__always)
    mutating func put(_ octets: RawSpan) {
        guard capacity &- count >= octets.byteCount else { return }
        // Safe: the guard above proved that there is room.
        unsafe octets.withUnsafeBytes {
            if let from = $0.baseAddress { unsafe (base + count).copyMemory(from: from, byteCount: $0.count) }
        }
        count &+= octets.byteCount
    }

    /// Appends zeros after `length` bytes, up to a multiple of four.
    @inline(__always)
    mutating func fill(after length: Int) {
        for _ in length..<Pcapng.padded(length) { put(UInt8(0), .leastSignificantFirst) }
    }
}
