public import Analysis
import BluetoothCore
public import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

// Lines that are not frames: files, connections, the summary, files that can't be read further.

extension NDJSONRenderer {
    mutating func fileLine(_ file: CaptureInfo) {
        out.line("file")
        out.member("file", file.name)
        out.member("format", file.format.rawValue)
        out.member("datalink", file.datalink)
        out.member("has_direction", file.hasDirection)
        out.member("relative_time", if: file.hasRelativeTime)
        out.member("recorder", file.recorder)
        if !file.comments.isEmpty { out.member("comments", file.comments) }
        if file.droppedComments > 0 { out.member("dropped_comments", file.droppedComments) }
        out.put("}\n")
    }

    /// Writes a line about a file that could not be read, or not up to its end.
    public mutating func problem(_ error: CaptureFileError) {
        unreadable.append(error)
        out.line("problem")
        out.member("file", error.file)
        cause(error)
        out.member("offset", error.fileOffset)
        out.member("frame", error.record)
        out.put("}\n")
    }

    private mutating func cause(_ error: CaptureFileError) {
        out.member("code", error.cause.code)
        out.member("message", error.description)
    }

    /// Writes a line for each listed connection, and the summary. Both cover the whole capture, whichever
    /// frames were written.
    public mutating func finish(_ analyzer: borrowing Analyzer, _ tally: ReaderTally) {
        connectionLines(analyzer, analyzer.totals)
        summary(analyzer, analyzer.totals, tally)
        out.put(0x0A)
    }

    /// Writes a line about a log with its summary, and a line for each connection, but no frames.
    ///
    /// - Parameter files: the metadata of the log's files; only their names if they can't be read.
    public mutating func log(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ tally: ReaderTally, _ line: LogLine,
        _ errors: [CaptureFileError]
    ) {
        isOfLogs = true
        for file in files { begin(file) }
        unreadable = errors
        out.clear()
        out.line("log")
        out.member("version", 2)
        out.array("files")
        for index in files.indices {
            out.separator()
            fileLine(files[index])
            out.truncate(to: out.count - 1)
        }
        out.endArray()
        out.member("verdict", line.verdict.rawValue)
        out.member("cause", orNull: line.cause)
        out.member("signature", orNull: line.signature?.text)
        tags(line.tags)
        out.member("device", orNull: line.device.isEmpty ? nil : line.device)
        out.member("message", line.outcome)
        out.member("summary")
        let totals = analyzer.shownTotals
        summary(analyzer, totals, tally)
        out.put("}\n")
        connectionLines(analyzer, totals)
    }

    private mutating func tags(_ tags: [(key: String, value: String)]) {
        out.object("tags")
        for tag in tags {
            out.separator()
            out.jsonString(tag.key)
            out.put(0x3A)
            out.jsonString(tag.value)
        }
        out.endObject()
    }

    private mutating func connectionLines(_ analyzer: borrowing Analyzer, _ totals: CaptureStatistics) {
        let failures = Verdict.failures(analyzer, totals)
        for link in analyzer.listedLinks {
            let problem = failures.first { $0.isOn(link.number) }?.problem
            connectionLine(
                link, name: Verdict.name(of: link, analyzer),
                cause: problem.map { $0.name ?? $0.code.rawValue })
        }
    }

    private mutating func summary(
        _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics, _ tally: ReaderTally
    ) {
        out.line("summary")
        out.member("frames", totals.records)
        if let first = totals.first, let last = totals.last {
            out.member("first")
            time(first, file: 0)
            out.member("last")
            time(last, file: 0)
        }
        counts(totals, analyzer)
        octets(tally)
        problemCounts(totals)
        let entries = Verdict.Entries(analyzer)
        incidents(Verdict.failures(analyzer, totals), entries, analyzer)
        out.member("wrong_not_listed", totals.unlistedFailures)
        let overcome = Verdict.overcome(totals)
        let lost = totals.lostPackets + tally.dropsAfterLast
        if lost > 0 { out.member("lost_packets", lost) }
        if !overcome.isEmpty { incidents(overcome, entries, analyzer, as: "overcome") }
        let warnings = entries.others.filter { !$0.problem.isOvercome }
        if !warnings.isEmpty { incidents(warnings, entries, analyzer, as: "warnings") }
        unanswered(analyzer.openRequests)
        gaps(LogGap.gaps(of: files, analyzer, totals))
        notRead(analyzer)
        unreadableFiles()
        attempts(analyzer)
        out.endObject()
    }

    private mutating func counts(_ totals: CaptureStatistics, _ analyzer: borrowing Analyzer) {
        out.member("connections", analyzer.connectionCount)
        out.member("connections_not_listed", analyzer.unlistedLinks)
        out.member("commands", totals.commands)
        out.member("events", totals.events)
        out.member("acl_packets", totals.acl)
        out.member("sco_packets", totals.sco)
        out.member("iso_packets", totals.iso)
        out.member("monitor_records", totals.monitor)
        out.member("notes", totals.notes)
        out.member("unknown", totals.unknown)
        out.member("l2cap_pdus", totals.l2cap)
        out.member("att_pdus", totals.att)
        out.member("smp_pdus", totals.smp)
        out.member("advertising_reports", totals.advertisingReports)
    }

    /// Writes the total scan time, and the longest wait for a device of the filter accept list.
    private mutating func attempts(_ analyzer: borrowing Analyzer) {
        out.member("scanned_us", Microseconds(analyzer.longestTotalScanTime))
        guard let attempt = analyzer.acceptListAttempt else { return }
        out.object("accept_list_connect")
        file(attempt.place.file)
        out.member("frame", attempt.frame)
        out.member("peer", attempt.peer)
        out.member("waited_us", Microseconds(attempt.waited))
        out.member("open_at_end", if: attempt.isOpen)
        out.endObject()
    }

    private mutating func octets(_ tally: ReaderTally) {
        out.object("input_octets")
        out.member("total", tally.totalOctets)
        out.member("records", tally.recordOctets)
        out.member("file_headers", tally.fileHeaderOctets)
        out.member("record_headers", tally.recordHeaderOctets)
        out.member("padding", tally.paddingOctets)
        out.member("skipped", tally.skippedOctets)
        out.member("unreadable", tally.unreadableOctets)
        out.endObject()
        out.member("skipped_records", tally.skippedRecords)
        out.member("truncated_records", tally.truncatedRecords)
        out.member("untold_drops", tally.dropsAfterLast)
    }

    private mutating func problemCounts(_ totals: CaptureStatistics) {
        objects("problem_counts", of: totals.problemCounts.filter { $0.count > 0 }) { json, problem in
            json.out.member("code", problem.code.rawValue)
            json.out.member("name", problem.name)
            json.out.member("count", problem.count)
            json.file(problem.place.file, as: "first_file")
            json.out.member("first_frame", problem.place.frame)
            json.out.member("note", if: problem.isNote)
        }
    }

    /// Writes what is missing from the log.
    private mutating func gaps(_ gaps: [LogGap]) {
        objects("not_in_log", of: gaps, isOptional: true) { json, gap in
            json.out.member("code", gap.code.rawValue)
            json.out.member("message", gap.text)
            json.out.member("advice", gap.advice)
        }
    }

    /// Writes the connections on which something could not be read without a key.
    private mutating func notRead(_ analyzer: borrowing Analyzer) {
        let unread = analyzer.listedLinks.flatMap { link in
            [
                link.session?.unread.map { ("secured-messages", link.number, $0.messages, Verdict.text($0)) },
                link.air.flatMap {
                    $0.closed > 0
                        ? ("encrypted-pdus", link.number, $0.closed, Verdict.closedPDUs(of: link)) : nil
                },
            ].compactMap { $0 }
        }
        objects("not_read", of: unread, isOptional: true) { json, one in
            let (code, connection, count, message) = one
            json.out.member("code", code)
            json.out.member("connection", connection)
            json.out.member("count", count)
            json.out.member("message", message)
        }
    }

    /// Writes the unreadable files, which the verdict does not cover.
    private mutating func unreadableFiles() {
        objects("unreadable", of: unreadable, isOptional: true) { json, error in
            json.out.member("file", error.file)
            json.cause(error)
        }
    }

    /// Writes incidents, in the order in which the verdict lists them.
    private mutating func incidents(
        _ incidents: [Incident], _ entries: Verdict.Entries, _ analyzer: borrowing Analyzer,
        as name: StaticText = "wrong"
    ) {
        out.array(name)
        let databases = incidents.isEmpty ? [] : analyzer.databases
        let links = analyzer.everyLink
        for incident in incidents {
            out.element()
            out.member("number", entries.number(of: incident))
            file(incident.place.file)
            out.member("frame", incident.place.frame)
            if incident.connection > 0 { out.member("connection", incident.connection) }
            if incident.connections > 1 {
                out.array("connections", of: incident.firstConnections) { $0.decimal($1) }
            }
            out.member("code", incident.problem.code.rawValue)
            out.member("name", incident.problem.name)
            out.member("side", incident.problem.side?.rawValue)
            if let handle = incident.problem.refusedRequest?.handle, handle > 0 {
                out.member("handle", handle)
            }
            message(incident.problem)
            out.member("known", incident.problem.circumstances)
            out.member("count", incident.count)
            occurrences(of: incident)
            if let (wait, link) = Verdict.reconnection(after: incident, links) {
                out.object("reconnected")
                out.member("connection", link.number)
                out.member("after_us", Microseconds(wait))
                out.endObject()
            }
            let link = links.first { $0.number == incident.connection }
            signature(IncidentSignature(incident, link, databases))
            consequences(of: incident)
            out.endObject()
        }
        out.endArray()
    }

    /// Writes the places of the first occurrences of an incident that occurred more than once.
    private mutating func occurrences(of incident: Incident) {
        guard incident.occurrences.count > 1 else { return }
        objects("occurrences", of: incident.occurrences) { json, occurrence in
            json.file(occurrence.place.file)
            json.out.member("frame", occurrence.place.frame)
        }
    }

    private mutating func signature(_ signature: IncidentSignature) {
        out.member("phase", signature.phase)
        out.member("status", signature.status)
        out.member("peer_service", signature.service)
        out.member("signature", signature.text)
    }

    /// Writes the consequences of a failure.
    private mutating func consequences(of incident: Incident) {
        objects("consequences", of: incident.consequences, isOptional: true) { json, consequence in
            json.file(consequence.place.file)
            json.out.member("frame", consequence.place.frame)
            json.out.member("code", consequence.problem.code.rawValue)
            json.out.member("name", consequence.problem.name)
            json.message(consequence.problem)
        }
    }
}

extension CaptureFileError.Cause {
    /// The kind of cause, for programs.
    public var code: String {
        switch self {
        case .notACapture, .decoderText: "not-a-capture"
        case .empty: "empty"
        case .emptyReport: "empty-report"
        case .unsupportedDatalink: "unsupported-datalink"
        case .truncated: "truncated"
        case .damaged: "damaged"
        case .system, .temporary: "system"
        case .unpacksToMore: "archive"
        case .archive, .restored: "archive"
        }
    }
}
