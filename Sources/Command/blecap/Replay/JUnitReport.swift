import CommandLineKit
import Replay
import WireBytes

/// Replays in the form that continuous integration reads: one test case a log.
enum JUnitReport {
    static func octets(_ outcomes: [ReplayCommand.Outcome]) -> [UInt8] {
        var out = TextBuffer()
        let failed = outcomes.count { $0.status != .success && $0.status != .unreplayable }
        let skipped = outcomes.count { $0.status == .unreplayable }
        out.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        out.put("<testsuite name=\"blecap replay\" tests=\"\(outcomes.count)\" failures=\"\(failed)\" ")
        out.put("skipped=\"\(skipped)\">\n")
        for outcome in outcomes {
            out.put("  <testcase name=\"\(escaped(outcome.path))\">")
            let damage = outcome.damage.map { "damage: \($0.line)\n" } ?? ""
            let text = escaped(damage + ReplayText.text(outcome))
            switch outcome.status {
            case .success: out.put("<system-out>\(text)</system-out>")
            case .unreplayable: out.put("<skipped message=\"not replayable\">\(text)</skipped>")
            default: out.put("<failure message=\"\(escaped(outcome.word))\">\(text)</failure>")
            }
            out.put("</testcase>\n")
        }
        out.put("</testsuite>\n")
        return out.octets.copied()
    }

    // What XML can't hold at all becomes a question mark.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
            }
        }
        return result
    }
}
