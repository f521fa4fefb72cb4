import CPcap
public import CaptureFile
import Glibc
import WireBytes

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
