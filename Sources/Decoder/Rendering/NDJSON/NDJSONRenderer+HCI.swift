import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Commands, events and the monitor channel's own records, with named parameters.

extension NDJSONRenderer {
    mutating func command(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
        guard octets.byteCount >= 2 else { return out.put(",\"hci\":{}") }
        out.put(",\"hci\":{\"opcode\":")
        out.decimal(UInt64(analyzer.frame.opcode))
        name(opcode.name)
        fields(octets.dropping(3)) { printer throws(DecodeError) in
            try HCICommandTable.code(opcode, .parameters, &printer)
        }
        out.put(0x7D)
    }

    mutating func event(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let code = HCIEventCode(rawValue: analyzer.frame.event)
        let parameters = octets.dropping(2)
        guard octets.byteCount > 0 else { return out.put(",\"hci\":{}") }
        out.put(",\"hci\":{\"event\":")
        out.decimal(UInt64(analyzer.frame.event))
        switch code {
        case .leMeta: leEvent(parameters, analyzer)
        case .commandComplete, .commandStatus:
            name(code.name)
            if parameters.byteCount >= 3, let command = HCIOpcode(rawValue: analyzer.frame.opcode).name {
                out.put(",\"command_name\":")
                out.jsonString(command)
            }
            request(analyzer)
            eventFields(code, parameters)
        default:
            name(code.name)
            request(analyzer)
            eventFields(code, parameters)
        }
        out.put(0x7D)
        if analyzer.frame.reports > 0 { advertising(parameters.dropping(1), analyzer) }
    }

    private mutating func eventFields(_ code: HCIEventCode, _ parameters: RawSpan) {
        fields(parameters) { printer throws(DecodeError) in try HCIEventTable.code(code, &printer) }
    }

    private mutating func leEvent(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        let subevent = LESubeventCode(rawValue: analyzer.frame.subevent)
        out.put(",\"subevent\":")
        out.decimal(UInt64(analyzer.frame.subevent))
        name(subevent.name)
        request(analyzer)
        // The reports are written separately, with their advertising data.
        guard analyzer.frame.reports == 0 else { return }
        fields(parameters.dropping(1)) { printer throws(DecodeError) in
            try HCIEventTable.codeLE(subevent, &printer)
        }
    }

    mutating func monitor(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let opcode = MonitorOpcode(rawValue: analyzer.frame.header.foreignType)
        out.put(",\"monitor\":{\"record\":")
        out.decimal(UInt64(opcode.rawValue))
        if let name = opcode.name {
            out.put(",\"record_name\":")
            out.jsonString(name)
        }
        fields(octets) { printer throws(DecodeError) in try MonitorTable.code(opcode, &printer) }
        out.put(0x7D)
    }

    /// Writes `,"name":…` if there is a name.
    mutating func name(_ name: StaticText?) {
        guard let name else { return }
        out.put(",\"name\":")
        out.jsonString(name)
    }

    /// Writes the number of the request frame that this frame answers, and the latency.
    mutating func request(_ analyzer: borrowing Analyzer) {
        guard let request = analyzer.frame.request else { return }
        frame(",\"request_frame\":", ",\"request_file\":", request.place, analyzer)
        out.put(",\"latency_us\":")
        microseconds(request.latency)
    }

    /// Writes a frame's number, and the name of its file if it differs from the last frame's file.
    mutating func frame(
        _ name: StaticText, _ fileName: StaticText, _ place: FramePlace, _ analyzer: borrowing Analyzer
    ) {
        frame(name, fileName, place, from: analyzer.frame.place.file)
    }

    /// Writes a frame's number, and the name of its file if it differs from `file`.
    mutating func frame(
        _ name: StaticText, _ fileName: StaticText, _ place: FramePlace, from file: Int
    ) {
        number(name, place.frame)
        guard place.file != file else { return }
        out.put(fileName)
        self.name(ofFile: place.file)
    }

    /// Writes nanoseconds as microseconds, with three decimal places if they are needed.
    mutating func microseconds(_ nanoseconds: Int64) {
        if nanoseconds < 0 { out.put(0x2D) }
        out.decimal(UInt64(nanoseconds.magnitude / 1000))
        let rest = nanoseconds.magnitude % 1000
        guard rest > 0 else { return }
        out.put(0x2E)
        out.decimal(UInt64(rest), digits: 3)
    }

    /// Writes the fields that `walk` visits as further members, or the bytes if none is named.
    @inline(__always)
    mutating func fields(
        _ octets: RawSpan, isFirst: Bool = false,
        _ walk: (inout JSONFieldPrinter) throws(DecodeError) -> Bool
    ) {
        guard var buffer = standIn.take() else { return }
        swap(&buffer, &out)
        var printer = JSONFieldPrinter(octets, into: buffer, isFirst: isFirst)
        var isKnown = true
        // Decoding errors are listed in the frame's problems.
        do throws(DecodeError) { isKnown = try walk(&printer) } catch {}
        // A walk that knows no field may have printed all bytes as one.
        let isUntouched = printer.offset == 0
        buffer = printer.finish()
        swap(&buffer, &out)
        standIn = consume buffer
        guard !isKnown, isUntouched, octets.byteCount > 0 else { return }
        out.put(isFirst ? "\"parameters\":" : ",\"parameters\":")
        out.jsonHex(octets)
    }
}
