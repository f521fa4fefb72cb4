import Glibc

/// Kernel options of any socket.
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
