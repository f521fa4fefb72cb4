/// Why bytes could not be decoded, and where.
public struct DecodeError: Error, Equatable, Sendable {
    /// What was wrong with the bytes.
    public enum Reason: Equatable, Sendable {
        /// The input ended: `need` bytes were wanted at the offset, `have` were left.
        case truncated(need: Int, have: Int)
        /// A length field contradicts the bytes around it.
        case invalidLength
        /// A field holds a value that its definition forbids.
        case invalidValue
        /// Bytes were left where the definition allows none.
        case trailingOctets(Int)
    }

    /// What was wrong.
    public var reason: Reason
    /// The offset in bytes from the start of the reader's span at which decoding stopped.
    public var offset: Int

    /// An error with its reason and the offset of the byte it was found at.
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
