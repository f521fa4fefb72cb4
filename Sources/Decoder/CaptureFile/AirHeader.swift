import WireBytes

/// The headers that sniffers put before an LE link layer packet.
///
/// Each function sets the radio facts of a record and returns the header's length in bytes; nil if the bytes
/// are not such a header.
enum AirHeader {
    /// The longest head of a packet that is looked at, in bytes.
    static let longest = 64

    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: ten bytes, least significant first.
    static func radio(_ head: RawSpan, _ radio: inout RadioHeader) -> Int? {
        guard let rf = head.octet(at: 0), let signal = head.octet(at: 1), let bits = head.u16le(at: 8) else {
            return nil
        }
        var flags: RadioHeader.Flags = []
        if bits & 1 == 0 { flags.insert(.whitened) }
        if bits & 0x8 != 0 { flags.insert(.decrypted) }
        if bits & 0x400 != 0 { flags.insert(.crcChecked) }
        if bits & 0x800 != 0 { flags.insert(.crcValid) }
        if bits >> 7 & 7 == 2 { flags.insert(.fromCentral) }
        if bits >> 7 & 7 == 3 { flags.insert(.fromPeripheral) }
        if (4...6).contains(bits >> 7 & 7) { flags.insert(.isochronous) }
        if bits >> 14 == 1 { flags.insert(.fast) }
        if bits >> 14 == 2 { flags.insert(.coded) }
        radio = RadioHeader(
            channel: RadioHeader.channel(ofFrequency: rf),
            signal: bits & 2 != 0 ? Int8(bitPattern: signal) : nil, flags)
        return radioLength
    }

    /// Length of the header of ``radio(_:_:)``, in bytes.
    static let radioLength = 10

    /// Returns the header of a packet, see ``radio(_:_:)``.
    ///
    /// - Parameter octets: the packet, access address first.
    static func radio(_ header: RecordHeader, _ octets: RawSpan) -> [UInt8] {
        let radio = header.radio
        let isAdvertising = octets.u16le(at: 0) == 0xBED6 && octets.u16le(at: 2) == 0x8E89
        var bits: UInt16 = 0x10
        if !radio.flags.contains(.whitened) { bits |= 1 }
        if radio.knownSignal != nil { bits |= 2 }
        if radio.flags.contains(.decrypted) { bits |= 8 }
        if radio.flags.contains(.crcChecked) { bits |= 0x400 }
        if radio.flags.contains(.crcValid) { bits |= 0x800 }
        if isAdvertising {
            if radio.channel < 37 { bits |= 0x80 }
        } else if header.direction != .unknown {
            bits |= header.direction == .hostToController ? 0x100 : 0x180
        }
        if radio.flags.contains(.fast) { bits |= 0x4000 }
        if radio.flags.contains(.coded) { bits |= 0x8000 }
        var bytes = [radio.frequencyIndex, UInt8(bitPattern: radio.signal), 0, 0]
        for place in 0..<4 { bytes.append(octets.octet(at: place) ?? 0) }
        return bytes + [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
    }

    /// The header of Nordic's sniffer, all versions: a board, a header of the serial protocol, and one of the
    /// radio.
    static func nordic(_ head: RawSpan, _ radio: inout RadioHeader) -> Int? {
        // The first versions began with a mark of the serial protocol.
        let start = head.octet(at: 0) == 0xBE && head.octet(at: 1) == 0xEF ? 2 : 0
        let serial = start + 1
        guard let version = head.octet(at: serial + 2), let kind = head.octet(at: serial + 5),
            let length = head.octet(at: serial + 6), length >= 10,
            let bits = head.octet(at: serial + 7), let channel = head.octet(at: serial + 8),
            let signal = head.octet(at: serial + 9)
        else { return nil }
        var flags: RadioHeader.Flags = [.crcChecked]
        if bits & 1 != 0 { flags.insert(.crcValid) }
        // From version 3 on advertising has an event of its own, whose second bit tells its type.
        if version < 3 || kind == 6 {
            flags.insert(bits & 2 != 0 ? .fromCentral : .fromPeripheral)
            // The sniffer knew the key.
            if bits & 0xC == 0xC { flags.insert(.decrypted) }
        }
        switch bits >> 4 & 7 {
        case 1: flags.insert(.fast)
        case 2: flags.insert(.coded)
        default: break
        }
        let level = Int8(clamping: -Int(signal))
        radio = RadioHeader(channel: channel < 40 ? channel : 0xFF, signal: level, flags)
        return serial + 6 + Int(length)
    }

    /// Per-Packet Information, as Ubertooth writes it: its own length, the link type behind it, and fields.
    static func perPacket(_ head: RawSpan, _ radio: inout RadioHeader) -> Int? {
        guard let length = head.u16le(at: 2), let link = head.u16le(at: 4), length >= 8,
            link == 147 || link == 251
        else { return nil }
        radio = RadioHeader()
        var at = 8
        while at + 4 <= Int(length), let kind = head.u16le(at: at), let size = head.u16le(at: at + 2) {
            // Field 30006: version, frequency, clock in two parts, and levels.
            if kind == 30006, let frequency = head.u16le(at: at + 5), let level = head.octet(at: at + 12) {
                let rf = (Int(frequency) - 2402) / 2
                // The receiver's levels that no program has turned into dBm are above 0.
                radio = RadioHeader(
                    channel: UInt8(exactly: rf).map { RadioHeader.channel(ofFrequency: $0) } ?? 0xFF,
                    signal: level > 0x80 ? Int8(bitPattern: level) : nil, [])
            }
            at += 4 + Int(size)
        }
        return Int(length)
    }

    /// The Ubertooth's clock in Per-Packet Information, in units of 100 ns; nil where it is missing or 0.
    ///
    /// Its high part counts the rounds of the low one, of 327.68 s: the Bluetooth clock wraps there.
    static func perPacketClock(_ head: RawSpan) -> UInt64? {
        // The field is the only one that its recorders write.
        guard head.u16le(at: 8) == 30006, let rounds = head.octet(at: 15), let low = head.u16le(at: 16),
            let high = head.u16le(at: 18), rounds != 0 || low != 0 || high != 0
        else { return nil }
        return UInt64(rounds) * 3_276_800_000 + UInt64(high) << 16 + UInt64(low)
    }
}
