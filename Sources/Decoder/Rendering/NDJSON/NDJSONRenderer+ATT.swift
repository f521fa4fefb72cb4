import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ATT PDUs: opcode, attribute with its label and the label's source, value, and the frame of the request.

extension NDJSONRenderer {
    mutating func put(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.object("att")
        out.member("opcode", att.opcode.rawValue)
        out.member("name", att.opcode.name)
        out.member("handle", att.handle)
        if let value = att.value {
            out.member("value", hex: payload.clamped(value))
        }
        if let label = att.label { putKept(label, att.handle, analyzer) }
        if let error = att.error { put(error, of: att.requestOpcode) }
        if !att.opcode.places.isPlain {
            out.object("parameters")
            fields(payload.dropping(1)) { printer throws(DecodeError) in
                _ = try ATTTable.code(att.opcode, &printer)
                return true
            }
            out.endObject()
        }
        if att.opcode.isDiscovery { found(att, payload) }
        if att.opcode.places.namesSeveral { attributes(att, payload, analyzer) }
        if !analyzer.joined.isEmpty { joined(analyzer) }
        out.member("malformed", if: att.isMalformed)
        if let write = att.afterWrite {
            frame("after_write_frame", "after_write_file", write.place, analyzer)
            out.member("after_write_us", Microseconds(write.latency))
        }
        if att.transaction > 0 {
            out.member("transaction", att.transaction)
        }
        request(analyzer)
        out.endObject()
    }

    /// Writes the complete values whose last part is this PDU.
    private mutating func joined(_ analyzer: borrowing Analyzer) {
        out.array("joined")
        for joined in analyzer.joined {
            out.element()
            out.member("handle", joined.handle)
            out.member("value", hex: joined.octets.borrowedOctets)
            if let label = joined.label { put(label, analyzer) }
            out.endObject()
        }
        out.endArray()
    }

    /// Writes the labels of the attributes if a PDU names several.
    private mutating func attributes(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.array("attributes")
        var at = 1
        while let handle = payload.u16le(at: at) {
            out.element()
            out.member("handle", handle)
            if let label = analyzer.label(of: handle) { put(label, analyzer) }
            at += 2
            if att.opcode == .multipleHandleValueNotification, let length = payload.u16le(at: at) {
                out.member("value", hex: payload.clamped(at + 2..<at + 2 + Int(length)))
                at += 2 + Int(length)
            }
            out.endObject()
        }
        out.endArray()
    }

    /// Writes a label's members, from the cache if possible.
    private mutating func putKept(_ label: AttributeLabel, _ handle: UInt16?, _ analyzer: borrowing Analyzer)
    {
        let place = labelTexts.place(link: analyzer.frame.link, handle: handle ?? 0)
        let file = analyzer.frame.header.file
        if labelTexts.put(label, in: file, at: place, into: &out) { return }
        let start = out.count
        put(label, analyzer)
        labelTexts.keep(label, in: file, at: place, out, from: start)
    }

    private mutating func put(_ label: AttributeLabel, _ analyzer: borrowing Analyzer) {
        out.member("uuid", label.uuid)
        out.member("service", label.service)
        out.member("characteristic", label.characteristic)
        out.member("label", label.source.name)
        guard label.frame > 0 else { return }
        let place = FramePlace(file: Int(label.file), frame: label.frame)
        frame("label_frame", "label_file", place, analyzer)
    }

    private mutating func put(_ error: UInt8, of request: ATTOpcode?) {
        out.member("error", error)
        out.member("error_name", ATTErrorCode(rawValue: error).name)
        guard let request else { return }
        out.member("request_opcode", request.rawValue)
    }
}
