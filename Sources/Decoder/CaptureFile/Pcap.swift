import WireBytes

/// The pcap format: either octet order, micro- or nanoseconds.
struct Pcap {
    var order: OctetOrder
    var linkType: LinkType
    /// Nanoseconds that one unit of a record's fraction of a second is.
    var fractionNanoseconds: Int64

    static let fileHeaderLength = 24
    static let recordHeaderLength = 16
    /// The largest snapshot length of libpcap.
    static let longestRecord = 256 << 10
}

extension Pcap {
    /// The format where the input starts as pcap does; nil where it does not.
    static func recognize(_ input: inout RecordInput) throws(CaptureFileError) -> Recognized? {
        guard input.window.holds(fileHeaderLength) else { return nil }
        let order: OctetOrder
        let fraction: Int64
        switch input.window.u32(0, .mostSignificantFirst) {
        case 0xA1B2_C3D4: (order, fraction) = (.mostSignificantFirst, 1000)
        case 0xA1B2_3C4D: (order, fraction) = (.mostSignificantFirst, 1)
        case 0xD4C3_B2A1: (order, fraction) = (.leastSignificantFirst, 1000)
        case 0x4D3C_B2A1: (order, fraction) = (.leastSignificantFirst, 1)
        default: return nil
        }
        // The high half says whether frames end with a check sequence; HCI packets have none.
        let code = input.window.u32(20, order) & 0xFFFF
        guard let linkType = LinkType(rawValue: UInt16(truncatingIfNeeded: code)) else {
            throw input.failure(.unsupportedDatalink("pcap " + LinkType.whatIsMissing(code)), ahead: 20)
        }
        input.consumeFileHeader(fileHeaderLength)
        let info = CaptureInfo(
            name: input.file, format: .pcap, datalink: code, timeDigits: fraction == 1 ? 9 : 6,
            hasDirection: linkType.hasDirection)
        return Recognized(
            info, .pcap(Pcap(order: order, linkType: linkType, fractionNanoseconds: fraction)))
    }

    /// Takes the next record; false at a clean end.
    static func advance(_ input: inout RecordInput, _ file: Pcap) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(recordHeaderLength) else { return false }
        let seconds = Int64(input.window.u32(0, file.order))
        let fraction = Int64(input.window.u32(4, file.order))
        let included = Int(input.window.u32(8, file.order))
        let original = Int(input.window.u32(12, file.order))
        if seconds == 0, fraction == 0, input.window.u64(8, file.order) == 0 { throw input.zeros() }
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(
                nanoseconds: seconds &* 1_000_000_000 &+ fraction &* file.fractionNanoseconds),
            adapter: 0, kind: .unknown, direction: .unknown,
            faults: original < included ? .originalLength : [], originalLength: max(original, included),
            capturedLength: included)
        if fraction &* file.fractionNanoseconds >= 1_000_000_000 { header.faults.insert(.timeFraction) }
        guard included <= longestRecord else {
            throw input.failure(.damaged("a record of \(included) octets can't be"))
        }
        try input.require(recordHeaderLength &+ included)
        let taken = file.linkType.apply(
            input.window.next(recordHeaderLength, min(included, 5)), to: &header)
        input.deliver(
            header, after: recordHeaderLength &+ taken, consuming: recordHeaderLength &+ included)
        return true
    }
}
