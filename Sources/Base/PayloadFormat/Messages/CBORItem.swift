/// A data item of CBOR, with its place in the data.
///
/// An item of indefinite length is shown and written like one of definite length. Source: RFC 8949.
public struct CBORItem: Hashable, Sendable {
    /// The content of an item.
    public enum Value: Hashable, Sendable {
        /// A whole number, not negative.
        case unsigned(UInt64)
        /// The negative number -1 - n.
        case negative(UInt64)
        /// Bytes.
        case octets([UInt8])
        /// UTF-8 text.
        case text(String)
        /// Items one after the other.
        case array([CBORItem])
        /// Keys with their values, in the order of the data.
        case map([CBOREntry])
        /// An item with the number of its tag.
        indirect case tagged(UInt64, CBORItem)
        /// A floating-point number of any width.
        case float(Double)
        /// A simple value: 20 is false, 21 true, 22 null, 23 undefined.
        case simple(UInt8)
    }

    /// Its content.
    public var value: Value
    /// Range of its bytes, as indices of the data.
    public var range: Range<Int>

    /// Creates an item that stands in no data.
    public init(_ value: Value) { self.init(value, 0..<0) }

    init(_ value: Value, _ range: Range<Int>) {
        self.value = value
        self.range = range
    }

    /// Returns the items that make up the data; throws the first place that breaks a rule.
    ///
    /// - Parameters:
    ///   - depth: the deepest nesting of arrays, maps and tags, at most 64.
    ///   - count: the most items, inner ones and the parts of strings included.
    public static func items(
        in octets: ArraySlice<UInt8>, depth: Int, count: Int
    ) throws(CBORError) -> [CBORItem] {
        var reader = CBORReader(octets, depth: min(depth, 64), count: count)
        var items: [CBORItem] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    /// Its value in diagnostic notation: `{"id": 1, "key": h'00ff'}`.
    ///
    /// Source: RFC 8949, 8.
    public var diagnostic: String {
        switch value {
        case .unsigned(let number): return "\(number)"
        case .negative(.max): return "-18446744073709551616"
        case .negative(let number): return "-\(number + 1)"
        case .octets(let octets): return "h'" + octets.map(Self.digits).joined() + "'"
        case .text(let text): return Self.quoted(text)
        case .array(let items): return "[" + items.map(\.diagnostic).joined(separator: ", ") + "]"
        case .map(let entries):
            return "{"
                + entries.map { "\($0.key.diagnostic): \($0.value.diagnostic)" }
                .joined(separator: ", ") + "}"
        case .tagged(let tag, let item): return "\(tag)(\(item.diagnostic))"
        case .float(let number):
            if number.isNaN { return "NaN" }
            return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
        case .simple(20): return "false"
        case .simple(21): return "true"
        case .simple(22): return "null"
        case .simple(23): return "undefined"
        case .simple(let number): return "simple(\(number))"
        }
    }

    private static func digits(_ octet: UInt8) -> String {
        (octet < 0x10 ? "0" : "") + String(octet, radix: 16)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20: quoted += "\\u00" + digits(UInt8(scalar.value))
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// A key of a map with its value.
public struct CBOREntry: Hashable, Sendable {
    /// The key.
    public var key: CBORItem
    /// The value.
    public var value: CBORItem

    /// Creates an entry.
    public init(_ key: CBORItem, _ value: CBORItem) {
        self.key = key
        self.value = value
    }
}

/// A place where data is not well-formed CBOR, or exceeds a limit.
public struct CBORError: Error, Hashable, Sendable {
    /// The broken rule: `length`, `item`, `text`, `depth` or `count`.
    public let check: String
    /// Index of the item in the data.
    public let index: Int
    /// The content that the rule requires.
    public let expected: String
    /// The content found.
    public let found: String
}

extension CBORError: CustomStringConvertible {
    public var description: String { "\(check) at byte \(index): expected \(expected), found \(found)" }
}
