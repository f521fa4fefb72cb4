/// Appends the fields of a PDU to a growing array of bytes.
@frozen
public struct ByteWriter: Sendable {
    /// The bytes written so far.
    public var octets: [UInt8]

    /// Creates an empty writer with room for `capacity` bytes.
    @inlinable
    public init(capacity: Int = 64) {
        octets = []
        octets.reserveCapacity(capacity)
    }

    /// Number of bytes written so far.
    @inlinable public var count: Int { octets.count }

    /// Appends one byte.
    @inlinable public mutating func u8(_ value: UInt8) { octets.append(value) }
    /// Appends one byte in two's complement.
    @inlinable public mutating func i8(_ value: Int8) { octets.append(UInt8(bitPattern: value)) }
    /// Appends two bytes, least significant first.
    @inlinable public mutating func u16le(_ value: UInt16) { little(UInt64(value), octets: 2) }
    /// Appends two bytes, most significant first.
    @inlinable public mutating func u16be(_ value: UInt16) { big(UInt64(value), octets: 2) }
    /// Appends four bytes, least significant first.
    @inlinable public mutating func u32le(_ value: UInt32) { little(UInt64(value), octets: 4) }
    /// Appends the low six bytes, least significant first (a device address on the wire).
    @inlinable public mutating func u48le(_ value: UInt64) { little(value, octets: 6) }
    /// Appends eight bytes, least significant first.
    @inlinable public mutating func u64le(_ value: UInt64) { little(value, octets: 8) }
    /// Appends bytes as they are.
    @inlinable public mutating func bytes(_ value: [UInt8]) { octets.append(contentsOf: value) }

    /// Appends borrowed bytes.
    @inlinable
    public mutating func bytes(_ value: RawSpan) {
        for index in 0..<value.byteCount { octets.append(value.octet(at: index) ?? 0) }
    }

    /// Appends `count` bytes of the same value.
    @inlinable
    public mutating func fill(_ value: UInt8, count: Int) {
        for _ in 0..<max(0, count) { octets.append(value) }
    }

    /// Overwrites two bytes already written, least significant first; does nothing if they don't exist.
    @inlinable
    public mutating func patchU16LE(_ value: UInt16, at index: Int) {
        guard index >= 0, index &+ 1 < octets.count else { return }
        octets[index] = UInt8(truncatingIfNeeded: value)
        octets[index &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
    }

    @usableFromInline
    mutating func little(_ value: UInt64, octets count: Int) {
        for index in 0..<count { octets.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 * index))) }
    }

    @usableFromInline
    mutating func big(_ value: UInt64, octets count: Int) {
        for index in (0..<count).reversed() {
            octets.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 * index)))
        }
    }
}

extension FixedWidthInteger {
    /// Returns the low bytes, `count` of them, least significant first.
    @inlinable
    public func littleOctets(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}
