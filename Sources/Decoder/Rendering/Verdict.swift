public import Analysis
public import BluetoothCore
public import CaptureFile
import PayloadFormat
public import WireBytes

/// The first lines of text output: the capture, the failures with their connections, and the progress of each
/// connection; at most 25 lines.
public enum Verdict {
    /// Style of the lines.
    public struct Style: Sendable {
        /// Maximum columns of a line.
        public var width: Int
        /// Whether escape sequences for color are written.
        public var usesColor: Bool
        /// Whether failures include the usual meaning of their codes.
        public var explains: Bool
        /// Whether advice names the command and its options, which the reader of a page may not have.
        var namesCommand = true
        /// The words after a count of entries without a line, saying where they are listed.
        var listing: String { namesCommand ? " (blecap info lists them)" : "" }

        public init(width: Int = 100, usesColor: Bool = false, explains: Bool = false) {
            self.width = width
            self.usesColor = usesColor
            self.explains = explains
        }
    }

    /// Limit of the lines, including the empty one at the end.
    static let lineLimit = 25
    /// Limit of failures, and of damaged files, that have their own line.
    static let failureLimit = 4
    /// Limit of the damaged files that the verdict names.
    public static let mostDamaged = failureLimit

    /// Appends the verdict about the captures that `analyzer` has processed; if frames are selected, about
    /// these only.
    public static func put(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage = ReadingDamage(),
        style: Style = Style(), into out: inout TextBuffer
    ) {
        var top = TextLines(style)
        let totals = analyzer.shownTotals
        heading(files, analyzer, totals, &top)
        add(damage, totals, below: files.count == 1 ? files[0].name : nil, &top)
        guard totals.records > 0 || analyzer.selection == nil else {
            top.put(into: &out)
            return out.put(0x0A)
        }
        let links = analyzer.listedLinks
        doubts(links, namesFile: files.count > 1, &top)
        unread(links, unlisted: analyzer.unlistedUnread, &top)
        var bottom = TextLines(style)
        // An unreadable file does not show what its recorder left out.
        if totals.records > 0 || damage.isNone { remarks(files, analyzer, totals, &bottom) }
        describeLogWithoutConnections(analyzer, namesFile: files.count > 1, &bottom)
        var middle = VerdictBody(style, namesFile: files.count > 1)
        middle.isWhole = damage.isNone
        middle.linesLeft = lineLimit - 1 - top.lines.count - bottom.lines.count
        middle.add(listed(analyzer, totals), analyzer, totals)
        if !middle.lines.lines.isEmpty { top.add("") }
        top.put(into: &out)
        middle.lines.put(into: &out)
        bottom.put(into: &out)
        out.put(0x0A)
    }

    // MARK: Files

    private static func heading(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics,
        _ lines: inout TextLines
    ) {
        let records = [totals.records.counting("record")] + span(totals, files)
        for (index, file) in files.prefix(3).enumerated() {
            let number = files.count > 1 ? "file \(index + 1): " : ""
            let steps = description(of: file) + (files.count > 1 ? [] : records)
            lines.add(number + name(of: file) + ": ", steps, separator: ", ")
        }
        if files.count > 3 { lines.add("and \((files.count - 3).counting("more file"))") }
        if files.count != 1 { lines.add(records.joined(separator: ", ")) }
        guard analyzer.selection != nil else { return }
        lines.add(
            "only about what passes the filter: \(totals.records) of "
                + analyzer.totals.records.counting("record")
                + (analyzer.listedLinks.isEmpty ? "" : "; connections as in the whole log"))
    }

    /// Returns the file's name for output.
    static func name(of file: CaptureInfo) -> String {
        file.name == "-" ? "standard input" : String(escaped: file.name.utf8)
    }

    /// Returns the file's metadata in words.
    static func description(of file: CaptureInfo) -> [String] {
        var steps = [file.format.rawValue]
        if let datalink = file.datalink {
            let kind = file.format == .btsnoop ? "datalink" : "link type"
            steps.append("\(kind) \(datalink)\(DatalinkNames.name(file.format, datalink))")
        }
        if let recorder = file.recorder, !recorder.isEmpty {
            steps.append("recorded by \(String(escaped: recorder.utf8))")
        }
        if !file.hasTimes {
            steps.append("without times")
        } else if file.hasRelativeTime {
            steps.append("times count from the recorder's start")
        }
        if file.droppedComments > 0 {
            steps.append(
                file.droppedComments.counting("further comment")
                    + (file.droppedComments == 1 ? " is not kept" : " are not kept"))
        }
        return steps
    }

    /// Returns the facts that a page shows beside the file's name.
    static func facts(_ files: [CaptureInfo], _ analyzer: borrowing Analyzer) -> [String] {
        let totals = analyzer.shownTotals
        let form = files.count == 1 ? description(of: files[0]) : [files.count.counting("file")]
        return span(totals, files) + [totals.records.counting("record")] + form
    }

    /// The time from which on clocks are set: 1990, in nanoseconds.
    private static let firstDate: Int64 = 631_152_000_000_000_000

    /// Returns the time that the records cover, and how far the clock jumped meanwhile.
    private static func span(_ totals: CaptureStatistics, _ files: [CaptureInfo]) -> [String] {
        guard let first = totals.first, let last = totals.last, files.contains(where: \.hasTimes) else {
            return []
        }
        let (duration, jump) = duration(of: totals, from: first, to: last, namesFile: files.count > 1)
        if files.allSatisfy(\.hasRelativeTime) { return [duration] + jump }
        let doubt = first.nanoseconds < firstDate ? " (the recorder's clock was not set)" : ""
        return ["\(duration) from \(String { $0.put(utc: first, digits: 3) })\(doubt)"] + jump
    }

    /// Returns the duration without jumps of the clock, and a sentence about these.
    static func duration(
        of totals: CaptureStatistics, from first: CaptureTime, to last: CaptureTime, namesFile: Bool
    ) -> (text: String, jump: [String]) {
        let whole = last.nanoseconds &- first.nanoseconds
        let jumps = totals.clockJumps
        let (count, sum, place) = (jumps.count, jumps.sum, jumps.first)
        guard count > 0, sum > 0 else { return (TextDuration.text(whole), []) }
        let (times, at) = count > 1 ? (" \(count) times, in all", ", first at") : ("", " at")
        let frame = place.text(from: namesFile ? nil : place.file)
        let jump = "the clock jumps ahead\(times) by \(TextDuration.text(sum))\(at) frame \(frame)"
        // Jumps before the first record that has a time are not in the span.
        guard sum <= whole else { return (TextDuration.text(whole), ["before that \(jump)"]) }
        return (TextDuration.text(whole - sum), [jump])
    }

    // MARK: Connections

    /// Returns the links by importance: those with failures, then those with most traffic. If a link has a
    /// protocol above ATT, the most important such link is first.
    static func important(
        _ links: [Link], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics
    ) -> [Link] {
        let failed = failures(analyzer, totals).map(\.connection)
        let others = totals.incidents.filter { $0.severity >= .error }.map(\.connection)
        let ranks = failed + others
        func weight(_ link: Link) -> (Int, Int, Int, Int) {
            let rank = ranks.firstIndex(of: link.number) ?? ranks.count
            return (-rank, link.session?.messages ?? 0, link.counts.attPDUs, -link.number)
        }
        var sorted = links.sorted { weight($0) > weight($1) }
        if let speaker = sorted.firstIndex(where: \.speaksProtocol) {
            sorted.insert(sorted.remove(at: speaker), at: 0)
        }
        return sorted
    }

    /// Longest time from the log's beginning to the first packet of a connection that was open before, in
    /// nanoseconds. A connection whose first packet is later may have begun later.
    private static let longestBeginning: Int64 = 1_000_000_000

    /// Returns the connection's number and its peer.
    static func title(
        _ link: Link, _ analyzer: borrowing Analyzer, word: String = "connection "
    ) -> String {
        var title = "\(word)\(link.number)  "
        if let address = link.address {
            title += "\(address)"
            if let identity = link.identity { title += " (identity \(identity))" }
            if let name = shownName(of: link, analyzer) { title += " \"\(name)\"" }
        } else {
            title += link.handleText(onAir: "access address")
            if let before = link.predecessor {
                title += " (after the end of connection \(before.connection))"
            } else if link.mayLackEarlierPackets, link.earlierNumber == nil {
                let began = analyzer.totals.first ?? link.phases.first
                // Without events, the log would not show the connecting.
                let isAtStart =
                    link.phases.first.nanoseconds &- began.nanoseconds < Self.longestBeginning
                    && (link.isOnAir || analyzer.shownPackets(inFile: link.file)?.contains(.events) != false)
                title += isAtStart ? " (open before the log began)" : " (its beginning is not in this log)"
            }
        }
        if let central = link.central { title += " with central \(central)" }
        if link.beginningIsMissing { title += " (the event of its beginning is missing)" }
        if let number = link.earlierNumber { title += " (connection \(number) goes on)" }
        if analyzer.hasSeveralAdapters { title += " on hci\(link.adapter)" }
        return title
    }

    /// Returns the peer's advertised name, looked up by the connection's address, by the identity, and by the
    /// identity's other private addresses; else its Device Name.
    static func name(of link: Link, _ analyzer: borrowing Analyzer) -> [UInt8]? {
        for address in [link.address, link.identity] {
            guard let address, let name = analyzer.advertisers.advertiser(address)?.name, !name.isEmpty else {
                continue
            }
            return name
        }
        if let identity = link.identity, let name = analyzer.advertisers.name(ofIdentity: identity) {
            return name
        }
        return link.deviceName.isEmpty ? nil : link.deviceName
    }

    /// Returns the name for display, without the trailing zeros that some devices send.
    public static func shownName(of link: Link, _ analyzer: borrowing Analyzer) -> String? {
        name(of: link, analyzer).map(shown)
    }

    /// Returns the name that a device advertised, as it is displayed.
    public static func shownName(of address: DeviceAddress, _ analyzer: borrowing Analyzer) -> String? {
        guard let name = analyzer.advertisers.advertiser(address)?.name, !name.isEmpty else { return nil }
        return shown(name)
    }

    private static func shown(_ name: [UInt8]) -> String {
        String(escaped: Array(name.reversed().drop { $0 == 0 }.reversed()))
    }

    /// Describes a log without connections: the scan time, the connection attempts, and the devices heard.
    private static func describeLogWithoutConnections(
        _ analyzer: borrowing Analyzer, namesFile: Bool, _ lines: inout TextLines
    ) {
        let heard = analyzer.heardAdvertisers
        var parts = attempts(analyzer, namesFile: namesFile)
        guard !parts.isEmpty else { return }
        if !heard.isEmpty {
            let described = heard.filter { !$0.name.isEmpty || $0.service != nil }
                .sorted { ($0.name.isEmpty ? 0 : 1, $0.reports) > ($1.name.isEmpty ? 0 : 1, $1.reports) }
            let named = described.prefix(3).map { advertiser in
                let name = advertiser.name.isEmpty ? "" : " \"\(String(escaped: advertiser.name))\""
                let service = advertiser.service.map { " (\(text($0, .service)))" } ?? ""
                return "\(advertiser.address)\(name)\(service)"
            }
            let reports = heard.reduce(0) { $0 + $1.reports }
            let before = named.count < heard.count ? ", among them " : ": "
            parts.append(
                "\(heard.count)" + (heard.count == 1 ? " address advertised" : " addresses advertised")
                    + " (\(reports.counting("report")))"
                    + (named.isEmpty ? "" : before + named.joined(separator: ", ")))
        }
        if parts.count == 1, analyzer.selection == nil { parts += counts(analyzer.totals) }
        lines.add(parts.joined(separator: "; "))
    }

    /// Returns what this side did in a log without connections: it scanned, tried to connect, advertised.
    static func attempts(_ analyzer: borrowing Analyzer, namesFile: Bool) -> [String] {
        guard analyzer.totals.records > 0, analyzer.connectionCount == 0 || analyzer.listedLinks.isEmpty
        else {
            return []
        }
        let isFiltered = analyzer.selection != nil && analyzer.connectionCount > 0
        var parts = [isFiltered ? "no connection passes the filter" : "no connection in this log"]
        // It is unknown which scans and waits belong to the selected frames.
        if analyzer.selection == nil {
            if analyzer.attemptCount == 0, analyzer.longestTotalScanTime > 0 {
                parts[0] += ", and no attempt at one"
            }
            // A short scan before an attempt is not worth a mention.
            if analyzer.longestTotalScanTime > (analyzer.attemptCount == 0 ? 0 : 1_000_000_000) {
                parts.append("scanned for \(TextDuration.text(analyzer.longestTotalScanTime))")
            }
            if let attempt = analyzer.acceptListAttempt {
                let text = attempt.givenUp
                let others = analyzer.acceptListAttempts - 1
                parts.append(
                    text.text(from: namesFile ? nil : attempt.place.file, isOnAir: false)
                        + (others > 0 ? " (and \(others) more, none of them longer)" : ""))
            }
            if analyzer.hasAdvertised {
                let events = analyzer.advertisingEvents
                parts.append(
                    "this side advertised" + (events > 0 ? " (\(events.counting("event")))" : "")
                        + ", and nobody connected")
            }
        }
        return parts
    }

    /// Returns the packet counts of a log without any other content.
    private static func counts(_ totals: CaptureStatistics) -> [String] {
        let kinds = [
            (totals.commands, "command"), (totals.events, "event"), (totals.acl, "ACL packet"),
            (totals.monitor, "monitor record"), (totals.notes, "log message"),
            (totals.unknown, "unknown packet"),
        ].filter { $0.0 > 0 }.map { $0.0.counting($0.1) }
        return kinds.isEmpty ? [] : [kinds.joined(separator: ", ")]
    }
}

extension Link {
    /// The connection's handle in words, or on the air its access address after `name`.
    func handleText(onAir name: String) -> String {
        accessAddress.map { "\(name) \(String(hex: UInt64($0), digits: 8))" }
            ?? "handle \(String(hex: UInt64(handle), digits: 4))"
    }
}
