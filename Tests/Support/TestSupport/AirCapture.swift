/// A capture from the air, as a sniffer's recorder would write it: a pcap file of packets that a test makes.
public struct AirCapture: Sendable {
    /// The forms in which recorders write packets.
    public enum Form: Sendable, CaseIterable {
        case plain, radio, nordic2, nordic3, nordicMarked, perPacket

        var linkType: UInt32 {
            switch self {
            case .plain: 251
            case .radio: 256
            case .nordic2, .nordic3: 272
            case .nordicMarked: 157
            case .perPacket: 192
            }
        }

        /// Whether the form tells the sender of a data packet.
        public var hasSender: Bool { self != .plain && self != .perPacket }
    }

    /// Sender of a packet: of a data PDU one of the connection's two devices.
    public enum Sender: Sendable { case advertiser, central, peripheral }

    public static let advertising: UInt32 = 0x8E89_BED6

    public private(set) var octets: [UInt8] = []
    public let form: Form
    /// Whether times are wrong as an Ubertooth's recorder once wrote them: nanoseconds, with overflows, in
    /// place of microseconds.
    public var hasBrokenTimes = false
    /// The sniffer's clock at the last packet, in units of 100 ns.
    private var clock: UInt64 = 0
    /// The number of packets in it.
    public private(set) var count = 0

    public init(_ form: Form = .radio) {
        self.form = form
        little(0xA1B2_C3D4, 4)
        little(0x0004_0002, 4)
        little(0, 8)
        little(65535, 4)
        little(UInt64(form.linkType), 4)
    }

    /// Adds a packet.
    ///
    /// - Parameters:
    ///   - microseconds: the time since the capture began.
    ///   - channel: the channel index, 0 to 39.
    ///   - pdu: header and payload.
    ///   - isGood: whether the check sequence is right.
    public mutating func add(
        at microseconds: Int, channel: UInt8 = 37, _ accessAddress: UInt32, _ pdu: [UInt8],
        crcInit: UInt32 = 0x55_5555, from sender: Sender = .advertiser, isGood: Bool = true,
        isDecrypted: Bool = false
    ) {
        var air = Self.bytes(UInt64(accessAddress), 4) + pdu
        air += Self.bytes(UInt64(Self.crc(pdu, crcInit) ^ (isGood ? 0 : 0x10)), 3)
        clock = UInt64(microseconds) * 10
        let head = head(channel, accessAddress, sender, isGood, isDecrypted, air.count)
        little(1_700_000_000 + UInt64(microseconds / 1_000_000), 4)
        let fraction = UInt32(truncatingIfNeeded: microseconds % 1_000_000)
        little(UInt64(hasBrokenTimes ? fraction &* 1000 &- 2_000_000 : fraction), 4)
        little(UInt64(head.count + air.count), 4)
        little(UInt64(head.count + air.count), 4)
        octets += head + air
        count += 1
    }

    private func head(
        _ channel: UInt8, _ accessAddress: UInt32, _ sender: Sender, _ isGood: Bool, _ isDecrypted: Bool,
        _ length: Int
    ) -> [UInt8] {
        let frequency: UInt8 =
            switch channel {
            case 37: 0
            case 38: 12
            case 39: 39
            case ..<11: channel + 1
            default: channel + 2
            }
        switch form {
        case .plain: return []
        case .radio:
            var flags: UInt64 = 0x0413 | (isGood ? 0x800 : 0) | (isDecrypted ? 8 : 0)
            if sender != .advertiser { flags |= sender == .central ? 0x100 : 0x180 }
            return [frequency, 0xC4, 0, 0] + Self.bytes(UInt64(accessAddress), 4) + Self.bytes(flags, 2)
        case .nordic2, .nordic3, .nordicMarked:
            let flags = (isGood ? 1 : 0) | (sender == .central ? 2 : 0) | (isDecrypted ? 0xC : 0) as UInt8
            let radio = [10, flags, channel, 60] + Self.bytes(0, 6)
            let size = UInt64(radio.count + length)
            let isNew = form == .nordic3
            let lengths = isNew ? Self.bytes(size, 2) : [6, UInt8(truncatingIfNeeded: size)]
            let kind: UInt8 = isNew && sender == .advertiser ? 2 : 6
            let mark: [UInt8] = form == .nordicMarked ? [0xBE, 0xEF] : []
            return mark + [4] + lengths + [isNew ? 3 : 2, 0, 0, kind] + radio
        case .perPacket:
            var field = [1 as UInt8] + Self.bytes(UInt64(2402 + 2 * Int(frequency)), 2)
            field += Self.bytes(clock / 3_276_800_000, 1) + Self.bytes(clock % 3_276_800_000, 4)
            field += [0xC4, 0xC4, 0xC4, 1] + Self.bytes(0, 12)
            return [0, 0] + Self.bytes(UInt64(8 + 4 + field.count), 2) + Self.bytes(147, 4)
                + Self.bytes(30006, 2) + Self.bytes(UInt64(field.count), 2) + field
        }
    }

    private mutating func little(_ value: UInt64, _ count: Int) { octets += Self.bytes(value, count) }

    static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    static func bytes(ofHex text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The check sequence, computed with the register as the specification draws it (Vol 6, Part B, 3.1.1):
    /// position 0 takes the feedback, and position 23 is sent first.
    static func crc(_ pdu: [UInt8], _ initial: UInt32) -> UInt32 {
        var register = (0..<24).map { initial >> UInt32($0) & 1 == 1 }
        for byte in pdu {
            for bit in 0..<8 {
                let feedback = register[23] != (byte >> UInt8(bit) & 1 == 1)
                register.removeLast()
                register.insert(feedback, at: 0)
                if feedback { for tap in [1, 3, 4, 6, 9, 10] { register[tap].toggle() } }
            }
        }
        var sent: UInt32 = 0
        for (place, bit) in register.reversed().enumerated() where bit { sent |= 1 << UInt32(place) }
        return sent
    }
}

/// The two devices of a connection on the air, which send in turn as the link layer does.
public struct AirLink: Sendable {
    public static let central: [UInt8] = [0x01, 0x22, 0x33, 0x44, 0x55, 0xC6]
    public static let peripheral: [UInt8] = [0x0A, 0xBB, 0xCC, 0xDD, 0xEE, 0xC0]
    public static let accessAddress: UInt32 = 0x5065_5A3B
    public static let crcInit: UInt32 = 0x12_3456
    /// The interval in units of 1.25 ms.
    public static let interval = 24

    /// The time of the next event, in microseconds.
    public var time: Int
    private var sequence: (central: UInt8, peripheral: UInt8) = (0, 0)
    /// The number of the next event, as both sides count them.
    public private(set) var event = 0

    public init(at time: Int) { self.time = time }

    /// The connection request. The supervision timeout is one second.
    public mutating func connect(_ capture: inout AirCapture) {
        var pdu: [UInt8] = [0xC5, 34] + Self.central + Self.peripheral
        pdu += AirCapture.bytes(UInt64(Self.accessAddress), 4) + AirCapture.bytes(UInt64(Self.crcInit), 3)
        pdu += [1, 0, 0] + AirCapture.bytes(UInt64(Self.interval), 2) + [0, 0] + AirCapture.bytes(100, 2)
        capture.add(at: time, AirCapture.advertising, pdu + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x05])
        time += Self.interval * 1250
    }

    /// One packet of a connection event: the LLID and the payload; an empty PDU if there is no payload.
    public struct PDU: Sendable {
        public var llid: UInt8
        public var payload: [UInt8]

        public init(_ llid: UInt8, _ payload: [UInt8]) {
            self.llid = llid
            self.payload = payload
        }

        /// An ATT PDU in one packet, as hexadecimal text.
        public static func att(_ text: String) -> PDU {
            let payload = AirCapture.bytes(ofHex: text)
            return PDU(2, AirCapture.bytes(UInt64(payload.count), 2) + [4, 0] + payload)
        }
        /// A control PDU, as hexadecimal text.
        public static func control(_ text: String) -> PDU { PDU(3, AirCapture.bytes(ofHex: text)) }
        public static let empty = PDU(1, [])
    }

    /// What the sniffer hears of a packet.
    public enum Hearing: Sendable { case heard, missed, wrong }

    /// Plays one connection event: the central's packet and the peripheral's.
    ///
    /// - Parameters:
    ///   - hears: what is heard of either packet.
    ///   - isRepeated: whether both are sent again in the next event, since they were not acknowledged.
    public mutating func event(
        _ capture: inout AirCapture, _ fromCentral: PDU = .empty, _ fromPeripheral: PDU? = .empty,
        hears: (Hearing, Hearing) = (.heard, .heard), isRepeated: Bool = false
    ) {
        let channel = UInt8(event * 7 % 37)
        // A side acknowledges by the sequence number that it expects next.
        put(
            &capture, fromCentral, .central, channel, time, sequence.central << 3 | sequence.peripheral << 2,
            hears.0)
        if let fromPeripheral {
            let length = 80 + 8 * fromCentral.payload.count
            put(
                &capture, fromPeripheral, .peripheral, channel, time + length + 150,
                sequence.peripheral << 3 | (sequence.central ^ 1) << 2, hears.1)
            if !isRepeated { sequence.peripheral ^= 1 }
        }
        if !isRepeated { sequence.central ^= 1 }
        event += 1
        time += Self.interval * 1250
    }

    private func put(
        _ capture: inout AirCapture, _ pdu: PDU, _ sender: AirCapture.Sender, _ channel: UInt8, _ time: Int,
        _ flags: UInt8, _ hearing: Hearing
    ) {
        guard hearing != .missed else { return }
        capture.add(
            at: time, channel: channel, Self.accessAddress,
            [pdu.llid | flags, UInt8(pdu.payload.count)] + pdu.payload, crcInit: Self.crcInit,
            from: sender, isGood: hearing == .heard)
    }
}
