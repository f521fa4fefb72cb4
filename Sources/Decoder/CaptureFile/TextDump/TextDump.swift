import WireBytes

/// HCI packets that a program printed as text, with all their bytes in hexadecimal (``DumpDialect``).
struct TextDump: CaptureFormat {
    static let name = CaptureInfo.Format.textDump
    private var parser: DumpParser
    /// Place of the unfinished packet's first line.
    private var begin: Int?

    /// Longest line; a packet in hexadecimal has 192 KiB.
    private static let longestLine = 224 << 10
    /// Bytes of the text that are searched for packets.
    private static let octetsToRecognize = 128 << 10
    private static let packetsToRecognize = 64
}

extension TextDump {
    private init(_ parser: DumpParser) { self.parser = parser }

    static func recognize(_ input: inout RecordInput, by evidence: FormatEvidence) -> Recognized? {
        guard evidence == .text, BugReport.isText(&input.window) else { return nil }
        switch BugReport.kind(of: &input.window) {
        case .emptyReport, .decoderText("btmon"): return nil
        default: break
        }
        let lines = beginning(&input.window)
        var best: (dialect: DumpDialect, found: Findings)?
        for dialect in DumpDialect.all {
            let found = findings(dialect, in: lines)
            // Text that only looks like packets here and there is something else.
            guard found.whole > 0, found.fitting * 2 >= found.packets else { continue }
            if best.map({ found.isDenser(than: $0.found) }) ?? true { best = (dialect, found) }
        }
        guard let best else { return nil }
        var info = CaptureInfo(name: input.file, format: name)
        info.recorder = best.dialect.name
        info.hasRelativeTime = !best.found.hasDates
        info.hasTimes = best.found.hasTimes
        return Recognized(info, TextDump(DumpParser(best.dialect)))
    }

    /// The whole lines at the beginning of a text.
    private static func beginning(_ window: inout InputWindow) -> [DumpLine] {
        let octets = window.next(at: 0, count: min(window.available, octetsToRecognize)).copied()
        return octets.split(separator: 0x0A).map { DumpLine($0) }
    }

    /// Packets that a dialect finds at the beginning of a text.
    private struct Findings {
        var packets = 0
        var whole = 0
        /// Whole packets and cut ones.
        var fitting = 0
        var lines = 0
        var hasTimes = false
        var hasDates = false

        mutating func add(_ packet: DumpParser.Packet) {
            if packet.isWeak { return }
            packets += 1
            if packet.isWhole { whole += 1 }
            if let length = packet.length, packet.octets.count <= length { fitting += 1 }
        }

        /// Whether it has more whole packets in as many lines.
        func isDenser(than other: Self) -> Bool { whole * other.lines > other.whole * lines }
    }

    private static func findings(_ dialect: DumpDialect, in lines: [DumpLine]) -> Findings {
        var parser = DumpParser(dialect)
        var found = Findings()
        for line in lines where found.packets < packetsToRecognize {
            found.lines += 1
            var use = parser.take(line)
            if case .behind(let packet) = use {
                found.add(packet)
                use = parser.take(line)
            }
            if case .end(let packet) = use { found.add(packet) }
        }
        if let packet = parser.finish() { found.add(packet) }
        found.hasTimes = parser.clock.hasTimes
        found.hasDates = parser.clock.hasDates
        return found
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int { Int.max }

    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        while let length = input.window.lineLength(atMost: Self.longestLine) {
            let line = DumpLine(input.window.next(at: 0, count: length).copied())
            switch parser.take(line) {
            case .none:
                input.tally.skippedOctets &+= length
                input.window.consume(length)
                begin = nil
            case .part:
                begin = begin ?? input.window.offset
                consume(length, &input)
            case .end(let packet):
                deliver(packet, &input)
                consume(length, &input)
                return true
            case .behind(let packet):
                deliver(packet, &input)
                return true
            }
        }
        if let failure = input.window.failure { throw input.failure(failure) }
        guard let packet = parser.finish() else { return false }
        deliver(packet, &input)
        return true
    }

    private func consume(_ length: Int, _ input: inout RecordInput) {
        input.tally.recordHeaderOctets &+= length
        input.window.consume(length)
    }

    private mutating func deliver(_ packet: DumpParser.Packet, _ input: inout RecordInput) {
        input.number &+= 1
        let count = packet.octets.count
        let header = RecordHeader(
            number: input.number, fileOffset: begin ?? input.window.offset,
            time: CaptureTime(microseconds: packet.time), adapter: 0, kind: packet.kind,
            direction: packet.direction, foreignType: packet.foreignType,
            originalLength: max(count, packet.length ?? 0), capturedLength: count)
        input.deliver(header, copied: packet.octets)
        begin = nil
    }
}
