/// A value of a JSON text, with its position.
///
/// The library's own parser rather than Foundation's, so that problems in handwritten files are reported with
/// path and line, duplicate members are errors, and every limit is known. Source: RFC 8259.
public struct JSONNode: Sendable {
    /// The content of the value.
    public enum Value: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        /// Members in the order of the text, each name once.
        case object([JSONMember])
    }

    /// The content of the value.
    public let value: Value
    /// Its path, in the style of JSONPath: `$.messages[2].name`.
    public let path: String
    /// The line of its first character, from 1.
    public let line: Int

    /// Creates a value at a position.
    public init(value: Value, path: String, line: Int) {
        self.value = value
        self.path = path
        self.line = line
    }

    /// The kind of value, as readable text.
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

/// A JSON number as mantissa × 10 to the exponent; exact if it is short.
public struct JSONNumber: Hashable, Sendable {
    /// The digits without the point.
    public let mantissa: Int64
    /// The power of ten of the last digit.
    public let exponent: Int

    /// Creates the number mantissa × 10^exponent.
    public init(mantissa: Int64, exponent: Int) {
        self.mantissa = mantissa
        self.exponent = exponent
    }

    /// The value if it is a whole number that fits 64 bits.
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

/// Syntax error or exceeded limit of a JSON text.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// The content found, as readable text.
    public let what: String
    /// The line, from 1.
    public let line: Int
    /// The offset in bytes from the start of the text.
    public let offset: Int
    /// Whether a limit was exceeded, so that the text may be valid JSON.
    ///
    /// `what` then names the limit and quotes nothing.
    public let isLimit: Bool

    /// The error as a problem of a document.
    public var problem: DocumentProblem {
        DocumentProblem(
            path: "$", line: line, found: isLimit ? "too large: \(what)" : what,
            expected: isLimit ? "JSON within that limit" : "JSON")
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { problem.description }
}
