import WireBytes

/// Records of Android's in-memory log, each with the time since the previous record; little-endian.
struct Btsnooz: CaptureFormat {
    static let name = CaptureInfo.Format.btsnooz

    /// The two forms of a record.
    enum Version: UInt8 {
        /// Length, time, type.
        case one = 1
        /// Length, original length of the packet, time, type.
        case two = 2

        var recordHeaderLength: Int { self == .one ? 7 : 9 }
    }

    var version = Version.two
    /// The time of the latest record, in microseconds.
    var microseconds: Int64 = 0

    /// Version and time of the last record, before the compressed records.
    static let preambleLength = 9
    static let recordsToRecognize = 5
    /// Android keeps at most a mebibyte of records; anything longer is not such a log.
    static let longestUnpacked = 4 << 20

    /// Records after decompression.
    struct Unpacked {
        /// Initial state of their reader.
        var snooz: Btsnooz
        var octets: [UInt8]
        /// Reason why the records end early, if they do.
        var ending: CaptureFileError.Cause?

        /// A window over the records; it reads a temporary file if they are long, since many logs are open at
        /// once.
        func window() -> InputWindow {
            if octets.count > InputWindow.capacityOfMany {
                do throws(CaptureFileError) {
                    var file = try SpoolFile(for: "")
                    try file.write(octets)
                    return InputWindow(
                        descriptor: file.rewound(), ending: ending,
                        capacity: InputWindow.capacityOfMany)
                } catch {
                    // If no file can be written, they stay in memory.
                }
            }
            return InputWindow(octets, failure: ending)
        }
    }

    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized? {
        switch evidence {
        case .records: try recognizeRecords(&input)
        case .text: try BugReport.recognize(&input)
        case .magic, .wholeRecords, .unknownRecords, .firstRecord: nil
        }
    }

    /// Recognizes a stream of records, or the preamble followed by compressed records.
    private static func recognizeRecords(
        _ input: inout RecordInput
    ) throws(CaptureFileError) -> Recognized? {
        for version in [Version.two, .one] where isPlausible(&input.window, version) {
            var info = CaptureInfo(name: input.file, format: name)
            info.hasRelativeTime = true
            return Recognized(info, Btsnooz(version: version))
        }
        guard input.window.holds(preambleLength &+ 2),
            Version(rawValue: input.window.u8(at: 0)) != nil,
            ZlibStream.startsHere(input.window.u16(at: preambleLength, .mostSignificantFirst))
        else { return nil }
        var packed: [UInt8] = []
        while packed.count <= longestUnpacked, input.window.holds(1) {
            let some = input.window.available
            packed.append(contentsOf: input.window.next(at: 0, count: some).copied())
            input.window.consume(some)
        }
        return try unpack(packed, &input)
    }

    /// Unpacks the preamble and compressed records, and makes the records the input.
    ///
    /// - Parameter isCut: whether the end of `packed` is missing.
    static func unpack(
        _ packed: [UInt8], isCut: Bool = false, _ input: inout RecordInput
    ) throws(CaptureFileError) -> Recognized? {
        let unpacked: Unpacked
        do throws(CaptureFileError.Cause) {
            guard let found = try unpack(packed, isCut: isCut) else { return nil }
            unpacked = found
        } catch {
            throw input.failure(error)
        }
        input.window =
            input.isWhole ? unpacked.window() : InputWindow(unpacked.octets, failure: unpacked.ending)
        input.tally = ReaderTally()
        return Recognized(CaptureInfo(name: input.file, format: name), unpacked.snooz)
    }

    /// Unpacks the preamble and compressed records; returns nil if the input is invalid.
    ///
    /// - Parameter isCut: whether the end of `packed` is missing.
    static func unpack(_ packed: [UInt8], isCut: Bool) throws(CaptureFileError.Cause) -> Unpacked? {
        guard packed.count > preambleLength, let version = Version(rawValue: packed[0]) else { return nil }
        var last: UInt64 = 0
        for index in 0..<8 { last |= UInt64(packed[1 + index]) &<< UInt64(8 &* index) }
        guard let unpacked = ZlibStream.inflate(packed[preambleLength...], atMost: longestUnpacked) else {
            throw .archive("the btsnooz records can't be unpacked")
        }
        var ending: CaptureFileError.Cause?
        if max(unpacked.octets.count, packed.count) > longestUnpacked {
            ending = .archive(
                "more than \(longestUnpacked >> 20) MiB of btsnooz records: the rest is not read")
        } else if isCut || !unpacked.isComplete {
            ending = .truncated
        }
        var snooz = Btsnooz(version: version)
        snooz.microseconds =
            Int64(truncatingIfNeeded: last) &- snooz.sumOfTimes(InputWindow(unpacked.octets))
        return Unpacked(snooz: snooz, octets: unpacked.octets, ending: ending)
    }

    /// The microseconds from the first record's predecessor to the last record.
    private func sumOfTimes(_ window: borrowing InputWindow) -> Int64 {
        var sum: Int64 = 0
        var place = 0
        let headerLength = version.recordHeaderLength
        while place &+ headerLength <= window.available {
            let length = Int(window.u16(at: place, .leastSignificantFirst))
            sum &+= Int64(window.u32(at: place &+ headerLength &- 5, .leastSignificantFirst))
            place &+= headerLength &+ max(length, 1) &- 1
        }
        return sum
    }

    /// Whether the first records that have arrived are valid in this version.
    static func isPlausible(_ window: inout InputWindow, _ version: Version) -> Bool {
        let headerLength = version.recordHeaderLength
        var place = 0
        for index in 0..<recordsToRecognize {
            guard window.holds(place &+ headerLength) else { return index > 1 && window.available == place }
            let length = Int(window.u16(at: place, .leastSignificantFirst))
            guard length >= 1, kind(of: window.u8(at: place &+ headerLength &- 1)) != nil else {
                return false
            }
            if version == .two {
                guard Int(window.u16(at: place &+ 2, .leastSignificantFirst)) >= length else { return false }
            }
            place &+= headerLength &+ length &- 1
        }
        return true
    }

    private static func kind(of type: UInt8) -> (RecordKind, Direction)? {
        switch type {
        case 0x10: (.event, .controllerToHost)
        case 0x11: (.acl, .controllerToHost)
        case 0x12: (.sco, .controllerToHost)
        case 0x17: (.iso, .controllerToHost)
        case 0x20: (.command, .hostToController)
        case 0x21: (.acl, .hostToController)
        case 0x22: (.sco, .hostToController)
        case 0x2D: (.iso, .hostToController)
        default: nil
        }
    }

    /// The length in the packet's own header; nil if the header is missing.
    private static func ownLength(
        _ kind: RecordKind, _ window: borrowing InputWindow, at place: Int, included: Int
    ) -> Int? {
        switch kind {
        case .command where included >= 3: 3 &+ Int(window.u8(at: place &+ 2))
        case .event where included >= 2: 2 &+ Int(window.u8(at: place &+ 1))
        case .acl where included >= 4: 4 &+ Int(window.u16(at: place &+ 2, .leastSignificantFirst))
        case .sco where included >= 3: 3 &+ Int(window.u8(at: place &+ 2))
        default: nil
        }
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int { Int.max }

    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        let headerLength = version.recordHeaderLength
        guard try input.beginRecord(headerLength) else { return false }
        let length = Int(input.window.u16(at: 0, .leastSignificantFirst))
        guard length >= 1 else { throw input.failure(.damaged("a record without a type")) }
        microseconds &+= Int64(input.window.u32(at: headerLength &- 5, .leastSignificantFirst))
        let type = input.window.u8(at: headerLength &- 1)
        let included = length &- 1
        let (kind, direction) = Self.kind(of: type) ?? (.unknown, .unknown)
        var sent = version == .two ? Int(input.window.u16(at: 2, .leastSignificantFirst)) &- 1 : included
        if sent > included, input.window.holds(headerLength &+ included),
            let own = Self.ownLength(kind, input.window, at: headerLength, included: included)
        {
            // Some recorders count the packet type twice; the packet's own header is right then.
            if own >= included && own < sent { sent = own }
        }
        let header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(microseconds: microseconds), adapter: 0, kind: kind,
            direction: direction, foreignType: kind == .unknown ? UInt16(type) : 0,
            faults: sent < included ? .originalLength : [],
            originalLength: max(sent, included), capturedLength: included)
        try input.require(headerLength &+ included)
        input.deliver(header, after: headerLength, consuming: headerLength &+ included)
        return true
    }
}
