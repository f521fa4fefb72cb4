import WireBytes

extension Layout {
    /// Decodes the fields of `octets`, up to the first that does not fit.
    ///
    /// A misfit ends the decoding; fields before it are kept. Bytes after the last field are a misfit. The
    /// refusal is the name of the first value that means one, the wrong tag the first that a key proves
    /// wrong.
    ///
    /// - Parameter keys: the knowledge that opens encrypted fields; without it they stay bytes.
    public func decode(
        _ octets: ArraySlice<UInt8>, keys: FieldKeys? = nil
    ) -> (fields: [DecodedField], misfit: Misfit?, refusal: String?, wrongTag: Misfit?) {
        var reader = LayoutReader(octets, keys)
        var decoded: [DecodedField] = []
        do throws(Misfit) {
            try reader.readWhole(fields, path: "", into: &decoded)
        } catch {
            return (decoded, error, nil, nil)
        }
        return (decoded, nil, reader.refusal, reader.wrongTag)
    }

    /// Decodes the fields of `octets`, up to the first that does not fit.
    public func decode(
        _ octets: [UInt8]
    ) -> (fields: [DecodedField], misfit: Misfit?, refusal: String?, wrongTag: Misfit?) {
        decode(octets[...])
    }
}

/// Decodes described fields one after another.
struct LayoutReader {
    private(set) var octets: ArraySlice<UInt8>
    private var position: Int
    /// Integers read so far, which lengths may name.
    private var integers: [(name: String, value: UInt64)] = []
    /// The name of the first value that means a refusal; nil if absent.
    var refusal: String?
    /// The first tag that a key proves wrong; nil if absent.
    var wrongTag: Misfit?
    /// The knowledge that opens encrypted fields.
    let keys: FieldKeys?

    init(_ octets: ArraySlice<UInt8>, _ keys: FieldKeys? = nil) {
        self.octets = octets
        self.keys = keys
        position = octets.startIndex
    }

    /// Returns a reader of opened bytes, whose fields may name the integers read so far.
    func inside(_ plaintext: [UInt8]) -> LayoutReader {
        var reader = self
        reader.octets = plaintext[...]
        reader.position = 0
        return reader
    }

    /// Reads fields that make up all bytes.
    mutating func readWhole(
        _ fields: [FieldLayout], path: String, into decoded: inout [DecodedField]
    ) throws(Misfit) {
        try read(fields[...], path: path, into: &decoded)
        if remaining > 0 {
            throw Misfit(
                check: "trailing", field: path, offset: offset,
                expected: "the end of \(path.isEmpty ? "the message" : path)",
                found: "\(remaining.counting("byte")) more")
        }
    }

    var offset: Int { position - octets.startIndex }
    var remaining: Int { octets.endIndex - position }

    mutating func read(
        _ fields: ArraySlice<FieldLayout>, path: String, into decoded: inout [DecodedField]
    ) throws(Misfit) {
        var holdsEncrypted = false
        for index in fields.indices {
            let field = fields[index]
            if let condition = field.condition, !holds(condition) { continue }
            if field.isOptional, remaining == 0 { break }
            let start = offset
            let name = path.isEmpty ? field.name : "\(path).\(field.name)"
            let (value, unit) = try value(of: field, name, following: fields[(index + 1)...])
            if let constant = field.constant {
                let found = octets[(octets.startIndex + start)..<position]
                if !found.elementsEqual(constant) {
                    throw Misfit(
                        check: "constant", field: name, offset: start, expected: Hex.text(constant),
                        found: Hex.text(found))
                }
            }
            decoded.append(
                DecodedField(
                    field.name, value, unit: unit, isVolatile: field.isVolatile, range: start..<offset))
            if case .encrypted = field.shape { holdsEncrypted = true }
        }
        if holdsEncrypted { try open(fields, path: path, in: &decoded) }
    }

    /// Notes a value that means a refusal.
    private mutating func note(_ raw: UInt64, _ presentation: FieldPresentation) {
        refusal = refusal ?? presentation.refusal(raw)
    }

    /// Whether a condition holds; not if its field is missing itself.
    private func holds(_ condition: FieldCondition) -> Bool {
        integers.last { $0.name == condition.field }.map { condition.holds($0.value) } ?? false
    }

    private mutating func value(
        of field: FieldLayout, _ name: String, following: ArraySlice<FieldLayout>
    ) throws(Misfit) -> (AnnotationValue, String?) {
        switch field.shape {
        case .integer(let width, let signed, let order, let presentation):
            let raw = Self.integer(try take(width, name), order)
            integers.append((field.name, raw))
            note(raw, presentation)
            if !signed { return (presentation.shown(raw, bits: 8 * width), presentation.unit) }
            return (presentation.shown(Self.signed(raw, bits: 8 * width), bits: 8 * width), presentation.unit)
        case .bits(let width, let order, let parts):
            let raw = Self.integer(try take(width, name), order)
            integers.append((field.name, raw))
            for part in parts { note(raw >> UInt64(part.shift) & part.mask, part.presentation) }
            return (.group(BitFieldLayout.decode(raw, parts, width: width)), nil)
        case .encrypted(let length, let cipher, let fields) where !cipher.encrypts:
            return (try group(length, fields, name, following), nil)
        case .octets(let length), .encrypted(let length, _, _):
            let count = try count(length, name, following, each: 1)
            return (.octets(Array(try take(count, name))), nil)
        case .text(let length):
            let count = try count(length, name, following, each: 1)
            return (.text(try text(try take(count, name), name, field.expansions)), nil)
        case .hexText(let length):
            let digits = try take(try count(length, name, following, each: 1), name)
            guard let octets = try? Hex.octets(String(decoding: digits, as: UTF8.self)),
                2 * octets.count == digits.count
            else { throw misfit("digits", name, digits, "pairs of hexadecimal digits") }
            return (.octets(octets), nil)
        case .decimalText(let length, let presentation):
            let digits = try take(try count(length, name, following, each: 1), name)
            guard digits.last.map({ (0x30...0x39).contains($0) }) == true,
                let number = Int64(String(decoding: digits, as: UTF8.self))
            else { throw misfit("digits", name, digits, "decimal digits") }
            if number < 0 { return (presentation.shown(number, bits: 64), presentation.unit) }
            return (presentation.shown(UInt64(number), bits: 64), presentation.unit)
        case .packedDecimal(let width, let order, let presentation):
            let start = offset
            let taken = try take(width, name)
            let value = try digits(taken, name, at: start, order, base: 16, limit: 10)
            return (presentation.shown(value, bits: 64), presentation.unit)
        case .base100(let width, let order, let presentation):
            let start = offset
            let taken = try take(width, name)
            let value = try digits(taken, name, at: start, order, base: 256, limit: 100)
            return (presentation.shown(value, bits: 64), presentation.unit)
        case .list(let length, let items):
            return (.list(try elements(length, items, name, following)), nil)
        case .medicalFloat(let width, let order, let presentation):
            let raw = Self.integer(try take(width, name), order)
            return (presentation.medicalFloat(raw, width: width), presentation.unit)
        case .float(let width, let order, let presentation):
            let raw = Self.integer(try take(width, name), order)
            return (presentation.float(raw, width: width), presentation.unit)
        case .group(let length, let fields): return (try group(length, fields, name, following), nil)
        case .message(let length, let layout):
            let taken = try take(try count(length, name, following, each: 1), name)
            return (.group(try message(taken, layout, name)), nil)
        case .choice(let source, let length, let cases, let otherwise):
            let value = integers.last { $0.name == source }?.value
            guard let fields = value.flatMap({ cases[$0] }) ?? otherwise else {
                throw Misfit(
                    check: "choice", field: name, offset: offset,
                    expected: "\(source) of " + cases.keys.sorted().map { "\($0)" }.joined(separator: ", "),
                    found: value.map { "\($0)" } ?? "none")
            }
            return (try group(length, fields, name, following), nil)
        }
    }

    private mutating func message(
        _ taken: ArraySlice<UInt8>, _ layout: MessageLayout, _ name: String
    ) throws(Misfit) -> [DecodedField] {
        let (fields, seen) = try layout.read(taken, origin: octets.startIndex, path: name, keys: keys)
        refusal = refusal ?? seen.refusal
        wrongTag = wrongTag ?? seen.wrongTag
        return fields
    }

    /// Reads fields in a number of bytes of their own; all that they need without a length.
    private mutating func group(
        _ length: FieldLength?, _ fields: [FieldLayout], _ name: String, _ following: ArraySlice<FieldLayout>
    ) throws(Misfit) -> AnnotationValue {
        var decoded: [DecodedField] = []
        let known = integers.count
        defer { forget(after: known) }
        guard let length else {
            try read(fields[...], path: name, into: &decoded)
            return .group(decoded)
        }
        let count = try count(length, name, following, each: 1)
        let start = position
        let whole = octets
        _ = try take(count, name)
        // Positions stay those of the whole message.
        octets = whole[whole.startIndex..<position]
        position = start
        defer { octets = whole }
        try readWhole(fields, path: name, into: &decoded)
        return .group(decoded)
    }

    private mutating func take(_ count: Int, _ name: String) throws(Misfit) -> ArraySlice<UInt8> {
        guard count >= 0, remaining >= count else {
            throw Misfit(
                check: "length", field: name, offset: offset, expected: "\(count) bytes",
                found: "\(remaining) left")
        }
        let taken = octets[position..<position + count]
        position += count
        return taken
    }

    private func count(
        _ length: FieldLength, _ name: String, _ following: ArraySlice<FieldLayout>, each: Int
    ) throws(Misfit) -> Int {
        switch length {
        case .fixed(let count): return count
        case .field(let source):
            guard let value = integers.last(where: { $0.name == source })?.value,
                let count = Int(exactly: value)
            else {
                throw Misfit(
                    check: "length", field: name, offset: offset, expected: "a length in \(source)",
                    found: "none")
            }
            return count
        case .rest: return max(0, remaining - tail(following)) / each
        }
    }

    /// The bytes that fields need after one that takes the rest, as far as it is known that they are there.
    private func tail(_ following: ArraySlice<FieldLayout>) -> Int {
        following.reduce(0) { total, field in
            if field.isOptional || !(field.condition.map(holds) ?? true) { return total }
            return total + (field.width ?? 0)
        }
    }

    /// Forgets the integers of a group, an element or a case: fields outside can't name them.
    private mutating func forget(after count: Int) { integers.removeLast(integers.count - count) }

    private func text(
        _ octets: ArraySlice<UInt8>, _ name: String, _ expansions: [UInt8: String]
    ) throws(Misfit) -> String {
        let shown = octets.prefix { $0 != 0 || expansions[0] != nil }
        let expanded =
            expansions.isEmpty
            ? Array(shown) : shown.flatMap { expansions[$0].map { Array($0.utf8) } ?? [$0] }
        guard let text = String(validating: expanded, as: UTF8.self) else {
            throw misfit("text", name, octets, "UTF-8")
        }
        return text
    }

    private func misfit(
        _ check: String, _ name: String, _ octets: ArraySlice<UInt8>, _ expected: String
    ) -> Misfit {
        Misfit(
            check: check, field: name, offset: octets.startIndex - self.octets.startIndex, expected: expected,
            found: Hex.text(octets))
    }

    private func digits(
        _ octets: ArraySlice<UInt8>, _ name: String, at start: Int, _ order: OctetOrder, base: Int,
        limit: UInt64
    ) throws(Misfit) -> UInt64 {
        var value: UInt64 = 0
        for octet in order == .big ? Array(octets) : octets.reversed() {
            let parts = base == 16 ? [UInt64(octet >> 4), UInt64(octet & 15)] : [UInt64(octet)]
            for part in parts {
                guard part < limit else {
                    throw Misfit(
                        check: "digits", field: name, offset: start, expected: "digits below \(limit)",
                        found: Hex.text(octets))
                }
                value = value * limit + part
            }
        }
        return value
    }

    private mutating func elements(
        _ length: FieldLength, _ items: [FieldLayout], _ name: String, _ following: ArraySlice<FieldLayout>
    ) throws(Misfit) -> [[DecodedField]] {
        var elements: [[DecodedField]] = []
        let tail = tail(following)
        let wanted = length == .rest ? nil : try count(length, name, following, each: 1)
        while wanted.map({ elements.count < $0 }) ?? (remaining > tail) {
            let before = position
            let known = integers.count
            var element: [DecodedField] = []
            try read(items[...], path: "\(name)[\(elements.count)]", into: &element)
            forget(after: known)
            // An element without bytes would repeat forever.
            guard position > before else {
                throw Misfit(
                    check: "length", field: name, offset: offset, expected: "elements that take bytes",
                    found: "one that takes none")
            }
            elements.append(element)
        }
        return elements
    }

    /// Returns the lowest bits as a number in two's complement.
    static func signed(_ raw: UInt64, bits: Int) -> Int64 {
        let unused = Int64(64 - bits)
        return (Int64(bitPattern: raw) << unused) >> unused
    }

    static func integer(_ octets: ArraySlice<UInt8>, _ order: OctetOrder) -> UInt64 {
        order == .big
            ? octets.reduce(0) { $0 << 8 | UInt64($1) } : octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension BitFieldLayout {
    /// Field name for set bits that no bit field covers.
    static let otherBits = "otherBits"

    static func decode(_ raw: UInt64, _ parts: [BitFieldLayout], width: Int) -> [DecodedField] {
        var rest = raw
        var fields: [DecodedField] = []
        for part in parts {
            rest &= ~(part.mask << UInt64(part.shift))
            let bits = raw >> UInt64(part.shift) & part.mask
            let value =
                part.isSigned
                ? part.presentation.shown(part.signed(bits), bits: part.width)
                : part.presentation.shown(bits, bits: part.width)
            fields.append(DecodedField(part.name, value, unit: part.presentation.unit))
        }
        if rest != 0 { fields.append(DecodedField(otherBits, .hex(rest, digits: 2 * width))) }
        return fields
    }

    var mask: UInt64 { width >= 64 ? .max : 1 << UInt64(width) - 1 }

    /// Returns its bits as a number in two's complement.
    func signed(_ bits: UInt64) -> Int64 { LayoutReader.signed(bits, bits: width) }
}
