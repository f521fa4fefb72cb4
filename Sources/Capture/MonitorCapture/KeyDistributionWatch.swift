import BluetoothCore
import CaptureFile
import WireBytes

/// Finds SMP's key distribution in ACL data, also where a PDU comes in fragments.
///
/// Source: Core Specification, Vol 3, Part H, 3.6: Encryption Information (0x06), Identity Information
/// (0x08) and Signing Information (0x0A) hold a key each, after their code; SMP has the channels 6 (LE) and 7
/// (BR/EDR), Vol 3, Part A, 2.1.
struct KeyDistributionWatch: Sendable {
    /// A PDU of which more fragments are to come.
    private struct Pending {
        /// Its first octets: length, channel and code.
        var head: [UInt8] = []
        /// Octets of it that came so far.
        var count = 0
    }

    /// Unfinished PDUs, by adapter, connection handle and direction.
    private var pending: [UInt64: Pending] = [:]
    /// More links than adapters hold; links past it are not followed over fragments.
    private static let mostPending = 256
    /// Octets of the basic L2CAP header and the code.
    private static let headLength = 5

    /// Adds the places of keys in an ACL data packet.
    mutating func find(_ record: borrowing Record, into places: inout [Range<Int>]) {
        guard let word = record.octets.u16le(at: 0), record.octets.byteCount > 4 else { return }
        let header = record.header
        let isReceived: UInt64 = header.direction == .controllerToHost ? 1 : 0
        let link = UInt64(header.adapter) << 17 | UInt64(word & 0x0FFF) << 1 | isReceived
        var pdu = Pending()
        if word >> 12 & 3 == 1 {
            guard let begun = pending[link] else { return }
            pdu = begun
        }
        let start = pdu.count
        for octet in record.octets.clamped(4..<4 + Self.headLength - pdu.head.count).copied() {
            pdu.head.append(octet)
        }
        pdu.count += record.octets.byteCount - 4
        guard pdu.head.count == Self.headLength else {
            keep(pdu, of: link)
            return
        }
        let end = 4 + Int(pdu.head[0]) + Int(pdu.head[1]) << 8
        guard Self.holdsKey(pdu.head) else {
            pending[link] = nil
            return
        }
        // The key as a part of the PDU, moved to where the packet has it.
        let key = Self.headLength..<max(end, Self.headLength)
        let here = key.clamped(to: start..<max(pdu.count, start))
        if !here.isEmpty { places.append(here.lowerBound - start + 4..<here.upperBound - start + 4) }
        if pdu.count < end { keep(pdu, of: link) } else { pending[link] = nil }
    }

    private mutating func keep(_ pdu: Pending, of link: UInt64) {
        if pending.count < Self.mostPending || pending[link] != nil { pending[link] = pdu }
    }

    private static func holdsKey(_ head: [UInt8]) -> Bool {
        let channel = UInt16(head[2]) | UInt16(head[3]) << 8
        let code = SMPCode(rawValue: head[4])
        return (channel == 6 || channel == 7)
            && (code == .encryptionInformation || code == .identityInformation || code == .signingInformation)
    }
}
