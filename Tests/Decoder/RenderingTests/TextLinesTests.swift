import Analysis
import Testing
import WireBytes

@testable import Rendering

/// Lines of text that is made once a run, and the durations in it.
@Suite struct TextLinesTests {
    @Test(arguments: 12..<60)
    func `no line holds only a separator, and none is wider`(_ width: Int) {
        let steps = ["scan 32.2 s", "connect 89.6 ms", "MTU 23", "1 read", "3 writes", "2 notifications"]
        for separator in [" \u{B7} ", ", "] {
            var lines = TextLines(Verdict.Style(width: width))
            lines.add("  ", steps, separator: separator)
            let words = lines.lines.map { $0.filter { $0.isLetter || $0.isNumber } }
            #expect(words.allSatisfy { !$0.isEmpty }, "\(lines.lines)")
            if width > 20 { #expect(lines.lines.allSatisfy { $0.columns <= width }, "\(lines.lines)") }
        }
    }

    @Test(arguments: [("ab", 2), ("철준의", 6), ("手环", 4), ("🔑x", 3), ("e\u{301}", 1), ("✗ ·", 3), ("ä", 1)])
    func `characters have the columns that they take on a terminal`(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
        let long = Array(repeating: text, count: 40).joined(separator: " ")
        #expect(long.wrapped(to: 20, indent: 2).allSatisfy { $0.columns <= 20 })
        let (head, rest) = long.divided(at: 5)
        #expect(head.columns <= 5 && head + rest == long)
    }

    @Test(
        arguments: [
            (0, "0.0 ms"), (49_999, "0.0 ms"), (50_000, "0.1 ms"), (155_160_000, "155.2 ms"),
            (999_949_999, "999.9 ms"), (999_950_000, "1.0 s"), (-1_960_000_000, "-2.0 s"),
            (599_960_000_000, "10.0 min"), (7_200_000_000_000, "2.0 h"), (129_000_000_000_000, "35.8 h"),
            (360_000_000_000_000, "4.2 d"), (Int64.max, "106752.0 d"),
        ])
    func `durations are rounded to a tenth of their unit`(_ nanoseconds: Int64, _ text: String) {
        #expect(TextDuration.text(nanoseconds) == text)
    }

    @Test(
        arguments: [
            (20_692_499, "20.692 ms"), (20_692_500, "20.693 ms"), (999_999_400, "999.999 ms"),
            (999_999_500, "1 s"), (-1_999_600_000, "-2 s"),
        ])
    func `durations of answers are rounded to a thousandth`(_ nanoseconds: Int64, _ text: String) {
        #expect(String { TextValues.put(duration: nanoseconds, into: &$0) } == text)
    }
}
