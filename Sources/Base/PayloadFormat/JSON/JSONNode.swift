import WireBytes

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

extension JSONNode {
    /// Returns the string; anything else is nil and a problem.
    public func string(_ problems: inout DocumentProblems) -> String? {
        if case .string(let text) = value { return text }
        problems.kind(self, expected: "a string")
        return nil
    }

    /// Returns the whole number within `range`; anything else is nil and a problem.
    public func integer(_ range: ClosedRange<Int64>, _ problems: inout DocumentProblems) -> Int64? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let number) = value else {
            problems.kind(self, expected: expected)
            return nil
        }
        guard let whole = number.integer, range.contains(whole) else {
            problems.add(self, found: "another number", expected: expected)
            return nil
        }
        return whole
    }

    /// Returns the code, a whole number or a string such as `"0x0101"`; anything else is nil and a problem.
    public func code(limit: UInt64, _ problems: inout DocumentProblems) -> UInt64? {
        let expected = "a whole number or \"0x…\" up to \(limit)"
        switch value {
        case .number(let number):
            if let whole = number.integer, whole >= 0, UInt64(whole) <= limit { return UInt64(whole) }
            problems.add(self, found: "another number", expected: expected)
        case .string(let text):
            if let code = Self.code(text), code <= limit { return code }
            problems.add(self, found: "\"\(text)\"", expected: expected)
        default: problems.kind(self, expected: expected)
        }
        return nil
    }

    /// Parses a number in decimal or, after `0x`, in hexadecimal.
    public static func code(_ text: String) -> UInt64? {
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
        // `UInt64(_:radix:)` would accept a sign.
        guard digits.utf8.allSatisfy({ Hex.value(ofDigit: $0) != nil }) else { return nil }
        return UInt64(digits, radix: digits.startIndex == text.startIndex ? 10 : 16)
    }

    /// Returns the bytes of hexadecimal text; anything else is nil and a problem.
    public func octets(_ range: ClosedRange<Int>, _ problems: inout DocumentProblems) -> [UInt8]? {
        guard let text = string(&problems) else { return nil }
        let expected =
            range.lowerBound == range.upperBound
            ? "\(range.lowerBound) bytes in hexadecimal"
            : "\(range.lowerBound) to \(range.upperBound) bytes in hexadecimal"
        do throws(Hex.Problem) {
            let octets = try Hex.octets(text)
            if range.contains(octets.count) { return octets }
            problems.add(self, found: "\(octets.count) bytes", expected: expected)
        } catch {
            problems.add(self, found: "text that is not hexadecimal", expected: expected)
        }
        return nil
    }

    /// Returns the elements; anything else is nil and a problem.
    public func array(_ problems: inout DocumentProblems) -> [JSONNode]? {
        if case .array(let elements) = value { return elements }
        problems.kind(self, expected: "an array")
        return nil
    }
}
