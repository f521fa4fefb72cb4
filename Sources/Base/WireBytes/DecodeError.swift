/// Reason and position of a decoding failure.
public struct DecodeError: Error, Equatable, Sendable {
    /// The problem with the bytes.
    public enum Reason: Equatable, Sendable {
        /// The input ended: `need` bytes were required at the offset, `have` were left.
        case truncated(need: Int, have: Int)
        /// A length field contradicts the bytes around it.
        case invalidLength
        /// A field holds a value that its definition forbids.
        case invalidValue
        /// Bytes remained where the definition allows none.
        case trailingOctets(Int)
    }

    /// The problem.
    public var reason: Reason
    /// The offset in bytes from the start of the reader's span at which decoding stopped.
    public var offset: Int

    /// Creates an error with its reason and the offset where it was found.
    @inlinable
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension DecodeError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .truncated(let need, let have): "truncated at +\(offset): \(need) bytes needed, \(have) left"
        case .invalidLength: "impossible length at +\(offset)"
        case .invalidValue: "forbidden value at +\(offset)"
        case .trailingOctets(let count): "\(count) bytes too many at +\(offset)"
        }
    }
}
