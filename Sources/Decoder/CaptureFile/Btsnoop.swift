/// The btsnoop format, version 1; all integers are big-endian.
struct Btsnoop: CaptureFormat {
    let datalink: Datalink

    static let name = CaptureInfo.Format.btsnoop
    /// Content of the records' payloads.
    enum Datalink: UInt32 {
        /// HCI packets without a packet type; the flags give the type.
        case h1 = 1001
        /// HCI packets after a packet type byte.
        case h4 = 1002
        /// Records of the Linux monitor channel; the flags hold adapter and opcode.
        case monitor = 2001
    }

    /// "btsnoop" and a zero byte.
    static let magic: UInt64 = 0x6274_736E_6F6F_7000
    static let fileHeaderLength = 16
    static let recordHeaderLength = 24
    /// Offset to subtract from a record's time to get microseconds since the Unix epoch.
    static let epochMicroseconds: Int64 = 0x00DC_DDB3_0F2F_8000
    /// Upper limit of a plausible record length: recorders write at most 64 KiB and the headers around it.
    static let longestRecord = 128 << 10

    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized? {
        guard evidence == .magic, input.window.holds(fileHeaderLength) else { return nil }
        guard input.window.u64(at: 0, .mostSignificantFirst) == magic else { return nil }
        let (version, code) = (
            input.window.u32(at: 8, .mostSignificantFirst), input.window.u32(at: 12, .mostSignificantFirst)
        )
        guard version == 1 else {
            throw input.failure(.unsupportedDatalink("btsnoop version \(version) is not supported"), ahead: 8)
        }
        guard let datalink = Datalink(rawValue: code) else {
            throw input.failure(.unsupportedDatalink(nameOfUnsupported(code)), ahead: 12)
        }
        input.consumeFileHeader(fileHeaderLength)
        // Some programs write Android's in-memory records unchanged after a btsnoop header.
        let hasRecord = input.window.holds(recordHeaderLength)
        let isTooLong = input.window.u32(at: 4, .mostSignificantFirst) > UInt32(longestRecord)
        if hasRecord, isTooLong, let snooz = try Btsnooz.recognize(&input, by: .records) { return snooz }
        let info = CaptureInfo(name: input.file, format: name, datalink: code)
        return Recognized(info, Btsnoop(datalink: datalink))
    }

    static func nameOfUnsupported(_ code: UInt32) -> String {
        let name =
            switch code {
            case 1003: " (BCSP)"
            case 1004: " (H5, three-wire UART)"
            case 2002: " (BlueZ simulator)"
            default: ""
            }
        let text =
            "btsnoop datalink \(code)\(name) is not supported; 1001 (H1), 1002 (H4), 2001 (Linux monitor) are"
        return isLeftOfText(code) ? "\(text); \(TransferDamage.loss)" : text
    }

    /// Whether a datalink is 1001, 1002 or 2001 damaged by a program that took the file for text: it dropped
    /// byte 0xE9, 0xEA or 0xD1, or replaced it with zero, a question mark or U+FFFD.
    private static func isLeftOfText(_ code: UInt32) -> Bool {
        [0x0300, 0x033F, 0x03EF, 0x0700, 0x073F, 0x07EF].contains(code)
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int {
        Self.recordHeaderLength &+ Int(window.u32(at: 4, .mostSignificantFirst))
    }

    func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        guard try input.beginRecord(Self.recordHeaderLength) else { return false }
        // Original and included length; flags and cumulative drops: two fields at a time.
        let (lengths, marks, stamp) = input.window.u64s(at: 0, .mostSignificantFirst)
        let included = Int(UInt32(truncatingIfNeeded: lengths))
        let original = Int(lengths &>> 32)
        let flags = UInt32(truncatingIfNeeded: marks &>> 32)
        let time = Int64(bitPattern: stamp)
        if time == 0, lengths | marks == 0 {
            throw input.zeros()
        }
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset,
            time: CaptureTime(microseconds: time &- Self.epochMicroseconds), adapter: 0, kind: .unknown,
            direction: flags & 1 == 0 ? .hostToController : .controllerToHost,
            faults: original < included ? .originalLength : [],
            originalLength: max(original, included), capturedLength: included,
            cumulativeDrops: UInt32(truncatingIfNeeded: marks))
        guard included <= Self.longestRecord else {
            throw input.failure(.damaged("impossible record length \(included)"))
        }
        try input.require(Self.recordHeaderLength &+ included)
        var prefix = Self.recordHeaderLength
        switch datalink {
        case .h1: header.kind = flags & 2 == 0 ? .acl : flags & 1 == 0 ? .command : .event
        case .h4:
            prefix &+= PacketType.apply(input.window.next(at: Self.recordHeaderLength, count: 1), to: &header)
        case .monitor:
            MonitorOpcode.apply(UInt16(truncatingIfNeeded: flags), to: &header)
            header.adapter = UInt16(truncatingIfNeeded: flags >> 16)
        }
        input.deliver(header, after: prefix, consuming: Self.recordHeaderLength &+ included)
        return true
    }
}
