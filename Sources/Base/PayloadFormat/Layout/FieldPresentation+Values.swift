import WireBytes

extension FieldPresentation {
    /// Returns the meaning of an unsigned value of `bits` bits.
    func shown(_ raw: UInt64, bits: Int) -> AnnotationValue {
        // A bit set may have names for whole values, such as "all".
        if let name = names[raw] { return .named(raw, name) }
        if !flags.isEmpty {
            let set = (0..<min(bits, 64)).filter { raw >> UInt64($0) & 1 != 0 }
            return .flags(raw, set.map { flags[$0] ?? "bit\($0)" })
        }
        if !names.isEmpty { return .named(raw, nil) }
        if style == .hex { return .hex(raw, digits: (bits + 3) / 4) }
        if let value = Int64(exactly: raw), let decimal = scaled(value) { return decimal }
        return .unsigned(raw)
    }

    /// Returns the meaning of a signed value.
    func shown(_ raw: Int64) -> AnnotationValue { scaled(raw) ?? .signed(raw) }

    /// Returns the raw integer that is shown as `value`, as its bit pattern; nil if none is.
    func raw(_ value: AnnotationValue) -> UInt64? {
        switch value {
        case .unsigned(let raw), .hex(let raw, _), .named(let raw, _), .flags(let raw, _): return raw
        case .signed(let raw): return UInt64(bitPattern: raw)
        case .bool(let yes): return yes ? 1 : 0
        case .text(let name): return names.first { $0.value == name }?.key
        case .decimal(let decimal): return unscaled(decimal)
        case .octets, .numbers, .group, .list: return nil
        }
    }

    private var places: Int { max(0, 0 - min(scale?.exponent ?? 0, offset?.exponent ?? 0)) }

    /// Returns raw × scale + offset; nil without scale and offset, or if the result can't be exact.
    private func scaled(_ raw: Int64) -> AnnotationValue? {
        guard scale != nil || offset != nil else { return nil }
        guard let step = aligned(scale ?? Self.one), let zero = aligned(offset ?? Self.zero) else {
            return nil
        }
        let (product, over) = raw.multipliedReportingOverflow(by: step)
        let (sum, tooLarge) = product.addingReportingOverflow(zero)
        guard !over, !tooLarge else { return nil }
        return .decimal(FixedDecimal(mantissa: sum, places: places))
    }

    private func unscaled(_ decimal: FixedDecimal) -> UInt64? {
        guard decimal.places <= places, let step = aligned(scale ?? Self.one), step != 0,
            let zero = aligned(offset ?? Self.zero),
            let value = Self.shift(decimal.mantissa, by: places - decimal.places)
        else { return nil }
        let (difference, over) = value.subtractingReportingOverflow(zero)
        guard !over, difference % step == 0 else { return nil }
        return UInt64(bitPattern: difference / step)
    }

    private static let one = JSONNumber(mantissa: 1, exponent: 0)
    private static let zero = JSONNumber(mantissa: 0, exponent: 0)

    /// Returns the number in units of the last decimal place.
    private func aligned(_ number: JSONNumber) -> Int64? {
        Self.shift(number.mantissa, by: number.exponent + places)
    }

    private static func shift(_ value: Int64, by power: Int) -> Int64? {
        JSONNumber(mantissa: value, exponent: power).integer
    }
}
