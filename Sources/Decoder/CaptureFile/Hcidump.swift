/// The dump format of hcidump: records without a file header, least significant octet first.
enum Hcidump {
    /// Length, direction, an unused octet, seconds and microseconds.
    static let recordHeaderLength = 12
    static let recordsToRecognize = 5
}

extension Hcidump {
    /// The format where the input looks like its records; nil where it does not.
    static func recognize(_ input: inout RecordInput) -> Recognized? {
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
            if index == 0 && !input.window.holds(place) && input.window.u8(3) != 0 { return nil }
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
