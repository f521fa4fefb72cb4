import Comparison
import PayloadFormat
import Rendering
import WireBytes

/// Differences as NDJSON: one object each, and a summary object.
enum DiffLines {
    static func put(_ found: LogDifferences, goods: [String], bad: String, into out: inout TextBuffer) {
        for part in found.parts {
            for difference in part.differences { put(difference, part.name, into: &out) }
        }
        out.line("diff")
        out.member("alike", found.areAlike && found.notes.isEmpty)
        out.member("good_logs", goods)
        out.member("bad_log", bad)
        if !found.notes.isEmpty { out.member("not_compared", found.notes) }
        out.member("differences", found.parts.reduce(0) { $0 + $1.differences.count })
        out.put("}\n")
    }

    private static func put(_ difference: Difference, _ part: String, into out: inout TextBuffer) {
        out.line("difference")
        out.member("part", part)
        out.member("what", difference.kind.rawValue)
        out.member("subject", difference.subject)
        out.member("code", difference.code)
        put("good", difference.good, into: &out)
        put("bad", difference.bad, into: &out)
        out.put("}\n")
    }

    private static func put(_ name: StaticText, _ side: Difference.Side?, into out: inout TextBuffer) {
        guard let side else { return out.null(name) }
        out.object(name)
        out.member("text", side.text)
        if side.connection > 0 { out.member("connection", side.connection) }
        out.member("frame", side.place?.frame)
        out.member("time_us", side.time.map { $0 / 1000 })
        out.endObject()
    }
}
