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
        out.put("{\"kind\":\"diff\",\"alike\":\(found.areAlike && found.notes.isEmpty)")
        put("good", goods, into: &out)
        out.put(",\"bad\":")
        out.jsonString(bad)
        if !found.notes.isEmpty { put("not_compared", found.notes, into: &out) }
        let count = found.parts.reduce(0) { $0 + $1.differences.count }
        out.put(",\"differences\":\(count)}\n")
    }

    private static func put(_ name: String, _ texts: [String], into out: inout TextBuffer) {
        out.put(",\"\(name)\":[")
        for (index, text) in texts.enumerated() {
            if index > 0 { out.put(0x2C) }
            out.jsonString(text)
        }
        out.put("]")
    }

    private static func put(_ difference: Difference, _ part: String, into out: inout TextBuffer) {
        out.put("{\"kind\":\"difference\",\"part\":\"\(part)\",\"what\":\"\(difference.kind.rawValue)\"")
        out.put(",\"subject\":")
        out.jsonString(difference.subject)
        if let code = difference.code {
            out.put(",\"code\":")
            out.jsonString(code)
        }
        put("good", difference.good, into: &out)
        put("bad", difference.bad, into: &out)
        out.put("}\n")
    }

    private static func put(_ name: String, _ side: Difference.Side?, into out: inout TextBuffer) {
        out.put(",\"\(name)\":")
        guard let side else { return out.put("null") }
        out.put("{\"text\":")
        out.jsonString(side.text)
        if side.connection > 0 { out.put(",\"connection\":\(side.connection)") }
        if let place = side.place { out.put(",\"frame\":\(place.frame)") }
        if let time = side.time { out.put(",\"time_us\":\(time / 1000)") }
        out.put(0x7D)
    }
}
