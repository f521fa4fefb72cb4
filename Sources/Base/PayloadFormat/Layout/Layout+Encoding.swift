import WireBytes

extension Layout {
    /// Encodes a message with these values.
    ///
    /// Fields with a constant need no value, and a length field without a value is computed from the field
    /// that it measures. Numbers may be raw, a ``FixedDecimal`` in the field's unit, or a name.
    public func encode(_ values: [String: AnnotationValue]) throws(LayoutError) -> [UInt8] {
        try encode(values, [:])
    }

    /// Encodes a message from decoded fields.
    public func encode(_ decoded: [DecodedField]) throws(LayoutError) -> [UInt8] {
        try encode(Self.values(decoded), [:])
    }

    /// Encodes a message with those values that its fields can hold; fields without a value are 0.
    ///
    /// For a sender that knows the meaning of its values but not which of them the described message carries.
    public func encode(filling values: [String: AnnotationValue]) -> [UInt8] {
        fields.flatMap { field -> [UInt8] in
            if let constant = field.constant { return constant }
            if let value = values[field.name], let octets = try? field.encode(value, [:]) { return octets }
            return field.zeros
        }
    }

    fileprivate static func values(_ decoded: [DecodedField]) -> [String: AnnotationValue] {
        Dictionary(decoded.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// - Parameter earlier: the integers before these fields, which conditions, choices and lengths name.
    fileprivate func encode(
        _ values: [String: AnnotationValue], _ earlier: [String: UInt64]
    ) throws(LayoutError) -> [UInt8] {
        var octets: [UInt8] = []
        var raw = earlier
        for field in fields {
            if let condition = field.condition, !condition.holds(in: raw) { continue }
            if let constant = field.constant {
                octets += constant
                if let integer = field.integer(constant) { raw[field.name] = integer }
                continue
            }
            if field.isOptional, values[field.name] == nil { break }
            guard let value = values[field.name] ?? impliedLength(of: field, values, raw) else {
                throw .missing(field.name)
            }
            let encoded = try field.encode(value, raw)
            octets += encoded
            if let integer = field.integer(encoded) { raw[field.name] = integer }
        }
        return octets
    }

    /// Returns the value of a field that holds the length of a later one.
    private func impliedLength(
        of field: FieldLayout, _ values: [String: AnnotationValue], _ earlier: [String: UInt64]
    ) -> AnnotationValue? {
        for other in fields {
            switch (other.shape, values[other.name]) {
            case (.octets(.field(field.name)), .octets(let octets)?): return .unsigned(UInt64(octets.count))
            case (.text(.field(field.name)), .text(let text)?): return .unsigned(UInt64(text.utf8.count))
            case (.list(.field(field.name), _), .list(let list)?): return .unsigned(UInt64(list.count))
            case (.message(.field(field.name), let layout), .group(let group)?):
                let octets = try? layout.octets(group, path: other.name)
                return octets.map { .unsigned(UInt64($0.count)) }
            case (.group(.field(field.name)?, let inner), .group(let group)?):
                return (try? Layout(inner).encode(Self.values(group), earlier)).map {
                    .unsigned(UInt64($0.count))
                }
            default: continue
            }
        }
        return nil
    }
}

extension FieldLayout {
    /// The empty field: zeros if its length is fixed, otherwise no bytes.
    fileprivate var zeros: [UInt8] { [UInt8](repeating: 0, count: min(max(0, fixedWidth ?? 0), 4_096)) }

    /// The integer that conditions and choices may name; nil for another type.
    func integer(_ octets: [UInt8]) -> UInt64? {
        switch shape {
        case .integer(_, _, let order, _), .bits(_, let order, _): LayoutReader.integer(octets[...], order)
        default: nil
        }
    }

    /// Encodes a value.
    ///
    /// - Parameter earlier: the integers before the field, by which a choice is made.
    func encode(
        _ value: AnnotationValue, _ earlier: [String: UInt64]
    ) throws(LayoutError) -> [UInt8] {
        switch shape {
        case .integer(let width, let signed, let order, let presentation):
            // A named value of a signed field is named by its bits.
            let isSigned = if case .named = value { false } else { signed }
            guard let raw = presentation.raw(value), Self.fits(raw, width: width, signed: isSigned) else {
                throw .unfit(name)
            }
            return Self.octets(raw, width: width, order)
        case .bits(let width, let order, let parts):
            return Self.octets(try bits(value, parts), width: width, order)
        case .octets(let length):
            guard case .octets(let octets) = value else { throw .unfit(name) }
            if case .fixed(let count) = length, octets.count != count { throw .unfit(name) }
            return octets
        case .text(let length):
            guard case .text(let text) = value else { throw .unfit(name) }
            let octets = Array(text.utf8)
            guard case .fixed(let count) = length else { return octets }
            guard octets.count <= count else { throw .unfit(name) }
            return octets + [UInt8](repeating: 0, count: count - octets.count)
        case .hexText(let length):
            guard case .octets(let octets) = value else { throw .unfit(name) }
            if case .fixed(let count) = length, 2 * octets.count != count { throw .unfit(name) }
            return Array(Hex.text(octets).utf8)
        case .decimalText(let length, let presentation):
            guard let raw = presentation.raw(value) else { throw .unfit(name) }
            let number = Int64(bitPattern: raw)
            let sign: [UInt8] = number < 0 ? [0x2D] : []
            let digits = Array(String(number.magnitude).utf8)
            guard case .fixed(let count) = length else { return sign + digits }
            guard sign.count + digits.count <= count else { throw .unfit(name) }
            return sign + [UInt8](repeating: 0x30, count: count - sign.count - digits.count) + digits
        case .packedDecimal(let width, let order, let presentation):
            return try digits(value, width, order, presentation, base: 100) { ($0 / 10) << 4 | $0 % 10 }
        case .base100(let width, let order, let presentation):
            return try digits(value, width, order, presentation, base: 100) { $0 }
        case .list(let length, let items):
            guard case .list(let elements) = value else { throw .unfit(name) }
            if case .fixed(let count) = length, elements.count != count { throw .unfit(name) }
            var octets: [UInt8] = []
            for element in elements { octets += try Layout(items).encode(Layout.values(element), earlier) }
            return octets
        case .medicalFloat(let width, let order, let presentation):
            guard let raw = presentation.medicalFloat(value, width: width) else { throw .unfit(name) }
            return Self.octets(raw, width: width, order)
        case .float(let width, let order, let presentation):
            guard let raw = presentation.float(value, width: width) else { throw .unfit(name) }
            return Self.octets(raw, width: width, order)
        case .group(let length, let fields): return try group(value, length, fields, earlier)
        case .message(let length, let layout):
            guard case .group(let fields) = value else { throw .unfit(name) }
            let octets = try layout.octets(fields, path: name)
            if case .fixed(let count) = length, octets.count != count { throw .unfit(name) }
            return octets
        case .encrypted(let length, let cipher, let fields) where !cipher.encrypts:
            return try group(value, length, fields, earlier)
        case .encrypted(let length, _, _):
            // The bytes of a field that was not opened; a field can't be encrypted.
            guard case .group(let fields) = value else { throw .unfit(name) }
            guard let octets = fields.unopenedOctets else { throw .encrypted(name) }
            if case .fixed(let count) = length, octets.count != count { throw .unfit(name) }
            return octets
        case .choice(let source, let length, let cases, let otherwise):
            guard let fields = earlier[source].flatMap({ cases[$0] }) ?? otherwise else { throw .unfit(name) }
            return try group(value, length, fields, earlier)
        }
    }

    private func group(
        _ value: AnnotationValue, _ length: FieldLength?, _ fields: [FieldLayout],
        _ earlier: [String: UInt64]
    ) throws(LayoutError) -> [UInt8] {
        guard case .group(let inner) = value else { throw .unfit(name) }
        let octets = try Layout(fields).encode(Layout.values(inner), earlier)
        if case .fixed(let count)? = length, octets.count != count { throw .unfit(name) }
        return octets
    }

    private func bits(_ value: AnnotationValue, _ parts: [BitFieldLayout]) throws(LayoutError) -> UInt64 {
        guard case .group(let fields) = value else { throw .unfit(name) }
        var raw: UInt64 = 0
        for part in parts {
            guard let field = fields.first(where: { $0.name == part.name }) else {
                throw .missing("\(name).\(part.name)")
            }
            guard var bits = part.presentation.raw(field.value) else {
                throw .unfit("\(name).\(part.name)")
            }
            // A named value is named by its bits.
            let isNamed = if case .named = field.value { true } else { false }
            if part.isSigned, !isNamed, part.signed(bits & part.mask) == Int64(bitPattern: bits) {
                bits &= part.mask
            }
            guard bits & ~part.mask == 0 else { throw .unfit("\(name).\(part.name)") }
            raw |= bits << UInt64(part.shift)
        }
        if case .hex(let others, _)? = fields.first(where: { $0.name == BitFieldLayout.otherBits })?.value {
            raw |= others
        }
        return raw
    }

    private func digits(
        _ value: AnnotationValue, _ width: Int, _ order: OctetOrder, _ presentation: FieldPresentation,
        base: UInt64, _ octet: (UInt8) -> UInt8
    ) throws(LayoutError) -> [UInt8] {
        guard var rest = presentation.raw(value) else { throw .unfit(name) }
        var octets: [UInt8] = []
        for _ in 0..<width {
            octets.append(octet(UInt8(truncatingIfNeeded: rest % base)))
            rest /= base
        }
        guard rest == 0 else { throw .unfit(name) }
        return order == .little ? octets : octets.reversed()
    }

    static func fits(_ raw: UInt64, width: Int, signed: Bool) -> Bool {
        guard width < 8 else { return true }
        if !signed { return raw >> UInt64(8 * width) == 0 }
        let value = Int64(bitPattern: raw)
        let limit = Int64(1) << Int64(8 * width - 1)
        return value >= 0 - limit && value < limit
    }

    static func octets(_ raw: UInt64, width: Int, _ order: OctetOrder) -> [UInt8] {
        let little = raw.littleOctets(width)
        return order == .little ? little : little.reversed()
    }
}
