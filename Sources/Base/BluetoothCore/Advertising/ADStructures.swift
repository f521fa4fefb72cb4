public import WireBytes

/// One AD structure: its type, and where its data lie.
///
/// Source: Core Specification, Vol 3, Part C, 11.
@frozen
public struct ADStructure: Hashable, Sendable {
    /// What it holds.
    public var type: ADType
    /// Bytes of the data, from the start of the advertising data.
    public var data: Range<Int>

    @inlinable
    public init(type: ADType, data: Range<Int>) {
        self.type = type
        self.data = data
    }
}

/// Walks over the AD structures of advertising or scan response data, where they lie, without allocating.
///
/// A length of zero ends the significant part early. A length that goes past the end is reported once, with
/// what is there, and ends the walk. Source: Core Specification, Vol 3, Part C, 11.
@frozen
public struct ADStructures: ~Copyable, ~Escapable {
    /// Why a walk ended.
    public enum End: Hashable, Sendable {
        /// The walk has not ended.
        case notYet
        /// The last structure ended where the data end.
        case complete
        /// A length of zero ended it: the range holds that byte and all after it.
        case early(Range<Int>)
        /// A length went past the end of the data: it asked for `wanted` bytes (type and data), and the
        /// structure is what is there, or nil if not even its type is.
        case malformed(at: Int, wanted: Int, ADStructure?)
    }

    @usableFromInline var octets: RawSpan
    @usableFromInline var position: Int
    /// Why the walk ended, once ``next()`` has given nil.
    public var end: End

    /// The structures of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) {
        self.octets = octets
        position = 0
        end = .notYet
    }

    /// The next structure; nil when the walk has ended, for the reason in ``end``.
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

    /// The data of the first structure of one of `types`, or nil.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func first(of type: ADType) -> Range<Int>? {
        while let structure = next() {
            if structure.type == type { return structure.data }
        }
        return nil
    }
}
