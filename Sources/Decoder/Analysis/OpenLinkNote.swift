import BluetoothCore
import WireBytes

/// This program's note about a link that was open when a recording began, which the monitor channel does not
/// report.
///
/// `link already up: handle 0x0040, LE, 02:55:51:00:00:01 (public), outgoing`
struct OpenLinkNote {
    let handle: UInt16
    let address: DeviceAddress
    let transport: Link.Transport

    /// Whether this program wrote a record of the system's log.
    static func isOwn(_ record: RawSpan) -> Bool { record.dropping(2).holds(ownIdent) }

    /// Reads a record of the system's log; nil if it is another note.
    init?(_ record: RawSpan) {
        // Every program's log lines pass here: nearly all are rejected by their first bytes.
        guard record.byteCount <= Self.longest, record.octet(at: 1).map(Int.init) == Self.ownIdent.count,
            Self.isOwn(record)
        else { return nil }
        let text = record.dropping(2 &+ Self.ownIdent.count)
        guard text.holds(Self.start) else { return nil }
        let parts = String(decoding: text.copied().prefix { $0 != 0 }, as: UTF8.self).split(separator: ",")
        let opening = "link already up: handle 0x"
        guard parts.count == 4, parts[0].hasPrefix(opening),
            let handle = UInt16(parts[0].dropFirst(opening.count), radix: 16), handle <= 0x0EFF
        else { return nil }
        // Synchronous links have their own events, and no ACL data.
        guard parts[1] != " SCO", parts[1] != " eSCO" else { return nil }
        let words = parts[2].split(separator: " ")
        let kind: DeviceAddress.Kind =
            switch words.last {
            case "(public)": .public
            case "(random)": .random
            default: parts[1] == " LE" ? .unknown : .public
            }
        guard let address = words.first.flatMap({ DeviceAddress($0, kind: kind) }) else { return nil }
        self.handle = handle
        self.address = address
        transport = parts[1] == " LE" ? .le : parts[1] == " BR/EDR" ? .brEDR : .unknown
    }

    private static let longest = 128
    /// The identifier of this program's notes, and the beginning of those about links.
    private static let ownIdent = Array("blecap\0".utf8)
    private static let start = Array("link already up".utf8)
}

extension RawSpan {
    fileprivate func holds(_ start: [UInt8]) -> Bool {
        guard byteCount >= start.count else { return false }
        for index in start.indices where octet(at: index) != start[index] { return false }
        return true
    }
}
