import BluetoothCore
import CaptureFile
import WireBytes

// The monitor channel's own records: adapters come and go, programs open sockets, a user leaves a mark.

extension Analyzer {
    mutating func analyzeMonitor(_ octets: RawSpan) {
        let adapter = frame.header.adapter
        frame.fold = .none
        switch frame.header.foreignType {
        case 0, 10:
            let place = adapters.place(frame.file, adapter)
            var reader = ByteReader(octets)
            if frame.header.foreignType == 0 { try? reader.skip(2) }
            adapters[place].address = try? DeviceAddress(decoding: &reader, kind: .public)
            // A new adapter has no links: the log lacks the end of those that were open under its number.
            if frame.header.foreignType == 0 { endAdapter(adapter: place, nil) }
        case 1, 9:
            endAdapter(
                adapter: adapters.place(frame.file, adapter),
                frame.header.foreignType == 1 ? .removed : .closed)
        case 16, 17:
            frame.fold = .housekeeping
            learnManagementKeys(octets)
        case 11, 14, 15: frame.fold = .housekeeping
        case 12: frame.fold = .note
        case 13:
            // Messages of other programs are folded; this program's notes are marks that a user left.
            if !OpenLinkNote.isOwn(octets) { frame.fold = .note }
            if let link = OpenLinkNote(octets) { knownLink(link.handle, link.address, link.transport) }
        default: break
        }
        let opcode = MonitorOpcode(rawValue: frame.header.foreignType)
        if let fault = MonitorTable.fault(opcode, in: octets) {
            reportFault(fault) { .record(.malformedMonitor($0)) }
        }
    }

    /// Learns the keys of bonds, which the host's programs load into the kernel, and receive for new bonds.
    /// Both name the identities of private addresses. Source: the kernel's mgmt-api, Load Identity Resolving
    /// Keys command and New Identity Resolving Key event.
    private mutating func learnManagementKeys(_ octets: RawSpan) {
        let isCommand = frame.header.foreignType == 16
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
