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
        let totals = analyzer.selection?.totals ?? analyzer.totals
        span(totals, files, into: &out)
        if analyzer.selection != nil { share(totals.records, of: analyzer.totals.records, into: &out) }
        if totals.records > 0 || analyzer.selection == nil {
            layers(totals, into: &out)
            anomalies(files, analyzer, totals, damage, style, into: &out)
        }
        advertisers(analyzer, into: &out)
        connections(analyzer, namesFile: files.count > 1, style, into: &out)
        UseReport.put(analyzer.listedLinks.prefix(limit), into: &out)
        databases(analyzer.databases, into: &out)
    }

    /// Writes the number of records that passed the filter.
    private static func share(_ chosen: Int, of records: Int, into out: inout TextBuffer) {
        out.decimal(chosen)
        out.put(" of ")
        out.count(records, "record")
        out.put(chosen == 1 ? " passes the filter\n" : " pass the filter\n")
    }

    private static func adapters(_ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        let all = analyzer.knownAdapters.sorted { ($0.file, $0.index) < ($1.file, $1.index) }
        let namesFile = all.contains { $0.file != all[0].file }
        for adapter in all {
            if namesFile {
                out.put("file ")
                out.decimal(adapter.file + 1)
                out.put(": ")
            }
            out.put("adapter ")
            out.decimal(Int(adapter.index))
            if let address = adapter.address {
                out.put("  ")
                out.put(address)
            }
            out.put(0x0A)
        }
    }

    private static func span(
        _ totals: CaptureStatistics, _ files: [CaptureInfo], into out: inout TextBuffer
    ) {
        guard let first = totals.first, let last = totals.last, files.contains(where: \.hasTimes) else {
            return
        }
        if files.allSatisfy(\.hasRelativeTime) {
            out.put("over ")
        } else {
            out.put("from ")
            out.put(utc: first, digits: 6)
            out.put(" to ")
            out.put(utc: last, digits: 6)
            out.put(", ")
        }
        let (duration, jump) = Verdict.duration(
            of: totals, from: first, to: last, namesFile: files.count > 1)
        out.put(([duration] + jump).joined(separator: "; "))
        out.put(0x0A)
    }

    private static func layers(_ totals: CaptureStatistics, into out: inout TextBuffer) {
        out.decimal(totals.records)
        out.put(" records:")
        var isFirst = true
        count(totals.commands, "command", takesPlural: true, &isFirst, &out)
        count(totals.events, "event", takesPlural: true, &isFirst, &out)
        count(totals.acl, "ACL", &isFirst, &out)
        count(totals.sco, "SCO", &isFirst, &out)
        count(totals.iso, "ISO", &isFirst, &out)
        count(totals.monitor, "monitor record", takesPlural: true, &isFirst, &out)
        count(totals.notes, "note", takesPlural: true, &isFirst, &out)
        count(totals.unknown, "of unknown type", &isFirst, &out)
        count(totals.air, "from the air", &isFirst, &out)
        count(totals.wrongCRC, "of them with wrong CRC", &isFirst, &out)
        out.put("\nin them:")
        isFirst = true
        count(totals.advertisingReports, "advertising report", takesPlural: true, &isFirst, &out)
        count(totals.l2cap, "L2CAP PDU", takesPlural: true, &isFirst, &out)
        count(totals.att, "ATT", &isFirst, &out)
        count(totals.smp, "SMP", &isFirst, &out)
        count(totals.vendorPackets, "vendor ACL packet", takesPlural: true, &isFirst, &out)
        if isFirst { out.put(" nothing above HCI") }
        out.put(0x0A)
    }

    private static func count(
        _ count: Int, _ what: StaticText, takesPlural: Bool = false, _ isFirst: inout Bool,
        _ out: inout TextBuffer
    ) {
        guard count > 0 else { return }
        out.put(isFirst ? " " : ", ")
        isFirst = false
        out.decimal(count)
        out.put(0x20)
        out.put(what)
        if takesPlural, count != 1 { out.put(0x73) }
    }

    private static func advertisers(_ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        let all = analyzer.heardAdvertisers
        guard !all.isEmpty else { return }
        out.put("\n")
        out.decimal(all.count)
        out.put(all.count == 1 ? " address advertised" : " addresses advertised")
        if analyzer.advertisers.wasFull { out.put(", and more than the table holds") }
        out.put(0x0A)
        let shown = all.sorted { ($0.reports, $1.firstFrame) > ($1.reports, $0.firstFrame) }.prefix(20)
        for advertiser in shown {
            out.put("  ")
            out.put(advertiser.address)
            if let identity = advertiser.identity {
                out.put(" (identity ")
                out.put(identity)
                out.put(")")
            }
            out.put("  ")
            out.decimal(advertiser.reports)
            out.put(advertiser.reports == 1 ? " report" : " reports")
            if advertiser.strongestRSSI > -128 {
                out.put(", strongest ")
                out.decimal(Int(advertiser.strongestRSSI))
                out.put(" dBm")
            }
            if !advertiser.name.isEmpty {
                out.put(" \"")
                out.escaped(advertiser.name.borrowedOctets)
                out.put(0x22)
            }
            out.put(0x0A)
        }
        rest(all.count - shown.count, into: &out)
    }

    private static func connections(
        _ analyzer: borrowing Analyzer, namesFile: Bool, _ style: Verdict.Style,
        into out: inout TextBuffer
    ) {
        let count = analyzer.selection?.connectionCount ?? analyzer.connectionCount
        guard count > 0 else { return }
        out.put("\n")
        out.decimal(count)
        if analyzer.selection != nil {
            out.put(" of ")
            out.decimal(analyzer.connectionCount)
        }
        out.put(analyzer.connectionCount == 1 ? " connection\n" : " connections\n")
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
            out.put("  ")
            if let address = database.address {
                out.put(address)
            } else {
                out.put("a device without an address in this log")
            }
            out.put(0x0A)
            for service in database.services { put(service, into: &out) }
        }
        rest(databases.count - min(databases.count, limit), into: &out)
    }

    private static func put(_ service: KnownService, into out: inout TextBuffer) {
        out.put("    ")
        out.hexNumber(UInt64(service.start), digits: 4)
        out.put("\u{2013}")
        out.hexNumber(UInt64(service.end), digits: 4)
        out.put(" service ")
        put(service.uuid, .service, into: &out)
        out.put(0x0A)
        for characteristic in service.characteristics {
            out.put("      ")
            out.hexNumber(UInt64(characteristic.value), digits: 4)
            out.put(0x20)
            if let uuid = characteristic.uuid {
                put(uuid, .characteristic(in: service.uuid), into: &out)
            } else {
                out.put("UUID not kept by the recorder")
            }
            CharacteristicText.put(properties: characteristic.properties, into: &out)
            out.put(0x0A)
        }
    }

    private static func put(
        _ uuid: BluetoothUUID, _ use: AssignedNumbers.UUIDUse, into out: inout TextBuffer
    ) {
        out.put(uuid)
        if let name = AssignedNumbers.text(uuid, as: use) { out.put(" \(name)") }
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
        body.addAll(Verdict.listed(analyzer.everyLink, totals), analyzer, totals)
        lines.add(body.lines)
        Verdict.remarks(files, analyzer, totals, &lines)
        lines.put(into: &out)
    }

    private static func list(
        _ title: StaticText, _ counts: [CaptureStatistics.ProblemCount], namesFile: Bool,
        into out: inout TextBuffer
    ) {
        guard !counts.isEmpty else { return }
        out.put(0x0A)
        out.put(title)
        out.put(0x0A)
        for kind in counts {
            out.put("  ")
            out.decimal(UInt64(kind.count), width: 7)
            out.put(" \u{D7} ")
            out.escaped(kind.name ?? kind.code.rawValue)
            out.put(", first at frame ")
            out.put(kind.place, from: namesFile ? nil : kind.place.file)
            out.put(0x0A)
        }
    }

    private static func rest(_ count: Int, into out: inout TextBuffer) {
        guard count > 0 else { return }
        out.put("  and ")
        out.decimal(count)
        out.put(" more\n")
    }
}
