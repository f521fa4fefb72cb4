import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Commands, events and the monitor channel's own records, with named parameters.

extension NDJSONRenderer {
    mutating func command(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
        out.object("hci")
        defer { out.endObject() }
        guard octets.byteCount >= 2 else { return }
        out.member("opcode", analyzer.frame.opcode)
        out.member("name", opcode.name)
        fields(octets.dropping(3), as: .command(opcode))
    }

    mutating func event(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let code = HCIEventCode(rawValue: analyzer.frame.event)
        let parameters = octets.dropping(2)
        out.object("hci")
        guard octets.byteCount > 0 else { return out.endObject() }
        out.member("event", analyzer.frame.event)
        switch code {
        case .leMeta: leEvent(parameters, analyzer)
        case .commandComplete, .commandStatus:
            out.member("name", code.name)
            if parameters.byteCount >= 3, let command = HCIOpcode(rawValue: analyzer.frame.opcode).name {
                out.member("command_name", command)
            }
            request(analyzer)
            eventFields(code, parameters)
        default:
            out.member("name", code.name)
            request(analyzer)
            eventFields(code, parameters)
        }
        out.endObject()
        if analyzer.frame.reports > 0 { advertising(parameters.dropping(1), analyzer) }
    }

    private mutating func eventFields(_ code: HCIEventCode, _ parameters: RawSpan) {
        fields(parameters, as: .event(code))
    }

    private mutating func leEvent(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        let subevent = LESubeventCode(rawValue: analyzer.frame.subevent)
        out.member("subevent", analyzer.frame.subevent)
        out.member("name", subevent.name)
        request(analyzer)
        // The reports are written separately, with their advertising data.
        guard analyzer.frame.reports == 0 else { return }
        fields(parameters.dropping(1), as: .leEvent(subevent))
    }

    mutating func monitor(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let opcode = MonitorOpcode(rawValue: analyzer.frame.header.foreignType)
        out.object("monitor")
        out.member("record", opcode.rawValue)
        out.member("record_name", opcode.name)
        fields(octets, as: .monitor(opcode))
        out.endObject()
    }

    /// Writes the request's frame number, and the latency.
    mutating func request(_ analyzer: borrowing Analyzer) {
        guard let request = analyzer.frame.request else { return }
        frame("request_frame", "request_file", request.place, analyzer)
        out.member("latency_us", Microseconds(request.latency))
    }

    /// Writes a frame's number, and the name of its file if that is not the last frame's file.
    mutating func frame(
        _ name: StaticText, _ fileName: StaticText, _ place: FramePlace, _ analyzer: borrowing Analyzer
    ) {
        frame(name, fileName, place, from: analyzer.frame.place.file)
    }

    /// Writes a frame's number, and the name of its file if that is not `file`.
    mutating func frame(
        _ name: StaticText, _ fileName: StaticText, _ place: FramePlace, from file: Int
    ) {
        out.member(name, place.frame)
        guard place.file != file else { return }
        out.member(fileName)
        self.name(ofFile: place.file)
    }

    @inline(__always)
    mutating func fields(_ octets: RawSpan, as row: PDURow) {
        fields(octets) { printer throws(DecodeError) in try row.decode(with: &printer) }
    }

    /// Writes the fields that `read` reads as members, or the bytes if there is no known field.
    @inline(__always)
    mutating func fields(
        _ octets: RawSpan, _ read: (inout JSONFieldPrinter) throws(DecodeError) -> Bool
    ) {
        guard var buffer = standIn.take() else { return }
        swap(&buffer, &out)
        var printer = JSONFieldPrinter(octets, into: buffer)
        var isKnown = true
        // Decoding errors are listed in the frame's problems.
        do throws(DecodeError) { isKnown = try read(&printer) } catch {}
        // Some rows print unknown bytes as one field: they are not printed again.
        let hasReadNothing = printer.offset == 0
        buffer = printer.finish()
        swap(&buffer, &out)
        standIn = consume buffer
        guard !isKnown, hasReadNothing, octets.byteCount > 0 else { return }
        out.member("parameters", hex: octets)
    }
}

// Advertising reports.

extension NDJSONRenderer {
    /// Writes the reports in the parameters of a report event, after its subevent code.
    mutating func advertising(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        let extended = analyzer.frame.subevent == 0x0D
        guard var reports = try? LEAdvertisingReports(parameters, extended: extended) else { return }
        out.array("advertising")
        let isPart = analyzer.frame.isPartOfAdvertising
        var index = 0
        // A cut report is shown as far as it goes; the frame's problems report the cut.
        while let report = (try? reports.next()) ?? nil {
            begin(report)
            let data = parameters.clamped(report.data)
            if isPart, let part = analyzer.advertisingParts.first(where: { $0.report == index }) {
                put(part, data, analyzer)
            } else {
                put(data, isTruncated: report.isTruncated)
            }
            out.endObject()
            index += 1
        }
        out.endArray()
    }

    private mutating func begin(_ report: LEAdvertisement) {
        out.element()
        out.member("address", report.address)
        out.member("address_type", report.addressType)
        out.member("event_type", report.eventType)
        if report.rssi <= LEAdvertisement.highestRSSI {
            out.member("rssi", report.rssi)
        }
        if report.isExtended { extended(report) }
    }

    private mutating func put(_ data: RawSpan, isTruncated: Bool) {
        out.array("data")
        let isWhole = keptStructures(data)
        out.endArray()
        guard !isWhole else { return }
        if isTruncated { cut(data) } else { out.member("malformed", true) }
    }

    /// Writes the captured and the announced length of the structure in which the data ends.
    private mutating func cut(_ data: RawSpan) {
        var structures = ADStructures(data)
        while structures.next() != nil {}
        guard case .malformed(let at, let wanted, _) = structures.end else { return }
        out.object("cut")
        out.member("captured", data.byteCount - at - 1)
        out.member("length", wanted)
        out.endObject()
    }

    /// Writes a part of an advertisement's data; after the last part, also the whole data.
    private mutating func put(
        _ part: AdvertisingPart, _ data: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.array("data")
        if let whole = part.whole { _ = keptStructures(whole.borrowedOctets) }
        out.endArray()
        out.member("part", true)
        if let whole = part.whole, part.isCut { cut(whole.borrowedOctets) }
        frame("first_frame", "first_file", part.firstFrame, analyzer)
        out.member("octets", hex: data)
    }

    private mutating func extended(_ report: LEAdvertisement) {
        if report.txPower != 127 {
            out.member("tx_power", report.txPower)
        }
        out.member("primary_phy", report.primaryPHY)
        out.member("secondary_phy", report.secondaryPHY)
        if report.advertisingSID != 0xFF {
            out.member("sid", report.advertisingSID)
        }
        if report.periodicAdvertisingInterval != 0 {
            out.member("periodic_interval", report.periodicAdvertisingInterval)
        }
    }

    /// Writes the AD structures. Devices repeat their data, so the text of well-formed ones is cached.
    private mutating func keptStructures(_ data: RawSpan) -> Bool {
        if keptTexts.put(data, into: &out) { return true }
        let start = out.count
        let isWhole = structures(data)
        if isWhole { keptTexts.keep(data, out, from: start) }
        return isWhole
    }

    /// Writes the AD structures; returns false if a length in them is invalid.
    private mutating func structures(_ data: RawSpan) -> Bool {
        var structures = ADStructures(data)
        while let structure = structures.next() { put(structure, data) }
        guard case .malformed(_, _, let partial) = structures.end else { return true }
        if let partial { put(partial, data) }
        return false
    }

    private mutating func put(_ structure: ADStructure, _ data: RawSpan) {
        out.element()
        out.member("type", structure.type.rawValue)
        out.member("type_name", structure.type.name)
        fields(data.clamped(structure.data)) { printer throws(DecodeError) in
            try structure.type.walk(&printer)
            return true
        }
        out.endObject()
    }
}
