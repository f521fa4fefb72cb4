import CBluez
import CPcap
public import CaptureFile
import Glibc

/// The kernel's HCI monitor channel: every HCI packet of every adapter and program, as it passes.
///
/// It is libpcap's device `bluetooth-monitor`. The number of dropped records and the size of the receive
/// buffer, which libpcap does not report, come from the kernel on the same descriptor. libpcap's times are in
/// microseconds, and no record is longer than 64 KiB, so nothing is ever cut.
@safe
public struct MonitorChannel: ~Copyable {
    private let handle: OpaquePointer
    /// The socket's descriptor, for `poll`.
    public let descriptor: Int32
    /// Size of the kernel's receive buffer for unread records, in bytes.
    public let receiveBuffer: Int
    /// Whether the kernel granted less than requested.
    public let bufferIsCapped: Bool
    /// Records read.
    public private(set) var records = 0
    /// Impossible records, left out: too short for a header, or too long for the channel.
    public private(set) var leftOut = 0
    /// Whether the number of dropped records is unknown.
    public private(set) var dropsAreUnknown = false
    private var drops = DropCount()

    /// The longest record: the link header of four bytes, and a 16-bit length.
    static let longestRecord = 4 + 65_535
    /// libpcap's own limit of a snapshot length, so that it never cuts.
    private static let snapshotLength: Int32 = 262_144

    /// Opens the channel of all adapters; recording starts now.
    ///
    /// - Parameter wanted: the requested size of the receive buffer, in bytes.
    public init(receiveBuffer wanted: Int) throws(MonitorError) {
        // libpcap's errors are only text, so a socket first checks that the machine has Bluetooth.
        _ = try HCISocket()
        // Safe: the handle is an activated capture, owned only by this channel.
        let handle = unsafe try Self.activate()
        descriptor = unsafe pcap_fileno(handle)
        unsafe self.handle = handle
        let granted = SocketOptions.setReceiveBuffer(descriptor, wanted)
        receiveBuffer = granted
        bufferIsCapped = granted < wanted
    }

    /// Reads a file instead of the channel, to test records that a kernel can't be made to send.
    ///
    /// - Parameter path: a pcap file of link type 254.
    init(file path: String) throws(MonitorError) {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        // Safe: the path is terminated by a zero; libpcap writes at most PCAP_ERRBUF_SIZE bytes of message.
        guard let handle = unsafe pcap_open_offline(path, &message) else {
            throw .library(Self.text(message))
        }
        // Safe: the handle was just made, and only this channel owns it.
        descriptor = unsafe fileno(pcap_file(handle))
        unsafe self.handle = handle
        receiveBuffer = 0
        bufferIsCapped = false
    }

    // Safe: only this channel has the handle, and it can't be copied.
    deinit { unsafe pcap_close(handle) }

    private static func activate() throws(MonitorError) -> OpaquePointer {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        // Safe: libpcap writes at most PCAP_ERRBUF_SIZE bytes of message.
        guard let handle = unsafe pcap_create("bluetooth-monitor", &message) else {
            throw .library(text(message))
        }
        // Safe: the handle was just made, and is closed on every path except success.
        unsafe pcap_set_snaplen(handle, snapshotLength)
        let status = unsafe pcap_activate(handle)
        guard status >= 0 else {
            // Safe: libpcap's text is terminated by a zero and lives until the handle is closed.
            let said = unsafe String(cString: pcap_geterr(handle))
            unsafe pcap_close(handle)
            if !Capabilities.effective.contains(.netRaw) { throw .notPermitted(capability: "CAP_NET_RAW") }
            throw .library(said)
        }
        // Safe: as above; the message has room for PCAP_ERRBUF_SIZE bytes.
        guard unsafe pcap_datalink(handle) == DLT_BLUETOOTH_LINUX_MONITOR,
            unsafe pcap_setnonblock(handle, 1, &message) == 0
        else {
            unsafe pcap_close(handle)
            throw .library(text(message))
        }
        return unsafe handle
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The next record; nil if none is waiting. It is valid until the next call.
    @_lifetime(&self)
    public mutating func next() throws(MonitorError) -> Record? {
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        var length = 0
        repeat {
            if length > 0 { leftOut &+= 1 }
            // Safe: libpcap sets both to its own memory, which is valid until the next record is read.
            let status = unsafe pcap_next_ex(handle, &header, &data)
            if status == 0 { return nil }
            guard status == 1, let head = unsafe header?.pointee else {
                // Safe: libpcap's text is terminated by a zero and lives until the handle is closed.
                throw .library(unsafe String(cString: pcap_geterr(handle)))
            }
            length = max(1, Int(head.caplen))
        } while !(4...Self.longestRecord).contains(length)
        guard let head = unsafe header?.pointee, let start = unsafe data else { return nil }
        // Safe: libpcap guarantees `caplen` bytes, and that these are 4 to 65539 was just checked.
        let octets = unsafe UnsafeRawBufferPointer(start: start, count: length)
        let (adapter, opcode) = unsafe (
            UInt16(octets[0]) << 8 | UInt16(octets[1]), UInt16(octets[2]) << 8 | UInt16(octets[3])
        )
        records &+= 1
        let time = Int64(head.ts.tv_sec) &* 1_000_000 &+ Int64(head.ts.tv_usec)
        var described = RecordHeader(
            monitorOpcode: opcode, adapter: adapter, number: records,
            time: CaptureTime(microseconds: time), length: length &- 4)
        described.cumulativeDrops = UInt32(clamping: drops.total)
        // Safe: the bytes stay in place until libpcap reads the next record, which needs this channel.
        let payload = unsafe UnsafeRawBufferPointer(rebasing: octets[4...])
        let span = unsafe _overrideLifetime(payload.bytes, mutating: &self)
        return Record(described, span)
    }

    /// Reads the kernel's count of records dropped so far because the receive buffer was full. The headers of
    /// the following records include it.
    public mutating func readDrops() -> Int {
        let counter = SocketOptions.drops(descriptor)
        dropsAreUnknown = counter == nil
        if let counter { drops.update(counter) }
        return drops.total
    }
}

/// Extends a 32-bit counter that may wrap.
struct DropCount {
    private(set) var total = 0
    private var last: UInt32 = 0

    mutating func update(_ counter: UInt32) {
        total &+= Int(counter &- last)
        last = counter
    }
}

/// The kernel's logging channel: its messages appear in every recording of the monitor channel.
public enum LoggingChannel {
    /// Puts a note into every recording that is running on this machine; needs CAP_NET_ADMIN.
    public static func send(_ note: MonitorNote) throws(MonitorError) {
        let socket = try HCISocket()
        try socket.bind(channel: HCI_CHANNEL_LOGGING, needs: "CAP_NET_ADMIN")
        try socket.send(frame(note))
    }

    /// Opcode 0, adapter and length, little-endian, then the payload.
    static func frame(_ note: MonitorNote) -> [UInt8] {
        let payload = note.payload
        let words = [0, note.adapter, UInt16(truncatingIfNeeded: payload.count)]
        return words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] } + payload
    }
}

/// The reason why the machine's Bluetooth could not be reached.
public enum MonitorError: Error, Equatable, Sendable {
    /// The kernel has no Bluetooth, or its module is not loaded.
    case noBluetooth
    /// This capability is missing, named as in capabilities(7).
    case notPermitted(capability: String)
    /// A system call failed: the call and its errno.
    case system(call: String, errno: Int32)
    /// An error of libpcap.
    case library(String)
}

extension MonitorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noBluetooth: "this kernel has no Bluetooth"
        case .notPermitted(let capability): "\(capability) is missing"
        case .system(let call, let code): "can't \(call) (error \(code))"
        case .library(let text): text
        }
    }
}

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
