import BluetoothCore
import CaptureFile
import WireBytes

// SMP and LE signalling: how far pairing came, what it taught, and what was refused.

extension Analyzer {
    mutating func analyzeSMP(_ payload: RawSpan, isCut: Bool) {
        let slot = frame.link
        guard let code = payload.octet(at: 0) else {
            if !isCut { report(.malformedSMP) }
            return
        }
        frame.smpCode = code
        links[slot].counts.smpPDUs &+= 1
    }

    /// LE signalling: a refusal is worth a line.
    mutating func analyzeSignalling(_ payload: RawSpan, isCut: Bool) {
        guard let code = payload.octet(at: 0), let length = payload.u16le(at: 2) else {
            if !isCut { report(.malformedL2CAP) }
            return
        }
        if !isCut, payload.byteCount &- 4 != Int(length) {
            report(.malformedL2CAP, Int64(length), Int64(payload.byteCount &- 4))
        }
        switch code {
        case 0x01: report(.commandRejected, Int64(payload.u16le(at: 4) ?? 0))
        case 0x13 where payload.u16le(at: 4) == 1: report(.parameterUpdateRejected)
        default: break
        }
    }
}
