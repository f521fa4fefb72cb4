import WireBytes

struct USBDeviceKey: Hashable {
    var bus: UInt16
    var address: UInt16
}

/// One record of a USB capture: a transfer that was submitted or completed.
struct USBTransfer {
    enum Kind: UInt8 {
        case isochronous, interrupt, control, bulk
    }

    /// The eight bytes that begin a control transfer (USB 2.0, 9.3).
    struct Setup {
        var requestType: UInt8
        var request: UInt8
        var value: UInt16

        /// - Parameter octets: at least eight bytes.
        init(_ octets: RawSpan, at place: Int) {
            requestType = octets.octet(at: place) ?? 0
            request = octets.octet(at: place &+ 1) ?? 0
            value = octets.u16(at: place &+ 2, .leastSignificantFirst)
        }
    }

    var device: USBDeviceKey
    var kind: Kind
    /// Number of the endpoint, with the highest bit set for data to the host.
    var endpoint: UInt8
    /// Whether the transfer ended; otherwise it begins.
    var isCompletion: Bool
    /// Whether it ended with an error, so that the host got none of its data.
    var hasFailed: Bool
    /// Number that the submission and the completion share.
    var id: UInt64
    var setup: Setup?
    /// Places of the data in the record: one, or several of an isochronous transfer.
    var data: [Range<Int>] = []
    /// Length of the data when it was transferred, at least the length in the record.
    var sent = 0

    var isToHost: Bool { endpoint & 0x80 != 0 }

    /// Whether this record is the one of its transfer that holds the data.
    var holdsData: Bool { isToHost == isCompletion && !hasFailed }

    /// Most packets of one isochronous transfer; Linux records at most 128.
    private static let mostPackets = 1024
    /// Longest HCI packet; a transfer that claims more has no such length.
    static let longestPacket = 4 + 0xFFFF
}

// The pseudo-header of USBPcap, little-endian: length (2), request (8), status (4), function (2), info (1),
// bus (2), device (2), endpoint (1), kind (1), length of the data (4), then fields of some kinds.
extension USBTransfer {
    private static let pcapHeaderLength = 27

    /// Reads a record of USBPcap; nil if it is not a transfer.
    ///
    /// - Parameter original: length of the record before it was cut.
    init?(pcap octets: RawSpan, original: Int) {
        let length = Int(octets.u16(at: 0, .leastSignificantFirst))
        guard length >= Self.pcapHeaderLength, length <= octets.byteCount,
            let kind = octets.octet(at: 22).flatMap(Kind.init(rawValue:)),
            let info = octets.octet(at: 16), let endpoint = octets.octet(at: 21)
        else { return nil }
        device = USBDeviceKey(
            bus: octets.u16(at: 17, .leastSignificantFirst),
            address: octets.u16(at: 19, .leastSignificantFirst))
        (self.kind, self.endpoint, isCompletion) = (kind, endpoint, info & 1 != 0)
        hasFailed = isCompletion && octets.u32(at: 10, .leastSignificantFirst) != 0
        id = octets.u64(at: 2, .leastSignificantFirst)
        let claimed = Int(octets.u32(at: 23, .leastSignificantFirst))
        var from = length
        var left = min(claimed, octets.byteCount &- length)
        sent = max(left, min(claimed, original &- length))
        if kind == .control, length > Self.pcapHeaderLength, octets.octet(at: Self.pcapHeaderLength) == 0,
            !isCompletion
        {
            // The stage of the setup packet; newer versions append the data that follows it.
            guard left >= 8 else { return nil }
            setup = Setup(octets, at: length)
            (from, left, sent) = (from &+ 8, left &- 8, sent &- 8)
        }
        if kind == .isochronous {
            let count = Int(octets.u32(at: 31, .leastSignificantFirst))
            let room = (length &- 39) / 12
            addPackets(min(count, max(room, 0)), octets, at: 39, step: 12, offset: 0, from..<from &+ left)
        } else if left > 0 {
            data = [from..<from &+ left]
        }
    }
}

// The header of Linux's usbmon, in the byte order of the recording computer: number (8), event (1), kind
// (1), endpoint (1), device (1), bus (2), whether there is a setup packet (1), whether there is data (1),
// time (12), status (4), length of the transfer (4), length of the data (4), setup packet (8); in the longer
// form also interval, frame, flags and the number of isochronous descriptors (4 each).
extension USBTransfer {
    /// Reads a record of usbmon; nil if it is not a transfer.
    ///
    /// - Parameter isMapped: whether the header is the longer one.
    init?(usbmon octets: RawSpan, original: Int, isMapped: Bool, _ order: OctetOrder) {
        let length = isMapped ? 64 : 48
        guard octets.byteCount >= length, let event = octets.octet(at: 8),
            let kind = octets.octet(at: 9).flatMap(Kind.init(rawValue:)),
            event == UInt8(ascii: "S") || event == UInt8(ascii: "C")
        else { return nil }
        device = USBDeviceKey(bus: octets.u16(at: 12, order), address: UInt16(octets.octet(at: 11) ?? 0))
        (self.kind, endpoint, isCompletion) = (
            kind, octets.octet(at: 10) ?? 0, event == UInt8(ascii: "C")
        )
        hasFailed = isCompletion && octets.u32(at: 28, order) != 0
        id = octets.u64(at: 0, order)
        if kind == .control, octets.octet(at: 14) == 0 { setup = Setup(octets, at: 40) }
        let claimed = Int(octets.u32(at: 36, order))
        let left = octets.octet(at: 15) == 0 ? min(claimed, octets.byteCount &- length) : 0
        if kind == .isochronous {
            let most = (octets.byteCount &- length) / 16
            let count = min(Int(octets.u32(at: isMapped ? 60 : 44, order)), most)
            let from = length &+ 16 &* count
            addPackets(
                count, octets, at: length, step: 16, offset: 4, from..<max(from, length &+ left), order)
            sent = data.reduce(0) { $0 &+ $1.count }
        } else {
            if left > 0 { data = [length..<length &+ left] }
            // The kernel shortens long data, and has none of some.
            sent = max(left, min(Int(octets.u32(at: 32, order)), Self.longestPacket))
        }
    }

    /// Adds the data of isochronous packets.
    ///
    /// - Parameters:
    ///   - first: place of the first description; the others follow in steps.
    ///   - offset: place in a description of a packet's offset; its length follows.
    ///   - whole: place of all data.
    private mutating func addPackets(
        _ count: Int, _ octets: RawSpan, at first: Int, step: Int, offset: Int, _ whole: Range<Int>,
        _ order: OctetOrder = .leastSignificantFirst
    ) {
        for index in 0..<min(count, Self.mostPackets) {
            let place = first &+ index &* step &+ offset
            let begin = Int(octets.u32(at: place, order))
            var length = Int(octets.u32(at: place &+ 4, order))
            if !isToHost, length == 0 {
                // Windows sets only the offsets of packets that it sends.
                let next = index &+ 1 < count ? Int(octets.u32(at: place &+ step, order)) : whole.count
                length = max(0, next &- begin)
            }
            guard begin < whole.count, length > 0 else { continue }
            let from = whole.lowerBound &+ begin
            data.append(from..<min(from &+ length, whole.upperBound))
        }
    }
}
