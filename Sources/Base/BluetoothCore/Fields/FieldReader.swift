public import WireBytes

/// Decodes a PDU's fields from bytes.
@frozen
public struct FieldReader: ReadingCoder, ~Copyable, ~Escapable {
    public var reader: ByteReader

    /// Creates a coder that reads from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) { reader = ByteReader(octets) }

    /// Creates a coder that reads from the byte at `start` (at most the end).
    ///
    /// Offsets and ranges count from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, from start: Int) {
        reader = ByteReader(octets, from: start)
    }
}
