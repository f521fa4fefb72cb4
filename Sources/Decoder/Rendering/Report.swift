public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
public import WireBytes

/// The contents of captures as `info` shows them: files, adapters, counts, problems, connections, databases.
public enum Report {
    /// Limit of the entries shown in each list.
    static let limit = 200

    /// Appends the report about captures that `analyzer` has processed to their end; if frames are selected,
    /// about these only.
    public static func put(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage = ReadingDamage(),
        style: Verdict.Style = Verdict.Style(), into out: inout TextBuffer
    ) {
        var lines = TextLines(style)
        for (index, file) in files.enumerated() {
            lines.add(
                (files.count > 1 ? "file \(index + 1): " : "") + Verdict.name(of: file) + ": ",
                Verdict.description(of: file), separator: ", ")
        }
        lines.put(into: &out)
        adapters(analyzer, into: &out)
        let totals = analyzer.shownTotals
        span(totals, files, into: &out)
        if analyzer.selection != nil {
            out.put(passing(totals.records, of: analyzer.totals.records) + "\n")
        }
        if totals.records > 0 || analyzer.selection == nil {
            layers(totals, into: &out)
            anomalies(files, analyzer, totals, damage, style, into: &out)
        }
        advertisers(analyzer, into: &out)
        connections(analyzer, namesFile: files.count > 1, style, into: &out)
        ProtocolReport.put(
            analyzer.listedLinks.prefix(limit), namesCommand: style.namesCommand, into: &out)
        databases(analyzer.databases, into: &out)
    }

    /// The number of records that pass a filter, in words.
    public static func passing(_ chosen: Int, of records: Int) -> String {
        "\(chosen) of \(records.counting("record")) \(chosen == 1 ? "passes" : "pass") the filter"
    }

    private static func adapters(_ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        let all = analyzer.knownAdapters.sorted { ($0.file, $0.index) < ($1.file, $1.index) }
        let namesFile = all.contains { $0.file != all[0].file }
        for adapter in all {
            let file = namesFile ? "file \(adapter.file + 1): " : ""
            let address = adapter.address.map { "  \($0)" } ?? ""
            out.put("\(file)adapter \(adapter.index)\(address)\n")
        }
    }

    private static func span(
        _ totals: CaptureStatistics, _ files: [CaptureInfo], into out: inout TextBuffer
    ) {
        guard let first = totals.first, let last = totals.last, files.contains(where: \.hasTimes) else {
            return
        }
        let (start, end) = (String { $0.put(utc: first, digits: 6) }, String { $0.put(utc: last, digits: 6) })
        let (duration, jump) = Verdict.duration(
            of: totals, from: first, to: last, namesFile: files.count > 1)
        out.put(files.allSatisfy(\.hasRelativeTime) ? "over " : "from \(start) to \(end), ")
        out.put(([duration] + jump).joined(separator: "; ") + "\n")
    }

    private static func layers(_ totals: CaptureStatistics, into out: inout TextBuffer) {
        let kinds = [
            counted(totals.commands, "command"), counted(totals.events, "event"), (totals.acl, "ACL"),
            (totals.sco, "SCO"), (totals.iso, "ISO"), counted(totals.monitor, "monitor record"),
            counted(totals.notes, "note"), (totals.unknown, "of unknown type"), (totals.air, "from the air"),
            (totals.wrongCRC, "of them with wrong CRC"),
        ]
        let inside = [
            counted(totals.advertisingReports, "advertising report"), counted(totals.l2cap, "L2CAP PDU"),
            (totals.att, "ATT"), (totals.smp, "SMP"), counted(totals.vendorPackets, "vendor ACL packet"),
        ]
        out.put("\(totals.records) records:\(list(kinds))\n")
        let isEmpty = inside.allSatisfy { $0.0 == 0 }
        out.put("in them:\(isEmpty ? " nothing above HCI" : list(inside))\n")
    }

    private static func counted(_ count: Int, _ noun: String) -> (Int, String) {
        (count, count == 1 ? noun : noun + "s")
    }

    private static func list(_ counts: [(Int, String)]) -> String {
        let words = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return words.isEmpty ? "" : " " + words.joined(separator: ", ")
    }

    private static func advertisers(_ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        let all = analyzer.heardAdvertisers
        guard !all.isEmpty else { return }
        out.put(all.count == 1 ? "\n1 address advertised" : "\n\(all.count) addresses advertised")
        out.put(analyzer.advertisers.wasFull ? ", and more than the table holds\n" : "\n")
        let shown = all.sorted { ($0.reports, $1.firstFrame) > ($1.reports, $0.firstFrame) }.prefix(20)
        for one in shown {
            let identity = one.identity.map { " (identity \($0))" } ?? ""
            let strongest = one.strongestRSSI > -128 ? ", strongest \(one.strongestRSSI) dBm" : ""
            let name = one.name.isEmpty ? "" : " \"\(String(escaped: one.name))\""
            out.put("  \(one.address)\(identity)  \(one.reports.counting("report"))\(strongest)\(name)\n")
        }
        rest(all.count - shown.count, into: &out)
    }

    private static func connections(
        _ analyzer: borrowing Analyzer, namesFile: Bool, _ style: Verdict.Style,
        into out: inout TextBuffer
    ) {
        let count = analyzer.selection?.connectionCount ?? analyzer.connectionCount
        guard count > 0 else { return }
        let all = analyzer.connectionCount.counting("connection")
        out.put(analyzer.selection == nil ? "\n\(all)\n" : "\n\(count) of \(all)\n")
        let links = analyzer.listedLinks
        var lines = TextLines(style)
        for link in links.prefix(limit) {
            let shown = analyzer.shownPackets(inFile: Int(link.file))
            let summary = ConnectionSummary(link: link, namesFile: namesFile, shown: shown)
            lines.add(
                "  \(Verdict.title(link, analyzer)): ", summary.outcome.map(summary.text) + summary.steps,
                separator: " \u{B7} ", indent: 4)
        }
        lines.put(into: &out)
        rest(count - min(links.count, limit), into: &out)
    }

    private static func databases(_ databases: [KnownDatabase], into out: inout TextBuffer) {
        guard !databases.isEmpty else { return }
        out.put("\nattribute databases\n")
        for database in databases.prefix(limit) {
            out.put(database.address.map { "  \($0)\n" } ?? "  a device without an address in this log\n")
            for service in database.services { put(service, into: &out) }
        }
        rest(databases.count - min(databases.count, limit), into: &out)
    }

    private static func put(_ service: KnownService, into out: inout TextBuffer) {
        let (start, end) = (hex(service.start), hex(service.end))
        out.put("    \(start)\u{2013}\(end) service \(text(service.uuid, .service))\n")
        for one in service.characteristics {
            let uuid = one.uuid.map { text($0, .characteristic(in: service.uuid)) }
            out.put("      \(hex(one.value)) \(uuid ?? "UUID not kept by the recorder")")
            CharacteristicText.put(properties: one.properties, into: &out)
            out.put(0x0A)
        }
    }

    private static func hex(_ handle: UInt16) -> String { String(hex: UInt64(handle), digits: 4) }

    private static func text(_ uuid: BluetoothUUID, _ use: AssignedNumbers.UUIDUse) -> String {
        "\(uuid)" + (AssignedNumbers.text(uuid, as: use).map { " \($0)" } ?? "")
    }

    private static func anomalies(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics,
        _ damage: ReadingDamage,
        _ style: Verdict.Style, into out: inout TextBuffer
    ) {
        let namesFile = files.count > 1
        let counts = totals.problemCounts.filter { $0.count > 0 }
        list("problems", counts.filter { !$0.isNote }, namesFile: namesFile, into: &out)
        list("notes, which no verdict counts", counts.filter(\.isNote), namesFile: namesFile, into: &out)
        out.put(0x0A)
        var lines = TextLines(style)
        Verdict.add(damage, totals, below: files.count == 1 ? files[0].name : nil, &lines)
        let links = analyzer.listedLinks
        Verdict.doubts(links, namesFile: namesFile, &lines)
        Verdict.unread(links, unlisted: analyzer.unlistedUnread, &lines)
        var body = VerdictBody(style, namesFile: namesFile, limit: limit)
        body.isWhole = damage.isNone
        body.addAll(Verdict.listed(analyzer, totals), analyzer, totals)
        lines.add(body.lines)
        Verdict.remarks(files, analyzer, totals, &lines)
        let attempts = Verdict.attempts(analyzer, namesFile: namesFile)
        if !attempts.isEmpty { lines.add(attempts.joined(separator: "; ")) }
        lines.put(into: &out)
    }

    private static func list(
        _ title: StaticText, _ counts: [CaptureStatistics.ProblemCount], namesFile: Bool,
        into out: inout TextBuffer
    ) {
        guard !counts.isEmpty else { return }
        out.put("\n\(title)\n")
        for kind in counts {
            out.put("  ")
            out.decimal(UInt64(kind.count), width: 7)
            let place = kind.place.text(from: namesFile ? nil : kind.place.file)
            out.put(" \u{D7} \((kind.name ?? kind.code.rawValue).escaped), first at frame \(place)\n")
        }
    }

    private static func rest(_ count: Int, into out: inout TextBuffer) {
        if count > 0 { out.put("  and \(count) more\n") }
    }
}
