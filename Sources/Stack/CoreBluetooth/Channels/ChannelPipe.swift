import Foundation

/// The bytes of a channel between its streams, used by the application from any thread, and the host.
///
/// Bounded: incoming bytes by the channel's credits, outgoing ones by ``capacity``. The condition's lock
/// guards all mutable state, so the pipe may be shared.
final class ChannelPipe: @unchecked Sendable {
    /// Maximum number of bytes waiting for the host.
    static let capacity = 16384

    /// An event for a stream's delegate.
    struct News: Sendable {
        var event: Stream.Event
        var side: StreamSide
    }

    let input: StreamSide
    let output: StreamSide
    /// Whether a read without bytes and a write without room block; false in virtual time, which would stop
    /// meanwhile.
    private let blocks: Bool
    private let condition = NSCondition()

    private var incoming: [[UInt8]] = []
    /// Number of bytes of the first SDU already read.
    private var readCount = 0
    private var outgoing: [UInt8] = []
    private var end: (error: CBError?, Void)?
    /// Whether to report the next bytes; once until the application has read.
    private var tellsBytes = true
    /// Whether to report the next room; once until the application has written.
    private var tellsRoom = true

    init(input: StreamSide, output: StreamSide, blocks: Bool) {
        self.input = input
        self.output = output
        self.blocks = blocks
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    // MARK: The host's side

    /// Adds an SDU of the peer.
    ///
    /// - Returns: whether it will be read; otherwise it counts as consumed.
    func append(_ sdu: [UInt8]) -> Bool {
        let isKept = locked {
            guard !input.isClosed, !sdu.isEmpty else { return false }
            incoming.append(sdu)
            condition.broadcast()
            return true
        }
        announce()
        return isKept
    }

    /// Removes and returns the next bytes for the peer, at most `limit`.
    func takeOutgoing(_ limit: Int) -> [UInt8]? {
        let taken: [UInt8]? = locked {
            guard !outgoing.isEmpty else { return nil }
            let part = Array(outgoing.prefix(limit))
            outgoing.removeFirst(part.count)
            condition.broadcast()
            return part
        }
        if taken != nil { announce() }
        return taken
    }

    /// Whether the application has closed both streams and all written bytes are passed on.
    var isDone: Bool { locked { input.isClosed && output.isClosed && outgoing.isEmpty } }

    /// Ends the channel; received bytes can still be read.
    func finish(_ error: CBError?) {
        locked {
            if end == nil { end = (error, ()) }
            outgoing = []
            condition.broadcast()
        }
        announce()
    }

    // MARK: The streams' side

    var hasBytes: Bool { locked { !incoming.isEmpty } && input.isOpen }
    var hasRoom: Bool { locked { end == nil && outgoing.count < Self.capacity } && output.isOpen }

    /// Reads bytes of the peer.
    ///
    /// - Returns: the bytes, empty at the end, nil on an error or if not open; and the number of SDUs read to
    ///   their end.
    func read(_ limit: Int) -> (bytes: [UInt8]?, sdus: Int) {
        let result: (bytes: [UInt8]?, sdus: Int) = locked {
            guard input.isOpen else { return (input.hasEnded ? [] : nil, 0) }
            while blocks, incoming.isEmpty, end == nil, input.isOpen { condition.wait() }
            tellsBytes = true
            var bytes: [UInt8] = []
            var sdus = 0
            while bytes.count < limit, let sdu = incoming.first {
                let part = sdu[readCount..<min(sdu.count, readCount + limit - bytes.count)]
                bytes += part
                readCount += part.count
                guard readCount == sdu.count else { break }
                readCount = 0
                incoming.removeFirst()
                sdus += 1
            }
            if bytes.isEmpty, end?.error != nil { return (nil, sdus) }
            return (bytes, sdus)
        }
        announce()
        return result
    }

    /// Writes bytes for the peer.
    ///
    /// - Returns: the number of bytes; nil if they can't be sent.
    func write(_ bytes: (Int) -> [UInt8]) -> Int? {
        let count: Int? = locked {
            while blocks, outgoing.count >= Self.capacity, end == nil, output.isOpen { condition.wait() }
            guard end == nil, output.isOpen else { return nil }
            let taken = bytes(Self.capacity - outgoing.count)
            outgoing += taken
            tellsRoom = true
            return taken.count
        }
        announce()
        return count
    }

    /// Reports the pending events to the delegates.
    func announce() {
        let news = locked {
            var news: [News] = []
            if tellsBytes, !incoming.isEmpty, input.isOpen {
                tellsBytes = false
                news.append(News(event: .hasBytesAvailable, side: input))
            }
            if tellsRoom, end == nil, outgoing.count < Self.capacity, output.isOpen {
                tellsRoom = false
                news.append(News(event: .hasSpaceAvailable, side: output))
            }
            guard let end else { return news }
            let event: Stream.Event = end.error == nil ? .endEncountered : .errorOccurred
            if incoming.isEmpty, input.end(end.error) { news.append(News(event: event, side: input)) }
            if output.end(end.error) { news.append(News(event: event, side: output)) }
            return news
        }
        for one in news { one.side.tell(one.event) }
    }

    /// Whether an event still applies when the delegate is about to be called; otherwise it is reported again
    /// later.
    func isDue(_ event: Stream.Event) -> Bool {
        locked {
            switch event {
            case .hasBytesAvailable:
                tellsBytes = incoming.isEmpty
                return !tellsBytes
            case .hasSpaceAvailable:
                tellsRoom = outgoing.count >= Self.capacity
                return !tellsRoom
            default: return true
            }
        }
    }

    /// Wakes the application's threads after a stream was closed; returns the number of dropped SDUs.
    func closed() -> Int {
        locked {
            condition.broadcast()
            guard input.isClosed else { return 0 }
            defer { incoming = [] }
            return incoming.count
        }
    }
}
