/// The dump format of hcidump: records without a file header; little-endian.
struct Hcidump: CaptureFormat {
    static let name = CaptureInfo.Format.hcidump
    /// Length, direction, an unused byte, seconds and microseconds.
    static let recordHeaderLength = 12
    static let recordsToRecognize = 5

    static func recognize(_ input: inout RecordInput, by evidence: FormatEvidence) -> Recognized? {
        switch evidence {
        case .wholeRecords: recognize(&input, firstIsWhole: true)
        case .records: recognize(&input, firstIsWhole: false)
        case .firstRecord: recognizeFirst(&input)
        case .magic, .unknownRecords, .text: nil
        }
    }

    /// Recognizes the format if the first record is a whole HCI packet, whatever follows.
    private static func recognizeFirst(_ input: inout RecordInput) -> Recognized? {
        guard input.window.holds(recordHeaderLength &+ 1) else { return nil }
        let length = Int(input.window.u16(at: 0, .leastSignificantFirst))
        guard length >= 1, input.window.u8(at: 2) <= 1, input.window.holds(recordHeaderLength &+ length),
            input.window.u32(at: 8, .leastSignificantFirst) < 1_000_000
        else { return nil }
        var header = RecordHeader(
            number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
            direction: .unknown, originalLength: length, capturedLength: length)
        let taken = PacketType.apply(input.window.next(at: recordHeaderLength, count: 1), to: &header)
        let packet = input.window.next(at: recordHeaderLength &+ taken, count: length &- taken)
        guard PacketType.isWhole(header.kind, packet) else { return nil }
        return Recognized(CaptureInfo(name: input.file, format: name), Hcidump())
    }

    /// Recognizes the format if the input looks like its records; else returns nil.
    ///
    /// - Parameter firstIsWhole: whether the input must hold the first record to its end.
    private static func recognize(_ input: inout RecordInput, firstIsWhole: Bool) -> Recognized? {
        var place = 0
        for index in 0..<recordsToRecognize {
            let needed = place &+ recordHeaderLength &+ 1
            if index > 0 && input.window.available < needed { break }
            guard input.window.holds(needed) else { return nil }
            let length = Int(input.window.u16(at: place, .leastSignificantFirst))
            guard length >= 1, input.window.u8(at: place &+ 2) <= 1,
                input.window.u32(at: place &+ 8, .leastSignificantFirst) < 1_000_000,
                (1...5).contains(input.window.u8(at: place &+ recordHeaderLength))
            else { return nil }
            place = place &+ recordHeaderLength &+ length
            if index == 0 && !input.window.holds(place) && (firstIsWhole || input.window.u8(at: 3) != 0) {
                return nil
            }
        }
        return Recognized(CaptureInfo(name: input.file, format: name), Hcidump())
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int {
        Self.recordHeaderLength &+ Int(window.u16(at: 0, .leastSignificantFirst))
    }

    func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(Self.recordHeaderLength) else { return false }
        let included = Int(input.window.u16(at: 0, .leastSignificantFirst))
        let seconds = Int64(input.window.u32(at: 4, .leastSignificantFirst))
        let microseconds = Int64(input.window.u32(at: 8, .leastSignificantFirst))
        if included == 0, seconds == 0, microseconds == 0 { throw input.zeros() }
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(microseconds: seconds &* 1_000_000 &+ microseconds), adapter: 0,
            kind: .unknown,
            direction: input.window.u8(at: 2) & 1 == 1 ? .controllerToHost : .hostToController,
            faults: microseconds >= 1_000_000 ? .timeFraction : [],
            originalLength: included, capturedLength: included)
        try input.require(Self.recordHeaderLength &+ included)
        let taken = PacketType.apply(input.window.next(at: Self.recordHeaderLength, count: 1), to: &header)
        input.deliver(
            header, after: Self.recordHeaderLength &+ taken, consuming: Self.recordHeaderLength &+ included)
        return true
    }
}
