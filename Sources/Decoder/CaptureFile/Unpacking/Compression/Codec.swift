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

struct CodecStep {
    var consumed = 0
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

/// The supported compression formats, recognized by the first bytes.
enum Compression {
    case gzip
    case zstd
    case xz
    case bzip2
    case lz4
    case changed(TransferDamage)

    /// Recognizes the format of data that begins with `head`; nil if it is not compressed.
    init?(_ head: [UInt8]) {
        guard head.count >= 4 else { return nil }
        let word = head.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        switch word {
        case 0x28B5_2FFD: self = .zstd
        // A skippable frame, which pzstd writes first (RFC 8878, 3.1.2).
        case 0x502A_4D18, 0x512A_4D18, 0x522A_4D18, 0x532A_4D18, 0x542A_4D18, 0x552A_4D18, 0x562A_4D18,
            0x572A_4D18, 0x582A_4D18, 0x592A_4D18, 0x5A2A_4D18, 0x5B2A_4D18, 0x5C2A_4D18, 0x5D2A_4D18,
            0x5E2A_4D18, 0x5F2A_4D18:
            self = .zstd
        case 0x0422_4D18: self = .lz4
        case 0xFD37_7A58: self = .xz
        case 0x425A_6831...0x425A_6839: self = .bzip2
        case 0x1F8B_0800...0x1F8B_08FF: self = .gzip
        default:
            guard let damage = TransferDamage(head) else { return nil }
            self = .changed(damage)
        }
    }

    /// The format's name in errors.
    var name: String {
        switch self {
        case .gzip: "gzip"
        case .zstd: "zstd"
        case .xz: "xz"
        case .bzip2: "bzip2"
        case .lz4: "LZ4"
        case .changed: "copied as text"
        }
    }

    /// The notice about a capture that was changed on its way; nil for a compressed one.
    var notice: CaptureFileError.Cause? {
        guard case .changed(let damage) = self else { return nil }
        return .restored("changed by \(damage.rawValue); that is undone here")
    }

    /// Creates the codec; returns nil if there is no memory.
    func makeCodec() -> (any Codec)? {
        switch self {
        case .gzip: DeflateCodec(.gzip)
        case .zstd: ZstdCodec()
        case .xz: XzCodec()
        case .bzip2: Bzip2Codec()
        case .lz4: LZ4Codec()
        case .changed(let damage): RestoringCodec(damage)
        }
    }
}
