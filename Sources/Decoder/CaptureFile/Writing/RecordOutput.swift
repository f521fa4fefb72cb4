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

    static let initialCapacity = 256 << 10

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
            // Safe: the octets up to `count` are in the buffer.
            let done = unsafe write(descriptor, base + place, count &- place)
            if done >= 0 {
                place &+= done
            } else if errno != EINTR {
                let code = errno
                cutBack(descriptor, place)
                throw CaptureFileError(
                    .system(call: "write", errno: code), file: name, fileOffset: written)
            }
        }
        written &+= count
        count = 0
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
