/// The pcap format in either byte order, with microseconds or nanoseconds.
struct Pcap: CaptureFormat {
    var order: OctetOrder
    var linkType: LinkType
    /// Unit of a record's fraction of a second, in nanoseconds.
    var fractionNanoseconds: Int64
    /// The sniffer's own clock, which replaces impossible times.
    var snifferClock = SnifferClock()

    static let name = CaptureInfo.Format.pcap
    static let fileHeaderLength = 24
    static let recordHeaderLength = 16
    /// The largest snapshot length of libpcap.
    static let longestRecord = 256 << 10

    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized? {
        guard evidence == .magic, input.window.holds(fileHeaderLength) else { return nil }
        let order: OctetOrder
        let fraction: Int64
        switch input.window.u32(at: 0, .mostSignificantFirst) {
        case 0xA1B2_C3D4: (order, fraction) = (.mostSignificantFirst, 1000)
        case 0xA1B2_3C4D: (order, fraction) = (.mostSignificantFirst, 1)
        case 0xD4C3_B2A1: (order, fraction) = (.leastSignificantFirst, 1000)
        case 0x4D3C_B2A1: (order, fraction) = (.leastSignificantFirst, 1)
        default: return nil
        }
        // The high half says whether frames end with a check sequence; HCI packets have none.
        let code = input.window.u32(at: 20, order) & 0xFFFF
        guard let linkType = LinkType(rawValue: UInt16(truncatingIfNeeded: code)) else {
            throw input.failure(LinkType.unsupported(code, "pcap"), ahead: 20)
        }
        input.consumeFileHeader(fileHeaderLength)
        let info = CaptureInfo(
            name: input.file, format: name, datalink: code, timeDigits: fraction == 1 ? 9 : 6,
            hasDirection: linkType.hasDirection)
        let file = Pcap(order: order, linkType: linkType, fractionNanoseconds: fraction)
        if linkType.isUSB { return Recognized(info, USBCapture(.pcap(file), linkType: code, input)) }
        return Recognized(info, file)
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int {
        Self.recordHeaderLength &+ Int(window.u32(at: 8, order))
    }

    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(Self.recordHeaderLength) else { return false }
        let seconds = Int64(input.window.u32(at: 0, order))
        let fraction = Int64(input.window.u32(at: 4, order))
        let included = Int(input.window.u32(at: 8, order))
        let original = Int(input.window.u32(at: 12, order))
        if seconds == 0, fraction == 0, input.window.u64(at: 8, order) == 0 { throw input.zeros() }
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(
                nanoseconds: seconds &* 1_000_000_000 &+ fraction &* fractionNanoseconds),
            adapter: 0, kind: .unknown, direction: .unknown,
            faults: original < included ? .originalLength : [], originalLength: max(original, included),
            capturedLength: included)
        if fraction &* fractionNanoseconds >= 1_000_000_000 { header.faults.insert(.timeFraction) }
        guard included <= Self.longestRecord else {
            throw input.failure(.damaged("impossible record length \(included)"))
        }
        try input.require(Self.recordHeaderLength &+ included)
        let taken = linkType.apply(
            input.window.next(at: Self.recordHeaderLength, count: min(included, AirHeader.longest)),
            to: &header)
        if linkType == .perPacket {
            snifferClock.correct(
                &header,
                AirHeader.perPacketClock(input.window.next(at: Self.recordHeaderLength, count: taken)))
        }
        input.deliver(
            header, after: Self.recordHeaderLength &+ taken, consuming: Self.recordHeaderLength &+ included)
        return true
    }
}
