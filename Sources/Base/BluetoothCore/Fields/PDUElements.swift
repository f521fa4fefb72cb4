public import WireBytes

/// Iterates over the elements in a part of a PDU in place, without allocating.
///
/// The fields of an element of fixed width see only the element's bytes, so the last field may take all that
/// remain. Payloads are ranges from the start of the whole span.
@frozen
public struct PDUElements<Element: PDUFields>: ~Copyable, ~Escapable {
    @usableFromInline let octets: RawSpan
    @usableFromInline let end: Int
    @usableFromInline let width: Int?
    /// Offset of the next element from the start of the span.
    public var offset: Int

    /// Creates an iteration over the elements in `range` of `octets`.
    ///
    /// Each element is `width` bytes wide; if `width` is nil, its fields determine the width.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, in range: Range<Int>, width: Int? = nil) {
        self.octets = octets
        self.width = width
        offset = min(max(range.lowerBound, 0), octets.byteCount)
        end = min(max(range.upperBound, offset), octets.byteCount)
    }

    /// Returns the next element; nil at the end and after an error.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func next() throws(DecodeError) -> Element? {
        guard offset < end else { return nil }
        let start = offset
        offset = end
        let limit: Int
        if let width {
            guard width > 0 else { throw DecodeError(.invalidLength, at: start) }
            guard end &- start >= width else {
                throw DecodeError(.truncated(need: width, have: end &- start), at: start)
            }
            limit = start &+ width
        } else {
            limit = end
        }
        var coder = FieldReader(octets.clamped(0..<limit), from: start)
        var element = Element()
        try element.code(&coder)
        guard coder.offset > start else { throw DecodeError(.invalidLength, at: start) }
        offset = width == nil ? coder.offset : limit
        return element
    }
}

extension PDUFields {
    /// Decodes the elements that fill `octets`.
    ///
    /// Each element is `width` bytes wide; if `width` is nil, its fields determine the width.
    public static func elements(of octets: [UInt8], width: Int? = nil) throws(DecodeError) -> [Self] {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> [Self] in
            var walk = PDUElements<Self>(reader.peekRest(), in: 0..<octets.count, width: width)
            var found: [Self] = []
            while let element = try walk.next() { found.append(element) }
            return found
        }
    }

    /// Encodes `elements` one after another.
    public static func octets(of elements: [Self]) -> [UInt8] {
        var writer = ByteWriter()
        for element in elements { element.encode(into: &writer) }
        return writer.octets
    }
}
