import CCompression

/// Packs bytes in the zlib format (RFC 1950), which browsers unpack as `deflate`.
public enum Deflater {
    /// Packs the bytes; returns nil if there is no memory.
    public static func pack(_ octets: [UInt8]) -> [UInt8]? {
        var length = compressBound(UInt(octets.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // Safe: zlib reads the given number of bytes and writes at most `length`; both arrays outlive the
        // call.
        guard unsafe compress2(&packed, &length, octets, UInt(octets.count), 6) == Z_OK else { return nil }
        packed.removeSubrange(Int(length)...)
        return packed
    }
}
