/// The dump format of hcidump: records without a file header, least significant octet first.
enum Hcidump {
    /// Length, direction, an unused octet, seconds and microseconds.
    static let recordHeaderLength = 12
    static let recordsToRecognize = 5
}

extension Hcidump {
    /// The format where the first record is a whole HCI packet, whatever follows.
    static func recognizeFirst(_ input: inout RecordInput) -> Recognized? {
        guard input.window.holds(recordHeaderLength &+ 1) else { return nil }
        let length = Int(input.window.u16(0, .leastSignificantFirst))
        guard length >= 1, input.window.u8(2) <= 1, input.window.holds(recordHeaderLength &+ length),
            input.window.u32(8, .leastSignificantFirst) < 1_000_000
        else { return nil }
        var header = RecordHeader(
            number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
            direction: .unknown, originalLength: length, capturedLength: length)
        let taken = PacketType.apply(input.window.next(recordHeaderLength, 1), to: &header)
        let packet = input.window.next(recordHeaderLength &+ taken, length &- taken)
        guard PacketType.isWhole(header.kind, packet) else { return nil }
        return Recognized(CaptureInfo(name: input.file, format: .hcidump), .hcidump)
    }

    /// The format where the input looks like its records; nil where it does not.
    ///
    /// - Parameter firstIsWhole: whether the input must hold the first record to its end.
    static func recognize(_ input: inout RecordInput, firstIsWhole: Bool) -> Recognized? {
        var place = 0
        for index in 0..<recordsToRecognize {
            let needed = place &+ recordHeaderLength &+ 1
            if index > 0 && input.window.available < needed { break }
            guard input.window.holds(needed) else { return nil }
            let length = Int(input.window.u16(place, .leastSignificantFirst))
            guard length >= 1, input.window.u8(place &+ 2) <= 1,
                input.window.u32(place &+ 8, .leastSignificantFirst) < 1_000_000,
                (1...5).contains(input.window.u8(place &+ recordHeaderLength))
            else { return nil }
            place = place &+ recordHeaderLength &+ length
            if index == 0 && !input.window.holds(place) && (firstIsWhole || input.window.u8(3) != 0) {
                return nil
            }
        }
        return Recognized(CaptureInfo(name: input.file, format: .hcidump), .hcidump)
    }

    /// Takes the next record; false at a clean end.
    static func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(recordHeaderLength) else { return false }
        let included = Int(input.window.u16(0, .leastSignificantFirst))
        let seconds = Int64(input.window.u32(4, .leastSignificantFirst))
        let microseconds = Int64(input.window.u32(8, .leastSignificantFirst))
        if included == 0, seconds == 0, microseconds == 0 { throw input.zeros() }
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(microseconds: seconds &* 1_000_000 &+ microseconds), adapter: 0,
            kind: .unknown,
            direction: input.window.u8(2) & 1 == 1 ? .controllerToHost : .hostToController,
            faults: microseconds >= 1_000_000 ? .timeFraction : [],
            originalLength: included, capturedLength: included)
        try input.require(recordHeaderLength &+ included)
        let taken = PacketType.apply(input.window.next(recordHeaderLength, 1), to: &header)
        input.deliver(
            header, after: recordHeaderLength &+ taken, consuming: recordHeaderLength &+ included)
        return true
    }
}
