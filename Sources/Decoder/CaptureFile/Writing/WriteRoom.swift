import Glibc
import Synchronization

/// The memory in which records wait to be written, where a second process sees it too: if the recorder is
/// killed, in the middle of a write or before one, the other puts into the file what is not in it yet.
///
/// The kernel ends a write for SIGKILL between two pages, so no order of writing keeps a record whole. Here
/// each step is one store of a word, and whatever the last one was, the words and the file's length say what
/// is missing. Words in the order of the machine:
///
///     0     where in the file the buffer begins
///     8     octets at the buffer's start that are whole records
///     16    marks that are valid: while a write is under way, where its records begin
///     4096  marks, of four octets
///     69632 the buffer
@safe
final class WriteRoom {
    private let base: UnsafeMutableRawPointer

    /// Marks, at most; records of a full buffer beyond them have none.
    static let mostMarks = 16_384
    private static let marksOffset = 4096
    private static let bufferOffset = marksOffset + 4 * mostMarks
    /// Octets of the buffer.
    static let capacity = 256 << 10
    /// Octets of the whole.
    static let length = bufferOffset + capacity

    /// Maps the memory of a descriptor; nil where it has not the right length, or can't be mapped.
    init?(_ descriptor: Int32) {
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(descriptor, &status) == 0, Int(status.st_size) == Self.length else { return nil }
        // Safe: a new mapping of as many octets as the file has, which this room alone owns.
        let mapped = unsafe mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { return nil }
        unsafe base = mapped
    }

    // Safe: mapped by this room, which is used no more.
    deinit { unsafe munmap(base, Self.length) }

    /// The buffer.
    var buffer: UnsafeMutableRawPointer {
        // Safe: the mapping has `capacity` octets from there on.
        unsafe base + Self.bufferOffset
    }

    private func set(_ index: Int, _ value: Int) {
        // Safe: three words of eight octets lie in the first page, and only as such are they ever reached.
        let words = unsafe base.assumingMemoryBound(to: Atomic<UInt64>.self)
        unsafe words[index].store(UInt64(max(0, value)), ordering: .sequentiallyConsistent)
    }

    private func word(_ index: Int) -> Int {
        // Safe: as above.
        let words = unsafe base.assumingMemoryBound(to: Atomic<UInt64>.self)
        return Int(clamping: unsafe words[index].load(ordering: .sequentiallyConsistent))
    }

    /// Where in the file the buffer begins.
    var start: Int { word(0) }

    /// Octets at the buffer's start that are whole records.
    var whole: Int {
        get { word(1) }
        set { set(1, newValue) }
    }

    /// Where the records begin that are being written.
    var marks: [Int] {
        (0..<min(Self.mostMarks, word(2))).map {
            // Safe: the index is below the number of marks that there is room for.
            Int(unsafe base.load(fromByteOffset: Self.marksOffset + 4 * $0, as: UInt32.self))
        }
    }

    /// Says that the buffer's octets are being written from here on.
    func beginWriting(_ count: Int, starts: [Int]) {
        whole = count
        for (index, start) in starts.prefix(Self.mostMarks).enumerated() {
            // Safe: as above.
            unsafe base.storeBytes(
                of: UInt32(clamping: start), toByteOffset: Self.marksOffset + 4 * index, as: UInt32.self)
        }
        set(2, min(Self.mostMarks, starts.count))
    }

    /// Says that all is in the file, and where the emptied buffer begins.
    func endWriting(at start: Int) {
        whole = 0
        set(2, 0)
        set(0, start)
    }
}
