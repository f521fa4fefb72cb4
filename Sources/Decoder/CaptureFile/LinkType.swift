import WireBytes

/// The link types of pcap and pcapng that carry HCI packets, or LE link layer packets from the air.
enum LinkType: UInt16, Sendable {
    /// An HCI packet after its packet type byte; no direction.
    case h4 = 187
    /// An HCI packet after four bytes, whose lowest bit is set for received packets, and its packet type
    /// byte.
    case h4WithDirection = 201
    /// A record of the Linux monitor channel after its adapter and opcode.
    case monitor = 254
    /// The header of Nordic's sniffer as a user's link type, before it had one of its own.
    case nordicUser = 157
    /// Per-Packet Information before a link layer packet, as Ubertooth writes.
    case perPacket = 192
    case air = 251
    /// A link layer packet after ten bytes about its reception.
    case airWithRadio = 256
    /// A link layer packet after the header of Nordic's sniffer.
    case nordic = 272
    /// A transfer on USB as Linux records it, and the form with the longer header.
    case usbmon = 189
    case usbmonMapped = 220
    /// A transfer on USB as USBPcap records it.
    case usbPcap = 249

    /// Whether its packets are transfers on USB, which ``USBCapture`` reads.
    var isUSB: Bool { self == .usbPcap || self == .usbmon || self == .usbmonMapped }

    /// Added to a link type of USB in the header of a record that is a whole transfer.
    private static let markOfUSB: UInt16 = 0x0100

    /// The link type of USB in a record's foreign type; nil if it is another type.
    static func codeOfUSB(_ foreignType: UInt16) -> LinkType? {
        guard foreignType >= markOfUSB, let type = LinkType(rawValue: foreignType &- markOfUSB) else {
            return nil
        }
        return type.isUSB ? type : nil
    }

    /// Whether the link type itself records the direction of ACL data.
    var hasDirection: Bool { self != .h4 }

    /// Whether it holds packets from the air instead of HCI packets.
    var isAir: Bool {
        switch self {
        case .h4, .h4WithDirection, .monitor, .usbmon, .usbmonMapped, .usbPcap: false
        case .nordicUser, .perPacket, .air, .airWithRadio, .nordic: true
        }
    }

    /// Sets adapter, kind, direction and lengths from the head of a packet; returns the number of bytes used.
    ///
    /// On entry, `header.capturedLength` and `originalLength` are those of the file.
    @inline(__always)
    func apply(_ head: RawSpan, to header: inout RecordHeader) -> Int {
        switch self {
        case .h4: return PacketType.apply(head, to: &header)
        case .h4WithDirection:
            guard header.capturedLength >= 4 else { return 0 }
            let received = head.u32(at: 0, .mostSignificantFirst) & 1 == 1
            header.direction = received ? .controllerToHost : .hostToController
            header.drop(4)
            return 4 &+ PacketType.apply(head.clamped(4..<5), to: &header)
        case .monitor:
            guard header.capturedLength >= 4 else { return 0 }
            header.adapter = head.u16(at: 0, .mostSignificantFirst)
            header.drop(4)
            MonitorOpcode.apply(head.u16(at: 2, .mostSignificantFirst), to: &header)
            return 4
        case .nordicUser, .perPacket, .air, .airWithRadio, .nordic: return applyAir(head, to: &header)
        case .usbmon, .usbmonMapped, .usbPcap:
            header.foreignType = Self.markOfUSB &+ rawValue
            return 0
        }
    }

    /// Sets the radio facts of a packet from the air, see ``apply(_:to:)``.
    @inline(never)
    private func applyAir(_ head: RawSpan, to header: inout RecordHeader) -> Int {
        let length: Int? =
            switch self {
            case .perPacket: AirHeader.perPacket(head, &header.radio)
            case .airWithRadio: AirHeader.radio(head, &header.radio)
            case .nordic, .nordicUser: AirHeader.nordic(head, &header.radio)
            default: 0
            }
        guard let length, length <= header.capturedLength else { return 0 }
        header.kind = .air
        header.drop(length)
        if header.radio.flags.contains(.fromCentral) { header.direction = .hostToController }
        if header.radio.flags.contains(.fromPeripheral) { header.direction = .controllerToHost }
        return length
    }

    /// Returns the name of a link type of other networks, in parentheses; empty for an unusual
    /// one (https://www.tcpdump.org/linktypes.html).
    private static func name(of code: UInt32) -> String {
        switch code {
        case 1: " (Ethernet)"
        case 101, 228, 229: " (IP)"
        case 105, 127: " (Wi-Fi)"
        case 113, 276: " (Linux cooked capture of any network)"
        case 147...162: " (a private format)"
        case 195, 215, 230, 283: " (IEEE 802.15.4: Zigbee, Thread)"
        case 270: " (LoRa)"
        default: ""
        }
    }

    /// The cause for an unsupported link type: its name and what is missing.
    ///
    /// - Parameter prefix: the text before it in the sentence.
    static func unsupported(_ code: UInt32, _ prefix: String) -> CaptureFileError.Cause {
        if code == 255 {
            return .unsupportedDatalink(
                "\(prefix) link type 255 (Bluetooth BR/EDR baseband) is a sniffer's recording of Bluetooth "
                    + "Classic, which is not decoded", holds: .air)
        }
        guard code == 161 else {
            return .unsupportedDatalink(
                "\(prefix) link type \(code)\(name(of: code)) is neither Bluetooth HCI (187, 201, 254), "
                    + "USB (189, 220, 249) nor LE from the air (157, 192, 251, 256, 272)", holds: .other)
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
