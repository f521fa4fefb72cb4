public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

// The lines other than frames: a file, a connection, the summary, a file that can't be read further.

extension NDJSONRenderer {
    mutating func fileLine(_ file: CaptureInfo) {
        out.put("{\"kind\":\"file\",\"file\":")
        out.jsonString(file.name)
        out.put(",\"format\":")
        out.jsonString(file.format.rawValue)
        if let datalink = file.datalink {
            out.put(",\"datalink\":")
            out.decimal(UInt64(datalink))
        }
        out.put(file.hasDirection ? ",\"has_direction\":true" : ",\"has_direction\":false")
        if file.hasRelativeTime { out.put(",\"relative_time\":true") }
        if let recorder = file.recorder {
            out.put(",\"recorder\":")
            out.jsonString(recorder)
        }
        if !file.comments.isEmpty {
            out.put(",\"comments\":[")
            for (index, comment) in file.comments.enumerated() {
                if index > 0 { out.put(0x2C) }
                out.jsonString(comment)
            }
            out.put(0x5D)
        }
        if file.droppedComments > 0 {
            out.put(",\"dropped_comments\":")
            out.decimal(UInt64(file.droppedComments))
        }
        out.put("}\n")
    }

    /// Writes a line about a file that could not be read, or not to its end.
    public mutating func problem(_ error: CaptureFileError) {
        unreadable.append(error)
        out.put("{\"kind\":\"problem\",\"file\":")
        out.jsonString(error.file)
        cause(error)
        out.put(",\"offset\":")
        out.decimal(error.fileOffset)
        if let record = error.record {
            out.put(",\"frame\":")
            out.decimal(record)
        }
        out.put("}\n")
    }

    private mutating func cause(_ error: CaptureFileError) {
        out.put(",\"code\":")
        out.jsonString(error.cause.code)
        out.put(",\"message\":")
        out.jsonString(error.description)
    }

    /// Writes a line for every listed connection, and the summary; both cover the whole capture, regardless
    /// of the frames written.
    public mutating func finish(_ analyzer: borrowing Analyzer, _ tally: ReaderTally) {
        connectionLines(analyzer, analyzer.totals)
        summary(analyzer, analyzer.totals, tally)
        out.put(0x0A)
    }

    /// Writes a line about a log, including its summary, and one for every connection; no frames.
    ///
    /// - Parameter files: the metadata of its files; only their names if they can't be read.
    public mutating func log(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ tally: ReaderTally, _ line: LogLine,
        _ errors: [CaptureFileError]
    ) {
        isOfLogs = true
        for file in files { begin(file) }
        unreadable = errors
        out.clear()
        out.put("{\"kind\":\"log\",\"version\":1,\"files\":[")
        for index in files.indices {
            if index > 0 { out.put(0x2C) }
            fileLine(files[index])
            out.truncate(to: out.count - 1)
        }
        out.put("],\"verdict\":")
        out.jsonString(line.verdict.rawValue)
        if let cause = line.cause {
            out.put(",\"cause\":")
            out.jsonString(cause)
        }
        if let signature = line.signature {
            out.put(",\"signature\":")
            out.jsonString(signature.text)
        }
        tags(line.tags)
        if !line.device.isEmpty {
            out.put(",\"device\":")
            out.jsonString(line.device)
        }
        out.put(",\"message\":")
        out.jsonString(line.outcome)
        out.put(",\"summary\":")
        let totals = analyzer.selection?.totals ?? analyzer.totals
        summary(analyzer, totals, tally)
        out.put("}\n")
        connectionLines(analyzer, totals)
    }

    private mutating func tags(_ tags: [(key: String, value: String)]) {
        guard !tags.isEmpty else { return }
        out.put(",\"tags\":{")
        for (index, tag) in tags.enumerated() {
            if index > 0 { out.put(0x2C) }
            out.jsonString(tag.key)
            out.put(0x3A)
            out.jsonString(tag.value)
        }
        out.put(0x7D)
    }

    private mutating func connectionLines(_ analyzer: borrowing Analyzer, _ totals: CaptureStatistics) {
        let failures = Verdict.failures(analyzer.listedLinks, totals)
        for link in analyzer.listedLinks {
            let problem = failures.first { $0.connection == link.number }?.problem
            connectionLine(
                link, name: Verdict.name(of: link, analyzer),
                cause: problem.map { $0.name ?? $0.code.rawValue })
        }
    }

    private mutating func summary(
        _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics, _ tally: ReaderTally
    ) {
        out.put("{\"kind\":\"summary\",\"frames\":")
        out.decimal(totals.records)
        if let first = totals.first, let last = totals.last {
            out.put(",\"first\":")
            time(first, file: 0)
            out.put(",\"last\":")
            time(last, file: 0)
        }
        counts(totals, analyzer)
        octets(tally)
        problemCounts(totals)
        wrong(Verdict.failures(analyzer.listedLinks, totals), analyzer)
        number(",\"wrong_not_listed\":", totals.unlistedFailures)
        let overcome = totals.incidents.filter(\.problem.isOvercome)
        let lost = totals.lostPackets + tally.dropsAfterLast
        if lost > 0 { number(",\"lost_packets\":", lost) }
        if !overcome.isEmpty { wrong(overcome, analyzer, as: ",\"overcome\":[") }
        unanswered(analyzer.openRequests)
        gaps(LogGap.gaps(of: files, analyzer, totals))
        unreadableFiles()
        attempts(analyzer)
        out.put(0x7D)
    }

    private mutating func counts(_ totals: CaptureStatistics, _ analyzer: borrowing Analyzer) {
        number(",\"connections\":", analyzer.connectionCount)
        number(",\"connections_not_listed\":", analyzer.unlistedLinks)
        number(",\"commands\":", totals.commands)
        number(",\"events\":", totals.events)
        number(",\"acl\":", totals.acl)
        number(",\"sco\":", totals.sco)
        number(",\"iso\":", totals.iso)
        number(",\"monitor\":", totals.monitor)
        number(",\"notes\":", totals.notes)
        number(",\"unknown\":", totals.unknown)
        number(",\"l2cap\":", totals.l2cap)
        number(",\"att\":", totals.att)
        number(",\"smp\":", totals.smp)
        number(",\"advertising_reports\":", totals.advertisingReports)
    }

    /// Writes the total scan time, and the longest wait for devices of the Filter Accept List.
    private mutating func attempts(_ analyzer: borrowing Analyzer) {
        out.put(",\"scanned_us\":")
        microseconds(analyzer.scanTime)
        guard let attempt = analyzer.acceptListAttempt else { return }
        out.put(",\"accept_list_connect\":{")
        if namesFile { file(attempt.place.file) }
        number("\"frame\":", attempt.frame)
        if let peer = attempt.peer {
            out.put(",\"peer\":")
            out.jsonString(peer)
        }
        out.put(",\"waited_us\":")
        microseconds(attempt.waited)
        if attempt.isOpen { out.put(",\"open_at_end\":true") }
        out.put(0x7D)
    }

    private mutating func octets(_ tally: ReaderTally) {
        number(",\"octets\":{\"total\":", tally.totalOctets)
        number(",\"records\":", tally.recordOctets)
        number(",\"file_headers\":", tally.fileHeaderOctets)
        number(",\"record_headers\":", tally.recordHeaderOctets)
        number(",\"padding\":", tally.paddingOctets)
        number(",\"skipped\":", tally.skippedOctets)
        number(",\"unreadable\":", tally.unreadableOctets)
        number("},\"skipped_records\":", tally.skippedRecords)
        number(",\"truncated_records\":", tally.truncatedRecords)
        number(",\"untold_drops\":", tally.dropsAfterLast)
    }

    private mutating func problemCounts(_ totals: CaptureStatistics) {
        out.put(",\"problems\":[")
        var isFirst = true
        for problem in totals.problemCounts where problem.count > 0 { problemCount(problem, &isFirst) }
        out.put(0x5D)
    }

    private mutating func problemCount(_ problem: CaptureStatistics.ProblemCount, _ isFirst: inout Bool) {
        out.put(isFirst ? "{\"code\":" : ",{\"code\":")
        isFirst = false
        out.jsonString(problem.code.rawValue)
        if let name = problem.name {
            out.put(",\"name\":")
            out.jsonString(name)
        }
        number(",\"count\":", problem.count)
        if namesFile {
            out.put(0x2C)
            file(problem.place.file, as: "first_file")
        } else {
            out.put(0x2C)
        }
        number("\"first_frame\":", problem.place.frame)
        out.put(0x7D)
    }

    /// Writes the information missing from the log.
    private mutating func gaps(_ gaps: [LogGap]) {
        guard !gaps.isEmpty else { return }
        out.put(",\"not_in_log\":[")
        for (index, gap) in gaps.enumerated() {
            out.put(index == 0 ? "{\"code\":" : ",{\"code\":")
            out.jsonString(gap.code.rawValue)
            out.put(",\"message\":")
            out.jsonString(gap.text)
            out.put(",\"advice\":")
            out.jsonString(gap.advice)
            out.put(0x7D)
        }
        out.put(0x5D)
    }

    /// Writes the unreadable files, which the verdict does not cover.
    private mutating func unreadableFiles() {
        guard !unreadable.isEmpty else { return }
        out.put(",\"unreadable\":[")
        for (index, error) in unreadable.enumerated() {
            out.put(index == 0 ? "{\"file\":" : ",{\"file\":")
            out.jsonString(error.file)
            cause(error)
            out.put(0x7D)
        }
        out.put(0x5D)
    }

    /// Writes the failures, as the verdict lists them.
    private mutating func wrong(
        _ failures: [Incident], _ analyzer: borrowing Analyzer, as name: StaticText = ",\"wrong\":["
    ) {
        out.put(name)
        let databases = failures.isEmpty ? [] : analyzer.databases
        let links = analyzer.listedLinks
        for (index, wrong) in failures.enumerated() {
            out.put(index == 0 ? "{" : ",{")
            if namesFile { file(wrong.place.file) }
            number("\"frame\":", wrong.place.frame)
            if wrong.connection > 0 { number(",\"connection\":", wrong.connection) }
            out.put(",\"code\":")
            out.jsonString(wrong.problem.code.rawValue)
            if let name = wrong.problem.name {
                out.put(",\"name\":")
                out.jsonString(name)
            }
            if let side = wrong.problem.side {
                out.put(",\"side\":")
                out.jsonString(side.rawValue)
            }
            if let handle = wrong.problem.refusedRequest?.handle, handle > 0 {
                number(",\"handle\":", Int(handle))
            }
            message(wrong.problem)
            if let known = wrong.problem.circumstances {
                out.put(",\"known\":")
                out.jsonString(known)
            }
            number(",\"count\":", wrong.count)
            let link = links.first { $0.number == wrong.connection }
            signature(IncidentSignature(wrong, link, databases))
            consequences(of: wrong)
            out.put(0x7D)
        }
        out.put(0x5D)
    }

    private mutating func signature(_ signature: IncidentSignature) {
        out.put(",\"phase\":")
        out.jsonString(signature.phase)
        if let status = signature.status {
            out.put(",\"status\":")
            out.jsonString(status)
        }
        if let service = signature.service {
            out.put(",\"peer_service\":")
            out.jsonString(service)
        }
        out.put(",\"signature\":")
        out.jsonString(signature.text)
    }

    /// Writes the consequences of a failure.
    private mutating func consequences(of incident: Incident) {
        guard !incident.consequences.isEmpty else { return }
        out.put(",\"consequences\":[")
        for (index, consequence) in incident.consequences.enumerated() {
            out.put(index == 0 ? "{" : ",{")
            if namesFile { file(consequence.place.file) }
            number("\"frame\":", consequence.place.frame)
            out.put(",\"code\":")
            out.jsonString(consequence.problem.code.rawValue)
            if let name = consequence.problem.name {
                out.put(",\"name\":")
                out.jsonString(name)
            }
            message(consequence.problem)
            out.put(0x7D)
        }
        out.put(0x5D)
    }

    mutating func number(_ name: StaticText, _ value: Int) {
        out.put(name)
        out.decimal(value)
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
        case .archive: "archive"
        }
    }
}
