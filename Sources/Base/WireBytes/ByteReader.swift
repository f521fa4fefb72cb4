/// A bounds-checked cursor over borrowed bytes, and the only place where decoders load from memory.
///
/// Every load either returns a value and moves on, or throws ``DecodeError`` and leaves the cursor in place.
/// Nothing is copied or allocated.
@frozen
public struct ByteReader: ~Copyable, ~Escapable {
    @usableFromInline let octets: RawSpan
    @usableFromInline var position: Int

    /// Creates a cursor at the first byte of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) {
        self.octets = octets
        position = 0
    }

    /// Creates a cursor `start` bytes into `octets`, clamped to their bounds.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, from start: Int) {
        self.octets = octets
        position = Swift.min(Swift.max(start, 0), octets.byteCount)
    }

    /// All bytes, including those before the cursor.
    @inlinable public var wholeSpan: RawSpan {
        @_lifetime(copy self)
        get { octets }
    }

    /// Number of bytes from the start of the span to the cursor.
    @inlinable public var offset: Int { position }
    /// Number of bytes from the cursor to the end of the span.
    @inlinable public var remaining: Int { octets.byteCount &- position }
    /// Whether no byte is left.
    @inlinable public var isAtEnd: Bool { position == octets.byteCount }

    /// Loads an integer of any width in the machine's byte order.
    @inlinable
    @inline(__always)
    public mutating func load<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) throws(DecodeError) -> T {
        let size = MemoryLayout<T>.size
        guard remaining >= size else {
            throw DecodeError(.truncated(need: size, have: remaining), at: position)
        }
        // Safe: the guard above proved that `size` bytes follow the cursor.
        let value = unsafe octets.unsafeLoadUnaligned(fromByteOffset: position, as: T.self)
        position &+= size
        return value
    }

    /// Loads one byte.
    @inlinable public mutating func u8() throws(DecodeError) -> UInt8 { try load(UInt8.self) }
    /// Loads one byte as a two's complement number.
    @inlinable public mutating func i8() throws(DecodeError) -> Int8 { try load(Int8.self) }
    /// Loads two bytes, least significant first.
    @inlinable
    public mutating func u16le() throws(DecodeError) -> UInt16 { UInt16(littleEndian: try load(UInt16.self)) }
    /// Loads two bytes, most significant first.
    @inlinable
    public mutating func u16be() throws(DecodeError) -> UInt16 { UInt16(bigEndian: try load(UInt16.self)) }
    /// Loads four bytes, least significant first.
    @inlinable
    public mutating func u32le() throws(DecodeError) -> UInt32 { UInt32(littleEndian: try load(UInt32.self)) }
    /// Loads eight bytes, least significant first.
    @inlinable
    public mutating func u64le() throws(DecodeError) -> UInt64 { UInt64(littleEndian: try load(UInt64.self)) }

    /// Loads six bytes, least significant first, into the low 48 bits (a device address on the wire).
    @inlinable
    public mutating func u48le() throws(DecodeError) -> UInt64 {
        guard remaining >= 6 else { throw DecodeError(.truncated(need: 6, have: remaining), at: position) }
        let low = try u32le()
        return UInt64(low) | UInt64(try u16le()) &<< 32
    }

    /// Takes the next `count` bytes without copying them.
    @inlinable
    @_lifetime(copy self)
    public mutating func take(_ count: Int) throws(DecodeError) -> RawSpan {
        guard count >= 0, remaining >= count else {
            throw DecodeError(.truncated(need: count, have: remaining), at: position)
        }
        // Safe: the guard above proved that `count` bytes follow the cursor.
        let taken = unsafe octets.extracting(unchecked: position..<position &+ count)
        position &+= count
        return taken
    }

    /// Takes all remaining bytes.
    @inlinable
    @_lifetime(copy self)
    public mutating func takeRest() -> RawSpan {
        // Safe: `position` never passes the end of the span.
        let taken = unsafe octets.extracting(unchecked: position..<octets.byteCount)
        position = octets.byteCount
        return taken
    }

    /// Moves the cursor over `count` bytes.
    @inlinable
    public mutating func skip(_ count: Int) throws(DecodeError) {
        guard count >= 0, remaining >= count else {
            throw DecodeError(.truncated(need: count, have: remaining), at: position)
        }
        position &+= count
    }

    /// Throws ``DecodeError/Reason/trailingOctets(_:)`` unless every byte was read.
    @inlinable
    public func expectEnd() throws(DecodeError) {
        guard isAtEnd else { throw DecodeError(.trailingOctets(remaining), at: position) }
    }
}

extension RawSpan {
    /// Returns the byte at `index`; nil outside the span.
    @inlinable
    public func octet(at index: Int) -> UInt8? {
        guard index >= 0, index < byteCount else { return nil }
        // Safe: the guard above proved that `index` lies within the span.
        return unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }

    /// Returns two bytes at `index`, least significant first; nil if they are not both within the span.
    @inlinable
    public func u16le(at index: Int) -> UInt16? {
        guard index >= 0, index <= byteCount &- 2 else { return nil }
        // Safe: the guard above proved that both bytes lie within the span.
        return unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromByteOffset: index, as: UInt16.self))
    }

    /// Returns the bytes of `range` clamped to the span: a wrong length gives fewer bytes, never a trap.
    @inlinable
    @_lifetime(copy self)
    public func clamped(_ range: Range<Int>) -> RawSpan {
        let low = min(max(range.lowerBound, 0), byteCount)
        let high = min(max(range.upperBound, low), byteCount)
        // Safe: both bounds were clamped to the span.
        return unsafe extracting(unchecked: low..<high)
    }

    /// Returns the bytes after the first `count`; empty if there are no more.
    @inlinable
    @_lifetime(copy self)
    public func dropping(_ count: Int) -> RawSpan {
        let start = Swift.min(Swift.max(count, 0), byteCount)
        // Safe: the bound was clamped to the span.
        return unsafe extracting(unchecked: start..<byteCount)
    }

    /// Returns a copy of the bytes, for an owner that outlives the span.
    @inlinable
    public func copied() -> [UInt8] {
        // Safe: the array is made from the span's own bytes while they are borrowed.
        unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// Appends a copy of the bytes.
    @inlinable
    public func append(to array: inout [UInt8]) {
        // Safe: the array copies the bytes while they are borrowed.
        unsafe withUnsafeBytes { unsafe array.append(contentsOf: $0) }
    }
}

extension Array where Element == UInt8 {
    /// Runs `body` with a cursor over the array's bytes.
    @inlinable
    public func withReader<R, E: Error>(_ body: (inout ByteReader) throws(E) -> R) throws(E) -> R {
        // Safe: the array is borrowed while its span is read, and every byte of it is initialized.
        var reader = ByteReader(unsafe self.span.bytes)
        return try body(&reader)
    }
}

extension Array where Element == UInt8 {
    /// The array's bytes, borrowed.
    @inlinable
    public var borrowedOctets: RawSpan {
        @_lifetime(borrow self)
        get {
            // Safe: every byte is initialized, and the span can't outlive the borrow of the array.
            unsafe span.bytes
        }
    }
}

extension ArraySlice where Element == UInt8 {
    /// The slice's bytes, borrowed.
    @inlinable
    public var borrowedOctets: RawSpan {
        @_lifetime(borrow self)
        get {
            // Safe: every byte is initialized, and the span can't outlive the borrow of the slice.
            unsafe span.bytes
        }
    }
}

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
