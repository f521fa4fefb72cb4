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
        out.fill(0x20, count: Column.layer)
        let severity = problem.severity
        tint(severity >= .error ? .error : severity == .warning ? .warning : .folded)
        out.put(severity == .note ? "- " : "! ")
        out.put(problem.line)
        untint()
        out.put(0x0A)
    }
}
