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
        out.object("l2cap")
        out.member("cid", pdu.cid)
        out.member("length", pdu.length)
        if pdu.isCut {
            out.member("captured", pdu.captured)
        }
        out.member("psm", pdu.psm)
        if pdu.fragmentCount > 1 { fragments(analyzer) }
        let payload = analyzer.payload(in: record)
        if let att = analyzer.frame.att {
            out.endObject()
            put(att, payload, analyzer)
        } else if analyzer.frame.smpCode != nil {
            out.endObject()
            smp(payload, analyzer)
        } else {
            if pdu.cid == 1 || pdu.cid == 5 {
                signals(payload)
                request(analyzer)
            } else if payload.byteCount > 0 {
                out.member("payload", hex: payload)
            }
            out.endObject()
        }
    }

    private mutating func fragment(_ analyzer: borrowing Analyzer) {
        guard let acl = analyzer.frame.acl else { return }
        out.object("acl")
        out.member("boundary", acl.boundary)
        out.member("length", acl.length)
        out.member("vendor", if: acl.isVendor)
        out.endObject()
    }

    private mutating func fragments(_ analyzer: borrowing Analyzer) {
        out.array("fragments")
        for index in analyzer.assembledFrames.indices {
            out.separator()
            out.decimal(analyzer.assembledFrames[index].frame)
        }
        out.endArray()
        let file = analyzer.frame.place.file
        guard analyzer.assembledFrames.contains(where: { $0.file != file }) else { return }
        out.array("fragment_files")
        for index in analyzer.assembledFrames.indices {
            out.separator()
            name(ofFile: analyzer.assembledFrames[index].file)
        }
        out.endArray()
    }

    private mutating func smp(_ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        let code = SMPCode(rawValue: payload.octet(at: 0) ?? 0)
        out.object("smp")
        out.member("code", code.rawValue)
        out.member("name", code.name)
        fields(payload.dropping(1), as: .smp(code))
        request(analyzer)
        out.endObject()
    }

    private mutating func signals(_ payload: RawSpan) {
        out.array("signals")
        var start = 0
        while let raw = payload.octet(at: start), let length = payload.u16le(at: start + 2) {
            let code = L2CAPSignallingCode(rawValue: raw)
            out.element()
            out.member("code", raw)
            out.member("name", code.name)
            out.member("identifier", payload.octet(at: start + 1) ?? 0)
            fields(payload.clamped(start + 4..<start + 4 + Int(length)), as: .signal(code))
            out.endObject()
            start += 4 + Int(length)
        }
        out.endArray()
    }
}
