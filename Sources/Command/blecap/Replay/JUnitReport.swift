import CommandLineKit
import Replay
import WireBytes

/// Replays in the form that continuous integration reads: one test case a log.
enum JUnitReport {
    static func octets(_ outcomes: [ReplayCommand.Outcome]) -> [UInt8] {
        var out = TextBuffer()
        let failed = outcomes.count { !$0.isSkipped && $0.status != .success }
        out.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        out.put("<testsuite name=\"blecap replay\" tests=\"\(outcomes.count)\" failures=\"\(failed)\" ")
        out.put("skipped=\"\(outcomes.count { $0.isSkipped })\" ")
        out.put("time=\"\(seconds(outcomes.reduce(.zero) { $0 + $1.time }))\">\n")
        for outcome in outcomes {
            out.put("  <testcase classname=\"blecap.replay\" name=\"\(escaped(outcome.path))\" ")
            out.put("time=\"\(seconds(outcome.time))\">")
            let text = escaped(ReplayText.text(outcome, withDamage: true))
            let message = "message=\"\(escaped(outcome.word))\""
            if outcome.isSkipped {
                out.put("<skipped \(message)>\(text)</skipped>")
            } else if outcome.status == .success {
                out.put("<system-out>\(text)</system-out>")
            } else {
                out.put("<failure \(message)>\(text)</failure>")
            }
            out.put("</testcase>\n")
        }
        out.put("</testsuite>\n")
        return out.octets.copied()
    }

    /// Seconds with three decimals.
    private static func seconds(_ time: Duration) -> String {
        let milliseconds = Int(time / .milliseconds(1))
        return "\(milliseconds / 1000)." + String(String(1000 + milliseconds % 1000).dropFirst())
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
