import PayloadFormat
import WireBytes

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
        /// A whole message, and the frames of its values.
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
        while !octets.isEmpty {
            let (start, end) = channel.nextMessage(in: octets, format)
            if start > 0 { pieces.append(.skipped(Array(octets[..<start]))) }
            drop(start)
            guard let end else {
                if !octets.isEmpty { pieces.append(.open) }
                break
            }
            let message = Array(octets[..<end])
            if !channel.fits(message), let next = nextStart(before: end, channel) {
                pieces.append(.unfinished(count: next, why: "another message begins"))
                drop(next)
                continue
            }
            pieces.append(.message(message, frames: values.prefix { $0.start < end }.map(\.frame)))
            drop(end)
        }
        return pieces
    }

    /// Returns the first value after the start of an unfit message that looks like the start of another.
    private func nextStart(before end: Int, _ channel: ProfileChannel) -> Int? {
        values.first { value in
            value.start > 0 && value.start < end && channel.mayStart(octets[value.start...])
        }?.start
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
    /// The end of a message in a stream.
    private enum MessageEnd {
        case at(Int)
        /// Later values bring it.
        case later
        /// The bytes start no message.
        case never
    }

    /// Returns the start of the first message in a stream, or the end of the bytes, and the message's length;
    /// nil if later values bring its end.
    func nextMessage(in octets: [UInt8], _ format: StreamFormat) -> (start: Int, length: Int?) {
        for start in octets.indices where mayStart(octets[start...]) {
            switch messageEnd(octets[start...], format) {
            case .at(let end): return (start, end)
            case .later: return (start, nil)
            case .never: continue
            }
        }
        return (octets.count, nil)
    }

    /// Whether bytes start with the prefix, or are a part of it.
    func mayStart(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.starts(with: framing.prefix.prefix(octets.count))
    }

    private func messageEnd(_ octets: ArraySlice<UInt8>, _ format: StreamFormat) -> MessageEnd {
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
            guard total >= least, total <= format.octets else { return .never }
            return octets.count >= total ? .at(total) : .later
        }
        let trailer = framing.trailer
        for end in stride(from: max(least, trailer.count), through: octets.count, by: 1)
        where octets.dropFirst(end - trailer.count).starts(with: trailer) {
            return .at(end)
        }
        return octets.count < format.octets ? .later : .never
    }
}
