/// A value of a JSON text, with where it stood.
///
/// The library's own reader rather than Foundation's: what a person wrote by hand is answered with path and
/// line, members given twice are errors, and every limit is known. Source: RFC 8259.
public struct JSONNode: Sendable {
    /// What stands there.
    public enum Value: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        /// Members in the order of the text; no name stands twice.
        case object([JSONMember])
    }

    /// What stands there.
    public let value: Value
    /// Where, as a JSONPath-like text: `$.messages[2].name`.
    public let path: String
    /// The line of its first character, from 1.
    public let line: Int

    /// A value at a place.
    public init(value: Value, path: String, line: Int) {
        self.value = value
        self.path = path
        self.line = line
    }

    /// What kind of value it is, in words.
    public var kind: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A member of a JSON object.
public struct JSONMember: Sendable {
    /// Its name.
    public let name: String
    /// Its value.
    public let node: JSONNode
}

/// A JSON number, exact if it is short: mantissa × 10 to the exponent.
public struct JSONNumber: Hashable, Sendable {
    /// The digits without the point.
    public let mantissa: Int64
    /// The power of ten that they are multiplied by.
    public let exponent: Int

    /// The number mantissa × 10^exponent.
    public init(mantissa: Int64, exponent: Int) {
        self.mantissa = mantissa
        self.exponent = exponent
    }

    /// The value if it is a whole number that fits.
    public var integer: Int64? {
        if exponent == 0 || mantissa == 0 { return mantissa }
        guard exponent > 0, exponent < 19 else { return nil }
        var value = mantissa
        for _ in 0..<exponent {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        return value
    }
}

/// Why a text is not JSON, or exceeds a limit.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// What was found, in words.
    public let what: String
    /// The line, from 1.
    public let line: Int
    /// The offset in bytes from the start of the text.
    public let offset: Int
    /// Whether it may well be JSON, of which there is more than is read: `what` tells the limit then, and
    /// quotes nothing.
    public let isLimit: Bool

    /// The problem of a document that is not read for it.
    public var problem: DocumentProblem {
        DocumentProblem(
            path: "$", line: line, found: isLimit ? "too large: \(what)" : what,
            expected: isLimit ? "JSON within that limit" : "JSON")
    }
}
