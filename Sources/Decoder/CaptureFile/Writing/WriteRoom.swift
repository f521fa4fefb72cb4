import Glibc
import Synchronization

/// Memory for records waiting to be written, shared with a second process: if the recorder is killed, during
/// a write or before one, the other process completes the file.
///
/// On SIGKILL the kernel ends a write between two pages, so no order of writing keeps a record whole. Here
/// each step is one store of a word, and after any of them the words and the file's length tell what is
/// missing. Words in the machine's byte order:
///
///     0     offset of the buffer in the file
///     8     bytes of whole records at the buffer's start
///     16    number of valid marks: the starts of the records while they are written
///     4096  marks of four bytes
///     69632 the buffer
@safe
final class WriteRoom {
    private let base: UnsafeMutableRawPointer

    /// Most marks; records of a full buffer beyond them have none.
    static let mostMarks = 16_384
    private static let marksOffset = 4096
    private static let bufferOffset = marksOffset + 4 * mostMarks
    /// Size of the buffer in bytes.
    static let capacity = 256 << 10
    /// Size of the whole memory in bytes.
    static let length = bufferOffset + capacity

    /// Maps the memory of a descriptor; returns nil if it has the wrong length or can't be mapped.
    init?(_ descriptor: Int32) {
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(descriptor, &status) == 0, Int(status.st_size) == Self.length else { return nil }
        // Safe: a new mapping of the file's length, owned only by this room.
        let mapped = unsafe mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { return nil }
        unsafe base = mapped
    }

    // Safe: mapped by this room, which is no longer used.
    deinit { unsafe munmap(base, Self.length) }

    var buffer: UnsafeMutableRawPointer {
        // Safe: the mapping has `capacity` bytes from there on.
        unsafe base + Self.bufferOffset
    }

    private func set(_ index: Int, _ value: Int) {
        // Safe: three words of eight bytes are in the first page, and are only accessed as such.
        let words = unsafe base.assumingMemoryBound(to: Atomic<UInt64>.self)
        unsafe words[index].store(UInt64(max(0, value)), ordering: .sequentiallyConsistent)
    }

    private func word(_ index: Int) -> Int {
        // Safe: as above.
        let words = unsafe base.assumingMemoryBound(to: Atomic<UInt64>.self)
        return Int(clamping: unsafe words[index].load(ordering: .sequentiallyConsistent))
    }

    /// Offset of the buffer in the file.
    var start: Int { word(0) }

    /// Bytes of whole records at the buffer's start.
    var whole: Int {
        get { word(1) }
        set { set(1, newValue) }
    }

    /// Starts of the records that are being written.
    var marks: [Int] {
        (0..<min(Self.mostMarks, word(2))).map {
            // Safe: the index is below the number of marks in the memory.
            Int(unsafe base.load(fromByteOffset: Self.marksOffset + 4 * $0, as: UInt32.self))
        }
    }

    /// Marks the buffer's bytes as being written from now on.
    func beginWriting(_ count: Int, starts: [Int]) {
        whole = count
        for (index, start) in starts.prefix(Self.mostMarks).enumerated() {
            // Safe: as above.
            unsafe base.storeBytes(
                of: UInt32(clamping: start), toByteOffset: Self.marksOffset + 4 * index, as: UInt32.self)
        }
        set(2, min(Self.mostMarks, starts.count))
    }

    /// Marks everything as written, and sets the offset of the emptied buffer.
    func endWriting(at start: Int) {
        whole = 0
        set(2, 0)
        set(0, start)
    }
}
