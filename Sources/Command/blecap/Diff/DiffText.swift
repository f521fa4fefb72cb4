import Comparison
import Rendering
import WireBytes

/// Differences in two columns: the good log and the bad one.
struct DiffText {
    /// The columns of a line.
    let width: Int
    /// Whether to show differences that may follow from the first one.
    let showsAll: Bool

    /// Most differences shown before the likely cause, unless all are requested.
    private static let limit = 3
    private static let indent = "  "
    private static let gap = "  "

    func put(_ found: LogDifferences, goods: [String], bad: String, into out: inout TextBuffer) {
        for good in goods { line("good: ", good, into: &out) }
        line("bad:  ", bad, into: &out)
        out.put(0x0A)
        if found.areAlike {
            out.put(found.notes.isEmpty ? "alike\n" : "no difference in what could be compared\n")
        }
        for part in found.parts {
            let room = showsAll ? Int.max : part.name == "following" ? 0 : Self.limit
            let shown = part.differences.prefix(room)
            if !shown.isEmpty { out.put("\(part.title):\n") }
            for difference in shown { put(difference, into: &out) }
            let folded = part.differences.count - shown.count
            if folded > 0 { out.put("\(part.title): \(folded) more (--all shows them)\n") }
        }
        for note in found.notes {
            let text = Self.safe("not compared: \(note)")
            for line in text.wrapped(to: width, indent: 2) { out.put("\(line)\n") }
        }
    }

    private func line(_ heading: String, _ name: String, into out: inout TextBuffer) {
        out.put(heading)
        out.escaped(name)
        out.put(0x0A)
    }

    private func put(_ difference: Difference, into out: inout TextBuffer) {
        for line in Self.safe(difference.heading).wrapped(to: width - 2, indent: 2) {
            out.put("\(Self.indent)\(line)\n")
        }
        let column = max(16, (width - 4) / 2)
        let left = Self.lines("good", difference.good, column)
        let right = Self.lines("bad", difference.bad, width - 4 - column)
        for index in 0..<max(left.count, right.count) {
            let start = index < left.count ? left[index] : ""
            let end = index < right.count ? right[index] : ""
            let pad = String(repeating: " ", count: max(0, column - start.columns))
            out.put(Self.indent + start)
            if !end.isEmpty { out.put(pad + Self.gap + end) }
            out.put(0x0A)
        }
        out.put(0x0A)
    }

    private static func lines(_ name: String, _ side: Difference.Side?, _ width: Int) -> [String] {
        guard let side else { return ["\(name): nothing"] }
        return broken("\(name): \(side.whereabouts)", width) + broken(safe(side.text), width)
    }

    /// The words in lines, with words longer than a line broken, so that a column never exceeds its width.
    private static func broken(_ text: String, _ width: Int) -> [String] {
        text.wrapped(to: width).flatMap { line in
            let scalars = Array(line.unicodeScalars)
            return stride(from: 0, to: max(1, scalars.count), by: width).map { start in
                var piece = String.UnicodeScalarView()
                piece.append(contentsOf: scalars[start..<min(start + width, scalars.count)])
                return String(piece)
            }
        }
    }

    /// Text with names that a device may have chosen, made safe for a terminal.
    private static func safe(_ text: String) -> String {
        var out = TextBuffer(capacity: 256)
        out.escaped(text)
        return out.text
    }
}
