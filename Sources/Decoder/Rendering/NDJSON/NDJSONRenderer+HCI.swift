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
    mutating func fields(_ octets: RawSpan, as walk: FieldWalk) {
        fields(octets) { printer throws(DecodeError) in try walk(&printer) }
    }

    /// Writes the fields that `walk` visits as members, or the bytes if there is no known field.
    @inline(__always)
    mutating func fields(
        _ octets: RawSpan, _ walk: (inout JSONFieldPrinter) throws(DecodeError) -> Bool
    ) {
        guard var buffer = standIn.take() else { return }
        swap(&buffer, &out)
        var printer = JSONFieldPrinter(octets, into: buffer)
        var isKnown = true
        // Decoding errors are listed in the frame's problems.
        do throws(DecodeError) { isKnown = try walk(&printer) } catch {}
        // A walk without known fields may have printed all bytes as one field.
        let isUntouched = printer.offset == 0
        buffer = printer.finish()
        swap(&buffer, &out)
        standIn = consume buffer
        guard !isKnown, isUntouched, octets.byteCount > 0 else { return }
        out.member("parameters", hex: octets)
    }
}
