/// A way to unpack, piece by piece, as one compression library does it.
///
/// A codec owns the library's state, of which there is one a member: a gzip member, a zstd or LZ4 frame, an
/// xz or bzip2 stream.
protocol Codec: AnyObject {
    /// Octets of input that are best handed over at once; 0 where output is to be taken out first.
    ///
    /// The libraries whose functions forget what they unpacked in the call that meets damage are handed one
    /// block a call.
    var wanted: Int { get }

    /// Unpacks some of `input` into `room`, which holds at least one octet.
    @unsafe
    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep

    /// Makes ready for the next member; false where there is no memory for it.
    func restart() -> Bool
}

/// What one call of a codec did.
struct CodecStep {
    /// Octets of input that are used up.
    var consumed = 0
    /// Octets unpacked.
    var produced = 0
    /// Set where the member can't be read on.
    var end: CodecEnd?
}

/// Why a member ends.
enum CodecEnd {
    /// It is complete.
    case complete
    case damaged
    /// It asks for more memory than is given to any.
    case tooLarge
    case noMemory
}

/// What unpacking may take of memory.
enum CodecLimit {
    /// The farthest an octet may refer back, as a power of two: what zstd itself takes without being asked.
    static let windowLog = 27
    static let windowDescription = "128 MiB"
    /// For xz, whose limit is on all memory: the window and what little its tables take.
    static let memoryOctets: UInt64 = (1 << 27) + (2 << 20)
}
