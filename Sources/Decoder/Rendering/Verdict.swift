public import Analysis
import BluetoothCore
public import CaptureFile
public import WireBytes

/// The first lines of text output: what the capture is, how far each connection came, and the first wrong
/// thing. Never longer than 25 lines.
public struct Verdict {
    /// The most connections that are listed one by one.
    static let linkLimit = 10
    /// The most kinds of problems that are listed one by one.
    static let problemLimit = 6

    /// Appends the verdict about the captures that `analyzer` went through.
    public static func put(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, into out: inout TextBuffer
    ) {
        for file in files.prefix(3) { put(file, into: &out) }
        if files.count > 3 {
            out.put("and ")
            out.decimal(files.count - 3)
            out.put(" more files\n")
        }
        counts(analyzer.totals, into: &out)
        let links = analyzer.listedLinks
        for link in important(links) { put(link, analyzer, into: &out) }
        let rest = links.count + analyzer.unlistedLinks - min(links.count, linkLimit)
        if rest > 0 {
            out.put("and ")
            out.decimal(rest)
            out.put(" more connections (blecap info lists them)\n")
        }
        if links.isEmpty { scanOnly(analyzer, into: &out) }
        firstWrong(analyzer.totals, into: &out)
        problems(analyzer.totals, into: &out)
        out.put(0x0A)
    }

    static func put(_ file: CaptureInfo, into out: inout TextBuffer) {
        out.put(file.name == "-" ? "standard input" : file.name)
        out.put(": ")
        out.put(file.format.rawValue)
        if let datalink = file.datalink {
            out.put(file.format == .btsnoop ? ", datalink " : ", link type ")
            out.decimal(UInt64(datalink))
            out.put(DatalinkNames.name(file.format, datalink))
        }
        out.put(0x0A)
    }

    private static func counts(_ totals: Totals, into out: inout TextBuffer) {
        out.decimal(totals.records)
        out.put(totals.records == 1 ? " record" : " records")
        if let first = totals.first, let last = totals.last {
            out.put(" over ")
            TextDuration.put(last.nanoseconds &- first.nanoseconds, into: &out)
            out.put(" from ")
            out.put(utc: first, digits: 3)
        }
        out.put(": ")
        out.decimal(totals.advertisingReports)
        out.put(" advertising reports, ")
        out.decimal(totals.att)
        out.put(" ATT, ")
        out.decimal(totals.smp)
        out.put(" SMP PDUs\n")
    }

    /// The links that tell most, in the order of their numbers.
    static func important(_ links: [Link]) -> [Link] {
        guard links.count > linkLimit else { return links }
        let weighed = links.sorted {
            ($0.counts.uqdkMessages, $0.counts.attPDUs, -$0.number)
                > ($1.counts.uqdkMessages, $1.counts.attPDUs, -$1.number)
        }
        return weighed.prefix(linkLimit).sorted { $0.number < $1.number }
    }

    static func put(_ link: Link, _ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        out.put("connection ")
        out.decimal(link.number)
        out.put("  ")
        if let address = link.address {
            out.put(address)
            if let name = analyzer.advertisers.advertiser(address)?.name, !name.isEmpty {
                out.put(" \"")
                out.escaped(name.borrowedOctets)
                out.put(0x22)
            }
        } else {
            out.put("handle ")
            out.hexNumber(UInt64(link.handle), digits: 4)
            out.put(link.wasOpenAtStart ? " (open before the log began)" : "")
        }
        out.put("  ")
        LinkStory.put(link, into: &out)
        out.put(0x0A)
    }

    private static func scanOnly(_ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        let count = analyzer.advertisers.all.count
        guard count > 0 else { return out.put("no connection in this log\n") }
        out.put("no connection in this log; ")
        out.decimal(count)
        out.put(" addresses advertised")
        let named = analyzer.advertisers.all.filter { !$0.name.isEmpty }
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

    /// The first thing that failed, and its frame.
    private static func firstWrong(_ totals: Totals, into out: inout TextBuffer) {
        guard let first = totals.firstError else {
            if totals.problems == 0 { out.put("nothing wrong was found\n") }
            return
        }
        out.put("first wrong: frame ")
        out.decimal(first.frame)
        if first.link > 0 {
            out.put(", connection ")
            out.decimal(first.link)
        }
        out.put(": ")
        ProblemText.put(first.problem, into: &out)
        out.put(0x0A)
    }

    private static func problems(_ totals: Totals, into out: inout TextBuffer) {
        guard totals.problems > 0 else { return }
        let met = Problem.Code.allCases.enumerated().filter { totals.problemCounts[$0.offset] > 0 }
            .sorted {
                ($0.element.severity, totals.problemCounts[$0.offset])
                    > ($1.element.severity, totals.problemCounts[$1.offset])
            }
        out.put("problems: ")
        for (index, (place, code)) in met.prefix(problemLimit).enumerated() {
            if index > 0 { out.put(", ") }
            out.decimal(totals.problemCounts[place])
            out.put(" \u{D7} ")
            out.put(code.rawValue)
            out.put(" (frame ")
            out.decimal(totals.problemFrames[place])
            out.put(")")
        }
        if met.count > problemLimit {
            out.put(", ")
            out.decimal(met.count - problemLimit)
            out.put(" more kinds")
        }
        out.put(0x0A)
    }
}

/// How far a connection came, in one line.
enum LinkStory {
    static func put(_ link: Link, into out: inout TextBuffer) {
        var steps = StepList()
        let phases = link.phases
        if link.role == .peripheral { steps.plain("peripheral role", into: &out) }
        if link.transport == .brEDR { steps.plain("BR/EDR", into: &out) }
        steps.timed("scan", phases.scanStarted ?? phases.advertised, phases.connectStarted, into: &out)
        steps.timed("connect", phases.connectStarted, phases.connected, into: &out)
        if phases.mtuExchanged != nil {
            steps.plain("MTU ", into: &out)
            out.decimal(Int(link.attMTU))
        }
        if link.counts.discovery > 0 {
            steps.plain("discovery ", into: &out)
            out.decimal(link.counts.discovery)
            out.put(" requests")
        }
        steps.timed("pairing", phases.pairingStarted, phases.encrypted, into: &out)
        if phases.pairingStarted == nil && link.isEncrypted { steps.plain("encrypted", into: &out) }
        if phases.subscribed != nil { steps.plain("subscribed", into: &out) }
        steps.counted(link.counts.reads, "read", into: &out)
        steps.counted(link.counts.writes, "write", into: &out)
        steps.counted(link.counts.notifications, "notification", into: &out)
        steps.counted(link.counts.indications, "indication", into: &out)
        steps.counted(link.counts.uqdkMessages, "message", into: &out)
        if let dialect = link.dialect {
            out.put(" of ")
            out.escaped(Array(dialect.utf8).borrowedOctets)
        }
        if phases.authenticated != nil { steps.plain("authenticated", into: &out) }
        if phases.firstCommand != nil { steps.plain("commands sent", into: &out) }
        steps.counted(link.counts.errors, "ATT error", into: &out)
        if let reason = link.endReason {
            steps.plain("ended by ", into: &out)
            out.put(HCIStatus(rawValue: reason).name ?? "reason")
            out.put(" (")
            out.hexNumber(UInt64(reason), digits: 2)
            out.put(")")
        } else if link.isOpen {
            steps.plain("still open at the end", into: &out)
        } else if link.transport != .brEDR && phases.connected == nil && !link.wasOpenAtStart {
            steps.plain("not established", into: &out)
        } else {
            steps.plain("end missing", into: &out)
        }
        out.put(" after ")
        TextDuration.put(phases.last.nanoseconds &- phases.first.nanoseconds, into: &out)
    }
}

/// Puts a separator before every step but the first.
private struct StepList {
    var isFirst = true

    mutating func plain(_ text: StaticString, into out: inout TextBuffer) {
        if !isFirst { out.put(" \u{B7} ") }
        isFirst = false
        out.put(text)
    }

    mutating func timed(
        _ text: StaticString, _ from: CaptureTime?, _ to: CaptureTime?, into out: inout TextBuffer
    ) {
        guard let from, let to else { return }
        plain(text, into: &out)
        out.put(0x20)
        TextDuration.put(to.nanoseconds &- from.nanoseconds, into: &out)
    }

    mutating func counted(_ count: Int, _ what: StaticString, into out: inout TextBuffer) {
        guard count > 0 else { return }
        plain("", into: &out)
        out.decimal(count)
        out.put(0x20)
        out.put(what)
        if count != 1 { out.put(0x73) }
    }
}
