/// The fields of a message, in the order of its bytes.
public struct Layout: Hashable, Sendable {
    /// The fields.
    public var fields: [FieldLayout]

    /// Creates a message of these fields.
    public init(_ fields: [FieldLayout] = []) { self.fields = fields }

    /// Length in bytes of every such message; nil if it depends on the message.
    public var fixedWidth: Int? { Self.fixedWidth(fields[...]) }

    static func fixedWidth(_ fields: ArraySlice<FieldLayout>) -> Int? {
        var total = 0
        for field in fields {
            guard let width = field.fixedWidth, let sum = total.addingUnlessOverflow(width) else {
                return nil
            }
            total = sum
        }
        return total
    }
}

/// A mismatch between bytes and their description.
public struct Misfit: Error, Hashable, Sendable {
    /// The broken rule: `length`, `constant`, `digits`, `text`, `trailing`, or a rule of the caller.
    public let check: String
    /// The field with its enclosing fields: `state.doors`.
    public let field: String
    /// Offset of its first byte from the start of the decoded data.
    public let offset: Int
    /// The content that the description requires.
    public let expected: String
    /// The content found.
    public let found: String

    /// Creates a mismatch at a place.
    public init(check: String, field: String, offset: Int, expected: String, found: String) {
        self.check = check
        self.field = field
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

/// Reason why values can't be encoded as a message.
public enum LayoutError: Error, Hashable, Sendable {
    /// A field has no value.
    case missing(String)
    /// A value does not fit its field.
    case unfit(String)
    /// No field has this name.
    case unknown(String)
    /// A field is encrypted; ciphers only open.
    case encrypted(String)
}

extension Misfit: CustomStringConvertible {
    public var description: String {
        let place = field.isEmpty ? "+\(offset)" : "\(field) at +\(offset)"
        return "\(check) of \(place): expected \(expected), found \(found)"
    }
}

extension LayoutError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let field): "\(field) has no value"
        case .unfit(let field): "the value of \(field) does not fit"
        case .unknown(let field): "no field is called \(field)"
        case .encrypted(let field): "\(field) is encrypted: a profile reads such a field, but can't write it"
        }
    }
}
