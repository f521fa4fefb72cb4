extension FieldPresentation {
    /// Returns the name of a value that means the refusal of a request; nil for another value.
    func refusal(_ raw: UInt64) -> String? {
        if let name = names[raw] { return refusals.contains(raw) ? name : nil }
        return refusesOthers ? otherName.map { "\($0) \(raw)" } : nil
    }

    func shown(_ raw: UInt64, bits: Int) -> AnnotationValue {
        // A bit set may have names for whole values, such as "all".
        if let name = names[raw] ?? otherName { return .named(raw, name) }
        if !flags.isEmpty {
            let set = (0..<min(bits, 64)).filter { raw >> UInt64($0) & 1 != 0 }
            return .flags(raw, set.map { flags[$0] ?? "bit\($0)" })
        }
        if !names.isEmpty, scale == nil, offset == nil, unit == nil, style == .number {
            return .named(raw, nil)
        }
        if style == .hex { return .hex(raw, digits: (bits + 3) / 4) }
        if let value = Int64(exactly: raw), let decimal = scaled(value) { return decimal }
        return .unsigned(raw)
    }

    func shown(_ raw: Int64, bits: Int) -> AnnotationValue {
        let pattern = UInt64(bitPattern: raw) & (UInt64.max >> UInt64(64 - bits))
        if let name = names[pattern] ?? otherName { return .named(pattern, name) }
        return scaled(raw) ?? .signed(raw)
    }

    /// Returns the meaning of an SFLOAT or FLOAT: a mantissa of 12 or 24 bits and a power of ten of 4 or 8.
    ///
    /// Source: IEEE 11073-20601, Annex F.6 to F.8.
    func medicalFloat(_ raw: UInt64, width: Int) -> AnnotationValue {
        if let name = names[raw] { return .named(raw, name) }
        let bits = Int64(width == 2 ? 12 : 24)
        let half = Int64(1) << (bits - 1)
        let unsigned = Int64(truncatingIfNeeded: raw) & (2 * half - 1)
        let mantissa = unsigned >= half ? unsigned - 2 * half : unsigned
        let exponentBits = Int64(8 * width) - bits
        let exponent = Int64(bitPattern: raw << UInt64(64 - 8 * width)) >> (64 - exponentBits)
        switch mantissa {
        case half - 1 where exponent == 0: return .named(raw, "NaN")
        case 0 - half where exponent == 0: return .named(raw, "not at this resolution")
        case half - 2 where exponent == 0: return .named(raw, "+infinity")
        case 2 - half where exponent == 0: return .named(raw, "-infinity")
        case 1 - half where exponent == 0: return .named(raw, "reserved")
        default: break
        }
        if exponent < 0 {
            guard exponent >= -18 else { return .text("\(mantissa)e\(exponent)") }
            return .decimal(FixedDecimal(mantissa: mantissa, places: Int(0 - exponent)))
        }
        return JSONNumber(mantissa: mantissa, exponent: Int(exponent)).integer.map { .signed($0) }
            ?? .text("\(mantissa)e\(exponent)")
    }

    /// Returns the meaning of a binary floating-point number: its shortest decimal form.
    func float(_ raw: UInt64, width: Int) -> AnnotationValue {
        if let name = names[raw] { return .named(raw, name) }
        let text =
            width == 4
            ? Float(bitPattern: UInt32(truncatingIfNeeded: raw)).description
            : Double(bitPattern: raw).description
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count <= 18, let mantissa = Int64(parts[0] + parts[1]) else {
            return .text(text)
        }
        return .decimal(FixedDecimal(mantissa: mantissa, places: parts[1].utf8.count))
    }

    /// Returns an SFLOAT or FLOAT that is shown as `value`; nil if none is.
    func medicalFloat(_ value: AnnotationValue, width: Int) -> UInt64? {
        let bits = width == 2 ? 12 : 24
        var (mantissa, exponent): (Int64, Int)
        switch value {
        case .named(let raw, _): return raw
        case .decimal(let decimal): (mantissa, exponent) = (decimal.mantissa, 0 - decimal.places)
        case .signed(let number): (mantissa, exponent) = (number, 0)
        case .unsigned(let number): (mantissa, exponent) = (Int64(clamping: number), 0)
        case .text(let text):
            let parts = text.split(separator: "e").map { Int64($0) }
            guard parts.count == 2, let first = parts[0], let power = parts[1] else { return nil }
            (mantissa, exponent) = (first, Int(power))
        default: return nil
        }
        let half = Int64(1) << Int64(bits - 1)
        let limit = 1 << (8 * width - bits - 1)
        while mantissa.magnitude >= UInt64(half), mantissa % 10 == 0 {
            mantissa /= 10
            exponent += 1
        }
        // The outermost mantissas have meanings of their own.
        let greatest = exponent == 0 ? half - 3 : half - 1
        guard mantissa <= greatest, mantissa >= 0 - greatest - (exponent == 0 ? 0 : 1),
            exponent >= 0 - limit, exponent < limit
        else { return nil }
        let mask = UInt64.max >> UInt64(64 - 8 * width)
        return
            (UInt64(bitPattern: mantissa) & (UInt64(1) << UInt64(bits) - 1)
            | UInt64(bitPattern: Int64(exponent)) << UInt64(bits)) & mask
    }

    /// Returns the binary floating-point number that is shown as `value`; nil if none is.
    func float(_ value: AnnotationValue, width: Int) -> UInt64? {
        let text: String
        switch value {
        case .named(let raw, _): return raw
        case .decimal(let decimal): text = decimal.description
        case .signed(let number): text = String(number)
        case .unsigned(let number): text = String(number)
        case .text(let shown): text = shown
        default: return nil
        }
        return width == 4 ? Float(text).map { UInt64($0.bitPattern) } : Double(text).map(\.bitPattern)
    }

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
