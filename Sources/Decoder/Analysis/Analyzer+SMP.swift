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
        do throws(DecodeError) {
            followSMP(try SMPPDU<BorrowedOctets>(decoding: payload), payload, slot)
        } catch {
            if !isCut { report(.malformedSMP, Int64(error.offset), Int64(code)) }
        }
    }

    private mutating func followSMP(_ pdu: SMPPDU<BorrowedOctets>, _ payload: RawSpan, _ slot: Int) {
        let isFromPeer = frame.direction == .controllerToHost
        switch pdu {
        case .pairingRequest:
            links[slot].pairing.isRunning = true
            if links[slot].phases.pairingStarted == nil { links[slot].phases.pairingStarted = frame.time }
        case .pairingFailed(let pdu):
            links[slot].pairing.isRunning = false
            report(.pairingFailed, Int64(pdu.reason.rawValue))
        case .identityInformation(let pdu):
            if isFromPeer { links[slot].pairing.peerIRK = payload.clamped(pdu.irk.range).copied().reversed() }
        case .identityAddressInformation(let pdu):
            guard isFromPeer else { return }
            let old = links[slot].peer
            let known = peers.identify(old, as: pdu.address, irk: links[slot].pairing.peerIRK)
            if known != old {
                peers.release(old)
                peers.retain(known)
                links[slot].peer = known
            }
            links[slot].isBonded = true
            links[slot].pairing.peerIRK = nil
        default: break
        }
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
