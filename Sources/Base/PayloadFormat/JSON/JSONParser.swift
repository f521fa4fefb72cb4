import WireBytes

/// Parses a JSON text strictly by RFC 8259, within limits.
public struct JSONParser: ~Copyable {
    /// Limits of a JSON text.
    public struct Limits: Sendable {
        /// Maximum length of the text in bytes.
        public var octets = 1 << 20
        /// Maximum nesting of arrays and objects.
        public var depth = 32
        /// Maximum number of values.
        public var nodes = 100_000

        /// Creates the limits for handwritten files.
        public init() {}
    }

    private let text: [UInt8]
    private let limits: Limits
    private var position = 0
    private var line = 1
    private var nodes = 0

    /// Parses a JSON text in UTF-8.
    public static func parse(
        _ octets: [UInt8], limits: Limits = Limits()
    ) throws(JSONSyntaxError) -> JSONNode {
        var parser = JSONParser(text: octets, limits: limits)
        return try parser.document()
    }

    private init(text: [UInt8], limits: Limits) {
        self.text = text
        self.limits = limits
    }

    private mutating func document() throws(JSONSyntaxError) -> JSONNode {
        guard text.count <= limits.octets else { throw tooMuch(limits.octets, "bytes") }
        guard String(validating: text, as: UTF8.self) != nil else { throw error("text that is not UTF-8") }
        skipSpace()
        let node = try value(path: "$", depth: 0)
        skipSpace()
        guard position == text.count else { throw error("text after the value") }
        return node
    }

    private func error(_ what: String) -> JSONSyntaxError {
        JSONSyntaxError(what: what, line: line, offset: position, isLimit: false)
    }

    private func tooMuch(_ limit: Int, _ ofWhat: String) -> JSONSyntaxError {
        JSONSyntaxError(what: "more than \(limit) \(ofWhat)", line: line, offset: position, isLimit: true)
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let octet = next, octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 {
            if octet == 0x0A { line += 1 }
            position += 1
        }
    }

    private mutating func take(_ octet: UInt8) -> Bool {
        guard next == octet else { return false }
        position += 1
        return true
    }

    private mutating func value(path: String, depth: Int) throws(JSONSyntaxError) -> JSONNode {
        nodes += 1
        guard nodes <= limits.nodes else { throw tooMuch(limits.nodes, "values") }
        guard depth <= limits.depth else { throw tooMuch(limits.depth, "levels") }
        let start = line
        let value: JSONNode.Value
        switch next {
        case 0x7B: value = .object(try members(path, depth: depth))
        case 0x5B: value = .array(try elements(path, depth: depth))
        case 0x22: value = .string(try string())
        case 0x74: value = try word("true", .bool(true))
        case 0x66: value = try word("false", .bool(false))
        case 0x6E: value = try word("null", .null)
        case nil: throw error("the end of the text where a value is due")
        case let octet? where octet == 0x2D || (0x30...0x39).contains(octet):
            value = .number(try number())
        default: throw error("a character that starts no value")
        }
        return JSONNode(value: value, path: path, line: start)
    }

    private mutating func word(
        _ text: StaticString, _ value: JSONNode.Value
    ) throws(JSONSyntaxError) -> JSONNode.Value {
        for octet in text.description.utf8 {
            guard take(octet) else { throw error("a word other than true, false and null") }
        }
        return value
    }

    private mutating func members(_ path: String, depth: Int) throws(JSONSyntaxError) -> [JSONMember] {
        position += 1
        var members: [JSONMember] = []
        var names: Set<String> = []
        skipSpace()
        if take(0x7D) { return members }
        while true {
            skipSpace()
            guard next == 0x22 else { throw error("no member name in quotes") }
            let name = try string()
            guard names.insert(name).inserted else { throw error("the member \"\(name)\" a second time") }
            skipSpace()
            guard take(0x3A) else { throw error("no colon after a member name") }
            skipSpace()
            // A long name is cut in the path so that paths can't become longer than the text.
            let place = "\(path).\(name.prefix(32))"
            members.append(JSONMember(name: name, node: try value(path: place, depth: depth + 1)))
            skipSpace()
            if take(0x7D) { return members }
            guard take(0x2C) else { throw error("neither a comma nor the end of the object") }
        }
    }

    private mutating func elements(_ path: String, depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
        position += 1
        var elements: [JSONNode] = []
        skipSpace()
        if take(0x5D) { return elements }
        while true {
            skipSpace()
            elements.append(try value(path: "\(path)[\(elements.count)]", depth: depth + 1))
            skipSpace()
            if take(0x5D) { return elements }
            guard take(0x2C) else { throw error("neither a comma nor the end of the array") }
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
        let negative = take(0x2D)
        var mantissa: Int64 = 0
        var exponent = 0
        let first = next
        let whole = try digits(into: &mantissa)
        if whole > 1 && first == 0x30 { throw error("a number with a leading zero") }
        if take(0x2E) { exponent = 0 - (try digits(into: &mantissa)) }
        if next == 0x65 || next == 0x45 {
            position += 1
            let down = take(0x2D)
            if !down { _ = take(0x2B) }
            var power: Int64 = 0
            _ = try digits(into: &power)
            guard power <= 400 else { throw error("an exponent over 400") }
            exponent += down ? 0 - Int(power) : Int(power)
        }
        return JSONNumber(mantissa: negative ? 0 - mantissa : mantissa, exponent: exponent)
    }

    private mutating func digits(into value: inout Int64) throws(JSONSyntaxError) -> Int {
        var count = 0
        while let octet = next, octet >= 0x30, octet <= 0x39 {
            let (product, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = product.addingReportingOverflow(Int64(octet &- 0x30))
            guard !over, !tooLarge else { throw error("a number with too many digits") }
            value = sum
            count += 1
            position += 1
        }
        guard count > 0 else { throw error("a number without a digit where one is due") }
        return count
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        var octets: [UInt8] = []
        while true {
            guard let octet = next else { throw error("a string without an end") }
            position += 1
            switch octet {
            case 0x22:
                // This can't fail: the whole text is valid UTF-8, and escapes append scalars.
                return String(decoding: octets, as: UTF8.self)
            case 0x5C: octets.append(contentsOf: String(try escape()).utf8)
            case 0..<0x20: throw error("a control character in a string")
            default: octets.append(octet)
            }
        }
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard let octet = next else { throw error("a string without an end") }
        position += 1
        switch octet {
        case 0x22, 0x5C, 0x2F: return Unicode.Scalar(octet)
        case 0x62: return "\u{08}"
        case 0x66: return "\u{0C}"
        case 0x6E: return "\n"
        case 0x72: return "\r"
        case 0x74: return "\t"
        case 0x75: break
        default: throw error("an escape that JSON does not have")
        }
        var unit = try fourDigits()
        if unit & 0xFC00 == 0xD800 {
            guard take(0x5C), take(0x75) else { throw error("half of a surrogate pair") }
            let low = try fourDigits()
            guard low & 0xFC00 == 0xDC00 else { throw error("half of a surrogate pair") }
            unit = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(unit) else { throw error("half of a surrogate pair") }
        return scalar
    }

    private mutating func fourDigits() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let octet = next, let digit = Hex.value(ofDigit: octet) else {
                throw error("an escape without four digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
