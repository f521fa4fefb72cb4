import BluetoothCore
import CaptureFile
import WireBytes

/// Finds SMP's key distribution in ACL data and in packets from the air, even if a PDU is fragmented.
///
/// A continuation fragment of a PDU whose beginning was not seen is treated as a key if it is not longer than
/// SMP's PDUs.
///
/// Source: Core Specification, Vol 3, Part H, 3.6: Encryption Information (0x06), Identity Information (0x08)
/// and Signing Information (0x0A) hold a key each, after their code; SMP uses the channels 6 (LE) and 7
/// (BR/EDR), Vol 3, Part A, 2.1; its longest PDU, 65 bytes, Part H, 3.5.6.
struct KeyDistributionWatch: Sendable {
    /// The last PDU of a link in one direction.
    private struct Progress {
        /// Its first bytes, length, channel and code, little-endian.
        var head: UInt64 = 0
        /// Number of these bytes received.
        var headCount = 0
        /// Bytes of the PDU received so far.
        var count = 0
        /// Whether further fragments hold no key, because the PDU has none or has ended.
        var isPast = false
        /// Time of its last fragment, in packets of all links.
        var stamp = 0

        var length: Int { Int(head & 0xFFFF) }

        var holdsKey: Bool {
            let channel = head >> 16 & 0xFFFF
            let code = SMPCode(rawValue: UInt8(truncatingIfNeeded: head >> 32))
            return (channel == 6 || channel == 7) && SMPTable.layout(code)?.holdsSecret ?? false
        }
    }

    /// The last PDUs, by adapter, connection handle and direction.
    private var links: [UInt64: Progress] = [:]
    private var packets = 0
    /// Limit of links, more than adapters hold; beyond it, the least recently used is evicted.
    static let mostLinks = 256
    /// Length of the basic L2CAP header and the code, in bytes.
    private static let headLength = 5
    /// Length of SMP's longest PDU, in bytes.
    private static let longestPDU = 65
    /// Length of the ACL data packet's header, in bytes.
    private static let aclHeader = 4

    /// Adds the places of keys in an ACL data packet.
    mutating func find(_ record: borrowing Record, into places: inout [Range<Int>]) {
        guard let word = record.octets.u16le(at: 0) else { return }
        let isReceived = record.header.direction == .controllerToHost
        find(
            in: record.octets, from: Self.aclHeader, continues: word >> 12 & 3 == 1,
            Self.link(record.header.adapter, word, isReceived), into: &places)
    }

    /// Adds the places of keys in a packet from the air: in clear, or opened.
    mutating func find(air record: borrowing Record, into places: inout [Range<Int>]) {
        let octets = record.octets
        let start = record.header.radio.headerOffset
        guard let low = octets.u16le(at: 0), let high = octets.u16le(at: 2),
            let header = octets.octet(at: start), let length = octets.octet(at: start + 1),
            1...2 ~= header & 3, length > 0, (low, high) != (0xBED6, 0x8E89)
        else { return }
        // Apart from the links of HCI, by the access address.
        let isReceived: UInt64 = record.header.direction == .controllerToHost ? 1 : 0
        let link = 1 << 63 | UInt64(high) << 17 | UInt64(low) << 1 | isReceived
        let packet = octets.clamped(0..<start + 2 + Int(length))
        find(in: packet, from: start + 2, continues: header & 3 == 1, link, into: &places)
    }

    /// Adds the places of keys in a fragment that begins at an offset of a packet.
    private mutating func find(
        in octets: RawSpan, from header: Int, continues: Bool, _ link: UInt64,
        into places: inout [Range<Int>]
    ) {
        let length = max(0, octets.byteCount - header)
        if continues, links[link] == nil {
            if length <= Self.longestPDU {
                if length > 0 { places.append(header..<header + length) }
                return
            }
            return keep(Progress(isPast: true), of: link)
        }
        var pdu = continues ? links[link] ?? Progress() : Progress()
        if pdu.isPast { return }
        let start = pdu.count
        for index in 0..<min(Self.headLength - pdu.headCount, length) {
            guard let octet = octets.octet(at: header + index) else { break }
            pdu.head |= UInt64(octet) << UInt64(8 * pdu.headCount)
            pdu.headCount += 1
        }
        pdu.count += length
        if pdu.headCount == Self.headLength {
            let end = 4 + pdu.length
            if pdu.holdsKey {
                // The part of the key in this packet, converted to the packet's offsets.
                let key = Self.headLength..<max(end, Self.headLength)
                let here = key.clamped(to: start..<max(pdu.count, start))
                let moved = header - start
                if !here.isEmpty { places.append(here.lowerBound + moved..<here.upperBound + moved) }
            }
            pdu.isPast = !pdu.holdsKey || pdu.count >= end
        }
        keep(pdu, of: link)
    }

    mutating func forget(_ handle: UInt16, of adapter: UInt16) {
        links[Self.link(adapter, handle, false)] = nil
        links[Self.link(adapter, handle, true)] = nil
    }

    mutating func forget(adapter: UInt16) {
        links = links.filter { $0.key >> 17 != UInt64(adapter) }
    }

    private static func link(_ adapter: UInt16, _ word: UInt16, _ isReceived: Bool) -> UInt64 {
        UInt64(adapter) << 17 | UInt64(word & 0x0FFF) << 1 | (isReceived ? 1 : 0)
    }

    private mutating func keep(_ pdu: Progress, of link: UInt64) {
        packets &+= 1
        var pdu = pdu
        pdu.stamp = packets
        if links.count >= Self.mostLinks, links[link] == nil,
            let oldest = links.min(by: { $0.value.stamp < $1.value.stamp })
        {
            links[oldest.key] = nil
        }
        links[link] = pdu
    }
}
