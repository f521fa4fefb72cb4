// Integers whose width is data, for coders that walk over declared fields.

extension ByteReader {
    /// Loads an unsigned integer of 1 to 8 bytes, least significant first.
    @inlinable
    @inline(__always)
    public mutating func unsigned(width: Int) throws(DecodeError) -> UInt64 {
        switch width {
        case 1: return UInt64(try load(UInt8.self))
        case 2: return UInt64(UInt16(littleEndian: try load(UInt16.self)))
        case 4: return UInt64(UInt32(littleEndian: try load(UInt32.self)))
        default: return try unsignedOfOddWidth(width)
        }
    }

    /// Loads an unsigned integer of a width other than a machine word.
    @inlinable
    @inline(__always)
    mutating func unsignedOfOddWidth(_ width: Int) throws(DecodeError) -> UInt64 {
        // Usually a whole word is available; the bytes after the field are masked away.
        guard remaining >= 8, 1...8 ~= width else { return try lastUnsigned(width: width) }
        // Safe: the line above proved that eight bytes follow the cursor.
        let word = unsafe octets.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
        position &+= width
        return UInt64(littleEndian: word) & UInt64.max &>> UInt64(64 &- 8 &* width)
    }

    /// Loads an unsigned integer of 1 to 8 bytes near the end.
    @usableFromInline
    mutating func lastUnsigned(width: Int) throws(DecodeError) -> UInt64 {
        guard 1...8 ~= width, remaining >= width else {
            throw DecodeError(.truncated(need: width, have: remaining), at: offset)
        }
        var value: UInt64 = 0
        for index in 0..<width { value |= UInt64(try u8()) &<< UInt64(8 &* index) }
        return value
    }

    /// Loads a two's complement integer of 1, 2 or 4 bytes, least significant first.
    @inlinable
    public mutating func signed(width: Int) throws(DecodeError) -> Int64 {
        switch width {
        case 1: return Int64(try i8())
        case 2: return Int64(Int16(bitPattern: try u16le()))
        case 4: return Int64(Int32(bitPattern: try u32le()))
        default: throw DecodeError(.invalidLength, at: offset)
        }
    }

    /// Returns all remaining bytes without moving the cursor.
    @inlinable
    @_lifetime(copy self)
    public func peekRest() -> RawSpan {
        // Safe: `position` never passes the end of the span.
        unsafe octets.extracting(unchecked: position..<octets.byteCount)
    }
}
