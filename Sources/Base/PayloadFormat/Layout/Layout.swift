/// The fields of a message, in the order of its bytes.
public struct Layout: Hashable, Sendable {
    /// The fields.
    public var fields: [FieldLayout]

    /// A message of these fields.
    public init(_ fields: [FieldLayout] = []) { self.fields = fields }

    /// The bytes that such a message always has; nil if that depends on the message.
    public var fixedWidth: Int? { Self.fixedWidth(fields[...]) }

    static func fixedWidth(_ fields: ArraySlice<FieldLayout>) -> Int? {
        var total = 0
        for field in fields {
            guard let width = field.fixedWidth else { return nil }
            total += width
        }
        return total
    }
}

/// Where bytes do not fit what describes them.
public struct Misfit: Error, Hashable, Sendable {
    /// Which rule does not hold: `length`, `constant`, `digits`, `text`, `trailing`, or a rule of the
    /// caller's.
    public let check: String
    /// The field, with those that it lies in: `state.doors`.
    public let field: String
    /// The offset of its first byte from the start of what was decoded.
    public let offset: Int
    /// What the description asks for.
    public let expected: String
    /// What stands there.
    public let found: String

    /// A rule that does not hold at a place.
    public init(check: String, field: String, offset: Int, expected: String, found: String) {
        self.check = check
        self.field = field
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

/// Why values can't be written as a message.
public enum LayoutError: Error, Hashable, Sendable {
    /// A field has no value.
    case missing(String)
    /// A value is not one that the field can hold.
    case unfit(String)
}

extension Misfit: CustomStringConvertible {
    public var description: String {
        let place = field.isEmpty ? "+\(offset)" : "\(field) at +\(offset)"
        return "\(check) of \(place): expected \(expected), found \(found)"
    }
}
