import PayloadFormat

/// A JSON text taken apart by the letter of RFC 8259: what a tolerant parser lets pass is an error here.
indirect enum JSONValue: Equatable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    /// A number as it was written.
    case number(String)
    case bool(Bool)
    case null

    /// A member of an object.
    struct Member: Equatable {
        let name: String
        let value: JSONValue
    }

    /// Why a text is not JSON, and the octet it was found at.
    struct Malformed: Error, Equatable {
        let what: String
        let offset: Int
    }

    /// Reads a whole text.
    init(_ octets: some Sequence<UInt8>) throws(Malformed) {
        var parser = JSONParser(octets: Array(octets))
        self = try parser.value(depth: 0)
        parser.space()
        guard parser.isAtEnd else { throw Malformed(what: "text after the value", offset: parser.index) }
    }

    /// The member of this name; nil where this is no object or has none.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The element at this place; nil where this is no array or has none.
    subscript(place: Int) -> JSONValue? {
        guard let elements, elements.indices.contains(place) else { return nil }
        return elements[place]
    }

    /// The whole number; nil for any other value.
    var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
    /// The string; nil for any other value.
    var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The elements; nil where this is no array.
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}

/// Goes over the octets of a JSON text.
private struct JSONParser {
    let octets: [UInt8]
    var index = 0

    init(octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { index == octets.count }
    private var next: UInt8? { index < octets.count ? octets[index] : nil }

    private func fail(_ what: String) -> JSONValue.Malformed {
        JSONValue.Malformed(what: what, offset: index)
    }

    mutating func space() {
        while let octet = next, [0x20, 0x09, 0x0A, 0x0D].contains(octet) { index += 1 }
    }

    private mutating func take(_ octet: UInt8) -> Bool {
        guard next == octet else { return false }
        index += 1
        return true
    }

    private mutating func literal(_ text: String) -> Bool {
        guard octets[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    mutating func value(depth: Int) throws(JSONValue.Malformed) -> JSONValue {
        guard depth < 64 else { throw fail("nested too deep") }
        space()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): if literal("true") { return .bool(true) }
        case UInt8(ascii: "f"): if literal("false") { return .bool(false) }
        case UInt8(ascii: "n"): if literal("null") { return .null }
        default: return .number(try number())
        }
        throw fail("no value")
    }

    private mutating func object(_ depth: Int) throws(JSONValue.Malformed) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        space()
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            space()
            guard next == UInt8(ascii: "\"") else { throw fail("no name of a member") }
            let name = try string()
            guard !members.contains(where: { $0.name == name }) else { throw fail("'\(name)' twice") }
            space()
            guard take(UInt8(ascii: ":")) else { throw fail("no colon") }
            members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1)))
            space()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fail("object not closed") }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(JSONValue.Malformed) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        space()
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            elements.append(try value(depth: depth + 1))
            space()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fail("array not closed") }
        return .array(elements)
    }

    private mutating func string() throws(JSONValue.Malformed) -> String {
        index += 1
        var text: [UInt8] = []
        while let octet = next {
            index += 1
            switch octet {
            case UInt8(ascii: "\""):
                guard let whole = String(validating: text, as: UTF8.self) else { throw fail("no UTF-8") }
                return whole
            case 0..<0x20: throw fail("control character in a string")
            case UInt8(ascii: "\\"): text += try escape()
            default: text.append(octet)
            }
        }
        throw fail("string not closed")
    }

    private mutating func escape() throws(JSONValue.Malformed) -> [UInt8] {
        guard let octet = next else { throw fail("escape not finished") }
        index += 1
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [octet]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            guard index + 4 <= octets.count,
                let value = UInt32(String(decoding: octets[index..<index + 4], as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw fail("no code point") }
            index += 4
            return Array(String(Character(scalar)).utf8)
        default: throw fail("unknown escape")
        }
    }

    private mutating func number() throws(JSONValue.Malformed) -> String {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
        } else {
            guard digits() > 0 else { throw fail("no value") }
        }
        if take(UInt8(ascii: ".")) {
            guard digits() > 0 else { throw fail("no digit after the point") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard digits() > 0 else { throw fail("no exponent") }
        }
        return String(decoding: octets[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while let octet = next, (0x30...0x39).contains(octet) { index += 1 }
        return index - start
    }
}
