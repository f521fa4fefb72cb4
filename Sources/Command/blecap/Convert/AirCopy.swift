import Analysis
import CaptureFile
import LinkLayer
import WireBytes

/// The forms in which a packet from the air is copied.
enum AirCopy {
    /// Passes on the records to write for the record that was analysed last: itself, or of a packet from the
    /// air its opened form, or the HCI packets of the central's host.
    ///
    /// - Parameter missed: the packets so far that the sniffer may have missed on connections, which an HCI
    ///   log counts as dropped, so that no answer among them counts as missing.
    /// - Returns: whether there was any.
    static func forEach(
        of record: borrowing Record, _ analyzer: borrowing Analyzer, asAir: Bool, missed: inout UInt32,
        _ body: (borrowing Record) throws(CaptureFileError) -> Void
    ) throws(CaptureFileError) -> Bool {
        guard record.header.kind == .air else {
            try body(record)
            return true
        }
        var header = record.header
        if asAir {
            guard let opened = analyzer.air.openedOctets(of: record) else {
                try body(record)
                return true
            }
            header.radio.flags.formUnion([.decrypted, .crcChecked, .crcValid])
            header.capturedLength = opened.count
            header.originalLength = opened.count
            try body(Record(header, opened.borrowedOctets))
            return true
        }
        let account = analyzer.air.last
        if account.mayHaveMissed, account.connection != nil {
            missed &+= UInt32(clamping: max(account.missedEvents, 1))
        }
        header.cumulativeDrops &+= missed
        let view = analyzer.air.view
        for packet in view.packets {
            header.kind = packet.kind
            header.direction = packet.direction
            header.capturedLength = packet.range.count
            header.originalLength = packet.range.count
            try body(Record(header, view.octets.borrowedOctets.clamped(packet.range)))
        }
        return !view.packets.isEmpty
    }
}
