import CArchive

/// Unpacks a zlib stream (RFC 1950) in memory by libarchive, which knows the same compression as gzip.
enum ZlibStream {
    /// What came out, and whether the stream ended as it should.
    struct Unpacked {
        var octets: [UInt8] = []
        var isComplete = false
    }

    /// Whether two octets, most significant first, are a zlib header: deflate, and a multiple of 31.
    static func startsHere(_ header: UInt16) -> Bool {
        header & 0x0F00 == 0x0800 && header >> 12 <= 7 && header % 31 == 0 && header & 0x20 == 0
    }

    /// Unpacks `packed`, at most `limit` octets of it; nil where it is no zlib stream at all.
    static func inflate(_ packed: ArraySlice<UInt8>, atMost limit: Int) -> Unpacked? {
        guard packed.count > 2 else { return nil }
        let first = packed.startIndex
        guard startsHere(UInt16(packed[first]) &<< 8 | UInt16(packed[first + 1])) else { return nil }
        // The gzip header that says nothing, the deflate data, and room for the trailer that gzip has.
        var framed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        framed.append(contentsOf: packed.dropFirst(2))
        framed.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0])
        // Safe: the array outlives the call, and so does everything that libarchive does with it.
        return unsafe framed.withUnsafeBytes { unsafe unpack($0, atMost: limit) }
    }

    private static func unpack(_ framed: UnsafeRawBufferPointer, atMost limit: Int) -> Unpacked? {
        guard let handle = unsafe archive_read_new() else { return nil }
        defer { unsafe archive_read_free(handle) }
        unsafe archive_read_support_filter_gzip(handle)
        unsafe archive_read_support_format_raw(handle)
        var entry: OpaquePointer?
        guard unsafe archive_read_open_memory(handle, framed.baseAddress, framed.count) == ARCHIVE_OK,
            unsafe archive_read_next_header(handle, &entry) == ARCHIVE_OK
        else { return nil }
        var unpacked = Unpacked()
        var block = [UInt8](repeating: 0, count: 32 << 10)
        while unpacked.octets.count < limit {
            // Safe: libarchive writes at most the length of the block.
            let count = unsafe block.withUnsafeMutableBytes {
                unsafe archive_read_data(handle, $0.baseAddress, $0.count)
            }
            if count <= 0 {
                unpacked.isComplete = count == 0
                break
            }
            unpacked.octets.append(contentsOf: block[..<count])
        }
        return unpacked
    }
}
