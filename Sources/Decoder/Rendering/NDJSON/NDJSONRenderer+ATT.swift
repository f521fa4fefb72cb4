import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The ATT PDU: opcode, attribute with its label and the label's source, value, and the request it answers.

extension NDJSONRenderer {
    mutating func put(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.put(",\"att\":{\"opcode\":")
        out.decimal(UInt64(att.opcode.rawValue))
        name(att.opcode.name)
        if let handle = att.handle {
            out.put(",\"handle\":")
            out.decimal(UInt64(handle))
        }
        if let value = att.value {
            out.put(",\"value\":")
            out.jsonHex(payload.clamped(value))
        }
        if let label = att.label { putKept(label, att.handle, analyzer) }
        if let error = att.error { put(error, of: att.requestOpcode) }
        if Self.hasParameters(att.opcode) {
            out.put(",\"parameters\":{")
            fields(payload.dropping(1), isFirst: true) { printer throws(DecodeError) in
                _ = try ATTTable.code(att.opcode, &printer)
                return true
            }
            out.put(0x7D)
        }
        if att.opcode.isDiscovery { found(att, payload) }
        if Self.namesSeveral(att.opcode) { attributes(att, payload, analyzer) }
        if !analyzer.joined.isEmpty { joined(analyzer) }
        if att.isMalformed { out.put(",\"malformed\":true") }
        if let write = att.afterWrite {
            frame(",\"after_write_frame\":", ",\"after_write_file\":", write.place, analyzer)
            out.put(",\"after_write_us\":")
            microseconds(write.latency)
        }
        if att.transaction > 0 {
            out.put(",\"transaction\":")
            out.decimal(att.transaction)
        }
        request(analyzer)
        out.put(0x7D)
    }

    /// Writes the whole values that the PDU completes, as an array if there are several.
    private mutating func joined(_ analyzer: borrowing Analyzer) {
        let isArray = analyzer.joined.count > 1
        out.put(isArray ? ",\"joined\":[" : ",\"joined\":")
        for (index, joined) in analyzer.joined.enumerated() {
            out.put(index > 0 ? ",{\"handle\":" : "{\"handle\":")
            out.decimal(UInt64(joined.handle))
            out.put(",\"value\":")
            out.jsonHex(joined.octets.borrowedOctets)
            if let label = joined.label { put(label, analyzer) }
            out.put(0x7D)
        }
        if isArray { out.put(0x5D) }
    }

    /// Writes the labels of the attributes in a PDU that names several.
    private mutating func attributes(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.put(",\"attributes\":[")
        var at = 1
        while let handle = payload.u16le(at: at) {
            out.put(at > 1 ? ",{\"handle\":" : "{\"handle\":")
            out.decimal(UInt64(handle))
            if let label = analyzer.label(of: handle) { put(label, analyzer) }
            at += 2
            if att.opcode == .multipleHandleValueNotification, let length = payload.u16le(at: at) {
                out.put(",\"value\":")
                out.jsonHex(payload.clamped(at + 2..<at + 2 + Int(length)))
                at += 2 + Int(length)
            }
            out.put(0x7D)
        }
        out.put(0x5D)
    }

    private static func namesSeveral(_ opcode: ATTOpcode) -> Bool {
        switch opcode {
        case .readMultipleRequest, .readMultipleVariableRequest, .multipleHandleValueNotification: true
        default: false
        }
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
        if let uuid = label.uuid {
            out.put(",\"uuid\":")
            out.jsonString(uuid)
        }
        if let service = label.service {
            out.put(",\"service\":")
            out.jsonString(service)
        }
        if let characteristic = label.characteristic {
            out.put(",\"characteristic\":")
            out.jsonString(characteristic)
        }
        out.put(",\"label\":")
        out.jsonString(label.source.name)
        guard label.frame > 0 else { return }
        let place = FramePlace(file: Int(label.file), frame: label.frame)
        frame(",\"label_frame\":", ",\"label_file\":", place, analyzer)
    }

    private mutating func put(_ error: UInt8, of request: ATTOpcode?) {
        out.put(",\"error\":")
        out.decimal(UInt64(error))
        if let name = ATTErrorCode(rawValue: error).name {
            out.put(",\"error_name\":")
            out.jsonString(name)
        }
        guard let request else { return }
        out.put(",\"request_opcode\":")
        out.decimal(UInt64(request.rawValue))
    }

    /// Whether a PDU has more fields than one attribute and one value.
    private static func hasParameters(_ opcode: ATTOpcode) -> Bool {
        switch opcode {
        case .errorResponse, .readRequest, .readResponse, .readBlobResponse, .writeRequest, .writeResponse,
            .writeCommand, .handleValueNotification, .handleValueIndication, .handleValueConfirmation,
            .executeWriteResponse:
            false
        default: true
        }
    }
}
