/// Unpacks a zlib stream (RFC 1950) in memory.
enum ZlibStream {
    /// The unpacked bytes, and whether the stream ended properly.
    struct Unpacked {
        var octets: [UInt8] = []
        var isComplete = false
    }

    private static let chunk = 64 << 10

    /// Whether two bytes, read as a big-endian number, are a zlib header: deflate, and a multiple of 31.
    static func startsHere(_ header: UInt16) -> Bool {
        header & 0x0F00 == 0x0800 && header >> 12 <= 7 && header % 31 == 0 && header & 0x20 == 0
    }

    /// Unpacks `packed`, up to slightly more than `limit` bytes; returns nil if it is not a zlib stream.
    static func inflate(_ packed: ArraySlice<UInt8>, atMost limit: Int) -> Unpacked? {
        guard packed.count > 2 else { return nil }
        let first = packed.startIndex
        guard startsHere(UInt16(packed[first]) &<< 8 | UInt16(packed[first + 1])) else { return nil }
        guard let codec = DeflateCodec(.none) else { return nil }
        var rest = packed.dropFirst(2)
        var unpacked = Unpacked()
        var room = [UInt8](repeating: 0, count: chunk)
        while unpacked.octets.count <= limit {
            // Safe: both buffers live as long as the call.
            let step = unsafe rest.withUnsafeBytes { input in
                unsafe room.withUnsafeMutableBytes { unsafe codec.unpack(input, into: $0) }
            }
            rest = rest.dropFirst(step.consumed)
            unpacked.octets.append(contentsOf: room[..<step.produced])
            if let end = step.end {
                unpacked.isComplete = end == .complete
                break
            }
            if step.produced == 0 { break }
        }
        return unpacked
    }
}
