import WireBytes

/// Encodes records in one file format.
struct RecordEncoder {
    private let format: CaptureWriter.Format
    private let nanoseconds: Bool
    /// Drops counted so far, by the record's file index, which identifies its log.
    private var drops: [UInt32] = [0]
    /// The first log's drop count when this file began.
    private var dropsBefore: UInt32 = 0
    /// Interfaces described so far in the section, in pcapng.
    private var interfaces = 0
    /// Seconds that the section's interfaces add to their times.
    private var offsetSeconds: Int64 = 0
    private var adapters = InterfaceNumbers()
    /// Whether there were more adapters than interfaces, so that some packets are written to another
    /// adapter's interface.
    private(set) var hasMixedAdapters = false

    init(_ format: CaptureWriter.Format, nanoseconds: Bool) {
        self.format = format
        switch format {
        case .pcap, .pcapMonitor, .pcapng, .pcapngMonitor, .pcapAir, .pcapngAir:
            self.nanoseconds = nanoseconds
        case .btsnoop, .monitor, .packetLogger: self.nanoseconds = false
        }
    }

    /// The layout of an encoded record: the data between its header and its bytes, and the header's fields.
    struct Shape {
        /// The opcode, direction or type of the record in the format.
        var code: UInt32 = 0
        /// The packet type byte; nil if none is written.
        var packetType: UInt8?
        /// Bytes of the packet besides those of the record.
        var extra = 0
        /// Bytes of the record to write; some formats drop a note's terminating zero.
        var length: Int
        /// Whether a zero follows the bytes.
        var endsWithZero = false
    }

    mutating func begin(
        _ output: inout RecordOutput, _ comments: [String], _ loss: inout ConversionLoss
    ) throws(CaptureFileError) {
        if !format.isPcapng { loss.comments &+= comments.count }
        try output.reserve(24)
        switch format {
        case .btsnoop, .monitor:
            output.put(Btsnoop.magic, .mostSignificantFirst)
            output.put(UInt32(1), .mostSignificantFirst)
            let datalink: Btsnoop.Datalink = format == .monitor ? .monitor : .h4
            output.put(datalink.rawValue, .mostSignificantFirst)
        case .pcap, .pcapMonitor, .pcapAir:
            output.put(UInt32(nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4), .leastSignificantFirst)
            output.put(UInt32(0x0004_0002), .leastSignificantFirst)
            output.put(UInt64(0), .leastSignificantFirst)
            output.put(UInt32(Pcap.longestRecord), .leastSignificantFirst)
            output.put(UInt32(linkType.rawValue), .leastSignificantFirst)
        case .pcapng, .pcapngMonitor, .pcapngAir:
            try PcapngBlocks.section(&output, comments)
            try describeInterfaces(upTo: 0, &output)
        case .packetLogger: break
        }
    }

    /// Writes the statistics of the first interface, if the format can hold them.
    func statistics(
        received: Int, lost: Int, _ span: ClosedRange<CaptureTime>, _ output: inout RecordOutput
    ) throws(CaptureFileError) {
        guard format.isPcapng else { return }
        try PcapngBlocks.statistics(
            &output, received: UInt64(received), lost: UInt64(lost),
            ticks(span.lowerBound)...ticks(span.upperBound))
    }

    /// Counts drops up to `count` as written already.
    mutating func begin(afterDrops count: UInt32) {
        drops = [count]
        dropsBefore = count
    }

    private var linkType: LinkType {
        format.holdsAir ? .airWithRadio : format.holdsMonitor ? .monitor : .h4WithDirection
    }

    /// Length of the data that pcap puts before a packet besides its type, in bytes.
    private var linkHeaderLength: Int { format.holdsAir ? AirHeader.radioLength : 4 }

    /// Writes one record; returns false if the format can't hold it.
    mutating func encode(
        _ record: borrowing Record, _ comment: RawSpan, _ output: inout RecordOutput,
        _ loss: inout ConversionLoss
    ) throws(CaptureFileError) -> Bool {
        let header = record.header
        guard let shape = shape(record, &loss) else { return false }
        if header.direction == .unknown && header.isHCIPacket { loss.directions &+= 1 }
        switch format {
        case .btsnoop, .monitor: try btsnoop(record, shape, &output, &loss)
        case .pcap, .pcapMonitor, .pcapAir: try pcap(record, shape, &output, &loss)
        case .pcapng, .pcapngMonitor, .pcapngAir:
            try pcapng(record, shape, comment, &output, &loss)
            return true
        case .packetLogger: try packetLogger(record, shape, &output, &loss)
        }
        record.forEachComment { _ in loss.comments &+= 1 }
        if comment.byteCount > 0 { loss.comments &+= 1 }
        return true
    }
}

// Layout of a record in each format
extension RecordEncoder {
    private func shape(_ record: borrowing Record, _ loss: inout ConversionLoss) -> Shape? {
        switch format {
        case .btsnoop, .pcap, .pcapng: packetShape(record.header, &loss)
        case .monitor, .pcapMonitor, .pcapngMonitor: monitorShape(record, &loss)
        case .packetLogger: packetLoggerShape(record, &loss)
        case .pcapAir, .pcapngAir: airShape(record.header, &loss)
        }
    }

    /// Layout of an HCI packet after its packet type; a packet of unknown type has no type byte.
    private func packetShape(_ header: RecordHeader, _ loss: inout ConversionLoss) -> Shape? {
        let isReceived = header.direction == .controllerToHost
        var shape = Shape(length: header.capturedLength)
        switch header.kind {
        case .command: shape.packetType = 1
        case .acl: shape.packetType = 2
        case .sco: shape.packetType = 3
        case .event: shape.packetType = 4
        case .iso: shape.packetType = 5
        case .unknown: break
        case .air, .monitor, .note: return loss.count(header.kind)
        }
        if format != .pcapng && header.adapter != 0 { loss.adapters &+= 1 }
        shape.extra = shape.packetType == nil ? 0 : 1
        shape.code = isReceived ? 1 : 0
        if format == .btsnoop && (header.kind == .command || header.kind == .event) { shape.code |= 2 }
        return shape
    }

    /// Layout of a monitor channel record; a recorder's note becomes a system note.
    private func monitorShape(_ record: borrowing Record, _ loss: inout ConversionLoss) -> Shape? {
        let header = record.header
        let received: UInt16 = header.direction == .controllerToHost ? 1 : 0
        var shape = Shape(length: header.capturedLength)
        let opcode: UInt16
        switch header.kind {
        case .command: opcode = 2
        case .event: opcode = 3
        case .acl: opcode = 4 + received
        case .sco: opcode = 6 + received
        case .iso: opcode = 18 + received
        case .monitor: opcode = header.foreignType
        case .note:
            guard header.foreignType == PacketLogger.note else { return loss.count(header.kind) }
            shape.code = 0xFFFF_0000 | UInt32(MonitorOpcode.systemNote)
            shape.endsWithZero = true
            shape.extra = 1
            return shape
        case .unknown, .air: return loss.count(header.kind)
        }
        shape.code = UInt32(header.adapter) &<< 16 | UInt32(opcode)
        return shape
    }

    /// Layout of a packet from the air; other records have none.
    private func airShape(_ header: RecordHeader, _ loss: inout ConversionLoss) -> Shape? {
        guard header.kind == .air else { return loss.count(header.kind) }
        if header.adapter != 0 { loss.adapters &+= 1 }
        return Shape(length: header.capturedLength)
    }

    private func packetLoggerShape(_ record: borrowing Record, _ loss: inout ConversionLoss) -> Shape? {
        let header = record.header
        let isReceived = header.direction == .controllerToHost
        var shape = Shape(length: header.capturedLength)
        switch header.kind {
        case .command: shape.code = 0
        case .event: shape.code = 1
        case .acl: shape.code = isReceived ? 3 : 2
        case .sco: shape.code = isReceived ? 9 : 8
        case .iso: shape.code = isReceived ? 0x13 : 0x12
        case .note: shape.code = UInt32(header.foreignType & 0xFF)
        case .monitor:
            guard header.foreignType == MonitorOpcode.systemNote else { return loss.count(header.kind) }
            shape.code = UInt32(PacketLogger.note)
            if record.octets.octet(at: shape.length - 1) == 0 { shape.length -= 1 }
        case .unknown, .air: return loss.count(header.kind)
        }
        if header.adapter != 0 && header.kind != .monitor { loss.adapters &+= 1 }
        if header.isTruncated { loss.originalLengths &+= 1 }
        return shape
    }
}

extension ConversionLoss {
    /// Counts a record of which the format can't hold this kind.
    fileprivate mutating func count(_ kind: RecordKind) -> RecordEncoder.Shape? {
        if kind == .note || kind == .monitor { notes &+= 1 } else { unknownPackets &+= 1 }
        return nil
    }
}

// The formats
extension RecordEncoder {
    private mutating func btsnoop(
        _ record: borrowing Record, _ shape: Shape, _ output: inout RecordOutput,
        _ loss: inout ConversionLoss
    ) throws(CaptureFileError) {
        let header = record.header
        let included = shape.length &+ shape.extra
        try output.reserve(Btsnoop.recordHeaderLength &+ included)
        output.put(UInt32(clamping: header.originalLength &+ shape.extra), .mostSignificantFirst)
        output.put(UInt32(clamping: included), .mostSignificantFirst)
        output.put(shape.code, .mostSignificantFirst)
        _ = newDrops(header)
        output.put(allDrops(header), .mostSignificantFirst)
        let (microseconds, rest) = header.time.nanoseconds.quotientAndRemainder(dividingBy: 1000)
        if rest != 0 { loss.times &+= 1 }
        output.put(microseconds &+ Btsnoop.epochMicroseconds, .mostSignificantFirst)
        if let type = shape.packetType { output.put(type, .mostSignificantFirst) }
        put(record.octets, shape, &output)
    }

    /// Writes the bytes of the record, and the zero after a note.
    private func put(_ octets: RawSpan, _ shape: Shape, _ output: inout RecordOutput) {
        output.put(octets.clamped(0..<shape.length))
        if shape.endsWithZero { output.put(UInt8(0), .mostSignificantFirst) }
    }

    /// Writes the header before the bytes in link types 201, 254 and 256.
    private func putLinkHeader(
        _ record: borrowing Record, _ shape: Shape, _ output: inout RecordOutput
    ) {
        guard !format.holdsAir else {
            for byte in AirHeader.radio(record.header, record.octets) {
                output.put(byte, .mostSignificantFirst)
            }
            return
        }
        output.put(shape.code, .mostSignificantFirst)
        if let type = shape.packetType { output.put(type, .mostSignificantFirst) }
    }

    private mutating func pcap(
        _ record: borrowing Record, _ shape: Shape, _ output: inout RecordOutput,
        _ loss: inout ConversionLoss
    ) throws(CaptureFileError) {
        let header = record.header
        let included = linkHeaderLength &+ shape.length &+ shape.extra
        try output.reserve(Pcap.recordHeaderLength &+ included)
        putSeconds(header.time, nanoseconds: nanoseconds, &output, &loss)
        output.put(UInt32(clamping: included), .leastSignificantFirst)
        output.put(
            UInt32(clamping: header.originalLength &+ linkHeaderLength &+ shape.extra), .leastSignificantFirst
        )
        putLinkHeader(record, shape, &output)
        put(record.octets, shape, &output)
        countDrops(header, &loss)
    }

    private mutating func packetLogger(
        _ record: borrowing Record, _ shape: Shape, _ output: inout RecordOutput,
        _ loss: inout ConversionLoss
    ) throws(CaptureFileError) {
        let header = record.header
        try output.reserve(PacketLogger.recordHeaderLength &+ shape.length)
        output.put(UInt32(clamping: PacketLogger.countedHeader &+ shape.length), .leastSignificantFirst)
        putSeconds(header.time, nanoseconds: false, &output, &loss)
        output.put(UInt8(truncatingIfNeeded: shape.code), .leastSignificantFirst)
        put(record.octets, shape, &output)
        countDrops(header, &loss)
    }

    /// Writes seconds and their fraction, each in 32 bits; times before 1970 and after 2106 are clamped.
    private func putSeconds(
        _ time: CaptureTime, nanoseconds: Bool, _ output: inout RecordOutput, _ loss: inout ConversionLoss
    ) {
        var (seconds, fraction) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let isFiner = !nanoseconds && fraction % 1000 != 0
        if isFiner || time.nanoseconds < 0 || seconds > Int64(UInt32.max) { loss.times &+= 1 }
        if time.nanoseconds < 0 { (seconds, fraction) = (0, 0) }
        output.put(UInt32(clamping: seconds), .leastSignificantFirst)
        output.put(UInt32(clamping: nanoseconds ? fraction : fraction / 1000), .leastSignificantFirst)
    }

    /// Counts the packets dropped since the previous record; the format can't hold them.
    private mutating func countDrops(_ header: RecordHeader, _ loss: inout ConversionLoss) {
        loss.drops &+= Int(newDrops(header))
    }

    /// The packets dropped between the previous record of the same file and this one.
    private mutating func newDrops(_ header: RecordHeader) -> UInt32 {
        let file = Int(header.file)
        if file < drops.count, header.cumulativeDrops <= drops[file] { return 0 }
        if header.cumulativeDrops == 0 { return 0 }
        while drops.count <= file { drops.append(0) }
        defer { drops[file] = header.cumulativeDrops }
        return header.cumulativeDrops &- drops[file]
    }

    /// The packets dropped before this one since the written file began, including those of other logs
    /// written into it.
    private func allDrops(_ header: RecordHeader) -> UInt32 {
        if drops.count == 1 && header.file == 0 {
            return header.cumulativeDrops &- min(header.cumulativeDrops, dropsBefore)
        }
        var sum = UInt64(header.cumulativeDrops)
        for (file, count) in drops.enumerated() where file != Int(header.file) { sum &+= UInt64(count) }
        return UInt32(clamping: sum &- min(sum, UInt64(dropsBefore)))
    }

    private mutating func describeInterfaces(
        upTo number: Int, _ output: inout RecordOutput
    ) throws(CaptureFileError) {
        while interfaces <= number {
            try PcapngBlocks.interface(
                &output, linkType, nanoseconds: nanoseconds, offsetSeconds: offsetSeconds)
            interfaces &+= 1
        }
    }

    /// Begins a section whose time range includes a time before 1970, unless the current one does. The range
    /// goes back twice as far, so that times that run backwards need few sections.
    private mutating func beginSection(
        reaching time: CaptureTime, _ output: inout RecordOutput
    ) throws(CaptureFileError) {
        let seconds = time.nanoseconds / 1_000_000_000 - 1
        guard seconds < offsetSeconds else { return }
        offsetSeconds = max(2 * seconds, Int64.min / 1_000_000_000 - 1)
        interfaces = 0
        try PcapngBlocks.section(&output, [])
        try describeInterfaces(upTo: 0, &output)
    }

    /// The time in ticks since the section's offset.
    private func ticks(_ time: CaptureTime) -> UInt64 {
        if offsetSeconds == 0 { return UInt64(max(time.nanoseconds, 0)) / (nanoseconds ? 1 : 1000) }
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let nanoseconds = Int128(seconds - offsetSeconds) * 1_000_000_000 + Int128(rest)
        return UInt64(clamping: self.nanoseconds ? nanoseconds : nanoseconds / 1000)
    }

    private mutating func pcapng(
        _ record: borrowing Record, _ shape: Shape, _ comment: RawSpan, _ output: inout RecordOutput,
        _ loss: inout ConversionLoss
    ) throws(CaptureFileError) {
        let header = record.header
        var interface: UInt16 = 0
        if format == .pcapng {
            switch adapters.number(of: header.adapter) {
            case .own(let number): interface = number
            case .none: loss.adapters &+= 1
            case .full:
                loss.adapters &+= 1
                hasMixedAdapters = true
            }
        }
        if header.time.nanoseconds < 0 { try beginSection(reaching: header.time, &output) }
        try describeInterfaces(upTo: Int(interface), &output)
        if !nanoseconds && header.time.nanoseconds % 1000 != 0 { loss.times &+= 1 }
        let packet = PcapngBlocks.Packet(
            interface: UInt32(interface), ticks: ticks(header.time),
            included: linkHeaderLength &+ shape.length &+ shape.extra,
            original: UInt32(clamping: header.originalLength &+ linkHeaderLength &+ shape.extra),
            drops: newDrops(header))
        try PcapngBlocks.begin(packet, record, comment, &output)
        putLinkHeader(record, shape, &output)
        put(record.octets, shape, &output)
        PcapngBlocks.end(packet, record, comment, &output)
    }
}

extension RecordHeader {
    fileprivate var isHCIPacket: Bool {
        kind != .monitor && kind != .note && kind != .unknown && kind != .air
    }
}
