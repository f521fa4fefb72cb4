import BluetoothCore
import PayloadFormat
public import WireBytes

/// Text shared by the sentences of problems.
enum ProblemText {
    /// Returns a number in hexadecimal, with `0x` and all digits.
    static func hex<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16)
        return "0x" + String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }

    /// Returns a name followed by its code, or the code alone.
    static func named(_ name: StaticText?, _ code: UInt8) -> String {
        name.map { "\($0) (\(hex(code)))" } ?? "code \(hex(code))"
    }
}

/// Durations as text, in a unit that suits their size.
public enum TextDuration {
    /// Appends a duration in nanoseconds, rounded to a tenth of a unit.
    public static func put(_ nanoseconds: Int64, into out: inout TextBuffer) {
        if nanoseconds < 0 { out.put(0x2D) }
        for unit in units {
            let tenths = (nanoseconds.magnitude + unit.tenth / 2) / unit.tenth
            if tenths < unit.end { return fixed(tenths, unit.name, into: &out) }
        }
    }

    /// Units: the nanoseconds in a tenth, and the number of tenths from which the next unit is used.
    private static let units: [(tenth: UInt64, end: UInt64, name: StaticText)] = [
        (100_000, 10_000, " ms"), (100_000_000, 6_000, " s"), (6_000_000_000, 60_000, " min"),
        (360_000_000_000, .max, " h"),
    ]

    /// Returns the text of a duration in nanoseconds.
    public static func text(_ nanoseconds: Int64) -> String {
        var out = TextBuffer(capacity: 16)
        put(nanoseconds, into: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self)
    }

    /// Appends tenths with one digit after the point.
    private static func fixed(_ tenths: UInt64, _ unit: StaticText, into out: inout TextBuffer) {
        out.decimal(tenths / 10)
        out.put(0x2E)
        out.decimal(tenths % 10, digits: 1)
        out.put(unit)
    }
}
