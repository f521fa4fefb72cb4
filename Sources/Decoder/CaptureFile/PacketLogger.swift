import WireBytes

/// Apple's PacketLogger format: records without a file header, in either byte order.
struct PacketLogger: CaptureFormat {
    let order: OctetOrder

    static let name = CaptureInfo.Format.packetLogger
    /// Length, seconds, microseconds and type.
    static let recordHeaderLength = 13
    /// Bytes that a record's length counts besides the payload: the time and the type.
    static let countedHeader = 9
    static let longestRecord = 128 << 10
    static let note: UInt16 = 0xFC
    /// Number of records examined to recognize the format.
    static let recordsToRecognize = 5

    static func recognize(_ input: inout RecordInput, by evidence: FormatEvidence) -> Recognized? {
        switch evidence {
        case .wholeRecords: recognize(&input, unknownTypes: 0, firstIsWhole: true)
        case .records: recognize(&input, unknownTypes: 0, firstIsWhole: false)
        case .unknownRecords:
            recognize(&input, unknownTypes: recordsToRecognize &- 1, firstIsWhole: false)
        case .firstRecord: recognizeFirst(&input)
        case .magic, .text: nil
        }
    }

    /// Recognizes the format if the first record is a whole HCI packet or a text note, whatever follows.
    private static func recognizeFirst(_ input: inout RecordInput) -> Recognized? {
        guard input.window.holds(recordHeaderLength) else { return nil }
        for order in [OctetOrder.mostSignificantFirst, .leastSignificantFirst] {
            let length = Int(input.window.u32(at: 0, order))
            guard length > countedHeader, length < longestRecord, input.window.holds(4 &+ length),
                input.window.u32(at: 8, order) < 1_000_000
            else { continue }
            var header = RecordHeader(
                number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .note,
                direction: .unknown, originalLength: 0, capturedLength: 0)
            apply(input.window.u8(at: 12), to: &header)
            let packet = input.window.next(at: recordHeaderLength, count: length &- countedHeader)
            guard PacketType.isWhole(header.kind, packet) || header.foreignType == note && isText(packet)
            else { continue }
            return Recognized(CaptureInfo(name: input.file, format: name), PacketLogger(order: order))
        }
        return nil
    }

    private static func recognize(
        _ input: inout RecordInput, unknownTypes: Int, firstIsWhole: Bool
    ) -> Recognized? {
        guard input.window.holds(recordHeaderLength) else { return nil }
        for order in [OctetOrder.mostSignificantFirst, .leastSignificantFirst]
        where isPlausible(&input.window, order, unknownTypes: unknownTypes, firstIsWhole: firstIsWhole) {
            return Recognized(CaptureInfo(name: input.file, format: name), PacketLogger(order: order))
        }
        return nil
    }

    /// Whether the first records that have arrived have plausible lengths and times, at least one known type
    /// and at most `unknownTypes` unknown ones.
    private static func isPlausible(
        _ window: inout InputWindow, _ order: OctetOrder, unknownTypes: Int, firstIsWhole: Bool
    ) -> Bool {
        var place = 0
        var unknown = 0
        for index in 0..<recordsToRecognize {
            if index > 0 && unknown == index { _ = window.holds(place &+ recordHeaderLength) }
            if index > 0 && window.available < place &+ recordHeaderLength { return unknown < index }
            let length = Int(window.u32(at: place, order))
            guard length >= countedHeader, length < longestRecord,
                window.u32(at: place &+ 8, order) < 1_000_000
            else { return false }
            if !isKnown(window.u8(at: place &+ 12)) { unknown &+= 1 }
            if unknown > unknownTypes { return false }
            place &+= 4 &+ length
            if index == 0, !window.holds(place), firstIsWhole { return false }
        }
        return true
    }

    private static func isText(_ note: RawSpan) -> Bool {
        guard note.byteCount >= 4 else { return false }
        for place in 0..<note.byteCount {
            let octet = note.octet(at: place) ?? 0
            let isShown = (0x20...0x7E).contains(octet) || octet == 0x09 || octet == 0x0A
            // A zero may terminate it.
            guard isShown || octet == 0 && place == note.byteCount - 1 else { return false }
        }
        return true
    }

    private static func isKnown(_ type: UInt8) -> Bool {
        type <= 0x03 || (0x08...0x0D).contains(type) || (0x12...0x13).contains(type)
            || (0xF7...0xFE).contains(type)
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int {
        4 &+ max(Int(window.u32(at: 0, order)), Self.countedHeader)
    }

    func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(Self.recordHeaderLength) else { return false }
        let length = Int(input.window.u32(at: 0, order))
        guard length >= Self.countedHeader, length <= Self.longestRecord else {
            throw input.failure(.damaged("impossible record length \(length)"))
        }
        let seconds = Int64(input.window.u32(at: 4, order))
        let microseconds = Int64(input.window.u32(at: 8, order))
        let included = length &- Self.countedHeader
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(microseconds: seconds &* 1_000_000 &+ microseconds), adapter: 0,
            kind: .note, direction: .unknown,
            faults: microseconds >= 1_000_000 ? .timeFraction : [],
            originalLength: included, capturedLength: included)
        Self.apply(input.window.u8(at: 12), to: &header)
        try input.require(4 &+ length)
        input.deliver(header, after: Self.recordHeaderLength, consuming: 4 &+ length)
        return true
    }

    /// Sets kind and direction by the type of a record. A record that is not an HCI packet is a note of its
    /// type, including types whose meaning is disputed (some programs read 0x0A and 0x0B as LMP, others as
    /// vendor diagnostics).
    private static func apply(_ type: UInt8, to header: inout RecordHeader) {
        header.foreignType = UInt16(type)
        switch type {
        case 0x00: (header.kind, header.direction) = (.command, .hostToController)
        case 0x01: (header.kind, header.direction) = (.event, .controllerToHost)
        case 0x02: (header.kind, header.direction) = (.acl, .hostToController)
        case 0x03: (header.kind, header.direction) = (.acl, .controllerToHost)
        case 0x08: (header.kind, header.direction) = (.sco, .hostToController)
        case 0x09: (header.kind, header.direction) = (.sco, .controllerToHost)
        case 0x0C, 0x12: (header.kind, header.direction) = (.iso, .hostToController)
        case 0x0D, 0x13: (header.kind, header.direction) = (.iso, .controllerToHost)
        default: (header.kind, header.direction) = (.note, .unknown)
        }
    }
}
