public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
public import WireBytes

/// The first lines of text output: what the capture is, what went wrong, and how far each connection came.
/// Never longer than 25 lines.
public struct Verdict {
    /// The most lines, the empty one at the end among them.
    static let lineLimit = 25
    /// The most kinds of problems that are listed one by one.
    static let problemLimit = 6
    /// The most failures, requests that wait, and files with damage that have a line.
    static let wrongLimit = 4
    /// The columns after which lines about connections go on below.
    static let width = 80

    /// Appends the verdict about the captures that `analyzer` went through; where it chose frames, about
    /// those.
    public static func put(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage = ReadingDamage(),
        into out: inout TextBuffer
    ) {
        let begin = out.count
        for (index, file) in files.prefix(3).enumerated() {
            if files.count > 1 { put(fileNumber: index, into: &out) }
            put(file, into: &out)
        }
        if files.count > 3 {
            out.put("and ")
            out.decimal(files.count - 3)
            out.put(" more files\n")
        }
        let totals = analyzer.selection?.totals ?? analyzer.totals
        counts(totals, isRelative: files.allSatisfy(\.hasRelativeTime), into: &out)
        if analyzer.selection != nil { share(totals.records, of: analyzer.totals.records, into: &out) }
        guard totals.records > 0 || analyzer.selection == nil else {
            put(damage, into: &out)
            return out.put(0x0A)
        }
        wrong(files, analyzer, totals, damage, into: &out)
        problems(totals, namesFile: files.count > 1, into: &out)
        connections(
            analyzer, namesFile: files.count > 1, rows: lineLimit - rows(out.copied(from: begin)) - 1,
            into: &out)
        out.put(0x0A)
    }

    /// How many records a filter let pass: the verdict is about those.
    private static func share(_ chosen: Int, of records: Int, into out: inout TextBuffer) {
        out.put("only about what passes the filter: ")
        out.decimal(chosen)
        out.put(" of ")
        out.decimal(records)
        out.put(" records\n")
    }

    /// The rows of a terminal that lines take.
    private static func rows(_ lines: [UInt8]) -> Int {
        lines.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            .reduce(0) { $0 + max(1, (StepList.columns($1) + width - 1) / width) }
    }

    static func put(fileNumber index: Int, into out: inout TextBuffer) {
        out.put("file ")
        out.decimal(index + 1)
        out.put(": ")
    }

    static func put(_ file: CaptureInfo, into out: inout TextBuffer) {
        out.escaped(file.name == "-" ? "standard input" : file.name)
        out.put(": ")
        out.put(file.format.rawValue)
        if let datalink = file.datalink {
            out.put(file.format == .btsnoop ? ", datalink " : ", link type ")
            out.decimal(UInt64(datalink))
            out.put(DatalinkNames.name(file.format, datalink))
        }
        if let recorder = file.recorder, !recorder.isEmpty {
            out.put(", recorded by ")
            out.escaped(recorder)
        }
        if file.hasRelativeTime { out.put(", times count from the recorder's start") }
        if file.droppedComments > 0 {
            out.put(", ")
            out.decimal(file.droppedComments)
            out.put(file.droppedComments == 1 ? " further comment is" : " further comments are")
            out.put(" not kept")
        }
        out.put(0x0A)
    }

    private static func counts(_ totals: Totals, isRelative: Bool, into out: inout TextBuffer) {
        out.count(totals.records, "record")
        if let first = totals.first, let last = totals.last {
            out.put(" over ")
            TextDuration.put(last.nanoseconds &- first.nanoseconds, into: &out)
            if !isRelative {
                out.put(" from ")
                out.put(utc: first, digits: 3)
            }
        }
        out.put(": ")
        out.count(totals.advertisingReports, "advertising report")
        out.put(", ")
        out.decimal(totals.att)
        out.put(" ATT, ")
        out.count(totals.smp, "SMP PDU")
        out.put(0x0A)
    }

    // MARK: Connections

    private static func connections(
        _ analyzer: borrowing Analyzer, namesFile: Bool, rows room: Int, into out: inout TextBuffer
    ) {
        let links = analyzer.listedLinks
        guard !links.isEmpty else { return scanOnly(analyzer, namesFile, into: &out) }
        let count = links.count + analyzer.unlistedLinks
        var left = room
        var stories: [(number: Int, text: [UInt8])] = []
        for link in important(links, analyzer.selection?.totals ?? analyzer.totals) {
            var story = TextBuffer(capacity: 512)
            put(link, analyzer, namesFile: namesFile, into: &story)
            let text = story.copied(from: 0)
            let height = rows(text)
            // The line that counts the rest needs its place too.
            guard height + (stories.count + 1 < count ? 1 : 0) <= left else { break }
            left -= height
            stories.append((link.number, text))
        }
        for story in stories.sorted(by: { $0.number < $1.number }) { out.put(story.text) }
        guard count > stories.count else { return }
        out.put(stories.isEmpty ? "" : "and ")
        out.count(count - stories.count, stories.isEmpty ? "connection" : "more connection")
        out.put(" (blecap info lists them)\n")
    }

    /// The links that tell most first: those on which something failed, then those with most traffic; of the
    /// links with a protocol above ATT one at least before all others.
    static func important(_ links: [Link], _ totals: Totals) -> [Link] {
        let wrong = failures(links, totals).map(\.connection)
        let others = totals.wrong.filter { $0.severity >= .error }.map(\.connection)
        let ranks = wrong + others
        func weight(_ link: Link) -> (Int, Int, Int, Int) {
            let rank = ranks.firstIndex(of: link.number) ?? ranks.count
            return (-rank, link.counts.uqdkMessages, link.counts.attPDUs, -link.number)
        }
        var sorted = links.sorted { weight($0) > weight($1) }
        if let speaker = sorted.firstIndex(where: \.speaksProtocol) {
            sorted.insert(sorted.remove(at: speaker), at: 0)
        }
        return sorted
    }

    /// Appends how far a connection came.
    static func put(
        _ link: Link, _ analyzer: borrowing Analyzer, namesFile: Bool, indent: Int = 0,
        into out: inout TextBuffer
    ) {
        var steps = StepList(width: width, indent: indent + 2, lineStart: out.count)
        out.fill(0x20, count: indent)
        out.put("connection ")
        out.decimal(link.number)
        out.put("  ")
        if let address = link.address {
            out.put(address)
            if let identity = link.identity {
                out.put(" (identity ")
                out.put(identity)
                out.put(")")
            }
            if let name = name(of: link, analyzer) {
                out.put(" \"")
                out.escaped(name.borrowedOctets)
                out.put(0x22)
            }
        } else {
            out.put("handle ")
            out.hexNumber(UInt64(link.handle), digits: 4)
            if let before = link.predecessor {
                out.put(" (after the end of connection ")
                out.decimal(before.connection)
                out.put(")")
            } else if link.wasOpenAtStart, link.earlierNumber == nil {
                out.put(" (open before the log began)")
            }
        }
        if let number = link.earlierNumber {
            out.put(" (connection ")
            out.decimal(number)
            out.put(" goes on)")
        }
        if analyzer.hasSeveralAdapters {
            out.put(" on hci")
            out.decimal(Int(link.adapter))
        }
        out.put(" ")
        LinkStory.put(link, namesFile: namesFile, &steps, into: &out)
        out.put(0x0A)
    }

    /// The name that the peer advertised, by the address of the connection, its identity, or another private
    /// address of that; else its Device Name.
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

    /// Appends for how long a log without a connection scans, and what it waited for.
    private static func attempts(
        _ analyzer: borrowing Analyzer, _ namesFile: Bool, into out: inout TextBuffer
    ) {
        // The scan before an attempt is worth a word where it took its time.
        if analyzer.scanTime > (analyzer.attemptCount == 0 ? 0 : 1_000_000_000) {
            if analyzer.attemptCount == 0 { out.put(", and none was asked for") }
            out.put("; scanned for ")
            TextDuration.put(analyzer.scanTime, into: &out)
        }
        guard let attempt = analyzer.acceptListAttempt else { return }
        out.put("; ")
        out.put(attempt.givenUp(from: namesFile ? nil : attempt.place.file))
    }

    private static func scanOnly(
        _ analyzer: borrowing Analyzer, _ namesFile: Bool, into out: inout TextBuffer
    ) {
        let heard = analyzer.heardAdvertisers
        let count = heard.count
        let isFiltered = analyzer.selection != nil && analyzer.connectionCount > 0
        out.put(isFiltered ? "no connection passes the filter" : "no connection in this log")
        // Which of the scans and waits the chosen frames are part of is not known.
        if analyzer.selection == nil { attempts(analyzer, namesFile, into: &out) }
        guard count > 0 else { return out.put(0x0A) }
        out.put("; ")
        out.decimal(count)
        out.put(count == 1 ? " address advertised" : " addresses advertised")
        let named = heard.filter { !$0.name.isEmpty }
            .sorted { $0.reports > $1.reports }.prefix(3)
        for (index, advertiser) in named.enumerated() {
            out.put(index == 0 ? ", among them " : ", ")
            out.put(advertiser.address)
            out.put(" \"")
            out.escaped(advertiser.name.borrowedOctets)
            out.put(0x22)
        }
        out.put(0x0A)
    }
}
