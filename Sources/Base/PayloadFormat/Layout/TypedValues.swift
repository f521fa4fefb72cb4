import WireBytes

// Messages made of values that a person types: `level=50`.

extension Layout {
    /// Encodes a message from typed values, by the names of their fields; other fields are 0 or empty.
    ///
    /// A number is in its field's unit, or hexadecimal after `0x`; a value with a name may have the name, and
    /// set bits are joined by `|`; bytes are hexadecimal. A field in a group, in an integer of bit fields, or
    /// chosen by an earlier integer has the outer field's name and a point before its own.
    ///
    /// - Throws: ``LayoutError`` for a name that no field has, and for a value that its field can't hold.
    public func encode(typed texts: [String: String]) throws(LayoutError) -> [UInt8] {
        var used: Set<String> = []
        let octets = try encode(try values(texts, under: "", [:], &used))
        if let name = texts.keys.filter({ !used.contains($0) }).min() { throw .unknown(name) }
        return octets
    }

    /// The names of the fields that may be typed, in order.
    public var typedNames: [String] { fields.filter { $0.constant == nil }.map(\.name) }

    private func values(
        _ texts: [String: String], under path: String, _ earlier: [String: UInt64],
        _ used: inout Set<String>
    ) throws(LayoutError) -> [DecodedField] {
        var raw = earlier
        var made: [DecodedField] = []
        for field in fields {
            if let condition = field.condition, !condition.holds(in: raw) { continue }
            let name = path + field.name
            var value: AnnotationValue?
            if field.constant == nil {
                if let text = texts[name] {
                    used.insert(name)
                    value = field.value(typed: text)
                    if value == nil { throw .unfit(name) }
                } else if field.isOptional, !texts.keys.contains(where: { $0.hasPrefix(name + ".") }) {
                    break
                } else if case .bits(_, _, let parts) = field.shape {
                    value = .group(try Self.bits(parts, texts, under: name + ".", &used))
                } else if let inner = field.inner(raw) {
                    value = .group(try Layout(inner).values(texts, under: name + ".", raw, &used))
                } else if fields.contains(where: { $0.length == .field(field.name) }) {
                    // The length follows from the field that it measures.
                    continue
                } else {
                    value = field.zero
                    if value == nil { throw .missing(name) }
                }
            }
            if let value { made.append(DecodedField(field.name, value)) }
            var octets = field.constant
            if let value { octets = try field.encode(value, raw) }
            if let integer = octets.flatMap({ field.integer($0) }) { raw[field.name] = integer }
        }
        return made
    }

    private static func bits(
        _ parts: [BitFieldLayout], _ texts: [String: String], under path: String, _ used: inout Set<String>
    ) throws(LayoutError) -> [DecodedField] {
        var made: [DecodedField] = []
        for part in parts {
            let name = path + part.name
            let value = part.presentation.value(typed: texts[name] ?? "0")
            guard let value else { throw .unfit(name) }
            if texts[name] != nil { used.insert(name) }
            made.append(DecodedField(part.name, value))
        }
        return made
    }
}

extension FieldLayout {
    /// The length that the field has, or the count of its elements; nil for a number.
    fileprivate var length: FieldLength? {
        switch shape {
        case .octets(let length), .text(let length), .hexText(let length), .decimalText(let length, _),
            .list(let length, _), .message(let length, _), .encrypted(let length, _, _):
            length
        case .group(let length, _), .choice(_, let length, _, _): length
        case .integer, .bits, .packedDecimal, .base100, .medicalFloat, .float: nil
        }
    }

    /// The fields inside, for a group or a choice.
    fileprivate func inner(_ earlier: [String: UInt64]) -> [FieldLayout]? {
        switch shape {
        case .group(_, let fields): fields
        case .encrypted(_, let cipher, let fields): cipher.encrypts ? nil : fields
        case .choice(let source, _, let cases, let otherwise):
            earlier[source].flatMap { cases[$0] } ?? otherwise
        default: nil
        }
    }

    /// The value 0 or the empty one; nil if the field needs a value.
    fileprivate var zero: AnnotationValue? {
        switch (shape, length) {
        case (.octets, .fixed(let count)?): .octets([UInt8](repeating: 0, count: min(count, 4_096)))
        case (.hexText, .fixed(let count)?): .octets([UInt8](repeating: 0, count: min(count, 4_096) / 2))
        case (.octets, _), (.hexText, _): .octets([])
        case (.text, _): .text("")
        case (.list, .fixed(let count)?) where count > 0: nil
        case (.list, _): .list([])
        case (.message, _): .group([])
        default: value(typed: "0")
        }
    }

    /// Returns a typed value; nil if the field can't hold it.
    fileprivate func value(typed text: String) -> AnnotationValue? {
        switch shape {
        case .octets, .hexText: (try? Hex.octets(text)).map { .octets($0) }
        case .text: .text(text)
        case .integer(_, _, _, let presentation), .decimalText(_, let presentation),
            .packedDecimal(_, _, let presentation), .base100(_, _, let presentation),
            .medicalFloat(_, _, let presentation), .float(_, _, let presentation):
            presentation.value(typed: text)
        case .bits, .list, .group, .choice, .message, .encrypted: nil
        }
    }
}

extension FieldPresentation {
    fileprivate func value(typed text: String) -> AnnotationValue? {
        if names.values.contains(text) { return .text(text) }
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map { .unsigned($0) } }
        let bits = text.split(separator: "|").map { part in flags.first { $0.value == part }?.key }
        if !bits.isEmpty, !bits.contains(nil) {
            return .unsigned(bits.reduce(0) { $0 | 1 << UInt64($1 ?? 0) })
        }
        guard let number = FixedDecimal(typed: text) else { return nil }
        guard scale == nil, offset == nil, number.places == 0 else { return .decimal(number) }
        return number.mantissa < 0 ? .signed(number.mantissa) : .unsigned(UInt64(number.mantissa))
    }
}

extension FixedDecimal {
    fileprivate init?(typed text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let mantissa = Int64(parts.joined()) else { return nil }
        let places = parts.count == 2 ? parts[1].utf8.count : 0
        guard places <= 18 else { return nil }
        self.init(mantissa: mantissa, places: places)
    }
}
