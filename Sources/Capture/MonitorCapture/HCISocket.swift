import CBluez
import Glibc

/// A raw Bluetooth socket of the kernel's HCI family, closed when it ends.
struct HCISocket: ~Copyable {
    let descriptor: Int32

    /// Opens an unbound socket for the kernel's list calls.
    init() throws(MonitorError) {
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_BLUETOOTH, type, BTPROTO_HCI)
        guard descriptor < 0 else { return }
        switch errno {
        case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT: throw .noBluetooth
        case EPERM, EACCES: throw .notPermitted(capability: "CAP_NET_RAW")
        case let code: throw .system(call: "open a Bluetooth socket", errno: code)
        }
    }

    deinit { close(descriptor) }

    /// Binds the socket to a channel of all adapters.
    ///
    /// - Parameter capability: the capability that this channel needs.
    func bind(channel: Int32, needs capability: String) throws(MonitorError) {
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = UInt16(HCI_DEV_NONE)
        address.hci_channel = UInt16(channel)
        let length = socklen_t(MemoryLayout<sockaddr_hci>.size)
        // Safe: the kernel reads one address structure, which outlives the call.
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, length)
            }
        }
        guard result < 0 else { return }
        switch errno {
        case EPERM, EACCES: throw .notPermitted(capability: capability)
        case EINVAL, ENODEV: throw .noBluetooth
        case let code: throw .system(call: "bind a Bluetooth socket", errno: code)
        }
    }

    func send(_ octets: [UInt8]) throws(MonitorError) {
        while true {
            // Safe: the kernel reads as many bytes as the array has.
            let count = unsafe octets.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return }
            guard errno == EINTR else { throw .system(call: "send", errno: errno) }
        }
    }

    /// Receives the next datagram, at most 64 KiB; returns nil if none comes within `milliseconds`.
    func receive(within milliseconds: Int32) throws(MonitorError) -> [UInt8]? {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        guard unsafe poll(&wanted, 1, milliseconds) > 0 else { return nil }
        var octets = [UInt8](repeating: 0, count: 1 << 16)
        // Safe: the kernel writes at most as many bytes as the array has.
        let count = unsafe octets.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw .system(call: "receive", errno: errno) }
        return Array(octets.prefix(count))
    }

    /// Makes a list call to the kernel: `request` starts with the query and has room for the answer.
    ///
    /// - Returns: false if the kernel refuses, for example for an adapter that was just removed.
    func list(_ code: UInt, _ request: inout [UInt8]) -> Bool {
        // Safe: the counts in the request state how much room there is, and the kernel stays within it.
        unsafe request.withUnsafeMutableBytes { room in
            guard let start = room.baseAddress else { return false }
            return unsafe ioctl(descriptor, code, start) >= 0
        }
    }
}

/// The numbers of the HCI family's calls, which the header computes by macros: `_IOR('H', number, int)`.
enum HCICall {
    static let deviceList: UInt = 0x8004_48D2
    static let connectionList: UInt = 0x8004_48D4
}

enum SocketOptions {
    /// SO_MEMINFO, and the place of SK_MEMINFO_DROPS in it (linux/sock_diag.h). SO_RXQ_OVFL does not work
    /// here, because the monitor channel never delivers its message.
    private static let memoryInformation: Int32 = 55
    private static let dropsIndex = 8

    /// Datagrams that the kernel dropped because the receive buffer was full; nil if unknown.
    static func drops(_ descriptor: Int32) -> UInt32? {
        var values = [UInt32](repeating: 0, count: dropsIndex + 1)
        var length = socklen_t(values.count * 4)
        // Safe: the kernel writes at most `length` bytes, the size of the array.
        guard unsafe getsockopt(descriptor, SOL_SOCKET, memoryInformation, &values, &length) == 0,
            length >= socklen_t(values.count * 4)
        else { return nil }
        return values[dropsIndex]
    }

    /// Sets the size of the receive buffer, beyond the system's limit if the capability allows it.
    ///
    /// - Returns: the bytes granted. The kernel counts its own bookkeeping, so it doubles the requested size.
    static func setReceiveBuffer(_ descriptor: Int32, _ wanted: Int) -> Int {
        var value = Int32(clamping: wanted)
        let length = socklen_t(4)
        // Safe: the kernel reads one integer.
        if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &value, length) != 0 {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &value, length)
        }
        var granted: Int32 = 0
        var size = length
        // Safe: the kernel writes one integer.
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &granted, &size) == 0 else { return 0 }
        return Int(granted) / 2
    }
}

/// Waits for events of a recording.
public enum WaitSet {
    /// Events that end a wait.
    public struct Events: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Records are waiting.
        public static let records = Events(rawValue: 1)
        /// A stop signal has arrived.
        public static let stop = Events(rawValue: 2)
        /// The output's reader has closed its end.
        public static let readerGone = Events(rawValue: 4)
    }

    /// Waits for the first event, at most `milliseconds`.
    ///
    /// - Parameters:
    ///   - output: a pipe whose reader is watched; nil for none.
    ///   - wantsRoom: whether to end the wait when the output is writable again.
    public static func wait(
        channel: Int32, stop: Int32, output: Int32?, wantsRoom: Bool = false, milliseconds: Int32
    ) -> Events {
        var wanted = [
            pollfd(fd: channel, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output ?? -1, events: wantsRoom ? Int16(POLLOUT) : 0, revents: 0),
        ]
        // Safe: the kernel fills as many structures as the array has.
        guard unsafe poll(&wanted, nfds_t(wanted.count), milliseconds) > 0 else { return [] }
        var events: Events = []
        if wanted[0].revents != 0 { events.insert(.records) }
        if wanted[1].revents != 0 { events.insert(.stop) }
        if wanted[2].revents & Int16(POLLERR | POLLHUP) != 0 { events.insert(.readerGone) }
        return events
    }
}
