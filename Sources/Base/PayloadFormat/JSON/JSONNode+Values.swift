import WireBytes

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
