import CCompression

/// Packs bytes in the zlib format (RFC 1950), which browsers unpack as `deflate`.
public enum Deflater {
    /// The bytes, packed; nil if there is no memory for it.
    public static func pack(_ octets: [UInt8]) -> [UInt8]? {
        var length = compressBound(UInt(octets.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // Safe: zlib reads as many bytes as are there and writes no more than `length`; both arrays outlive
        // the call.
        guard unsafe compress2(&packed, &length, octets, UInt(octets.count), 6) == Z_OK else { return nil }
        packed.removeSubrange(Int(length)...)
        return packed
    }
}
