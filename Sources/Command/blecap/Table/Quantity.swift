import CommandLineKit

/// Sizes and durations on a command line.
enum Quantity {
    /// Parses bytes: `500`, `64K`, `10M`, `1G`, in powers of 1024, optionally followed by `B` or `iB`.
    static func octets(_ text: String) -> Int? {
        var digits = Substring(text.lowercased())
        if digits.hasSuffix("ib") {
            digits = digits.dropLast(2)
            guard let last = digits.last, "kmg".contains(last) else { return nil }
        } else if digits.hasSuffix("b") {
            digits = digits.dropLast()
        }
        var factor = 1
        if let unit = digits.last, let power = ["k": 10, "m": 20, "g": 30][unit] {
            factor = 1 << power
            digits = digits.dropLast()
        }
        return scaled(digits, by: factor)
    }

    /// Parses nanoseconds: `10` and `10s` are seconds, `500ms`, `5m`, `2h`.
    static func nanoseconds(_ text: String) -> Int64? {
        let units: [(String, Int)] = [
            ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            return scaled(text.dropLast(unit.count), by: factor).map(Int64.init)
        }
        return scaled(Substring(text), by: 1_000_000_000).map(Int64.init)
    }

    /// Parses a decimal number above 0, with at most nine decimals, and multiplies it by a factor; returns
    /// nil if it is invalid or does not fit.
    private static func scaled(_ text: Substring, by factor: Int) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.allSatisfy(isDigit), let units = Int(whole)
        else { return nil }
        let (product, overflow) = units.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        var sum = product
        if parts.count == 2 {
            let fraction = parts[1]
            guard !fraction.isEmpty, fraction.count <= 9, fraction.allSatisfy(isDigit) else { return nil }
            let whole = fraction.reduce(1) { product, _ in product * 10 }
            // The quotient is less than the factor, so it fits.
            let part = whole.dividingFullWidth(factor.multipliedFullWidth(by: Int(fraction) ?? 0)).quotient
            sum = sum.addingReportingOverflow(part).partialValue
        }
        return sum > 0 ? sum : nil
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// Bytes for a person: `512 B`, `3.4 KiB`, `10.0 MiB`.
    static func text(octets: Int) -> String {
        var unit = 1
        var name = "B"
        for larger in ["KiB", "MiB", "GiB", "TiB"] where octets / 1024 >= unit {
            unit *= 1024
            name = larger
        }
        if unit == 1 { return "\(octets) B" }
        let tenths = (octets * 10 + unit / 2) / unit
        return "\(tenths / 10).\(tenths % 10) \(name)"
    }

    /// A duration for a person: `9.5 s`, `12 min 03 s`, `2 h 05 min`.
    static func text(nanoseconds: Int64) -> String {
        let tenths = max(0, nanoseconds) / 100_000_000
        let seconds = tenths / 10
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        if seconds < 60 { return "\(seconds).\(tenths % 10) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(two(seconds % 60)) s" }
        return "\(seconds / 3600) h \(two(seconds / 60 % 60)) min"
    }
}

extension ParsedArguments {
    /// The option's value as a size in bytes.
    func octets(_ option: OptionRow) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let octets = Quantity.octets(text) else {
            throw Failure(
                .usage, "--\(option.long): '\(text)' is not a size", advice: "write it as 500, 64K, 10M or 1G"
            )
        }
        return octets
    }

    /// The option's value as a duration in nanoseconds.
    func nanoseconds(_ option: OptionRow) throws(Failure) -> Int64? {
        guard let text = value(option) else { return nil }
        guard let duration = Quantity.nanoseconds(text) else {
            throw Failure(
                .usage, "--\(option.long): '\(text)' is not a duration",
                advice: "write it as 10, 1.5s, 500ms, 5m or 2h")
        }
        return duration
    }
}
