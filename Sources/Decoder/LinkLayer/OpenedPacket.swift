public import CaptureFile
import WireBytes

extension AirFollower {
    /// Returns the last packet as it would be without encryption: its bytes, access address first, with the
    /// opened payload, its length and a check sequence that fits; nil if this program did not open it.
    public func openedOctets(of record: borrowing Record) -> [UInt8]? {
        guard let opened = last.opened, let place = last.connection, last.packet.payload.lowerBound >= 6
        else {
            return nil
        }
        let start = last.packet.payload.lowerBound
        var octets = record.octets.clamped(0..<start - 1).copied()
        octets.append(UInt8(truncatingIfNeeded: opened.count))
        octets += opened
        let first = record.header.radio.headerOffset
        let initial = connections[place].crcInit ?? 0
        let crc = AirPacket.crc(octets.borrowedOctets.dropping(first), initial)
        return octets + [UInt8(crc & 0xFF), UInt8(crc >> 8 & 0xFF), UInt8(crc >> 16 & 0xFF)]
    }
}
