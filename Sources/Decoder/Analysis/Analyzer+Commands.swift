import BluetoothCore
import CaptureFile
import WireBytes

// HCI commands: what the host asks of the controller, and which answer belongs to which command.

extension Analyzer {
    mutating func analyzeCommand(_ octets: RawSpan) {
        guard let raw = octets.u16le(at: 0), let length = octets.octet(at: 2) else {
            if !frame.header.isTruncated { report(.malformedHCI, 0) }
            return
        }
        frame.opcode = raw
        frame.fold = .housekeeping
        if !frame.header.isTruncated, octets.byteCount &- 3 != Int(length) {
            report(.malformedHCI, Int64(length), Int64(octets.byteCount &- 3))
        }
        let parameters = octets.clamped(3..<3 &+ Int(length))
        let opcode = HCIOpcode(rawValue: raw)
        let adapter = adapters.place(frame.file, frame.header.adapter)
        var handle: UInt16 = 0xFFFF
        if Self.namesConnection(opcode), let named = parameters.u16le(at: 0) {
            handle = named & 0xFFF
            frame.handle = handle
            if let slot = openSlot(handle) { frame.link = slot }
        }
        adapters[adapter].asked(raw, frame, handle: handle)
        follow(opcode, parameters, adapter)
    }

    /// Whether the command's first parameter is a connection handle.
    static func namesConnection(_ opcode: HCIOpcode) -> Bool {
        switch opcode.rawValue {
        case 0x0406, 0x040F, 0x0411, 0x0413, 0x0415, 0x0417, 0x041B, 0x041C, 0x041D, 0x041F, 0x0803, 0x0804,
            0x080D, 0x1403, 0x1405, 0x2013, 0x2016, 0x2019, 0x201A, 0x201B, 0x2020, 0x2021, 0x2022, 0x2030,
            0x2032, 0x0C2D, 0x0C7B, 0x0C7C:
            true
        default: false
        }
    }

    private mutating func follow(_ opcode: HCIOpcode, _ parameters: RawSpan, _ adapter: Int) {
        switch opcode.rawValue {
        case HCIReset.opcode.rawValue:
            closeAllLinks()
            adapters[adapter].scan = .init()
            adapters[adapter].connectStarted = nil
            frame.fold = .none
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            frame.fold = .none
            switch parameters.octet(at: 0) {
            case 0: adapters[adapter].scan.disable(at: frame.time)
            case 1: adapters[adapter].scan.enable(at: frame.time)
            default: break
            }
        case LECreateConnection.opcode.rawValue:
            startConnect(try? LECreateConnection(decoding: parameters).peerAddress, adapter)
        case LEExtendedCreateConnection.opcode.rawValue:
            startConnect(try? LEExtendedCreateConnection(decoding: parameters).peerAddress, adapter)
        case 0x0405, 0x0406, LECreateConnectionCancel.opcode.rawValue: frame.fold = .none
        case LEEnableEncryption.opcode.rawValue, LELongTermKeyRequestReply.opcode.rawValue,
            Self.setConnectionEncryption:
            frame.fold = .none
            if frame.link >= 0, links[frame.link].phases.encryptionStarted == nil,
                !links[frame.link].isEncrypted
            {
                links[frame.link].phases.encryptionStarted = frame.time
                // Encryption without pairing on this link uses the keys of a bond.
                if links[frame.link].phases.pairingStarted == nil { links[frame.link].isBonded = true }
            }
        case LEAddDeviceToResolvingList.opcode.rawValue: learnResolvingList(parameters)
        default: break
        }
    }

    /// Set Connection Encryption, of BR/EDR.
    private static let setConnectionEncryption: UInt16 = 0x0413

    private mutating func startConnect(_ address: DeviceAddress?, _ adapter: Int) {
        frame.fold = .none
        frame.peer = address
        adapters[adapter].connectStarted = frame.time
        adapters[adapter].scanBefore = adapters[adapter].scan
        adapters[adapter].connectingTo = address
    }

    /// The resolving list tells identities with their keys; both serve to resolve addresses, neither is
    /// shown.
    private mutating func learnResolvingList(_ parameters: RawSpan) {
        guard let entry = try? LEAddDeviceToResolvingList(decoding: parameters) else { return }
        frame.peer = entry.peerIdentityAddress
        learn(irk: Array(entry.peerIRK.reversed()), of: entry.peerIdentityAddress)
    }

    /// The command that an event with this opcode answers.
    mutating func answerCommand(_ opcode: HCIOpcode) {
        let adapter = adapters.place(frame.file, frame.header.adapter)
        guard let asked = adapters[adapter].answered(opcode.rawValue) else { return }
        frame.request = RequestReference(
            frame: asked.frame, latency: frame.time.nanoseconds &- asked.time.nanoseconds)
        if asked.handle != 0xFFFF, let slot = openSlot(asked.handle) {
            frame.link = slot
            frame.handle = asked.handle
        }
    }
}
