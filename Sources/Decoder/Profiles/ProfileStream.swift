import PayloadFormat

/// A channel whose messages run over several values without a header of their own, or share one.
public struct StreamFormat: Hashable, Sendable {
    /// Longest time between two values of a message, in nanoseconds.
    public var gap: Int64 = 2_000_000_000
    /// Length of every message, in bytes; nil if a length field or the last bytes end it.
    public var size: Int?
    /// Longest message, in bytes.
    public var octets = 4_096
}

/// Cuts the messages of a channel out of its values, by their length field or their last bytes.
///
/// A value type without I/O. It keeps one unfinished message, of ``StreamFormat/octets`` bytes at most.
struct StreamCutter: Sendable {
    /// A part of what a value brings.
    enum Piece {
        case message([UInt8], frames: [UInt64])
        /// Bytes that start no message.
        case skipped([UInt8])
        /// Bytes of a message without its end.
        case unfinished(count: Int, why: String)
        /// The start of a message that later values go on with.
        case open
    }

    private var octets: [UInt8] = []
    /// The values in `octets`: each one's frame and first byte.
    private var values: [(frame: UInt64, start: Int)] = []
    private var time: Int64 = 0

    /// The memory of the unfinished message, in bytes.
    var room: Int { octets.count &+ 16 &* values.count }

    /// The first frame of the unfinished message; nil without one.
    var begin: UInt64? { octets.isEmpty ? nil : values.first?.frame }

    /// Drops the unfinished message.
    mutating func giveUp() {
        octets = []
        values = []
    }

    /// Returns what a value brings; the start of an unfinished message comes last.
    mutating func accept(
        _ value: [UInt8], _ channel: ProfileChannel, _ format: StreamFormat, at now: Int64, frame: UInt64
    ) -> [Piece] {
        var pieces: [Piece] = []
        if !octets.isEmpty, now &- time > format.gap {
            let wait = (now &- time) / 1_000_000
            pieces.append(.unfinished(count: octets.count, why: "the next value came after \(wait) ms"))
            giveUp()
        }
        time = now
        values.append((frame, octets.count))
        octets += value
        var at = 0
        while at < octets.count {
            let (start, end) = channel.nextMessage(in: octets[at...], format)
            if start > at { pieces.append(.skipped(Array(octets[at..<start]))) }
            at = start
            guard let end else {
                if at < octets.count { pieces.append(.open) }
                break
            }
            let message = Array(octets[at..<end])
            let own = values(from: at, to: end)
            if !channel.fits(message), let next = nextStart(in: own, after: at, channel) {
                pieces.append(.unfinished(count: next - at, why: "another message begins"))
                at = next
                continue
            }
            pieces.append(.message(message, frames: own.map(\.frame)))
            at = end
        }
        drop(at)
        return pieces
    }

    /// Returns the values that hold these bytes.
    private func values(from start: Int, to end: Int) -> ArraySlice<(frame: UInt64, start: Int)> {
        // From the end, since a long value may hold many messages.
        values[(values.lastIndex { $0.start <= start } ?? 0)...].prefix { $0.start < end }
    }

    /// Returns the first value after the start of an unfit message that looks like the start of another.
    private func nextStart(
        in values: ArraySlice<(frame: UInt64, start: Int)>, after start: Int, _ channel: ProfileChannel
    ) -> Int? {
        values.first { $0.start > start && channel.mayStart(octets[$0.start...]) }?.start
    }

    private mutating func drop(_ count: Int) {
        octets.removeFirst(count)
        // The value that holds the first byte that is left stays.
        let kept = octets.isEmpty ? values.count : (values.lastIndex { $0.start <= count } ?? 0)
        values.removeFirst(kept)
        for index in values.indices { values[index].start = max(0, values[index].start - count) }
    }
}

extension ProfileChannel {
    private enum MessageEnd {
        case at(Int)
        /// Later values bring it.
        case later
        /// This many bytes start no message.
        case never(Int)
    }

    /// Returns the start of the first message in a stream, or the end of the bytes, and the message's end;
    /// nil if later values bring it.
    func nextMessage(in octets: ArraySlice<UInt8>, _ format: StreamFormat) -> (start: Int, end: Int?) {
        var trailers = TrailerSearch(framing.trailer)
        var start = octets.startIndex
        while start < octets.endIndex {
            switch mayStart(octets[start...]) ? messageEnd(octets[start...], format, &trailers) : .never(1) {
            case .at(let end): return (start, start + end)
            case .later: return (start, nil)
            case .never(let count): start += count
            }
        }
        return (octets.endIndex, nil)
    }

    /// The first trailer from a place on; a search from a later place goes on where the last one ended.
    private struct TrailerSearch {
        private let trailer: [UInt8]
        /// The end of the last trailer found, or the end of the bytes without one.
        private var end = 0
        private var isFound = false

        init(_ trailer: [UInt8]) { self.trailer = trailer }

        /// Returns the end of the first trailer that ends at `least` or later; nil without one.
        mutating func next(in octets: ArraySlice<UInt8>, atLeast least: Int) -> Int? {
            if isFound, end >= least { return end }
            end = max(end, least)
            while end <= octets.endIndex {
                isFound = octets[(end - trailer.count)...].starts(with: trailer)
                if isFound { return end }
                end += 1
            }
            return nil
        }
    }

    /// Whether bytes start with the prefix, or are a part of it.
    func mayStart(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.starts(with: framing.prefix.prefix(octets.count))
    }

    private func messageEnd(
        _ octets: ArraySlice<UInt8>, _ format: StreamFormat, _ trailers: inout TrailerSearch
    ) -> MessageEnd {
        if let size = format.size { return octets.count >= size ? .at(size) : .later }
        let least = max(1, minimumOctets)
        if let length = framing.length {
            let end = length.offset + length.width
            guard octets.count >= end else { return .later }
            let field = octets.dropFirst(length.offset).prefix(length.width)
            let says = Int(Self.integer(field, length.order)) + length.adjustment
            let total =
                switch length.meaning {
                case .frame: says
                case .rest: end + says
                case .body: bodyStart + says + octetsAfterBody
                }
            guard total >= least, total <= format.octets else { return .never(1) }
            return octets.count >= total ? .at(total) : .later
        }
        let shortest = octets.startIndex + max(least, framing.trailer.count)
        guard let end = trailers.next(in: octets, atLeast: shortest) else {
            return octets.count < format.octets ? .later : .never(1)
        }
        let count = end - octets.startIndex
        return count <= format.octets ? .at(count) : .never(count)
    }
}
