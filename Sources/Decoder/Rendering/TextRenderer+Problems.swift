import Analysis
import BluetoothCore
import PayloadFormat
import WireBytes

// Problems, one line each below their frame.

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
