import Analysis
import BluetoothCore
import PayloadFormat
import WireBytes

// One line below its frame for each problem.

extension TextRenderer {
    mutating func problemLines(_ problems: [Problem]) {
        for problem in problems where !problem.isToldBefore { problemLine(problem) }
    }

    private mutating func problemLine(_ problem: Problem) {
        out.fill(0x20, count: columns.layer)
        let severity = problem.severity
        tint(severity >= .error ? .error : severity == .warning ? .warning : .folded)
        out.put(severity == .note ? "- " : "! ")
        let room = (options.width ?? .max) - columns.layer - 2
        for (index, line) in problem.line.wrapped(to: max(20, room)).enumerated() {
            if index > 0 {
                endLine()
                out.fill(0x20, count: columns.layer + 2)
            }
            out.put(line)
        }
        untint()
        endLine()
    }
}

extension String {
    /// Its words in lines of at most so many columns, but for words that are longer.
    fileprivate func wrapped(to columns: Int) -> [String] {
        guard utf8.count > columns else { return [self] }
        var lines: [String] = []
        for word in utf8.split(separator: 0x20) {
            if let last = lines.last, last.utf8.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " "
                lines[lines.count - 1] += Substring(word)
            } else {
                lines.append(String(Substring(word)))
            }
        }
        return lines
    }
}
