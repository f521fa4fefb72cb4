import WireBytes

/// The link types of pcap and pcapng that carry HCI packets.
enum LinkType: UInt16, Sendable {
    /// An HCI packet after its packet type byte; no direction.
    case h4 = 187
    /// An HCI packet after four bytes, whose lowest bit is set for received packets, and its packet type
    /// byte.
    case h4WithDirection = 201
    /// A record of the Linux monitor channel after its adapter and opcode.
    case monitor = 254

    /// Whether the link type itself records the direction of ACL data.
    var hasDirection: Bool { self != .h4 }

    /// Sets adapter, kind, direction and lengths from the head of a packet; returns the number of bytes used.
    ///
    /// On entry, `header.capturedLength` and `originalLength` are those of the file.
    @inline(__always)
    func apply(_ head: RawSpan, to header: inout RecordHeader) -> Int {
        switch self {
        case .h4: return PacketType.apply(head, to: &header)
        case .h4WithDirection:
            guard header.capturedLength >= 4 else { return 0 }
            let received = head.u32(0, .mostSignificantFirst) & 1 == 1
            header.direction = received ? .controllerToHost : .hostToController
            header.drop(4)
            return 4 &+ PacketType.apply(head.clamped(4..<5), to: &header)
        case .monitor:
            guard header.capturedLength >= 4 else { return 0 }
            header.adapter = head.u16(0, .mostSignificantFirst)
            header.drop(4)
            MonitorOpcode.apply(head.u16(2, .mostSignificantFirst), to: &header)
            return 4
        }
    }

    /// The link types of sniffers.
    private static let air: [UInt32: String] = [
        157: "Nordic BLE sniffer, first form", 192: "PPI, as Ubertooth writes",
        251: "Bluetooth LE link layer", 255: "Bluetooth BR/EDR baseband",
        256: "Bluetooth LE link layer with radio header", 272: "Nordic BLE sniffer",
    ]

    /// The cause for an unsupported link type: its name and what is missing.
    ///
    /// - Parameter prefix: the text before it in the sentence.
    static func unsupported(_ code: UInt32, _ prefix: String) -> CaptureFileError.Cause {
        if let name = air[code] {
            return .unsupportedDatalink(
                "\(prefix) link type \(code) (\(name)) is a sniffer's recording of the air, "
                    + "which is not decoded", holds: .air)
        }
        guard code == 161 else {
            return .unsupportedDatalink(
                "\(prefix) link type \(code) is not Bluetooth HCI; 187, 201 and 254 are read", holds: .other)
        }
        return .unsupportedDatalink(
            "\(prefix) link type 161 (Bluetooth Linux monitor without header) is not read; 254 is")
    }
}

extension RecordHeader {
    /// Subtracts bytes of the file format from both lengths.
    @inline(__always)
    mutating func drop(_ count: Int) {
        capturedLength &-= count
        originalLength = max(originalLength &- count, capturedLength)
    }
}
