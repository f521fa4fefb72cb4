import WireBytes

/// Difference between a transcript and the golden one, in lines, without the equal lines at the beginning and
/// end.
struct GoldenDifference: Sendable {
    /// The golden transcript's file.
    let path: String
    /// The number of the first different line, from 1.
    let line: Int
    /// The golden transcript's different lines.
    let expected: [String]
    /// This run's different lines.
    let got: [String]

    /// Maximum lines shown of each side.
    private static let most = 8

    /// Compares the transcripts; nil if they are equal.
    init?(golden: [UInt8], transcript: [UInt8], path: String) {
        guard golden != transcript else { return nil }
        let old = golden.split(separator: 0x0A, omittingEmptySubsequences: false)
        let new = transcript.split(separator: 0x0A, omittingEmptySubsequences: false)
        let before = zip(old, new).prefix { $0 == $1 }.count
        let least = min(old.count, new.count) - before
        let after = zip(old.reversed(), new.reversed()).prefix(least).prefix { $0 == $1 }.count
        self.path = path
        line = before + 1
        expected = Self.texts(old[before..<(old.count - after)])
        got = Self.texts(new[before..<(new.count - after)])
    }

    private static func texts(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [String] {
        lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The place of the difference, in a sentence.
    var place: String { "the transcript is not that of \(path.visible), first in line \(line)" }

    /// The lines of both sides.
    var sides: String {
        let lines = Self.shown(expected, "  expected  ") + Self.shown(got, "  got       ")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The difference for a person, in lines.
    var text: String { "GOLDEN DIFFERS: \(place)\n\(sides)" }

    private static func shown(_ lines: [String], _ label: String) -> [String] {
        guard !lines.isEmpty else { return [label + "no line here"] }
        let indent = String(repeating: " ", count: label.count)
        var shown = lines.prefix(most).enumerated().map { ($0 == 0 ? label : indent) + $1 }
        if lines.count > most { shown.append(indent + "… \(lines.count - most) more lines") }
        return shown
    }
}
