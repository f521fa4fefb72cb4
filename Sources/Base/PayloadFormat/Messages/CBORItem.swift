import WireBytes

/// A data item of CBOR, with its place in the data.
///
/// An item of indefinite length is shown and written like one of definite length. Source: RFC 8949.
struct CBORItem: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        /// A whole number, not negative.
        case unsigned(UInt64)
        /// The negative number -1 - n.
        case negative(UInt64)
        case octets([UInt8])
        /// UTF-8 text.
        case text(String)
        /// Items one after the other.
        case array([CBORItem])
        /// Keys with their values, in the order of the data.
        case map([CBOREntry])
        indirect case tagged(UInt64, CBORItem)
        case float(Double)
        /// A simple value: 20 is false, 21 true, 22 null, 23 undefined.
        case simple(UInt8)
    }

    /// The head of bytes of indefinite length, which stand in parts.
    static let octetParts: UInt8 = 0x5F

    var value: Value
    /// Range of its bytes, as indices of the data.
    var range: Range<Int>

    /// Creates an item that stands in no data.
    init(_ value: Value) { self.init(value, 0..<0) }

    init(_ value: Value, _ range: Range<Int>) {
        self.value = value
        self.range = range
    }

    /// Returns the items that make up the data; throws the first place that breaks a rule.
    ///
    /// - Parameters:
    ///   - depth: the deepest nesting of arrays, maps and tags, at most 64.
    ///   - count: the most items, inner ones and the parts of strings included.
    static func items(
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
    var diagnostic: String {
        switch value {
        case .unsigned(let number): return "\(number)"
        case .negative(.max): return "-18446744073709551616"
        case .negative(let number): return "-\(number + 1)"
        case .octets(let octets): return "h'" + Hex.text(octets) + "'"
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

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20: quoted += "\\u00" + Hex.text([UInt8(scalar.value)])
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// A key of a map with its value.
struct CBOREntry: Hashable, Sendable {
    var key: CBORItem
    var value: CBORItem

    init(_ key: CBORItem, _ value: CBORItem) {
        self.key = key
        self.value = value
    }
}

/// A place where data is not well-formed CBOR, or exceeds a limit.
struct CBORError: Error, Hashable, Sendable {
    /// The broken rule: `length`, `item`, `text`, `depth` or `count`.
    let check: String
    let index: Int
    /// The content that the rule requires.
    let expected: String
    let found: String
}

extension CBORError: CustomStringConvertible {
    var description: String { "\(check) at byte \(index): expected \(expected), found \(found)" }
}

/// Builds items from their heads, one by one, so that no length in the data takes memory.
///
/// Source: RFC 8949, 3.
struct CBORReader {
    /// The start of an item; of a string of definite length all of it.
    private enum Head {
        case unsigned(UInt64)
        case negative(UInt64)
        case octets(length: Int)
        case text(length: Int)
        case octetParts
        case textParts
        /// The number of elements; nil for up to the end.
        case array(UInt64?)
        case map(UInt64?)
        case tag(UInt64)
        case float(Double)
        case simple(UInt8)
        /// The end of an item of indefinite length.
        case end
    }

    private let octets: ArraySlice<UInt8>
    private let maximumDepth: Int
    private let maximumCount: Int
    private var position: Int
    private var count = 0

    init(_ octets: ArraySlice<UInt8>, depth: Int, count: Int) {
        self.octets = octets
        maximumDepth = depth
        maximumCount = count
        position = octets.startIndex
    }

    mutating func next() throws(CBORError) -> CBORItem? {
        position == octets.endIndex ? nil : try item(depth: 0)
    }

    private mutating func item(depth: Int) throws(CBORError) -> CBORItem {
        let start = position
        guard let item = try itemOrEnd(depth: depth) else {
            throw malformed(at: start, "an item", "the end of another")
        }
        return item
    }

    /// Returns an item; nil for the end of one of indefinite length.
    private mutating func itemOrEnd(depth: Int) throws(CBORError) -> CBORItem? {
        let start = position
        let value: CBORItem.Value
        switch try head() {
        case .unsigned(let number): value = .unsigned(number)
        case .negative(let number): value = .negative(number)
        case .octets(let length): value = .octets(Array(octets[position - length..<position]))
        case .text(let length): value = .text(try text(length, at: start))
        case .octetParts:
            var all: [UInt8] = []
            while case .octets(let part)? = try part(at: start) { all += part }
            value = .octets(all)
        case .textParts:
            var all = ""
            while case .text(let part)? = try part(at: start) { all += part }
            value = .text(all)
        case .array(let count): value = .array(try elements(count, at: start, depth: depth))
        case .map(let count):
            var entries: [CBOREntry] = []
            while count.map({ UInt64(entries.count) < $0 }) ?? true {
                guard let key = try itemOrEnd(depth: try inside(depth: depth, at: start)) else {
                    guard count == nil else { throw malformed(at: start, "a key", "the end of the map") }
                    break
                }
                entries.append(CBOREntry(key, try item(depth: depth + 1)))
            }
            value = .map(entries)
        case .tag(let number): value = .tagged(number, try item(depth: try inside(depth: depth, at: start)))
        case .float(let number): value = .float(number)
        case .simple(let number): value = .simple(number)
        case .end: return nil
        }
        return CBORItem(value, start..<position)
    }

    private mutating func elements(
        _ count: UInt64?, at start: Int, depth: Int
    ) throws(CBORError) -> [CBORItem] {
        var items: [CBORItem] = []
        while count.map({ UInt64(items.count) < $0 }) ?? true {
            guard let item = try itemOrEnd(depth: try inside(depth: depth, at: start)) else {
                guard count == nil else { throw malformed(at: start, "an element", "the end of the array") }
                break
            }
            items.append(item)
        }
        return items
    }

    private func inside(depth: Int, at start: Int) throws(CBORError) -> Int {
        guard depth < maximumDepth else {
            throw CBORError(
                check: "depth", index: start, expected: "\(maximumDepth) levels at most", found: "one more")
        }
        return depth + 1
    }

    /// Returns a part of a string of indefinite length, which has a definite one; nil at the end.
    private mutating func part(at start: Int) throws(CBORError) -> CBORItem.Value? {
        let isText = octets[start] == 0x7F
        let place = position
        switch try head() {
        case .octets(let length) where !isText: return .octets(Array(octets[position - length..<position]))
        case .text(let length) where isText: return .text(try text(length, at: place))
        case .end: return nil
        default: throw malformed(at: place, "a part of a string", "another item")
        }
    }

    private func text(_ length: Int, at start: Int) throws(CBORError) -> String {
        guard let text = String(validating: octets[position - length..<position], as: UTF8.self) else {
            throw CBORError(check: "text", index: start, expected: "UTF-8", found: "other bytes")
        }
        return text
    }

    private func malformed(at index: Int, _ expected: String, _ found: String) -> CBORError {
        CBORError(check: "item", index: index, expected: expected, found: found)
    }

    /// Takes the head of an item, and the content of a string.
    private mutating func head() throws(CBORError) -> Head {
        count += 1
        guard count <= maximumCount else {
            throw CBORError(
                check: "count", index: position, expected: "\(maximumCount) items at most", found: "one more")
        }
        let start = position
        guard let first = octets[start...].first else { throw cut(at: start) }
        position += 1
        let (major, information) = (first >> 5, first & 0x1F)
        let argument: UInt64? = try argument(information, at: start)
        switch (major, argument) {
        case (0, let number?): return .unsigned(number)
        case (1, let number?): return .negative(number)
        case (2, nil): return .octetParts
        case (3, nil): return .textParts
        case (2, let length?), (3, let length?):
            guard length <= UInt64(octets.endIndex - position) else { throw cut(at: start) }
            position += Int(length)
            return major == 2 ? .octets(length: Int(length)) : .text(length: Int(length))
        case (4, let count): return .array(count)
        case (5, let count): return .map(count)
        case (6, let number?): return .tag(number)
        case (7, nil): return .end
        case (7, let raw?):
            switch information {
            case 25: return .float(Double(Float16(bitPattern: UInt16(raw))))
            case 26: return .float(Double(Float(bitPattern: UInt32(raw))))
            case 27: return .float(Double(bitPattern: raw))
            case 24 where raw < 32: break
            default: return .simple(UInt8(raw))
            }
        default: break
        }
        throw malformed(at: start, "the head of an item", "another byte")
    }

    /// Takes the argument of a head, most significant byte first; nil for an indefinite length.
    private mutating func argument(_ information: UInt8, at start: Int) throws(CBORError) -> UInt64? {
        switch information {
        case ..<24: return UInt64(information)
        case 24...27:
            let width = 1 << Int(information - 24)
            guard width <= octets.endIndex - position else { throw cut(at: start) }
            defer { position += width }
            return octets[position..<position + width].reduce(0) { $0 << 8 | UInt64($1) }
        case 31: return nil
        default: throw malformed(at: start, "the head of an item", "another byte")
        }
    }

    private func cut(at start: Int) -> CBORError {
        CBORError(
            check: "length", index: start, expected: "a whole item", found: "\(octets.endIndex - start) left")
    }
}

extension CBORItem {
    /// The item as bytes, each head as short as it can be, and each length definite.
    var octets: [UInt8] {
        var octets: [UInt8] = []
        write(&octets)
        return octets
    }

    private func write(_ octets: inout [UInt8]) {
        switch value {
        case .unsigned(let number): octets += Self.head(0, number)
        case .negative(let number): octets += Self.head(1, number)
        case .octets(let content): octets += Self.head(2, UInt64(content.count)) + content
        case .text(let text): octets += Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let items):
            octets += Self.head(4, UInt64(items.count))
            for item in items { item.write(&octets) }
        case .map(let entries):
            octets += Self.head(5, UInt64(entries.count))
            for entry in entries {
                entry.key.write(&octets)
                entry.value.write(&octets)
            }
        case .tagged(let tag, let item):
            octets += Self.head(6, tag)
            item.write(&octets)
        case .float(let number):
            let single = Float(number)
            let isSingle = Double(single) == number || number.isNaN
            let raw = isSingle ? UInt64(single.bitPattern) : number.bitPattern
            octets += [isSingle ? 0xFA : 0xFB] + raw.littleOctets(isSingle ? 4 : 8).reversed()
        case .simple(let number): octets += Self.head(7, UInt64(number))
        }
    }

    private static func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        if argument < 24 { return [major << 5 | UInt8(argument)] }
        let power = [0xFF, 0xFFFF, 0xFFFF_FFFF].firstIndex { argument <= $0 } ?? 3
        return [major << 5 | 24 + UInt8(power)] + argument.littleOctets(1 << power).reversed()
    }
}
