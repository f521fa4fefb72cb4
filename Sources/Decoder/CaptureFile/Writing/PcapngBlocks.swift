import WireBytes

/// Writes the blocks of a pcapng file, little-endian, in one section.
enum PcapngBlocks {
    /// Fields of a packet block besides its bytes.
    struct Packet {
        var interface: UInt32
        var ticks: UInt64
        var included: Int
        var original: UInt32
        /// Packets dropped before this one.
        var drops: UInt32
    }

    /// Longer comments are cut: the length of an option has 16 bits.
    static let longestComment = 65_532

    private static let order = OctetOrder.leastSignificantFirst

    /// The length of an option with `length` bytes of value.
    private static func option(_ length: Int) -> Int { 4 &+ Pcapng.padded(length) }

    private static func put(option code: UInt16, _ value: RawSpan, _ output: inout RecordOutput) {
        output.put(code, order)
        output.put(UInt16(truncatingIfNeeded: value.byteCount), order)
        output.put(value)
        output.fill(after: value.byteCount)
    }

    /// Writes a section header with the program's name and comments.
    static func section(_ output: inout RecordOutput, _ comments: [String]) throws(CaptureFileError) {
        var options = ByteWriter()
        for comment in comments { append(1, Array(comment.utf8), to: &options) }
        append(4, Array("blecap".utf8), to: &options)
        options.u32le(0)
        let total = 28 &+ options.count
        try output.reserve(total)
        output.put(UInt32(0x0A0D_0D0A), order)
        output.put(UInt32(clamping: total), order)
        output.put(UInt32(0x1A2B_3C4D), order)
        output.put(UInt32(1), order)
        output.put(UInt64.max, order)
        options.octets.withReader { output.put($0.takeRest()) }
        output.put(UInt32(clamping: total), order)
    }

    private static func append(_ code: UInt16, _ text: [UInt8], to options: inout ByteWriter) {
        let value = Array(text.prefix(longestComment))
        options.u16le(code)
        options.u16le(UInt16(value.count))
        options.bytes(value)
        options.fill(0, count: Pcapng.padded(value.count) - value.count)
    }

    /// Writes an interface description with the resolution and offset of its times (if_tsresol, if_tsoffset).
    static func interface(
        _ output: inout RecordOutput, _ linkType: LinkType, nanoseconds: Bool, offsetSeconds: Int64
    ) throws(CaptureFileError) {
        let total: UInt32 = offsetSeconds == 0 ? 32 : 44
        try output.reserve(Int(total))
        output.put(UInt32(1), order)
        output.put(total, order)
        output.put(UInt32(linkType.rawValue), order)
        output.put(UInt32(Pcap.longestRecord), order)
        output.put(UInt32(0x0001_0009), order)
        output.put(UInt32(nanoseconds ? 9 : 6), order)
        if offsetSeconds != 0 {
            output.put(UInt32(0x0008_000E), order)
            output.put(offsetSeconds, order)
        }
        output.put(UInt32(0), order)
        output.put(total, order)
    }

    /// Writes interface statistics of the first interface: start, end, packets received and dropped.
    static func statistics(
        _ output: inout RecordOutput, received: UInt64, lost: UInt64, _ ticks: ClosedRange<UInt64>
    ) throws(CaptureFileError) {
        let total: UInt32 = 24 + 4 * 12 + 4
        try output.reserve(Int(total))
        output.put(UInt32(5), order)
        output.put(total, order)
        output.put(UInt32(0), order)
        putTicks(ticks.upperBound, &output)
        for (code, time) in [(UInt16(2), ticks.lowerBound), (3, ticks.upperBound)] {
            output.put(code, order)
            output.put(UInt16(8), order)
            putTicks(time, &output)
        }
        for (code, count) in [(UInt16(4), received), (5, lost)] {
            output.put(code, order)
            output.put(UInt16(8), order)
            output.put(count, order)
        }
        output.put(UInt32(0), order)
        output.put(total, order)
    }

    /// Writes a time: its high 32 bits before its low ones, each in the file's byte order.
    private static func putTicks(_ ticks: UInt64, _ output: inout RecordOutput) {
        output.put(UInt32(truncatingIfNeeded: ticks &>> 32), order)
        output.put(UInt32(truncatingIfNeeded: ticks), order)
    }

    /// The length of a packet's options, including the end of options.
    private static func optionsLength(
        _ packet: Packet, _ record: borrowing Record, _ comment: RawSpan
    ) -> Int {
        var length = 0
        forEachOption(record, comment) { option in length &+= self.option(option.value.byteCount) }
        if comment.byteCount > 0 { length &+= option(min(comment.byteCount, longestComment)) }
        if packet.drops > 0 { length &+= option(8) }
        return length == 0 ? 0 : length &+ 4
    }

    /// Calls `body` with each option to keep: all except the count of dropped packets, which is computed
    /// again, and an earlier annotation that the new comment replaces.
    private static func forEachOption(
        _ record: borrowing Record, _ comment: RawSpan, _ body: (borrowing PcapngOptions.Option) -> Void
    ) {
        if record.options.byteCount == 0 { return }
        let isAnnotation = AnnotationComment.isOne(comment)
        var walk = PcapngOptions(record.options, record.optionsOrder)
        while let option = walk.next() {
            if option.code == PcapngOptions.dropCount { continue }
            if isAnnotation, option.code == PcapngOptions.comment, AnnotationComment.isOne(option.value) {
                continue
            }
            body(option)
        }
    }

    private static func totalLength(
        _ packet: Packet, _ record: borrowing Record, _ comment: RawSpan
    ) -> Int {
        32 &+ Pcapng.padded(packet.included) &+ optionsLength(packet, record, comment)
    }

    /// Begins a packet block; its bytes follow, and then its end.
    static func begin(
        _ packet: Packet, _ record: borrowing Record, _ comment: RawSpan, _ output: inout RecordOutput
    ) throws(CaptureFileError) {
        let total = totalLength(packet, record, comment)
        try output.reserve(total)
        output.put(UInt32(6), order)
        output.put(UInt32(clamping: total), order)
        output.put(packet.interface, order)
        output.put(UInt32(truncatingIfNeeded: packet.ticks &>> 32), order)
        output.put(UInt32(truncatingIfNeeded: packet.ticks), order)
        output.put(UInt32(clamping: packet.included), order)
        output.put(packet.original, order)
    }

    /// Ends a packet block: padding, options, and the length again.
    static func end(
        _ packet: Packet, _ record: borrowing Record, _ comment: RawSpan, _ output: inout RecordOutput
    ) {
        let total = totalLength(packet, record, comment)
        output.fill(after: packet.included)
        if total > 32 &+ Pcapng.padded(packet.included) {
            if comment.byteCount > 0 {
                put(option: PcapngOptions.comment, comment.clamped(0..<longestComment), &output)
            }
            copyOptions(record, comment, &output)
            if packet.drops > 0 {
                output.put(PcapngOptions.dropCount, order)
                output.put(UInt16(8), order)
                output.put(UInt64(packet.drops), order)
            }
            output.put(UInt32(0), order)
        }
        output.put(UInt32(clamping: total), order)
    }

    /// Copies the options to keep, converting their integers to the file's byte order.
    private static func copyOptions(
        _ record: borrowing Record, _ comment: RawSpan, _ output: inout RecordOutput
    ) {
        let source = record.optionsOrder
        forEachOption(record, comment) { option in
            switch (option.code, option.value.byteCount) {
            case (2, 4), (6, 4):
                output.put(option.code, order)
                output.put(UInt16(4), order)
                output.put(option.value.u32(at: 0, source), order)
            case (5, 8):
                output.put(option.code, order)
                output.put(UInt16(8), order)
                output.put(option.value.u64(at: 0, source), order)
            default: put(option: option.code, option.value, &output)
            }
        }
    }
}
