import WireBytes

/// The link types of pcap and pcapng that carry HCI packets.
enum LinkType: UInt16, Sendable {
    /// An HCI packet after its packet type octet; no direction.
    case h4 = 187
    /// The same, after four octets whose lowest bit says that it was received.
    case h4WithDirection = 201
    /// A record of the Linux monitor channel after its adapter and opcode.
    case monitor = 254

    /// Whether the link type itself says which way ACL data went.
    var hasDirection: Bool { self != .h4 }

    /// Sets adapter, kind, direction and lengths from the head of a packet; how many octets it took.
    ///
    /// `header.capturedLength` and `originalLength` are those of the file when it is called.
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

    /// A sentence about a link type that is not read here: what it is and what is missing.
    static func whatIsMissing(_ code: UInt32) -> String {
        switch code {
        case 157: return "link type 157 (Nordic BLE sniffer, first form) \(air)"
        case 192: return "link type 192 (PPI, as Ubertooth writes) \(air)"
        case 251: return "link type 251 (Bluetooth LE link layer) \(air)"
        case 255: return "link type 255 (Bluetooth BR/EDR baseband) \(air)"
        case 256: return "link type 256 (Bluetooth LE link layer with radio header) \(air)"
        case 272: return "link type 272 (Nordic BLE sniffer) \(air)"
        case 161: return "link type 161 (Bluetooth Linux monitor without header) is not read; 254 is"
        default: return "link type \(code) \(notBluetooth)"
        }
    }

    /// The end of the sentence about a link type of sniffers.
    static let air = "is a sniffer's recording of the air, which is not decoded"

    private static let notBluetooth = "is not Bluetooth HCI; 187, 201 and 254 are read"

    /// Whether such a sentence is about another form of Bluetooth records.
    static func isAboutBluetooth(_ sentence: String) -> Bool { !sentence.hasSuffix(notBluetooth) }
}

extension RecordHeader {
    /// Takes octets of the file format off both lengths.
    @inline(__always)
    mutating func drop(_ count: Int) {
        capturedLength &-= count
        originalLength = max(originalLength &- count, capturedLength)
    }
}
