import Analysis
import CaptureFile
import PayloadFormat
public import WireBytes

/// The verdict in Markdown, as GitHub and GitLab show it: for a job's summary, or for an issue.
///
/// One log is shown with its failures and their frames, several logs with a line each, so that the summary
/// fits a screen.
public enum MarkdownSummary {
    /// Limits of the items: failures, overcome problems or warnings, logs.
    private static let (failureLimit, otherLimit, logLimit) = (8, 3, 25)
    /// Limit of the consequences shown for each failure.
    private static let consequenceLimit = 2

    /// Appends the summary.
    ///
    /// - Parameter frames: the lines of the frames that show the failures; empty for several logs.
    public static func put(_ logs: [LogFindings], frames: RawSpan, into out: inout TextBuffer) {
        if logs.count == 1 { one(logs[0], frames, &out) } else { several(logs, &out) }
    }

    // MARK: One log

    private static func one(_ log: LogFindings, _ frames: RawSpan, _ out: inout TextBuffer) {
        let headline = log.headline
        let isUnread = log.line.verdict == .unreadable
        out.put("### \(mark(log.line.verdict)) ")
        if !headline.subject.isEmpty, !isUnread {
            out.put(markdown: headline.subject)
            out.put(": ")
        }
        out.put(markdown: isUnread ? log.line.outcome : log.text(headline.outcome))
        out.put("\n\n")
        let names = log.names.prefix(otherLimit).map(shown).joined(separator: ", ")
        paragraph(names + (log.names.count > otherLimit ? " \u{2026}" : ""), &out)
        paragraph(log.facts.joined(separator: ", "), &out)
        paragraph(log.text(headline.details.joined(separator: " \u{B7} ")), &out)
        for error in log.errors.prefix(otherLimit) where !isUnread { paragraph(error.description, &out) }
        items(log, &out)
        guard !frames.isEmpty else { return }
        out.put("```text\n")
        out.put(frames)
        out.put("```\n")
    }

    private static func shown(_ name: String) -> String {
        name == "-" ? "standard input" : String(escaped: name.utf8)
    }

    private static func paragraph(_ text: String, _ out: inout TextBuffer) {
        guard !text.isEmpty else { return }
        out.put(markdown: text)
        out.put("\n\n")
    }

    private static func items(_ log: LogFindings, _ out: inout TextBuffer) {
        let cards = log.headline.cards
        let failures = cards.filter { $0.kind == .failed }
        let others = [PageHeadline.Card.Kind.overcome, .warning].flatMap { kind in
            cards.filter { $0.kind == kind }.prefix(otherLimit)
        }
        for (index, card) in failures.prefix(failureLimit).enumerated() {
            item("\u{2717} \(index + 1)", card, log, &out)
        }
        for card in others { item("!", card, log, &out) }
        let more = failures.count - min(failures.count, failureLimit) + log.headline.further
        if more > 0 { out.put("and \(more.counting("more failure"))\n\n") }
    }

    /// Appends a failure or warning as an item of a list, and below it the cause and the consequences, a line
    /// each.
    private static func item(
        _ mark: String, _ card: PageHeadline.Card, _ log: LogFindings, _ out: inout TextBuffer
    ) {
        out.put("- **\(mark)** frame \(log.text(card.place)): ")
        out.put(markdown: log.text(card.text, of: card) + card.problem.sideMark)
        out.put(0x0A)
        var lines = card.explanation.map { log.text($0, of: card) }
        if card.kind == .failed {
            lines += card.consequences.prefix(consequenceLimit).map { consequence in
                consequence.word + " "
                    + (consequence.place == card.place ? "" : "frame \(log.text(consequence.place)): ")
                    + log.text(consequence.text, of: card)
            }
        }
        for line in lines {
            out.put("  - ")
            out.put(markdown: line)
            out.put(0x0A)
        }
        out.put(0x0A)
    }

    // MARK: Several logs

    private static func several(_ logs: [LogFindings], _ out: inout TextBuffer) {
        let lines = logs.map(\.line)
        out.put("### \(logs.count.counting("log")): \(LogLine.verdicts(lines))\n\n")
        out.put("| | log | device | what |\n|---|---|---|---|\n")
        let order = LogLine.Verdict.allCases
        let sorted = order.flatMap { verdict in logs.filter { $0.line.verdict == verdict } }
        for log in sorted.prefix(logLimit) {
            out.put("| \(mark(log.line.verdict)) |")
            let name = LogLine.name(of: log.names)
            for cell in [String(escaped: name.utf8), log.line.device, log.line.text] {
                out.put(" ")
                out.put(markdown: cell)
                out.put(" |")
            }
            out.put(0x0A)
        }
        if logs.count > logLimit { out.put("\nand \((logs.count - logLimit).counting("more log"))\n") }
        out.put(0x0A)
        for (cause, count) in LogLine.causes(lines) {
            out.put("- \(count) \u{D7} ")
            out.put(markdown: cause)
            out.put(0x0A)
        }
    }

    private static func mark(_ verdict: LogLine.Verdict) -> String {
        switch verdict {
        case .failed: "\u{2717}"
        case .ok: "\u{2713}"
        case .warning, .unreadable: "!"
        }
    }
}

extension LogFindings {
    /// Returns a frame's number, after its file's number if there are several files.
    fileprivate func text(_ place: FramePlace) -> String {
        place.text(from: names.count > 1 ? nil : place.file)
    }

    /// Returns a sentence about the log in the words of the verdict.
    fileprivate func text(_ sentence: Sentence) -> String {
        sentence.text(from: names.count > 1 ? nil : 0, isOnAir: headline.isOnAir)
    }

    /// Returns a sentence of a card in the words of the verdict.
    func text(_ sentence: Sentence, of card: PageHeadline.Card) -> String {
        card.problem.text(sentence, namesFile: names.count > 1)
    }
}

extension TextBuffer {
    /// Appends text without any character taking effect as markup, mention or link.
    ///
    /// GitHub looks for mentions and issue numbers after the markup; a word joiner (U+2060) breaks them.
    mutating func put(markdown text: String) {
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r": put(" ")
            case "&": put("&amp;")
            case "<": put("&lt;")
            case ">": put("&gt;")
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "!":
                put("\\\(scalar)")
            case "@", "#": put("\(scalar)\u{2060}")
            // Otherwise an address would become a link.
            case "/" where last == ":": put("\u{2060}/")
            case "." where last == "w" || last == "W": put("\\.")
            default: put(String(scalar))
            }
            last = scalar
        }
    }
}
