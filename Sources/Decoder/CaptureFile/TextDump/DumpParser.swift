import WireBytes

/// Finds the packets of one dialect in a text, line by line.
struct DumpParser {
    struct Packet {
        var kind: RecordKind
        var direction: Direction
        /// Byte of an unknown packet type.
        var foreignType: UInt16 = 0
        /// Microseconds, as the text counts them.
        var time: Int64
        var octets: [UInt8]
        /// Whether its line alone does not show that it is a packet.
        var isWeak = false

        /// Length by the packet's own header; nil if the header is incomplete or the kind unknown.
        var length: Int? {
            func at(_ place: Int) -> Int? { place < octets.count ? Int(octets[place]) : nil }
            switch kind {
            case .command, .sco: return at(2).map { 3 + $0 }
            case .event: return at(1).map { 2 + $0 }
            case .acl: return at(3).map { 4 + (Int(octets[2]) | $0 << 8) }
            case .iso: return at(3).map { 4 + (Int(octets[2]) | ($0 & 0x3F) << 8) }
            case .monitor, .note, .unknown, .air: return nil
            }
        }

        var isWhole: Bool { length == octets.count }
    }

    /// Use of a line.
    enum Use {
        case none
        case part
        case end(Packet)
        /// The packet ended before it; the line has to be taken again.
        case behind(Packet)
    }

    let dialect: DumpDialect
    private(set) var clock = DumpClock()
    /// The unfinished packet: its marker, its bytes and its time.
    private var begun: (marker: DumpDialect.Marker, octets: [UInt8], time: Int64)?

    /// Longest packet with everything before it.
    private static let most = 4 + 0xFFFF + 16

    init(_ dialect: DumpDialect) { self.dialect = dialect }

    mutating func take(_ text: DumpLine) -> Use {
        var line = text
        if let packet = begun {
            let bytes = packet.octets.count < Self.most ? line.hex(mustBeApart: true) : []
            if bytes.isEmpty {
                if let whole = finish() { return .behind(whole) }
                line.back(to: 0)
            } else {
                begun?.octets += bytes
                return endIfWhole()
            }
        }
        line.skipTerminal()
        takeTime(&line)
        guard let marker = marker(in: &line) else { return .none }
        let bytes = marker.isHeading ? [] : line.hex(mustBeApart: false)
        guard marker.isHeading || !bytes.isEmpty else { return .none }
        begun = (marker, marker.implied + bytes, clock.now)
        if dialect.continues { return endIfWhole() }
        return finish().map { .end($0) } ?? .none
    }

    /// Ends the text; returns the unfinished packet.
    mutating func finish() -> Packet? {
        defer { begun = nil }
        guard let packet = packet() else { return nil }
        if dialect.stampLength > 0 { clock.set(microseconds: stamp) }
        var stamped = packet
        stamped.time = dialect.stampLength > 0 ? clock.now : packet.time
        return stamped
    }

    private mutating func endIfWhole() -> Use {
        guard packet()?.isWhole == true, let whole = finish() else { return .part }
        return .end(whole)
    }

    /// The time before the bytes of the unfinished packet.
    private var stamp: UInt64 {
        guard let begun else { return 0 }
        let octets = begun.octets.dropFirst(begun.marker.implied.count).prefix(dialect.stampLength)
        return octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The unfinished packet as far as it is known; nil if it has no byte.
    private func packet() -> Packet? {
        guard let begun else { return nil }
        let (marker, octets) = (begun.marker, begun.octets)
        let from = marker.implied.count + dialect.stampLength
        var rest = marker.implied + octets.dropFirst(from).prefix(Self.most)
        guard rest.count > marker.implied.count else { return nil }
        if let kind = marker.kind {
            let packet = Packet(
                kind: kind, direction: marker.direction, time: begun.time, octets: rest,
                isWeak: marker.isWeak)
            return packet.isWeak && !packet.isWhole ? nil : packet
        }
        var header = RecordHeader(
            number: 0, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
            direction: marker.direction, originalLength: rest.count, capturedLength: rest.count)
        rest.removeFirst(PacketType.apply(rest.borrowedOctets, to: &header))
        var packet = Packet(
            kind: header.kind, direction: header.direction, foreignType: header.foreignType,
            time: begun.time, octets: rest)
        if dialect.isPadded, let length = packet.length { packet.octets = Array(rest.prefix(length)) }
        return packet
    }

    private mutating func takeTime(_ line: inout DumpLine) {
        if !dialect.clock.isEmpty {
            var ahead = line
            if ahead.find(dialect.clock), let stamp = ahead.stamp() { clock.set(stamp) }
        }
        if !dialect.elapsedAfter.isEmpty {
            var ahead = line
            ahead.skipSpaces()
            if ahead.take(dialect.elapsedAfter), let elapsed = ahead.elapsed() {
                clock.advance(by: elapsed)
            }
        }
        // The first time is the exact one; others may follow.
        if let first = line.stamp() {
            if dialect.hasLineTimes { clock.set(first) }
            while line.stamp() != nil {}
        }
        line.skipSpaces()
    }

    private func marker(in line: inout DumpLine) -> DumpDialect.Marker? {
        let begin = line.place
        for marker in dialect.markers {
            let isFound =
                switch marker.place {
                case .start: line.take(marker.text)
                case .numbered:
                    line.octet() != nil && line.take(" ") && line.take(marker.text)
                        && line.next().flatMap(Hex.value(ofDigit:)) != nil
                case .anywhere: line.find(marker.text)
                }
            if isFound { return marker }
            line.back(to: begin)
        }
        return nil
    }
}
