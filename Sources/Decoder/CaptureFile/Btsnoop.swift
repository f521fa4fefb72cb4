import WireBytes

/// The btsnoop format, version 1: all integers most significant octet first.
enum Btsnoop {
    /// What the payloads of a file are.
    enum Datalink: UInt32 {
        /// HCI packets without a packet type; the flags say which.
        case h1 = 1001
        /// HCI packets after a packet type octet.
        case h4 = 1002
        /// Records of the Linux monitor channel; the flags hold adapter and opcode.
        case monitor = 2001
    }

    static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0]
    static let fileHeaderLength = 16
    static let recordHeaderLength = 24
    /// What must be taken from a record's time to have microseconds since the Unix epoch.
    static let epochMicroseconds: Int64 = 0x00DC_DDB3_0F2F_8000
    /// No recorder writes a longer record: 64 KiB and the headers around it.
    static let longestRecord = 128 << 10
}

extension Btsnoop {
    /// The format where the input starts as btsnoop does; nil where it does not.
    static func recognize(
        _ window: inout InputWindow, name: String
    ) throws(CaptureFileError) -> (CaptureInfo, RecordFormat)? {
        guard window.holds(fileHeaderLength) else { return nil }
        guard let (version, code) = versionAndDatalink(window.next(fileHeaderLength)) else { return nil }
        guard version == 1 else {
            throw CaptureFileError(.unsupportedDatalink("btsnoop version \(version); 1 is known"), file: name)
        }
        guard let datalink = Datalink(rawValue: code) else {
            throw CaptureFileError(.unsupportedDatalink(nameOfUnsupported(code)), file: name, fileOffset: 12)
        }
        window.consume(fileHeaderLength)
        return (CaptureInfo(name: name, format: .btsnoop, datalink: code), .btsnoop(datalink))
    }

    private static func versionAndDatalink(_ span: RawSpan) -> (version: UInt32, datalink: UInt32)? {
        var header = ByteReader(span)
        guard let start = try? header.take(8), magic.withReader({ $0.takeRest().elementsEqual(start) }),
            let version = try? header.u32be(), let code = try? header.u32be()
        else { return nil }
        return (version, code)
    }

    static func nameOfUnsupported(_ code: UInt32) -> String {
        let name =
            switch code {
            case 1003: " (BCSP)"
            case 1004: " (H5, three-wire UART)"
            case 2002: " (BlueZ simulator)"
            default: ""
            }
        return
            "btsnoop datalink \(code)\(name) is not supported; 1001 (H1), 1002 (H4), 2001 (Linux monitor) are"
    }

    /// The next record; nil at a clean end.
    @_lifetime(&window)
    static func next(
        _ window: inout InputWindow, _ datalink: Datalink, number: Int, file: String
    ) throws(CaptureFileError) -> Record? {
        let offset = window.offset
        guard window.holds(recordHeaderLength) else {
            if window.available == 0 { return nil }
            throw CaptureFileError(.truncated, file: file, fileOffset: offset, record: number)
        }
        let (original, included, flags, drops, time) = fields(window.next(recordHeaderLength))
        guard included <= longestRecord else {
            throw CaptureFileError(
                .damaged("a record of \(included) octets can't be"), file: file, fileOffset: offset,
                record: number)
        }
        guard window.holds(recordHeaderLength &+ Int(included)) else {
            throw CaptureFileError(.truncated, file: file, fileOffset: offset, record: number)
        }
        var header = RecordHeader(
            number: number, fileOffset: offset,
            time: CaptureTime(nanoseconds: (time &- epochMicroseconds) &* 1000), adapter: 0, kind: .unknown,
            direction: flags & 1 == 0 ? .hostToController : .controllerToHost,
            originalLength: Int(original), capturedLength: Int(included), cumulativeDrops: drops)
        var typeOctets = 0
        switch datalink {
        case .h1: header.kind = flags & 2 == 0 ? .acl : flags & 1 == 0 ? .command : .event
        case .h4: typeOctets = PacketType.apply(window.next(recordHeaderLength, 1), to: &header)
        case .monitor: MonitorOpcode.apply(UInt16(truncatingIfNeeded: flags), to: &header)
        }
        if datalink == .monitor { header.adapter = UInt16(truncatingIfNeeded: flags >> 16) }
        let octets = window.take(after: recordHeaderLength + typeOctets, Int(included) - typeOctets)
        return Record(header, octets)
    }

    private static func fields(_ span: RawSpan) -> (UInt32, UInt32, UInt32, UInt32, Int64) {
        var reader = ByteReader(span)
        guard let original = try? reader.u32be(), let included = try? reader.u32be(),
            let flags = try? reader.u32be(), let drops = try? reader.u32be(), let time = try? reader.u64be()
        else { return (0, 0, 0, 0, 0) }
        return (original, included, flags, drops, Int64(bitPattern: time))
    }
}

/// The packet type octet of the UART transport (Core Specification, Vol 4, Part A, 2).
enum PacketType {
    /// Sets kind and lengths from the packet type octet before a packet; how many octets it took.
    static func apply(_ octets: RawSpan, to header: inout RecordHeader) -> Int {
        guard header.capturedLength > 0, let type = octets.octet(at: 0) else {
            header.kind = .unknown
            return 0
        }
        switch type {
        case 1: (header.kind, header.direction) = (.command, .hostToController)
        case 2: header.kind = .acl
        case 3: header.kind = .sco
        case 4: (header.kind, header.direction) = (.event, .controllerToHost)
        case 5: header.kind = .iso
        default:
            header.kind = .unknown
            header.foreignType = UInt16(type)
            return 0
        }
        header.capturedLength &-= 1
        header.originalLength = max(header.originalLength &- 1, header.capturedLength)
        return 1
    }
}

/// The opcodes of the Linux monitor channel that carry HCI packets.
enum MonitorOpcode {
    static func apply(_ opcode: UInt16, to header: inout RecordHeader) {
        header.foreignType = opcode
        switch opcode {
        case 2: (header.kind, header.direction) = (.command, .hostToController)
        case 3: (header.kind, header.direction) = (.event, .controllerToHost)
        case 4: (header.kind, header.direction) = (.acl, .hostToController)
        case 5: (header.kind, header.direction) = (.acl, .controllerToHost)
        case 6: (header.kind, header.direction) = (.sco, .hostToController)
        case 7: (header.kind, header.direction) = (.sco, .controllerToHost)
        case 18: (header.kind, header.direction) = (.iso, .hostToController)
        case 19: (header.kind, header.direction) = (.iso, .controllerToHost)
        default: (header.kind, header.direction) = (.monitor, .unknown)
        }
    }
}
