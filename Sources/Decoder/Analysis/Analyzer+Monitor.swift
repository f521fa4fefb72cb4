import BluetoothCore
import CaptureFile
import WireBytes

// The monitor channel's own records: adapters come and go, programs open sockets, a user leaves a mark.

extension Analyzer {
    mutating func analyzeMonitor(_ octets: RawSpan) {
        let adapter = frame.header.adapter
        let opcode = MonitorOpcode(rawValue: frame.header.foreignType)
        frame.fold = .none
        switch opcode {
        case .newIndex, .indexInfo:
            let index = adapters.indexAdding(file: frame.file, adapter: adapter)
            var reader = ByteReader(octets)
            if opcode == .newIndex { try? reader.skip(2) }
            adapters[index].address = try? DeviceAddress(decoding: &reader, kind: .public)
            // A new adapter has no links: the log lacks the end of those that were open under its number.
            if opcode == .newIndex { endAdapter(adapter: index, nil) }
        case .deleteIndex, .closeIndex:
            if opcode == .closeIndex {
                noteClosed(adapter: adapters.indexAdding(file: frame.file, adapter: adapter))
            }
            endAdapter(
                adapter: adapters.indexAdding(file: frame.file, adapter: adapter),
                opcode == .deleteIndex ? .removed : .closed)
        case .controlCommand, .controlEvent:
            frame.fold = .housekeeping
            learnManagementKeys(octets, isCommand: opcode == .controlCommand)
        case .vendorDiagnostics, .controlOpen, .controlClose: frame.fold = .housekeeping
        case .systemNote: frame.fold = .note
        case .userLogging:
            // Messages of other programs are folded; this program's notes are marks that a user left.
            if !OpenLinkNote.isOwn(octets) { frame.fold = .note }
            if let link = OpenLinkNote(octets) {
                knownLink(handle: link.handle, link.address, link.transport)
            }
        default: break
        }
        if let fault = MonitorTable.fault(opcode, in: octets) {
            reportFault(fault) { .record(.malformedMonitor($0)) }
        }
    }

    /// Learns the identity resolving keys of bonds: the host's programs load them into the kernel, and
    /// receive those of new bonds from it. Source: the kernel's mgmt-api, Load Identity Resolving Keys
    /// command and New Identity Resolving Key event.
    private mutating func learnManagementKeys(_ octets: RawSpan, isCommand: Bool) {
        switch (isCommand, octets.u16le(at: 4)) {
        case (true, 0x0030):
            var at = 8
            // A host has some dozens of bonds; the table of keys has its own limit.
            while at &+ 23 <= octets.byteCount {
                learnManagementKey(octets.clamped(at..<at &+ 23))
                at &+= 23
            }
        case (false, 0x0018): learnManagementKey(octets.clamped(13..<36))
        default: break
        }
    }

    /// Learns an entry: address, address type (1 LE public, 2 LE random) and key, least significant bytes
    /// first.
    private mutating func learnManagementKey(_ entry: RawSpan) {
        var reader = ByteReader(entry)
        guard entry.byteCount == 23, let value = try? reader.u48le(), let type = try? reader.u8(),
            type == 1 || type == 2
        else { return }
        learn(
            irk: reader.takeRest().copied().reversed(),
            of: DeviceAddress(value, type == 1 ? .public : .random))
    }
}
