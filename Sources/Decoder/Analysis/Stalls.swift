import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Stalls without an error: credits and buffers that are not returned, and discovery that repeats itself.

/// Number of K-frames that one side may send on a channel (Core Specification, Vol 3, Part A, 10.1).
struct ChannelCredits: Sendable {
    /// Number of credits left; nil if unknown.
    private var left: Int?
    /// The frame that spent the last credit, if no new one came since.
    private(set) var spent: (frame: FramePlace, time: CaptureTime)?

    init(_ left: UInt16? = nil) { self.left = left.map { Int($0) } }

    mutating func spend(_ frame: FramePlace, _ time: CaptureTime) {
        guard let left else { return }
        // A side that sends without credit got one that the log lacks.
        self.left = left > 0 ? left &- 1 : nil
        spent = left == 1 ? (frame, time) : nil
    }

    mutating func give(_ more: UInt16) {
        left = left.map { $0 &+ Int(more) }
        spent = nil
    }

    /// Returns the time without credits in nanoseconds, if it is too long.
    func stalled(at time: CaptureTime) -> Int64? {
        guard let spent else { return nil }
        let waited = time.since(spent.time)
        return waited >= Self.longest ? waited : nil
    }

    /// Longest time that a receiver may withhold credits, in nanoseconds. The specification sets no limit.
    private static let longest: Int64 = 10_000_000_000
}

extension Signalling {
    /// Returns the problems of channels on which a side had no credits for long, when the channels end.
    func stalls(at time: CaptureTime) -> [Problem] {
        channels.filter { $0.isOpen && $0.isCreditBased }.flatMap { $0.stalls(at: time) }
    }
}

extension Channel {
    func stalls(at time: CaptureTime) -> [Problem] {
        [Side.host, .peer].compactMap { sender in
            guard let waited = credits[sender].stalled(at: time), let spent = credits[sender].spent else {
                return nil
            }
            let problem = L2CAPProblem.creditsSpent(psm, spent.frame, waited: waited)
            return Problem(.l2cap(problem), by: Problem.Party(sender.other))
        }
    }
}

/// The controller's report of the packets that the peer acknowledged (Core Specification, Vol 4, Part E,
/// 7.7.19).
struct Acknowledgement: Sendable {
    /// The event that last reported packets of the link as completed.
    var frame: FramePlace
    /// Nanoseconds from that event to the problem.
    var age: Int64
    /// Number of packets that the peer had not acknowledged.
    var unacknowledgedCount: Int
    /// The first unacknowledged packet; nil if unknown.
    var oldest: FramePlace?

    /// Acknowledgements younger than this, in nanoseconds, are ignored: as a link ends, a controller reports
    /// flushed packets as completed.
    static let minimumAge: Int64 = 100_000_000

    /// Whether the peer acknowledged the packet of this frame; nil if unknown.
    func covers(_ request: FramePlace?) -> Bool? {
        guard unacknowledgedCount > 0 else { return true }
        guard let request, let oldest else { return nil }
        return (request.file, request.frame) < (oldest.file, oldest.frame)
    }

    /// Returns it in words.
    ///
    /// - Parameter request: the frame of the request that has no answer; nil for a lost link.
    func text(of request: FramePlace?) -> Sentence {
        let place: Sentence = "frame \(frame), \(TextDuration.text(age)) before"
        if unacknowledgedCount == 0 {
            return "\(Side.peer) acknowledged every packet from \(Side.host), the last at \(place)"
        }
        let last: Sentence = "its last acknowledgement is \(place)"
        if let isCovered = covers(request) {
            return "\(Side.peer) \(isCovered ? "acknowledged" : "did not acknowledge") this request; \(last)"
        }
        let first: Sentence = oldest.map { ", \(unacknowledgedCount == 1 ? "" : "from ")frame \($0)" } ?? ""
        let packets: Sentence =
            unacknowledgedCount == 1 ? "packet\(first)" : "\(unacknowledgedCount) packets\(first)"
        let on = unacknowledgedCount > 1 && oldest != nil ? " on" : ""
        return "\(Side.peer) did not acknowledge \(Side.host)'s last \(packets)\(on); \(last)"
    }
}

/// The controller's buffers that a link's packets occupy.
struct BufferUse: Sendable {
    /// Number of packets that the controller has not reported as completed.
    private(set) var held = 0
    /// The frames of the first of these packets, without gaps.
    private var places: [FramePlace] = []
    /// The event with which the controller last reported packets as completed: on an LE link, the peer had
    /// acknowledged them.
    private(set) var completed: (frame: FramePlace, time: CaptureTime)?
    /// Whether the log contradicts itself: more packets were completed than sent, or directions are inferred.
    private(set) var isUncertain = false
    /// The time at which the last packet was sent or completed.
    private(set) var last = CaptureTime(nanoseconds: .min)
    private(set) var frame = FramePlace()

    @inline(__always)
    mutating func send(_ frame: FramePlace, _ time: CaptureTime) {
        if places.count == held, held < Self.placeLimit { places.append(frame) }
        held &+= 1
        (self.frame, last) = (frame, time)
    }

    @inline(__always)
    mutating func complete(_ count: UInt16, _ frame: FramePlace, _ time: CaptureTime) {
        if Int(count) > held { isUncertain = true }
        held = max(0, held &- Int(count))
        places.removeFirst(min(places.count, Int(count)))
        if count > 0 { completed = (frame, time) }
        last = time
    }

    mutating func doubt() { isUncertain = true }

    func acknowledgement(at time: CaptureTime) -> Acknowledgement? {
        guard !isUncertain else { return nil }
        return completed.map {
            Acknowledgement(
                frame: $0.frame, age: time.since($0.time), unacknowledgedCount: held, oldest: places.first)
        }
    }

    /// Limit of the frames in ``places``.
    private static let placeLimit = 32
}

extension Link {
    /// Returns which of the host's packets the peer acknowledged; nil if the log may lack some of them or of
    /// the controller's events, or if the controller may only have flushed the last ones.
    func acknowledgement(at time: CaptureTime, by adapter: AdapterTable.Adapter) -> Acknowledgement? {
        guard transport == .le, !mayLackEarlierPackets,
            !adapter.loss.mayIncludeAnswer(toRequestAt: firstFrame, sent: phases.first),
            let known = buffers.acknowledgement(at: time), known.age >= Acknowledgement.minimumAge,
            known.unacknowledgedCount <= adapter.buffers ?? .max
        else { return nil }
        return known
    }

    /// The peer's last sign of life: a packet, an event that it caused, or the acknowledgement of a packet;
    /// nil without one. What a controller reports as completed right before the end may only be flushed.
    public var lastSign: (time: CaptureTime, isAcknowledgement: Bool)? {
        let heard = lastHeard.map { (time: $0, isAcknowledgement: false) }
        guard !buffers.isUncertain, let (_, completed) = buffers.completed,
            phases.last.since(completed) >= Acknowledgement.minimumAge,
            completed > lastHeard ?? phases.first
        else { return heard }
        return (completed, true)
    }
}

extension Analyzer {
    /// Longest time for which a controller may keep all of its buffers, in nanoseconds: longer than it takes
    /// to lose a link with the usual supervision timeouts.
    private static let longestHold: Int64 = 10_000_000_000

    /// Handles the buffers that Number Of Completed Packets returns.
    mutating func completed(_ parameters: RawSpan) {
        let count = Int(parameters.octet(at: 0) ?? 0)
        // Most events name only one connection.
        if count == 1 { attach(to: parameters.u16le(at: 1)) }
        for index in 0..<count {
            guard let handle = parameters.u16le(at: 1 &+ 4 &* index),
                let packets = parameters.u16le(at: 3 &+ 4 &* index)
            else { return }
            let slot = count == 1 ? (frame.link < 0 ? nil : frame.link) : openSlot(of: handle & 0xFFF)
            if let slot { links[slot].buffers.complete(packets, frame.place, frame.time) }
        }
    }

    /// Returns the problem, as a link ends, that the controller has kept all its LE buffers for a long time.
    func heldBuffers() -> Problem? {
        guard link.transport == .le, link.buffers.held > 0 else { return nil }
        let key = AdapterTable.key(file: link.file, adapter: link.adapter)
        guard let adapter = adapters.all.first(where: { $0.key == key }), let total = adapter.buffers,
            !adapter.loss.mayIncludeAnswer(toRequestAt: link.firstFrame, sent: link.phases.first)
        else { return nil }
        var held = 0
        var last = link.buffers.last
        for other in links
        where other.isOpen && other.isFollowed && other.transport == .le
            && AdapterTable.key(file: other.file, adapter: other.adapter) == key
        {
            if other.mayLackEarlierPackets { return nil }
            held &+= other.buffers.held
            last = max(last, other.buffers.last)
        }
        // If the host has sent more than that, buffers were returned that the log lacks.
        let waited = frame.time.since(last)
        guard held == total, waited >= Self.longestHold else { return nil }
        return Problem(.hci(.buffersHeld(held, link.buffers.frame, waited: waited)))
    }
}

/// A client's discovery: the last request, and how often it was repeated with the same answer.
struct DiscoveryRound: Sendable {
    private var request = PendingRequest()
    private var client = Side.host
    private var answer: UInt64 = 0
    private var count = 0
    /// Whether a request was repeated ``limit`` times.
    private(set) var wasRepeated = false

    /// Number of repetitions that are no accident, since discovery continues after the last handle found
    /// (Core Specification, Vol 3, Part G, 4.6.1).
    private static let limit = 5

    /// Records an answered request; returns the problem when it has been repeated too often.
    mutating func answered(_ asked: PendingRequest, by pdu: RawSpan, _ client: Side) -> Problem? {
        guard asked.findsDeclarations, !asked.isAmbiguous else { return nil }
        let hash = Self.hash(pdu)
        guard hash == answer, client == self.client, asked.asksTheSame(as: request) else {
            (request, self.client, answer, count) = (asked, client, hash, 1)
            return nil
        }
        count &+= 1
        guard count == Self.limit else { return nil }
        wasRepeated = true
        let asked = RepeatedRequest(
            opcode: asked.opcode, range: asked.range, first: request.frame, count: count)
        return Problem(.att(.askedAgain(asked)), by: Problem.Party(client))
    }

    private static func hash(_ octets: RawSpan) -> UInt64 {
        var hash = FNV1a()
        for index in 0..<octets.byteCount { hash.take(octets.octet(at: index) ?? 0) }
        return hash.value
    }
}

/// A request that a client sent repeatedly.
public struct RepeatedRequest: Sendable {
    var opcode: ATTOpcode
    var range: ClosedRange<UInt16>
    var first: FramePlace
    var count: Int
}

extension PendingRequest {
    /// Whether the request looks for services, characteristics or descriptors. Values are excluded, since
    /// clients read them by type again and again.
    fileprivate var findsDeclarations: Bool {
        guard opcode.isDiscovery else { return false }
        guard let type else { return opcode == .findInformationRequest }
        return type.assigned16.map { (0x2800...0x2803).contains($0) } ?? false
    }

    /// Returns the error of a request of discovery, unless the error only ends a search: many servers without
    /// secondary services answer a search for them with Unsupported Group Type.
    func refusal(by error: ATTErrorCode) -> ATTErrorCode? {
        let isEnd =
            error == .attributeNotFound || error == .unsupportedGroupType && type == .secondaryService
        return isEnd || !findsDeclarations ? nil : error
    }
}
