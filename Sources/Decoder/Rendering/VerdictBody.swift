import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

/// The failures with their connections; if there is room, also the other connections.
struct VerdictBody {
    var lines: TextLines
    /// Number of lines that still fit.
    var linesLeft = Int.max
    private let style: Verdict.Style
    private let namesFile: Bool
    /// Limit of the failures with their own line.
    private let limit: Int
    /// The hints already given.
    private var given: Set<StaticText> = []
    /// Whether all files could be read completely.
    var isWhole = true

    init(_ style: Verdict.Style, namesFile: Bool, limit: Int = Verdict.failureLimit) {
        lines = TextLines(style)
        self.style = style
        self.namesFile = namesFile
        self.limit = limit
    }

    /// Adds failures, most serious first, each with its connection and that connection's other failures; then
    /// the other connections, and the other entries.
    mutating func add(_ failures: [Incident], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics) {
        let others = Verdict.others(totals)
        if !others.entries.isEmpty { linesLeft -= 1 }
        var left = Array(failures.enumerated().prefix(limit))
        let more = lineOfMoreFailures(failures, analyzer, unlisted: totals.unlistedFailures)
        if more != nil { linesLeft -= 1 }
        if failures.isEmpty { nothingFailed(analyzer, totals) }
        let links = analyzer.listedLinks
        var shown: Set<Int> = []
        while let (number, failure) = left.first {
            guard let link = links.first(where: { $0.number == failure.connection }) else {
                left.removeFirst()
                add(line(number + 1, failure, analyzer, indent: 0, namesConnection: true))
                continue
            }
            let own = left.filter { $0.element.connection == link.number }
            left.removeAll { $0.element.connection == link.number }
            shown.insert(link.number)
            add(block(link, own, analyzer))
        }
        if let more { lines.add(more) }
        var warnings = TextLines(style)
        var named = 0
        for incident in others.entries.prefix(min(others.notable, limit)) {
            let isFirst = named < others.top
            guard isFirst || linesLeft > Self.reservedLines else { break }
            named += 1
            let line = line(failures.count + named, incident, analyzer, indent: 0, namesConnection: true)
            linesLeft -= line.lines.count
            if isFirst { lines.add(line) } else { warnings.add(line) }
        }
        addConnections(links.filter { !shown.contains($0.number) }, analyzer, totals)
        lines.add(warnings)
        let hidden = Verdict.Counts(others.entries.dropFirst(named)).othersInWords(named > 0 ? "more " : "")
        if !hidden.isEmpty { lines.add("and \(hidden)\(style.listing)") }
    }

    /// Adds every failure with its connection's number, then overcome problems and warnings.
    mutating func addAll(_ failures: [Incident], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics)
    {
        if failures.isEmpty { nothingFailed(analyzer, totals) }
        for (number, failure) in failures.prefix(limit).enumerated() {
            add(line(number + 1, failure, analyzer, indent: 0, namesConnection: true))
        }
        if let more = lineOfMoreFailures(failures, analyzer, unlisted: totals.unlistedFailures) {
            lines.add(more)
        }
        for (index, incident) in Verdict.others(totals).entries.prefix(limit).enumerated() {
            add(line(failures.count + index + 1, incident, analyzer, indent: 0, namesConnection: true))
        }
    }

    private mutating func add(_ other: TextLines) {
        lines.add(other)
        linesLeft -= other.lines.count
    }

    /// Returns the line that counts the failures without their own line, and names the last one: what still
    /// failed at the end.
    private func lineOfMoreFailures(_ failures: [Incident], _ analyzer: borrowing Analyzer, unlisted: Int)
        -> String?
    {
        let rest = failures.dropFirst(limit)
        guard !rest.isEmpty || unlisted > 0 else { return nil }
        // The discarded failures are not counted, since several may be repetitions of one failure.
        let text = (unlisted > 0 ? "and more than " : "and ") + rest.count.counting("more failure")
        guard unlisted == 0, let last = Verdict.last(of: failures, analyzer.listedLinks, from: limit) else {
            return text + style.listing
        }
        let place = last.lastPlace.text(from: namesFile ? nil : last.lastPlace.file)
        return text + style.listing + ", the last at frame \(place): \(sentence(last, analyzer))"
    }

    /// Adds the other connections, most important first.
    private mutating func addConnections(
        _ links: [Link], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics
    ) {
        let count = links.count + analyzer.unlistedLinks
        let isFirst = lines.lines.isEmpty
        var blocks: [(number: Int, lines: TextLines)] = []
        for link in Verdict.important(links, analyzer, totals) {
            let block = block(link, [], analyzer)
            // Leave room for the line that counts the remaining connections.
            guard block.lines.count + (blocks.count + 1 < count ? 1 : 0) <= linesLeft else { break }
            blocks.append((link.number, block))
            linesLeft -= block.lines.count
        }
        // The connections that fit are listed in the order of the log, as in every output.
        for block in blocks.sorted(by: { $0.number < $1.number }) { lines.add(block.lines) }
        let shown = blocks.count
        guard count > shown else { return }
        let isOnly = isFirst && shown == 0
        lines.add(
            (isOnly ? "" : "and ") + (count - shown).counting(isOnly ? "connection" : "more connection")
                + style.listing)
    }

    /// Returns the lines of a connection with its failures.
    private mutating func block(
        _ link: Link, _ failures: [(offset: Int, element: Incident)], _ analyzer: borrowing Analyzer
    ) -> TextLines {
        var block = TextLines(style)
        let shown = analyzer.shownPackets(inFile: Int(link.file))
        let summary = ConnectionSummary(link: link, namesFile: namesFile, shown: shown)
        block.add(Verdict.title(link, analyzer) + ": ", summary.outcome.map(summary.text), separator: ", ")
        for (number, failure) in failures {
            block.add(line(number + 1, failure, analyzer, indent: 2, namesConnection: false))
        }
        if block.lines.count < linesLeft, !summary.steps.isEmpty {
            block.add("  ", summary.steps, separator: " \u{B7} ")
        }
        return block
    }

    /// Returns the sentence for a log in which nothing failed; nil if requests still wait for an answer.
    static func sentenceWithoutFailures(
        _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics, isWhole: Bool
    ) -> (text: String, tint: TextTint?)? {
        let links = analyzer.listedLinks
        let undecrypted = links.reduce(0) { $0 + ($1.air?.closed ?? 0) }
        let hasUndecrypted =
            undecrypted > 0 || analyzer.unlistedUnread > 0 || links.contains { $0.session?.unread != nil }
        // The events alone show little.
        let all = analyzer.totals
        let hasData = links.isEmpty || all.acl + all.sco + all.iso + all.air > 0
        let isUndecoded = all.acl > 0 && links.contains(where: \.hasUndecodedChannels)
        let unreadable = unreadable(links, totals)
        // Refusals may be among the missing packets of the other side.
        let isOneSided = links.contains { link in
            let shown = analyzer.shownPackets(inFile: link.file)
            return !link.isOnAir && link.counts.attPDUs > 0
                && shown?.isSuperset(of: [.fromHost, .fromController]) == false
        }
        let isPartial = hasUndecrypted || !isWhole || isUndecoded || !unreadable.isEmpty || !hasData
        let isUnheard = links.contains { $0.endedWith == .unheard }
        let isFiltered = analyzer.selection != nil
        let (filter, what) = isFiltered ? (" in what passes the filter", " and") : ("", " in what")
        let scope =
            !hasData
            ? "\(filter.isEmpty ? "" : " and") in the events; this log has no data of the connections"
            : isPartial
                ? "\(what) could be read"
                : isUnheard ? "\(what) the sniffer heard" : isOneSided ? "\(what) one side sent" : ""
        var place = filter + scope
        if !unreadable.isEmpty { place += "; \(unreadable.joined(separator: " and ")) could not be" }
        if isOneSided { place += "; the other side's data is not in this log" }
        if isUndecoded { place += "; \(classicContent) is not decoded" }
        let waits = !analyzer.listedRequests.isEmpty || links.contains { !$0.openRequests.isEmpty }
        if analyzer.totals.records == 0 {
            return (isWhole ? "the log is empty: nothing was recorded" : "nothing could be read", .warning)
        }
        if totals.records > 0, totals.unknown == totals.records { return ("nothing could be read", .warning) }
        guard !waits else { return nil }
        let isIdle = analyzer.selection == nil && analyzer.connectionCount == 0
        let onlySearched = isIdle && (analyzer.attemptCount > 0 || analyzer.longestTotalScanTime > 0)
        if onlySearched { return ("nothing failed, and nothing was connected to", nil) }
        if isFiltered {
            let others =
                Verdict.listed(analyzer, analyzer.totals).count + analyzer.totals.unlistedFailures
            let rest = others > 0 ? "; the whole log has \(others.counting("failure"))" : ""
            return ("nothing failed" + place + rest, others > 0 ? .warning : nil)
        }
        let isClean = totals.incidents.isEmpty && !isPartial && !isOneSided
        let text = isClean ? "nothing wrong was found" : "nothing failed"
        return (text + place, hasUndecrypted || isUnheard || isOneSided ? nil : .good)
    }

    /// The content of BR/EDR that is not decoded.
    static let classicContent = "what Bluetooth Classic carries above L2CAP"

    /// Returns the packets and PDUs whose content is unknown, with their numbers.
    static func unreadable(_ links: [Link], _ totals: CaptureStatistics) -> [String] {
        let closed = links.reduce(0) { $0 + ($1.air?.closed ?? 0) }
        // ``Link/hasUndecodedChannels`` covers those of BR/EDR.
        let undecoded = links.reduce(0) { $0 + ($1.transport == .brEDR ? 0 : $1.counts.undecodedPDUs) }
        let counts = [
            (closed, "encrypted PDU", ""), (undecoded, "PDU", " of unknown L2CAP channels"),
            (totals.unknown, "packet", " of unknown type"),
        ]
        return counts.filter { $0.0 > 0 }.map { $0.0.counting($0.1) + $0.2 }
    }

    /// Returns the sentence for a log in which nothing failed, but requests still wait for an answer.
    static func waiting(_ analyzer: borrowing Analyzer) -> String {
        let open = analyzer.listedLinks.reduce(analyzer.listedRequests.count) { $0 + $1.openRequests.count }
        return "nothing failed; \(open.counting("request")) had no answer"
    }

    /// Adds the line for a log in which nothing failed.
    private mutating func nothingFailed(_ analyzer: borrowing Analyzer, _ totals: CaptureStatistics) {
        var text = TextLines(style)
        if let calm = Self.sentenceWithoutFailures(analyzer, totals, isWhole: isWhole) {
            text.add(calm.text, tint: calm.tint)
        } else if analyzer.selection == nil {
            text.add(Self.waiting(analyzer), tint: .warning)
        }
        add(text)
    }

    /// Adds the line of an incident, with the number by which `--failure` shows it.
    mutating func line(
        _ number: Int, _ incident: Incident, _ analyzer: borrowing Analyzer, indent: Int,
        namesConnection: Bool
    ) -> TextLines {
        var lines = TextLines(style)
        let margin = String(repeating: " ", count: indent)
        let isFailure = incident.severity >= .error
        let mark = "\(isFailure ? "\u{2717}" : "!") \(number)  "
        var place = "frame \(incident.place.text(from: namesFile ? nil : incident.place.file))"
        if namesConnection, incident.connection > 0 { place += ", connection \(incident.connection)" }
        place += "  "
        lines.add(
            margin + mark + place + sentence(incident, analyzer),
            indent: indent + mark.columns + place.columns,
            tint: isFailure ? .error : .warning)
        if isFailure, linesLeft > Self.reservedLines, let known = incident.problem.known {
            let text = incident.problem.text(known, namesFile: namesFile)
            let which = incident.repetitions.isEmpty ? "" : " of the first"
            lines.add("\(margin)     known\(which): \(text)", indent: indent + 7)
        }
        for (word, consequence) in incident.wordedConsequences.prefix(isFailure ? 2 : 0) {
            let place = consequence.place.text(from: namesFile ? nil : consequence.place.file)
            let frame = consequence.place == incident.place ? "" : "frame \(place)  "
            let text = Verdict.sentence(consequence.problem, on: incident.connection, nil, analyzer)
            lines.add(
                "\(margin)     \(word) \(frame)"
                    + consequence.problem.text(text, namesFile: namesFile), indent: indent + 7)
        }
        if isFailure, let hint = hint(incident.problem) {
            lines.add("\(margin)     \(hint)", indent: indent + 7)
        }
        return lines
    }

    /// Returns the usual meaning of a failure's code, if it is the first of its kind and there is room.
    private mutating func hint(_ problem: Problem) -> StaticText? {
        guard style.explains, linesLeft > Self.reservedLines, let hint = problem.hint,
            given.insert(hint).inserted
        else { return nil }
        return hint
    }

    /// Lines for failures and connections; hints, known facts and warnings get only those above this number.
    private static let reservedLines = 8

    /// Returns the sentence with the side that caused the failure.
    private func sentence(_ incident: Incident, _ analyzer: borrowing Analyzer) -> String {
        incident.problem.text(Self.words(incident, analyzer), namesFile: namesFile)
            + incident.problem.sideMark
    }

    /// Returns the failure in words, with its count.
    static func words(_ incident: Incident, _ analyzer: borrowing Analyzer) -> Sentence {
        var text: Sentence = incident.problem.subject.map { "\(String(escaped: $0.utf8)): " } ?? ""
        text += Verdict.sentence(incident.problem, on: incident.connection, incident.label, analyzer)
        if incident.count > 1 { text += "\(Verdict.repeats(of: incident))" }
        if incident.problem.isOvercome {
            text +=
                incident.problem.isOvercomeByEncryption
                ? "; encryption followed"
                : incident.problem.refusedRequest == nil ? "; it succeeded later" : "; a later one succeeded"
            if let number = incident.problem.overcomeElsewhere { text += " (connection \(number))" }
        }
        if incident.problem.endedItsConnection { text += "; that ended the connection" }
        if incident.problem.keptFromAdvertising { text += "; advertising never started" }
        if let outcome = Verdict.reconnectionText(after: incident, analyzer) { text += "; \(outcome)" }
        return text
    }
}

extension Incident {
    /// The consequences, each with the word before it: first the requests that were left without an answer,
    /// which are from before, and then what followed, in the order of the log.
    var wordedConsequences: [(word: String, consequence: Consequence)] {
        let all = consequences.enumerated().sorted {
            ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }.map(\.element)
        let isEarlier = { (one: Consequence) in
            one.problem.endsWithLink || one.place.bits < place.bits
        }
        return all.filter(isEarlier).map { ("before:", $0) }
            + all.filter { !isEarlier($0) }.map { ("then", $0) }
    }
}

extension Link {
    /// Whether it may have carried a protocol of BR/EDR that is not decoded: all but ATT (Assigned Numbers,
    /// 3.4). The log may lack the openings of its channels.
    var hasUndecodedChannels: Bool {
        guard transport == .brEDR else { return false }
        let opened = channelUses.filter { $0.opened > 0 }
        if opened.isEmpty { return counts.packets > 0 && counts.attPDUs == 0 }
        return opened.contains { $0.psm != 0x001F && $0.psm != 0x0027 }
    }
}
