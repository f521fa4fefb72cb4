import BluetoothCore
import CaptureFile
import WireBytes

// HCI events: connections begin and end with them, and commands are answered by them.

extension Analyzer {
    mutating func analyzeEvent(_ octets: RawSpan) {
        guard let code = octets.octet(at: 0), let length = octets.octet(at: 1) else {
            if !frame.header.isTruncated { report(.malformedHCI, 0) }
            return
        }
        frame.event = code
        frame.fold = .housekeeping
        // Programs write events of their own under codes that are not assigned: those need not add up.
        if octets.byteCount &- 2 != Int(length), !frame.header.isTruncated,
            octets.byteCount &- 2 < Int(length) || HCIEventCode(rawValue: code).name != nil
        {
            report(.malformedHCI, Int64(length), Int64(octets.byteCount &- 2))
        }
        let parameters = octets.clamped(2..<2 &+ Int(length))
        do throws(DecodeError) {
            switch HCIEventCode(rawValue: code) {
            case .leMeta: try analyzeLEMeta(parameters)
            case .numberOfCompletedPackets: frame.fold = .credit
            case .commandComplete: try commandComplete(parameters)
            case .commandStatus: try commandStatus(parameters)
            case .disconnectionComplete: try disconnected(parameters)
            case .encryptionChangeV1, .encryptionChangeV2: try encryptionChanged(parameters)
            case .encryptionKeyRefreshComplete: try keyRefreshed(parameters)
            case .connectionComplete: try classicConnected(parameters)
            case .hardwareError:
                frame.fold = .none
                report(.hardwareError, Int64(parameters.octet(at: 0) ?? 0))
            default: try other(HCIEventCode(rawValue: code), parameters)
            }
        } catch {
            if !frame.header.isTruncated { report(.malformedHCI, Int64(error.offset)) }
        }
    }

    /// Events of which only the connection and the status matter here.
    private mutating func other(_ code: HCIEventCode, _ parameters: RawSpan) throws(DecodeError) {
        if code.rawValue != 0xFF { frame.fold = .none }
        switch code.rawValue {
        case 0x06, 0x0B, 0x0C, 0x14, 0x1C, 0x1D, 0x21, 0x23:
            frame.status = parameters.octet(at: 0)
            attach(parameters.u16le(at: 1))
        case 0x1B, 0x38, 0x56, 0x57: attach(parameters.u16le(at: 0))
        default: break
        }
    }

    /// Makes the frame one of the open link with this handle.
    private mutating func attach(_ handle: UInt16?) {
        guard let handle else { return }
        frame.handle = handle & 0xFFF
        if let slot = openSlot(handle & 0xFFF) { frame.link = slot }
    }

    private mutating func commandComplete(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCICommandComplete(decoding: parameters)
        frame.opcode = event.commandOpcode.rawValue
        guard event.commandOpcode != .noOperation else { return }
        answerCommand(event.commandOpcode)
        // The first return parameter of every command but vendors' own is its status.
        guard !event.commandOpcode.isVendor, let status = parameters.octet(at: 3) else { return }
        frame.status = status
        if status != 0 {
            frame.fold = .none
            report(.commandFailed, Int64(status), Int64(event.commandOpcode.rawValue))
        }
    }

    private mutating func commandStatus(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCICommandStatus(decoding: parameters)
        frame.opcode = event.commandOpcode.rawValue
        frame.status = event.status.rawValue
        guard event.commandOpcode != .noOperation else { return }
        answerCommand(event.commandOpcode)
        if event.status != .success {
            frame.fold = .none
            report(.commandFailed, Int64(event.status.rawValue), Int64(event.commandOpcode.rawValue))
        }
    }

    private mutating func disconnected(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIDisconnectionComplete(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        attach(event.connectionHandle)
        guard event.status == .success, let slot = openSlot(event.connectionHandle & 0xFFF) else { return }
        // 0x13 to 0x16: one of the two ended it; the rest happened to the link.
        if !(0x13...0x16).contains(event.reason.rawValue) {
            report(.abnormalDisconnection, Int64(event.reason.rawValue))
        }
        closeLink(slot, reason: event.reason.rawValue)
    }

    private mutating func encryptionChanged(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIEncryptionChange(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        attach(event.connectionHandle)
        guard event.status == .success else {
            return report(.encryptionFailed, Int64(event.status.rawValue))
        }
        guard frame.link >= 0 else { return }
        links[frame.link].isEncrypted = event.encryptionEnabled != 0
        if event.encryptionEnabled != 0, links[frame.link].phases.encrypted == nil {
            links[frame.link].phases.encrypted = frame.time
        }
    }

    private mutating func keyRefreshed(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIEncryptionKeyRefreshComplete(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        attach(event.connectionHandle)
        if event.status != .success { report(.encryptionFailed, Int64(event.status.rawValue)) }
    }

    private mutating func classicConnected(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIConnectionComplete(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        frame.peer = event.bdAddr
        guard event.status == .success else {
            return report(.connectionFailed, Int64(event.status.rawValue))
        }
        // Synchronous links have no ACL data of their own.
        guard event.linkType == 1 else { return }
        frame.handle = event.connectionHandle & 0xFFF
        let time = frame.time
        openLink(event.connectionHandle & 0xFFF, event.bdAddr) {
            $0.transport = .brEDR
            $0.phases.connected = time
        }
    }
}
