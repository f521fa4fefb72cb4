import Analysis
import CaptureFile
import PayloadFormat
public import WireBytes

/// The findings of several logs as a SARIF 2.1.0 log (OASIS, 2020), which code scanning services read.
///
/// A result's rule is the problem's code, its fingerprint is the signature. Its line is the frame's number,
/// since SARIF readers want a line, which captures don't have.
public enum SARIFLog {
    /// Appends the log and a line end.
    ///
    /// - Parameter version: the command's version.
    public static func put(_ logs: [LogFindings], version: String, into out: inout TextBuffer) {
        let cards = logs.flatMap(\.headline.cards)
        var rules: [String] = []
        for card in cards where !rules.contains(card.signature.cause) { rules.append(card.signature.cause) }
        out.put("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\"")
        out.array("runs")
        out.element()
        out.object("tool")
        out.object("driver")
        out.member("name", "blecap")
        out.member("version", version)
        out.objects("rules", of: rules) { out, rule in
            out.member("id", rule)
            message("shortDescription", rule.replacing("-", with: " ").replacing(".", with: " "), &out)
        }
        out.endObject()
        out.endObject()
        invocation(logs, &out)
        let results = logs.flatMap { log in log.headline.cards.map { (log, $0) } }
        out.objects("results", of: results) { result($1.1, $1.0, rules, &$0) }
        out.endObject()
        out.endArray()
        out.put("}\n")
    }

    /// Writes whether all files could be read, and the errors of those that could not.
    private static func invocation(_ logs: [LogFindings], _ out: inout TextBuffer) {
        out.array("invocations")
        out.element()
        out.member("executionSuccessful", logs.allSatisfy(\.errors.isEmpty))
        out.array("toolExecutionNotifications")
        for log in logs {
            for error in log.errors { notification("error", error.description, error.file, &out) }
            // An empty log has no incident.
            if log.errors.isEmpty, log.headline.cards.isEmpty, log.line.verdict != .ok {
                notification("warning", log.line.outcome, log.name(ofFile: 0), &out)
            }
        }
        out.endArray()
        out.endObject()
        out.endArray()
    }

    private static func notification(
        _ level: StaticText, _ text: String, _ file: String, _ out: inout TextBuffer
    ) {
        out.element()
        out.member("level", level)
        message("message", text, &out)
        out.objects("locations", of: [file]) { location($1, frame: 0, text: nil, &$0) }
        out.endObject()
    }

    private static func result(
        _ card: PageHeadline.Card, _ log: LogFindings, _ rules: [String], _ out: inout TextBuffer
    ) {
        out.member("ruleId", card.signature.cause)
        out.member("ruleIndex", rules.firstIndex(of: card.signature.cause))
        out.member("level", level(card.kind))
        let lines = ([card.text + "\(card.problem.sideMark)"] + card.explanation)
            .map { card.problem.text($0) }
        message("message", lines.joined(separator: "\n"), &out)
        out.objects("locations", of: [card.place]) { out, place in
            location(log.name(ofFile: place.file), frame: place.frame, text: nil, &out)
        }
        if !card.consequences.isEmpty {
            out.objects("relatedLocations", of: card.consequences) { out, one in
                let text = "\(one.word) \(card.problem.text(one.text))"
                location(log.name(ofFile: one.place.file), frame: one.place.frame, text: text, &out)
            }
        }
        out.member("occurrenceCount", card.count)
        // GitHub recognizes an alert by the second one.
        fingerprint("fingerprints", "blecapSignature/v1", card, &out)
        fingerprint("partialFingerprints", "primaryLocationLineHash", card, &out)
    }

    private static func fingerprint(
        _ name: StaticText, _ key: StaticText, _ card: PageHeadline.Card, _ out: inout TextBuffer
    ) {
        out.object(name)
        out.member(key, card.signature.text)
        out.endObject()
    }

    private static func level(_ kind: PageHeadline.Card.Kind) -> StaticText {
        switch kind {
        case .failed: "error"
        case .warning: "warning"
        case .overcome: "note"
        }
    }

    /// Writes a frame of a file; the file alone if the frame is 0.
    private static func location(_ file: String, frame: Int, text: String?, _ out: inout TextBuffer) {
        out.object("physicalLocation")
        out.object("artifactLocation")
        out.member("uri", uri(file))
        out.endObject()
        if frame > 0 {
            out.object("region")
            out.member("startLine", frame)
            out.endObject()
        }
        out.endObject()
        if let text { message("message", text, &out) }
    }

    private static func message(_ name: StaticText, _ text: String, _ out: inout TextBuffer) {
        out.object(name)
        out.member("text", text)
        out.endObject()
    }

    /// Returns a path as a URI reference (RFC 3986).
    private static func uri(_ path: String) -> String {
        if path == "-" { return "stdin" }
        var text = path.hasPrefix("/") ? "file://" : ""
        for octet in path.utf8 {
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E:
                text.unicodeScalars.append(Unicode.Scalar(octet))
            default: text += "%" + Hex.text([octet]).uppercased()
            }
        }
        return text
    }
}
