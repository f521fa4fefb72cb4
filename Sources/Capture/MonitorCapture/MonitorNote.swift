public import CaptureFile

/// A note of blecap in the monitor channel's stream, as a User Logging record.
///
/// Source: net/bluetooth/hci_mon.h of the Linux kernel; btmon and Wireshark show such records as text.
public struct MonitorNote: Equatable, Sendable {
    /// Priority as in syslog: 0 emergency to 7 debug.
    public enum Priority: UInt8, Sendable {
        case warning = 4
        case notice = 5
        case information = 6
    }

    /// Priority of the note.
    public var priority: Priority
    /// The adapter that the note is about; 0xFFFF for none.
    public var adapter: UInt16
    /// Text of the note.
    public var text: String

    /// The ident of blecap's notes.
    public static let ident = "blecap"
    /// The opcode of User Logging.
    public static let opcode: UInt16 = 13
    /// No adapter.
    public static let noAdapter: UInt16 = 0xFFFF
    /// Bytes of text that fit in one record of the kernel (its frames have 1028).
    public static let longestText = 1000

    public init(_ priority: Priority, _ text: String, adapter: UInt16 = MonitorNote.noAdapter) {
        self.priority = priority
        self.adapter = adapter
        self.text = text
    }

    /// The record's payload: priority, length of the ident with its zero, ident and text, each terminated by
    /// a zero. A zero in the text would end it, so it becomes a space.
    public var payload: [UInt8] {
        let ident = Array(Self.ident.utf8) + [0]
        let text = text.utf8.map { $0 == 0 ? 0x20 : $0 }
        return [priority.rawValue, UInt8(ident.count)] + ident + text + [0]
    }

    /// The header of the note's record.
    public func header(number: Int, time: CaptureTime, drops: Int) -> RecordHeader {
        var header = RecordHeader(
            monitorOpcode: Self.opcode, adapter: adapter, number: number, time: time, length: payload.count)
        header.cumulativeDrops = UInt32(clamping: drops)
        return header
    }
}
