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

    private func set(word index: Int, to value: Int) {
        // Safe: three words of eight bytes are in the first page, and are only accessed as such.
        let words = unsafe base.assumingMemoryBound(to: Atomic<UInt64>.self)
        unsafe words[index].store(UInt64(max(0, value)), ordering: .sequentiallyConsistent)
    }

    private func word(at index: Int) -> Int {
        // Safe: as above.
        let words = unsafe base.assumingMemoryBound(to: Atomic<UInt64>.self)
        return Int(clamping: unsafe words[index].load(ordering: .sequentiallyConsistent))
    }

    /// Offset of the buffer in the file.
    var start: Int { word(at: 0) }

    /// Bytes of whole records at the buffer's start.
    var whole: Int {
        get { word(at: 1) }
        set { set(word: 1, to: newValue) }
    }

    /// Starts of the records that are being written.
    var marks: [Int] {
        (0..<min(Self.mostMarks, word(at: 2))).map {
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
        set(word: 2, to: min(Self.mostMarks, starts.count))
    }

    /// Marks everything as written, and sets the offset of the emptied buffer.
    func endWriting(at start: Int) {
        whole = 0
        set(word: 2, to: 0)
        set(word: 0, to: start)
    }

    /// Writes to the file what its recorder, which has exited, could not write.
    ///
    /// The file is left alone unless it ends where the recorder's last write can have ended. If it can't be
    /// completed (the disk is full), it is cut after the last whole record.
    func complete(_ file: Int32) -> CaptureWriter.Completion {
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .nothing }
        let (start, whole) = (start, whole)
        let (found, before) = Int(status.st_size).subtractingReportingOverflow(start)
        guard !before, found >= 0, found < whole, whole <= Self.capacity else { return .nothing }
        var place = found
        while place < whole {
            // Safe: `place` and `whole` are within the buffer, as was just checked.
            let done = unsafe pwrite(file, buffer + place, whole &- place, start &+ place)
            if done > 0 { place &+= done } else if done == 0 || errno != EINTR { break }
        }
        var completion = CaptureWriter.Completion.completed
        if place < whole {
            // If no write was under way, only this attempt can have left a partial record.
            let end = marks.last { $0 <= place } ?? found
            guard ftruncate(file, start &+ end) == 0 else { return .failed }
            completion = .cut
        }
        fdatasync(file)
        return completion
    }
}

extension CaptureWriter {
    /// Result of completing a file whose recorder was killed.
    public enum Completion: Equatable, Sendable {
        /// Nothing was missing.
        case nothing
        /// The received records that were missing were written.
        case completed
        /// The file ends at its last whole record; more could not be written.
        case cut
        /// The file could not be changed.
        case failed
    }

    /// Size of the memory for ``share(_:)``, in bytes.
    public static var sharedLength: Int { WriteRoom.length }

    /// Completes a file whose recorder was killed, from the memory that it shared.
    public static func complete(_ file: Int32, from memory: Int32) -> Completion {
        WriteRoom(memory)?.complete(file) ?? .failed
    }
}

/// Counts of the data that a written file does not hold.
public struct ConversionLoss: Equatable, Sendable {
    /// Records of the recorder (monitor channel, notes, log lines) that the format can't hold.
    public var notes = 0
    /// Packets of unknown type, or empty ones, that the format can't hold.
    public var unknownPackets = 0
    /// Packets of adapters other than the one that the format has.
    public var adapters = 0
    /// Packets of unknown direction, written as sent because the format requires one.
    public var directions = 0
    /// Packets cut by the recorder whose original length the format can't hold.
    public var originalLengths = 0
    /// Times finer than the format's resolution, or out of its range.
    public var times = 0
    /// Dropped packets that the recorder counted and the format can't hold.
    public var drops = 0
    /// Comments.
    public var comments = 0
    /// Texts about the recorder, its system and interfaces.
    public var descriptions = 0

    public init() {}

    /// The sums of these counts and another file's.
    public func adding(_ other: ConversionLoss) -> ConversionLoss {
        var sum = self
        sum.notes &+= other.notes
        sum.unknownPackets &+= other.unknownPackets
        sum.adapters &+= other.adapters
        sum.directions &+= other.directions
        sum.originalLengths &+= other.originalLengths
        sum.times &+= other.times
        sum.drops &+= other.drops
        sum.comments &+= other.comments
        sum.descriptions &+= other.descriptions
        return sum
    }

    /// Whether everything was written.
    public var isNone: Bool { self == ConversionLoss() }

    /// End of the sentence about counts of dropped packets.
    public static let ofDrops = " of dropped packets"

    /// The nonzero counts with their descriptions.
    public var sentences: [(count: Int, what: String)] {
        [
            (notes, "note", " of the recorder"), (unknownPackets, "packet", " of unknown type"),
            (adapters, "adapter", " of packets"), (directions, "direction", " (unknown, written as sent)"),
            (originalLengths, "original length", " of cut packets"),
            (times, "time", " (finer or out of range)"), (drops, "count", Self.ofDrops),
            (comments, "comment", ""), (descriptions, "description", " of recorder and interfaces"),
        ].filter { $0.0 > 0 }.map { (count, noun, rest) in (count, noun + (count == 1 ? "" : "s") + rest) }
    }
}
