import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ACL data: the L2CAP PDU that the frame completes, and the ATT or SMP PDU or signalling commands in it.

extension NDJSONRenderer {
    mutating func acl(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer
    ) {
        guard let pdu = analyzer.frame.l2cap else { return fragment(analyzer) }
        out.put(",\"l2cap\":{\"cid\":")
        out.decimal(UInt64(pdu.cid))
        out.put(",\"length\":")
        out.decimal(pdu.length)
        if pdu.isCut {
            out.put(",\"captured\":")
            out.decimal(pdu.captured)
        }
        if let psm = pdu.psm {
            out.put(",\"psm\":")
            out.decimal(UInt64(psm))
        }
        if pdu.fragmentCount > 1 { fragments(analyzer) }
        let payload = analyzer.payload(in: record)
        if let att = analyzer.frame.att {
            out.put(0x7D)
            put(att, payload, analyzer)
        } else if analyzer.frame.smpCode != nil {
            out.put(0x7D)
            smp(payload, analyzer)
        } else {
            if pdu.cid == 1 || pdu.cid == 5 {
                signals(payload)
                request(analyzer)
            } else if payload.byteCount > 0 {
                out.put(",\"payload\":")
                out.jsonHex(payload)
            }
            out.put(0x7D)
        }
    }

    private mutating func fragment(_ analyzer: borrowing Analyzer) {
        guard let acl = analyzer.frame.acl else { return }
        out.put(",\"acl\":{\"boundary\":")
        out.decimal(UInt64(acl.boundary))
        out.put(",\"length\":")
        out.decimal(acl.length)
        if acl.isVendor { out.put(",\"vendor\":true") }
        out.put(0x7D)
    }

    private mutating func fragments(_ analyzer: borrowing Analyzer) {
        out.put(",\"fragments\":[")
        for index in analyzer.assembledFrames.indices {
            if index > 0 { out.put(0x2C) }
            out.decimal(analyzer.assembledFrames[index].frame)
        }
        out.put(0x5D)
        let file = analyzer.frame.place.file
        guard analyzer.assembledFrames.contains(where: { $0.file != file }) else { return }
        out.put(",\"fragment_files\":[")
        for index in analyzer.assembledFrames.indices {
            if index > 0 { out.put(0x2C) }
            name(ofFile: analyzer.assembledFrames[index].file)
        }
        out.put(0x5D)
    }

    private mutating func smp(_ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        let code = SMPCode(rawValue: payload.octet(at: 0) ?? 0)
        out.put(",\"smp\":{\"code\":")
        out.decimal(UInt64(code.rawValue))
        name(code.name)
        fields(payload.dropping(1)) { printer throws(DecodeError) in try SMPTable.code(code, &printer) }
        request(analyzer)
        out.put(0x7D)
    }

    private mutating func signals(_ payload: RawSpan) {
        out.put(",\"signals\":[")
        var start = 0
        while let raw = payload.octet(at: start), let length = payload.u16le(at: start + 2) {
            let code = L2CAPSignallingCode(rawValue: raw)
            out.put(start > 0 ? ",{\"code\":" : "{\"code\":")
            out.decimal(UInt64(raw))
            name(code.name)
            out.put(",\"identifier\":")
            out.decimal(UInt64(payload.octet(at: start + 1) ?? 0))
            fields(payload.clamped(start + 4..<start + 4 + Int(length))) { printer throws(DecodeError) in
                try L2CAPTable.code(code, &printer)
            }
            out.put(0x7D)
            start += 4 + Int(length)
        }
        out.put(0x5D)
    }
}
