public import Analysis
import BluetoothCore
public import CaptureFile
import WireBytes

// The lines that are no frames: a file, a connection, the summary, a file that can't be read on.

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
        out.put("}\n")
    }

    /// Writes a line about a file that could not be read, or not to its end.
    public mutating func problem(_ error: CaptureFileError) {
        out.put("{\"kind\":\"problem\",\"file\":")
        out.jsonString(error.file)
        out.put(",\"code\":")
        switch error.cause {
        case .notACapture: out.jsonString("not-a-capture")
        case .unsupportedDatalink: out.jsonString("unsupported-datalink")
        case .truncated: out.jsonString("truncated")
        case .damaged: out.jsonString("damaged")
        case .system: out.jsonString("system")
        case .archive: out.jsonString("archive")
        }
        out.put(",\"message\":")
        out.jsonString(error.description)
        out.put(",\"offset\":")
        out.decimal(error.fileOffset)
        if let record = error.record {
            out.put(",\"frame\":")
            out.decimal(record)
        }
        out.put("}\n")
    }

    /// Writes a line for every connection that was kept, and the summary.
    public mutating func finish(_ analyzer: borrowing Analyzer, _ tally: ReaderTally) {
        for link in analyzer.listedLinks { connectionLine(link) }
        out.put("{\"kind\":\"summary\",\"frames\":")
        let totals = analyzer.totals
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
        out.put("}\n")
    }

    private mutating func counts(_ totals: Totals, _ analyzer: borrowing Analyzer) {
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
    }

    private mutating func problemCounts(_ totals: Totals) {
        out.put(",\"problems\":[")
        var isFirst = true
        for (place, code) in Problem.Code.allCases.enumerated() where totals.problemCounts[place] > 0 {
            out.put(isFirst ? "{\"code\":" : ",{\"code\":")
            isFirst = false
            out.jsonString(code.rawValue)
            number(",\"count\":", totals.problemCounts[place])
            number(",\"first_frame\":", totals.problemFrames[place])
            out.put(0x7D)
        }
        out.put(0x5D)
    }

    private mutating func number(_ name: StaticString, _ value: Int) {
        out.put(name)
        out.decimal(value)
    }

    private mutating func connectionLine(_ link: Link) {
        out.put("{\"kind\":\"connection\",")
        if namesFile { file(link.file) }
        number("\"connection\":", link.number)
        number(",\"adapter\":", Int(link.adapter))
        number(",\"handle\":", Int(link.handle))
        switch link.transport {
        case .le: out.put(",\"transport\":\"le\"")
        case .brEDR: out.put(",\"transport\":\"br-edr\"")
        case .unknown: out.put(",\"transport\":null")
        }
        switch link.role {
        case .central: out.put(",\"role\":\"central\"")
        case .peripheral: out.put(",\"role\":\"peripheral\"")
        case .unknown: out.put(",\"role\":null")
        }
        if let address = link.address {
            out.put(",\"peer\":")
            out.jsonString(address)
        }
        number(",\"first_frame\":", link.firstFrame)
        number(",\"last_frame\":", link.lastFrame)
        if link.wasOpenAtStart { out.put(",\"open_at_start\":true") }
        if link.isOpen { out.put(",\"open_at_end\":true") }
        if let reason = link.endReason { number(",\"reason\":", Int(reason)) }
        if link.isEncrypted { out.put(",\"encrypted\":true") }
        number(",\"att_mtu\":", Int(link.attMTU))
        phases(link)
        counts(link.counts)
        out.put("}\n")
    }

    private mutating func phases(_ link: Link) {
        let phases = link.phases
        phase(",\"connected\":", phases.connected, link)
        phase(",\"mtu_exchanged\":", phases.mtuExchanged, link)
        phase(",\"subscribed\":", phases.subscribed, link)
        phase(",\"encrypted_at\":", phases.encrypted, link)
        phase(",\"authenticated\":", phases.authenticated, link)
        phase(",\"first_command\":", phases.firstCommand, link)
        phase(",\"disconnected\":", phases.disconnected, link)
    }

    private mutating func phase(_ name: StaticString, _ time: CaptureTime?, _ link: Link) {
        guard let time else { return }
        out.put(name)
        self.time(time, file: link.file)
    }

    private mutating func counts(_ counts: LinkCounts) {
        number(",\"packets\":", counts.packets)
        number(",\"att\":", counts.attPDUs)
        number(",\"smp\":", counts.smpPDUs)
        number(",\"errors\":", counts.errors)
        number(",\"reads\":", counts.reads)
        number(",\"writes\":", counts.writes)
        number(",\"notifications\":", counts.notifications)
        number(",\"indications\":", counts.indications)
        number(",\"problems\":", counts.problems)
    }
}
