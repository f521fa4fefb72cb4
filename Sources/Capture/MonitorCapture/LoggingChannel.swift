import CBluez

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
