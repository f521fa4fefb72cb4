/// The supported compression formats, recognized by the first bytes.
enum Compression: String {
    case gzip
    case zstd
    case xz
    case bzip2
    case lz4 = "LZ4"

    /// Recognizes the format of data that begins with `head`; nil if it is not compressed.
    init?(_ head: some Collection<UInt8>) {
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
        default: return nil
        }
    }

    /// Creates the codec; returns nil if there is no memory.
    func makeCodec() -> (any Codec)? {
        switch self {
        case .gzip: DeflateCodec(.gzip)
        case .zstd: ZstdCodec()
        case .xz: XzCodec()
        case .bzip2: Bzip2Codec()
        case .lz4: LZ4Codec()
        }
    }
}
