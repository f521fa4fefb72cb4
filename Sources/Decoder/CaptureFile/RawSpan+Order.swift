/// The byte order of a file's integers.
enum OctetOrder: Sendable {
    case leastSignificantFirst
    case mostSignificantFirst

    /// The integer loaded from memory in this byte order.
    @inline(__always)
    func value<T: FixedWidthInteger>(_ octets: T) -> T {
        self == .leastSignificantFirst ? T(littleEndian: octets) : T(bigEndian: octets)
    }
}

// Fields at fixed places of a header. The callers have checked that the header is complete; outside the span
// every field is 0.
extension RawSpan {
    @inline(__always)
    func load<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, at index: Int, _ order: OctetOrder) -> T {
        guard index >= 0, index <= byteCount &- MemoryLayout<T>.size else { return 0 }
        // Safe: the guard above proved that all bytes of the integer lie within the span.
        return unsafe order.value(unsafeLoadUnaligned(fromByteOffset: index, as: T.self))
    }

    @inline(__always)
    func u16(at index: Int, _ order: OctetOrder) -> UInt16 { load(UInt16.self, at: index, order) }

    @inline(__always)
    func u32(at index: Int, _ order: OctetOrder) -> UInt32 { load(UInt32.self, at: index, order) }

    @inline(__always)
    func u64(at index: Int, _ order: OctetOrder) -> UInt64 { load(UInt64.self, at: index, order) }
}
