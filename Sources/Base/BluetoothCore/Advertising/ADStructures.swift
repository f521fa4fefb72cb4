public import WireBytes

/// One AD structure: its type and the range of its data.
///
/// Source: Core Specification, Vol 3, Part C, 11.
@frozen
public struct ADStructure: Hashable, Sendable {
    /// The type of the data.
    public var type: ADType
    /// Range of the data in the advertising data, in bytes.
    public var data: Range<Int>

    @inlinable
    public init(type: ADType, data: Range<Int>) {
        self.type = type
        self.data = data
    }
}

/// Iterates over the AD structures of advertising or scan response data in place, without allocating.
///
/// A length of zero ends the significant part early. A length past the end ends the iteration too, and is
/// reported once with the remaining bytes. Source: Core Specification, Vol 3, Part C, 11.
@frozen
public struct ADStructures: ~Copyable, ~Escapable {
    /// The reason why an iteration ended.
    public enum End: Hashable, Sendable {
        /// The iteration has not ended.
        case notYet
        /// The last structure ended at the end of the data.
        case complete
        /// At a length of zero; the range is that byte and everything after it.
        case early(Range<Int>)
        /// At a length past the end of the data: `wanted` bytes of type and data were announced.
        ///
        /// The structure has the remaining bytes; it is nil if even its type is missing.
        case malformed(at: Int, wanted: Int, ADStructure?)
    }

    @usableFromInline var octets: RawSpan
    @usableFromInline var position: Int
    /// The reason why the iteration ended, set when ``next()`` returns nil.
    public var end: End

    /// Creates an iteration over the structures of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) {
        self.octets = octets
        position = 0
        end = .notYet
    }

    /// Returns the next structure; nil at the end, whose reason is in ``end``.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func next() -> ADStructure? {
        guard end == .notYet else { return nil }
        guard let length = octets.octet(at: position) else {
            end = .complete
            return nil
        }
        let start = position &+ 1
        guard length > 0 else {
            end = .early(position..<octets.byteCount)
            return nil
        }
        let stop = start &+ Int(length)
        guard stop <= octets.byteCount, let type = octets.octet(at: start) else {
            let partial = octets.octet(at: start).map {
                ADStructure(type: ADType(rawValue: $0), data: start &+ 1..<octets.byteCount)
            }
            end = .malformed(at: position, wanted: Int(length), partial)
            return nil
        }
        position = stop
        return ADStructure(type: ADType(rawValue: type), data: start &+ 1..<stop)
    }

    /// Returns the fault of advertising data: a length past the end, or a structure shorter than its type
    /// requires.
    ///
    /// Nil if the data is valid. The offset is that of the structure's length byte. Only lengths and types
    /// are examined, because every report is checked. Source: Core Specification, Vol 3, Part C, 11.
    public static func fault(in octets: RawSpan) -> DecodeError? {
        let count = octets.byteCount
        var at = 0
        while let length = octets.octet(at: at), length > 0 {
            let stop = at &+ 1 &+ Int(length)
            guard stop <= count, let type = octets.octet(at: at &+ 1) else {
                return DecodeError(.truncated(need: Int(length), have: count &- at &- 1), at: at)
            }
            if !ADType(rawValue: type).mayHold(Int(length) &- 1) {
                return DecodeError(.invalidLength, at: at)
            }
            at = stop
        }
        return nil
    }
}
