/// Unpacks a zlib stream (RFC 1950) in memory.
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

    /// Unpacks `packed` to at most about `limit` octets; nil where it is no zlib stream at all.
    static func inflate(_ packed: ArraySlice<UInt8>, atMost limit: Int) -> Unpacked? {
        guard packed.count > 2 else { return nil }
        let first = packed.startIndex
        guard startsHere(UInt16(packed[first]) &<< 8 | UInt16(packed[first + 1])) else { return nil }
        var inflater = Inflater(BitInput(Array(packed.dropFirst(2))))
        var unpacked = Unpacked()
        while unpacked.octets.count < limit {
            let some = inflater.next()
            if some.isEmpty {
                unpacked.isComplete = inflater.end == .complete
                break
            }
            unpacked.octets.append(contentsOf: some)
        }
        return unpacked
    }
}
