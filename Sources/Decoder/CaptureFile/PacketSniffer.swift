/// The `.psd` format of Texas Instruments' SmartRF Packet Sniffer: records of 271 bytes without a file
/// header; little-endian.
///
/// The bytes of a record: the packet's kind (1: the length counts the check sequence), its number (4), its
/// time (8), the number of bytes that follow (2), and room for them. For Bluetooth LE these are a length,
/// the packet from the access address to the check sequence, the signal's strength (in no documented unit,
/// so it is not used), and the channel index with bit 7 for a right check sequence.
/// Source: TI's packet sniffer manual (SWRU187) and the answers about it in TI's forum; the time's two
/// parts and the scale of 32 ticks a microsecond hold in the captures that are known.
struct PacketSniffer: CaptureFormat {
    static let name = CaptureInfo.Format.packetSniffer
    static let recordLength = 271
    static let packetPlace = 16
    /// Bytes after the packet: the signal's strength, and the channel.
    static let trailerLength = 2
    static let recordsToRecognize = 5

    static func recognize(_ input: inout RecordInput, by evidence: FormatEvidence) -> Recognized? {
        guard evidence == .wholeRecords, input.window.holds(recordLength) else { return nil }
        for index in 0..<recordsToRecognize {
            let place = index &* recordLength
            guard input.window.holds(place &+ recordLength) else { break }
            guard isPlausible(input.window, at: place) else { return nil }
        }
        var info = CaptureInfo(name: input.file, format: name, timeDigits: 9, hasDirection: false)
        info.hasRelativeTime = true
        info.contentOfFormat = .air
        return Recognized(info, PacketSniffer())
    }

    /// Whether the lengths of a whole record fit a packet of Bluetooth LE.
    private static func isPlausible(_ window: borrowing InputWindow, at place: Int) -> Bool {
        let length = Int(window.u8(at: place &+ 15))
        let announced = Int(window.u8(at: place &+ packetPlace &+ 5))
        // Access address, header and check sequence; older advertising has reserved bits in the length.
        let around = 9 &+ trailerLength
        return window.u8(at: place) == 1
            && Int(window.u16(at: place &+ 13, .leastSignificantFirst)) == length &+ 1
            && length >= around && (length &- around == announced || length &- around == announced & 0x3F)
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int { Self.recordLength }

    func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(Self.recordLength) else { return false }
        try input.require(Self.recordLength)
        // The room after the length byte holds 255 bytes.
        let length = max(Int(input.window.u8(at: 15)) &- Self.trailerLength, 0)
        let status = input.window.u8(at: Self.packetPlace &+ length &+ Self.trailerLength &- 1)
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: Self.time(input.window.u64(at: 5, .leastSignificantFirst)), adapter: 0, kind: .air,
            direction: .unknown, originalLength: length, capturedLength: length)
        let channel = status & 0x7F
        header.radio = RadioHeader(
            channel: channel < 40 ? channel : 0xFF, signal: nil,
            status & 0x80 != 0 ? [.crcChecked, .crcValid] : .crcChecked)
        input.deliver(header, after: Self.packetPlace, consuming: Self.recordLength)
        return true
    }

    /// The time in ticks of 1/32 µs: the low 16 bits count to 4,999, the others count these rounds.
    private static func time(_ ticks: UInt64) -> CaptureTime {
        // 2^45 rounds of 156.25 µs are 174 years.
        let rounds = Int64(truncatingIfNeeded: min(ticks >> 16, 1 << 45))
        return CaptureTime(nanoseconds: rounds &* 156_250 &+ Int64(ticks & 0xFFFF) &* 125 / 4)
    }
}

/// The clock of an Ubertooth, which stands in for the times of its recorder from the first impossible one on.
///
/// A version of the recorder wrote fractions of a second in nanoseconds, with overflows, where pcap has
/// microseconds: they step back and jump by more than an hour.
struct SnifferClock: Sendable {
    /// The clock in units of 100 ns, and the time, both of the first record with an impossible time.
    private var start: (clock: UInt64, time: CaptureTime)?

    /// Replaces the time of a record, if one was impossible; the fault stays on the first such record only.
    mutating func correct(_ header: inout RecordHeader, _ clock: UInt64?) {
        guard let clock else { return }
        guard let start else {
            if header.faults.contains(.timeFraction) { self.start = (clock, header.time) }
            return
        }
        header.faults.remove(.timeFraction)
        let passed = Int64(truncatingIfNeeded: clock &- start.clock)
        header.time = CaptureTime(nanoseconds: start.time.nanoseconds &+ passed &* 100)
    }
}
