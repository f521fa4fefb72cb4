/// Incremental decompression by one compression library.
///
/// A codec owns the library's state for one member: a gzip member, a zstd or LZ4 frame, an xz or bzip2
/// stream.
protocol Codec: AnyObject {
    /// Preferred number of input bytes for the next call; 0 if output must be taken first.
    ///
    /// Some libraries lose the data unpacked in the call that meets damage; they get one block per call.
    var wanted: Int { get }

    /// Unpacks some of `input` into `room`, which holds at least one byte.
    @unsafe
    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep

    /// Prepares for the next member; returns false if there is no memory.
    func restart() -> Bool
}

/// Result of one codec call.
struct CodecStep {
    /// Bytes of input consumed.
    var consumed = 0
    /// Bytes unpacked.
    var produced = 0
    /// Set if the member can't be read further.
    var end: CodecEnd?
}

/// Reason why a member ends.
enum CodecEnd {
    case complete
    case damaged
    /// Needs more memory than the limit.
    case tooLarge
    case noMemory
}

/// Memory limits of decompression.
enum CodecLimit {
    /// Largest window, as a power of two; the default limit of zstd.
    static let windowLog = 27
    static let windowDescription = "128 MiB"
    /// Limit for xz, which applies to all memory: the window and its small tables.
    static let memoryOctets: UInt64 = (1 << 27) + (2 << 20)
}
