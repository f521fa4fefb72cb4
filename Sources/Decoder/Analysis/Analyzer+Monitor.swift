import BluetoothCore
import CaptureFile
import WireBytes

// The monitor channel's own records: adapters come and go, programs open sockets, someone leaves a mark.

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
            // A new adapter has no links: what was open on its number has lost its end.
            if frame.header.foreignType == 0 { endAdapter(place, nil) }
        case 1, 9:
            endAdapter(
                adapters.place(frame.file, adapter), frame.header.foreignType == 1 ? .removed : .closed)
        case 16, 17:
            frame.fold = .housekeeping
            learnManagementKeys(octets)
        case 11, 14, 15: frame.fold = .housekeeping
        case 12: frame.fold = .note
        case 13:
            // What other programs log is folded; this one's notes are marks that someone left.
            if !octets.dropping(2).holds(Self.ownIdent) { frame.fold = .note }
            learnOpenLink(octets)
        default: break
        }
        let opcode = MonitorOpcode(rawValue: frame.header.foreignType)
        if let fault = MonitorTable.fault(opcode, in: octets) {
            reportFault(fault) { .record(.malformedMonitor($0)) }
        }
    }

    /// The host's programs give the kernel the keys of their bonds, and get those of new ones: both name the
    /// identities of private addresses. Source: the kernel's mgmt-api, Load Identity Resolving Keys command
    /// and New Identity Resolving Key event.
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

    /// Address, type of the address (1 LE public, 2 LE random) and key, least significant octets first.
    private mutating func learnManagementKey(_ entry: RawSpan) {
        var reader = ByteReader(entry)
        guard entry.byteCount == 23, let value = try? reader.u48le(), let type = try? reader.u8(),
            type == 1 || type == 2
        else { return }
        learn(
            irk: reader.takeRest().copied().reversed(),
            of: DeviceAddress(value, type == 1 ? .public : .random))
    }

    /// A recording that began while a link was up notes it in this form, since the channel never tells of it:
    /// `link already up: handle 0x0040, LE, 02:55:51:00:00:01 (public), outgoing`.
    private mutating func learnOpenLink(_ octets: RawSpan) {
        guard octets.byteCount <= Self.longestLinkNote, let identLength = octets.octet(at: 1).map(Int.init),
            2 &+ identLength <= octets.byteCount
        else { return }
        let text = octets.dropping(2 &+ identLength)
        // Every program's log lines come by here: nearly all are told apart by their first octets.
        guard identLength == Self.ownIdent.count, octets.dropping(2).holds(Self.ownIdent),
            text.holds(Self.linkNote)
        else { return }
        let parts = String(decoding: text.copied().prefix { $0 != 0 }, as: UTF8.self).split(separator: ",")
        let opening = "link already up: handle 0x"
        guard parts.count == 4, parts[0].hasPrefix(opening),
            let handle = UInt16(parts[0].dropFirst(opening.count), radix: 16), handle <= 0x0EFF
        else { return }
        // Synchronous links are told of by their own events alone, and have no ACL data.
        guard parts[1] != " SCO", parts[1] != " eSCO" else { return }
        let words = parts[2].split(separator: " ")
        let kind: DeviceAddress.Kind =
            switch words.last {
            case "(public)": .public
            case "(random)": .random
            default: parts[1] == " LE" ? .unknown : .public
            }
        guard let address = words.first.flatMap({ DeviceAddress($0, kind: kind) }) else { return }
        knownLink(handle, address, parts[1] == " LE" ? .le : parts[1] == " BR/EDR" ? .brEDR : .unknown)
    }

    private static let longestLinkNote = 128
    /// How this program's notes name it, and how those about links begin.
    private static let ownIdent = Array("blecap\0".utf8)
    private static let linkNote = Array("link already up".utf8)
}

extension RawSpan {
    /// Whether its first octets are these.
    fileprivate func holds(_ start: [UInt8]) -> Bool {
        guard byteCount >= start.count else { return false }
        for index in start.indices where octet(at: index) != start[index] { return false }
        return true
    }
}
