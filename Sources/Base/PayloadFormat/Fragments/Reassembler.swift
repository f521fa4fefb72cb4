import WireBytes

/// Limits of a reassembler.
public struct ReassemblyLimits: Hashable, Sendable {
    /// Maximum length of a message in bytes.
    public var octets = 4_096
    /// Maximum number of fragments of a message.
    public var fragments = 128
    /// Time in nanoseconds that a message waits for its next fragment, and that a finished one is remembered.
    public var timeout: Int64 = 2_000_000_000

    /// Creates limits of 4,096 bytes, 128 fragments and two seconds.
    public init() {}
}

/// Reassembles the fragments of one direction of a link.
///
/// A value without I/O: times come with the fragments, as nanoseconds of any one clock. Its memory is bounded
/// by its limits and by ``maximumOpen``.
public struct Reassembler: Sendable {
    /// Maximum number of open messages.
    public static let maximumOpen = 128

    /// A complete message.
    public struct Assembled: Hashable, Sendable {
        /// Its id.
        public var messageID: UInt64
        /// The bytes of the message.
        public var octets: [UInt8]
        /// The frames of its fragments.
        public var frames: FrameNumbers

        /// Creates a complete message.
        public init(messageID: UInt64, octets: [UInt8], frames: FrameNumbers) {
            self.messageID = messageID
            self.octets = octets
            self.frames = frames
        }
    }

    /// Reason why a message ended before it was complete.
    public enum Failure: Hashable, Sendable, CustomStringConvertible {
        /// A fragment with an unexpected index.
        case gap(expected: Int, found: Int)
        /// The fragment just received came again with other bytes.
        case differentRepeat(index: Int)
        /// No next fragment came in time.
        case timeout
        /// A new message with the same id started.
        case restarted
        /// More fragments than a message may have.
        case tooManyFragments
        /// More bytes than a message may have.
        case tooLong
        /// The recorder kept only a part of a fragment.
        case cut
        /// The link ended.
        case disconnected
        /// More messages were open than are kept.
        case evicted

        /// The reason as readable text; fragments are counted from 1.
        public var description: String {
            switch self {
            case .gap(let expected, let found):
                "fragment \(found &+ 1) came where fragment \(expected &+ 1) was due"
            case .differentRepeat(let index): "fragment \(index &+ 1) came again with other bytes"
            case .timeout: "no next fragment came in time"
            case .restarted: "a new message with the same id started"
            case .tooManyFragments: "more fragments than a message may have"
            case .tooLong: "more bytes than a message may have"
            case .cut: "the recorder kept only a part of a fragment"
            case .disconnected: "the link ended"
            case .evicted: "more messages were open than are kept"
            }
        }
    }

    /// A message that ended with an error.
    public struct Ended: Hashable, Sendable {
        /// Its id.
        public var messageID: UInt64
        /// The reason.
        public var failure: Failure
        /// The frames of the fragments received so far.
        public var frames: [UInt64]
    }

    /// The outcome of one fragment.
    public enum Outcome: Hashable, Sendable {
        /// The fragment is kept; more must follow.
        case incomplete
        /// The fragment was the last one.
        case complete(Assembled)
        /// A repetition with the same bytes.
        case repeated
        /// Its message has already failed or was dropped.
        case dropped
        /// The fragment makes its message fail.
        case failed
    }

    private struct Open: Sendable {
        var id: UInt64
        var octets: [UInt8] = []
        var frames = FrameNumbers()
        var next = 0
        /// Start of the last fragment's part in `octets`.
        var last = 0
        var time: Int64 = 0

        mutating func append(_ slice: RawSpan, at time: Int64, frame: UInt64) {
            last = octets.count
            slice.append(to: &octets)
            frames.append(frame)
            next &+= 1
            self.time = time
        }

        func repeats(_ slice: RawSpan) -> Bool { slice.elementsEqual(octets.borrowedOctets.dropping(last)) }
    }

    private struct Past: Sendable {
        var id: UInt64
        /// Bytes that end with the last fragment of a finished message; nil for a failed message.
        var octets: [UInt8]?
        /// Start of the last fragment's part in `octets`.
        var last: Int
        var index: Int
        var time: Int64

        init(failed id: UInt64, at time: Int64) {
            self.id = id
            (last, index) = (0, 0)
            self.time = time
        }

        /// Shares the bytes of the message, unless a long message would be kept for a short fragment.
        init(_ whole: [UInt8], from start: Int, _ fragment: FragmentHeader, at time: Int64) {
            id = fragment.messageID
            let isShared = whole.count <= Self.sharedLimit
            octets = isShared ? whole : Array(whole[start...])
            last = isShared ? start : 0
            index = fragment.index
            self.time = time
        }

        func repeats(_ slice: RawSpan) -> Bool {
            guard let octets else { return false }
            return slice.elementsEqual(octets.borrowedOctets.dropping(last))
        }

        private static let sharedLimit = 512
    }

    private static let roomForPast = 16
    /// Number of messages still remembered after a give-up, and the maximum length of each.
    private static let (keptPast, keptOctets) = (4, 256)

    private let limits: ReassemblyLimits
    /// Only a few, so they are searched linearly, latest first.
    private var open: [Open] = []
    private var past: [Past] = []
    /// Lower bound for the times in `past`.
    private var oldestPast = Int64.max
    /// Time of the last fragment of messages that were given up; nil if none may follow.
    private var lastGivenUp: Int64?

    /// Creates a reassembler without messages.
    public init(limits: ReassemblyLimits) { self.limits = limits }

    /// Number of incomplete messages.
    public var openCount: Int { open.count }

    /// Time at which the first open message fails unless its next fragment comes; nil if none is open.
    public var nextDeadline: Int64? {
        open.map(\.time).min().map { $0.addingReportingOverflow(limits.timeout) }.map {
            $0.overflow ? .max : $0.partialValue
        }
    }

    /// Memory that a message takes beside its bytes, in bytes.
    public static let roomOfMessage = MemoryLayout<Open>.stride + 32

    /// Memory in bytes taken by open and remembered messages.
    public var room: Int {
        var sum = (open.count &+ past.count) &* Self.roomOfMessage
        for one in open { sum &+= one.octets.capacity }
        for one in past { sum &+= one.octets?.capacity ?? 0 }
        return sum
    }

    private func openIndex(of id: UInt64) -> Int? { open.lastIndex { $0.id == id } }

    private func pastIndex(of id: UInt64) -> Int? { past.lastIndex { $0.id == id } }

    /// Adds a fragment that arrived at `time`.
    ///
    /// `ended` receives the messages that fail now: at most one because of this fragment, and those that have
    /// timed out.
    public mutating func accept(
        _ fragment: Fragment, isCut: Bool = false, at time: Int64, frame: UInt64, ended: inout [Ended]
    ) -> Outcome {
        accept(
            fragment.header, fragment.slice.borrowedOctets, isCut: isCut, at: time, frame: frame,
            ended: &ended)
    }

    /// Adds a fragment that arrived at `time`, with `slice` behind its header.
    public mutating func accept(
        _ fragment: FragmentHeader, _ slice: RawSpan, isCut: Bool = false, at time: Int64, frame: UInt64,
        ended: inout [Ended]
    ) -> Outcome {
        expire(at: time, ended: &ended)
        let id = fragment.messageID
        if isCut {
            end(id, .cut, at: time, alsoFrame: frame, &ended)
            return .failed
        }
        // An id is open or past, never both.
        guard let place = openIndex(of: id) else {
            let known = pastIndex(of: id)
            if let known, !isNew(fragment, slice, past[known]) {
                if past[known].octets == nil { return .dropped }
                if fragment.index == past[known].index, past[known].repeats(slice) { return .repeated }
            }
            return begin(fragment, slice, past: known, at: time, frame: frame, &ended)
        }
        let next = open[place].next
        if fragment.index == next - 1 {
            if open[place].repeats(slice) { return .repeated }
            if fragment.index > 0 {
                end(id, .differentRepeat(index: fragment.index), at: time, &ended)
                return .failed
            }
        }
        if fragment.index == 0 {
            end(id, .restarted, at: time, &ended)
            return begin(fragment, slice, past: pastIndex(of: id), at: time, frame: frame, &ended)
        }
        guard fragment.index == next else {
            end(id, .gap(expected: next, found: fragment.index), at: time, &ended)
            return .failed
        }
        return append(fragment, slice, to: place, at: time, frame: frame, &ended)
    }

    /// Ends the messages whose next fragment is overdue.
    public mutating func expire(at time: Int64, ended: inout [Ended]) {
        let limit = limits.timeout
        if open.contains(where: { time &- $0.time >= limit }) {
            for id in open.filter({ time &- $0.time >= limit }).map(\.id).sorted() {
                end(id, .timeout, at: time, &ended)
            }
        }
        if !past.isEmpty, time &- oldestPast >= limit {
            past.removeAll { time &- $0.time >= limit }
            oldestPast = past.reduce(.max) { min($0, $1.time) }
        }
    }

    /// Forgets everything, as after a disconnection, and returns the open messages.
    public mutating func reset() -> [Ended] {
        let left = open.sorted { $0.id < $1.id }.map {
            Ended(messageID: $0.id, failure: .disconnected, frames: Array($0.frames))
        }
        open = []
        past = []
        oldestPast = .max
        lastGivenUp = nil
        return left
    }

    /// Frees the memory of all open messages and most remembered ones.
    ///
    /// For one timeout afterwards, fragments without a message are dropped, because they belong to the
    /// messages given up, whose ids are not kept.
    public mutating func giveUp() {
        guard let latest = (open.map(\.time) + past.map(\.time)).max() else { return }
        lastGivenUp = max(latest, lastGivenUp ?? latest)
        open = []
        past = Array(past.filter { ($0.octets?.capacity ?? 0) <= Self.keptOctets }.suffix(Self.keptPast))
    }

    /// Returns whether a fragment without a message belongs to one that was given up.
    private mutating func isOfGivenUp(at time: Int64) -> Bool {
        guard let before = lastGivenUp else { return false }
        let isSoon = time &- before < limits.timeout
        lastGivenUp = isSoon ? max(before, time) : nil
        return isSoon
    }

    /// Whether a fragment starts a new message rather than belonging to the remembered one.
    private func isNew(_ fragment: FragmentHeader, _ slice: RawSpan, _ past: borrowing Past) -> Bool {
        guard fragment.index == 0 else { return false }
        return past.index != 0 || !past.repeats(slice)
    }

    private mutating func begin(
        _ fragment: FragmentHeader, _ slice: RawSpan, past known: Int?, at time: Int64, frame: UInt64,
        _ ended: inout [Ended]
    ) -> Outcome {
        let id = fragment.messageID
        guard fragment.index == 0 else {
            if known == nil, isOfGivenUp(at: time) { return .dropped }
            end(id, .gap(expected: 0, found: fragment.index), at: time, alsoFrame: frame, &ended)
            return .failed
        }
        if let known { past.remove(at: known) }
        if open.count >= Self.maximumOpen,
            let oldest = open.min(by: { ($0.time, $0.id) < ($1.time, $1.id) })?.id
        {
            end(oldest, .evicted, at: time, &ended)
        }
        if fragment.isLast, slice.byteCount <= limits.octets {
            // A message in one fragment is complete without ever being open.
            let octets = slice.copied()
            remember(Past(octets, from: 0, fragment, at: time))
            return .complete(Assembled(messageID: id, octets: octets, frames: FrameNumbers(frame)))
        }
        open.append(Open(id: id))
        open[open.count - 1].octets.reserveCapacity(min(limits.octets, max(64, 2 * slice.byteCount)))
        return append(fragment, slice, to: open.count - 1, at: time, frame: frame, &ended)
    }

    private mutating func append(
        _ fragment: FragmentHeader, _ slice: RawSpan, to place: Int, at time: Int64, frame: UInt64,
        _ ended: inout [Ended]
    ) -> Outcome {
        let id = fragment.messageID
        open[place].append(slice, at: time, frame: frame)
        if open[place].octets.count > limits.octets {
            end(id, .tooLong, at: time, &ended)
            return .failed
        }
        if fragment.isLast {
            let whole = open.remove(at: place)
            remember(Past(whole.octets, from: whole.last, fragment, at: time))
            return .complete(Assembled(messageID: id, octets: whole.octets, frames: whole.frames))
        }
        if open[place].next >= limits.fragments {
            end(id, .tooManyFragments, at: time, &ended)
            return .failed
        }
        return .incomplete
    }

    private mutating func end(
        _ id: UInt64, _ failure: Failure, at time: Int64, alsoFrame: UInt64? = nil, _ ended: inout [Ended]
    ) {
        var frames: [UInt64] = []
        if let place = openIndex(of: id) { frames = Array(open.remove(at: place).frames) }
        if let alsoFrame { frames.append(alsoFrame) }
        ended.append(Ended(messageID: id, failure: failure, frames: frames))
        remember(Past(failed: id, at: time), inPlaceOf: pastIndex(of: id))
    }

    /// Remembers a finished message, replacing an earlier one with its id at index `known`, if any.
    private mutating func remember(_ entry: consuming Past, inPlaceOf known: Int? = nil) {
        oldestPast = min(oldestPast, entry.time)
        if let known {
            past[known] = entry
            return
        }
        if past.count >= 2 * Self.maximumOpen,
            let oldest = past.indices.min(by: {
                (past[$0].time, past[$0].id) < (past[$1].time, past[$1].id)
            })
        {
            past.remove(at: oldest)
        }
        // Reserve room once; otherwise the array would grow five times on most links.
        if past.isEmpty { past.reserveCapacity(Self.roomForPast) }
        past.append(entry)
    }
}
