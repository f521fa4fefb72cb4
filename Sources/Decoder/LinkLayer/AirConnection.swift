public import BluetoothCore
import WireBytes

/// One connection on the air, as far as a sniffer heard it.
public struct AirConnection: Sendable {
    /// Counts of what was heard of a connection, and what was not.
    public struct Counts: Sendable {
        /// Connection events of which at least one packet was heard.
        public var events = 0
        /// Connection events before the last of them of which no packet was heard: from the connection
        /// request on, or if that was not heard, from the first of them on.
        public var missedEvents = 0
        /// Data PDUs, empty and control PDUs included.
        public var packets = 0
        /// Packets whose check sequence was wrong.
        public var wrongCRC = 0
        /// Packets that repeat the one before them in their direction.
        public var retransmissions = 0
        /// Encrypted PDUs that were opened.
        public var opened = 0
        /// Encrypted PDUs that could not be opened.
        public var closed = 0
        /// Connection events in a row, up to now, in which the central was heard and the peripheral did not
        /// answer it.
        public var unansweredEvents = 0
        /// The channel indices of these events, as far as they are known: a bit for each.
        public var unansweredChannels: UInt64 = 0
    }

    /// The state of one direction.
    struct Way: Sendable {
        /// The last packet's sequence number; nil before the first.
        var sequenceNumber: UInt8?
        /// The last packet's length and payload as one number, to tell a repetition from a new packet.
        var content: UInt64 = 0
        /// Whether a sequence number was set, and the number of different packets: programs that record what
        /// they send themselves may leave the numbers to their radio.
        var hasNumbers = false
        var contents = 0
        /// Most packets of a side that all have the numbers 0.
        static let unnumberedLimit = 3
        /// Time of the first transmission of the last packet.
        var sent: Int64 = 0
        /// Security Manager PDUs that come in several packets.
        var pairing = L2CAPReassembler(limit: 128)
        /// The LLID of a PDU that its security holds back.
        var pendingLLID: UInt8 = 0
        /// The last packet's plaintext, for its repetitions; nil if it was not opened.
        var opened: [UInt8]?
        /// The last packet's NESN, which changes with each packet that the side received; nil before any.
        var acknowledged: UInt8?
        /// Whether a packet of the other side was heard since then.
        var isFollowed = false
        /// Whether the side has sent LL_VERSION_IND.
        var hasSentVersion = false
        /// Longest payload and time that the side announced: receive, transmit (bytes, then microseconds).
        var lengths: (rx: UInt16, rxTime: UInt16, tx: UInt16, txTime: UInt16)?
    }

    public internal(set) var accessAddress: UInt32
    /// The handle that stands for it in HCI packets.
    public internal(set) var handle: UInt16
    public internal(set) var central: DeviceAddress?
    public internal(set) var peripheral: DeviceAddress?
    /// Initial value of the check sequence; nil if the connection request was not heard.
    var crcInit: UInt32?
    /// The time between two events in nanoseconds; 0 if unknown.
    var interval: Int64 = 0
    /// The interval, latency and supervision timeout in their units.
    var parameters: (interval: UInt16, latency: UInt16, timeout: UInt16) = (0, 0, 0)
    /// A change of the interval that is under way: the event from which it holds.
    var nextInterval: (instant: UInt16, nanoseconds: Int64)?
    /// The earliest time of its first event in nanoseconds; nil if the connection request was not heard, or
    /// was not taken.
    public internal(set) var firstEvent: Int64?
    /// Whether a data PDU was heard, so that the connection exists.
    public internal(set) var isEstablished = false
    var hasEnded = false
    /// The counter of the current event, if all events since the connection request can be counted.
    var eventCounter = 0
    /// The start of the current event, in nanoseconds; nil before the first.
    var anchor: Int64?
    /// The last packet: its time, channel, length and sender.
    var last: (time: Int64, channel: UInt8?, length: Int, fromCentral: Bool)?
    /// The central's last NESN, which changes with each packet that it received from the peripheral.
    var acknowledged: UInt8?
    /// Whether the central's NESN has changed, so that the recorder kept it.
    private var hasAcknowledged = false
    /// Whether a packet of the peripheral was received, by the sniffer or the central.
    var isAnswered = false
    /// Time of the peripheral's last packet, and for how long after it the central repeated a PDU that the
    /// peripheral did not acknowledge, in nanoseconds.
    private var unacknowledged: (heard: Int64, time: Int64) = (0, 0)
    /// A cause for one side to drop the connection without a word: a PDU with an instant that has passed, a
    /// wrong MIC, or the first PDU of another key.
    private var silentCause: (reason: UInt8, isCentrals: Bool, anchor: Int64?)?
    var ways = (central: Way(), peripheral: Way())
    /// Whether there were packets of both senders: some recorders give all packets the same one.
    var tellsSides: Bool { ways.central.contents > 0 && ways.peripheral.contents > 0 }
    /// Encryption: whether the link's start of it was heard, and whether it is in force.
    var encryption = Encryption.off
    /// Whether the last packet announced another one of its sender (MD).
    var announcesMore = false
    /// Whether an event had two packets with the same sender, although the first announced no other.
    var mixesSides = false
    /// Whether its recorder gives all packets the same sender, as far as heard.
    public var lacksSides: Bool { mixesSides && !tellsSides }
    /// The opcode of the last control PDU except responses, while all packets have the same sender.
    var asked: UInt8?
    /// The side that asked for the features.
    var centralAsksFeatures = false
    public internal(set) var counts = Counts()

    enum Encryption: Sendable {
        case off
        /// The peripheral asked to start; its next packet is the last of the start.
        case starting(again: Bool)
        case on
        /// Paused, to start again with a new key.
        case paused
    }

    /// Whether a PDU of it was in clear for certain.
    var hasClearPDU = false
    /// Whether another program decrypted PDUs of it and did not say so.
    var isDecryptedElsewhere = false
    /// Whether it was encrypted before the capture began.
    var isClosedFromStart = false
    /// The pairing, the keys and the counters of its encryption.
    var security = LinkSecurity()
    /// The reason why its last closed PDU was not opened; nil if all were.
    public internal(set) var closedReason: LinkSecurity.Reason?

    init(_ accessAddress: UInt32, handle: UInt16) {
        self.accessAddress = accessAddress
        self.handle = handle
    }

    /// Whether a device was asked for it, and sent no packet within the six intervals after which it gives up
    /// (Vol 6, Part B, 4.5.2). The first event is up to one interval after the request.
    func waits(for device: DeviceAddress, at time: Int64) -> Bool {
        guard !isEstablished, peripheral == device, let firstEvent else { return false }
        return Self.span(from: firstEvent, to: time) > 5 * interval
    }

    /// The supervision timeout in nanoseconds; 0 if unknown.
    var timeout: Int64 { Int64(parameters.timeout) * 10_000_000 }

    /// Returns the nanoseconds between two times of a capture, limited to 146 years, so that sums don't
    /// overflow.
    static func span(from start: Int64, to end: Int64) -> Int64 {
        let (span, overflow) = end.subtractingReportingOverflow(start)
        return overflow ? (end < start ? -1 << 62 : 1 << 62) : max(-1 << 62, min(span, 1 << 62))
    }

    /// Infers the sender of a packet whose recorder did not keep it: within an event packets alternate, and
    /// the central begins.
    func infersCentral(at time: Int64, _ channel: UInt8?) -> Bool {
        guard let last, isInEvent(time, channel) else { return true }
        return !last.fromCentral
    }

    /// Whether a packet follows the last one at once: within an event there are 150 µs between them.
    private func isInEvent(_ time: Int64, _ channel: UInt8?) -> Bool {
        guard let last, channel == last.channel else { return false }
        // A packet of 251 bytes takes 2.1 ms on LE 1M, and the recorder's time may be of its end.
        let longest = Int64(last.length + 14) * 8_000 + 1_000_000
        return (0..<longest).contains(Self.span(from: last.time, to: time))
    }

    /// Counts the events up to that of a packet; returns how many were not heard before it.
    mutating func advance(to time: Int64, _ channel: UInt8?, fromCentral: Bool) -> Int {
        let before = last
        guard let anchor else {
            self.anchor = time
            counts.events += 1
            guard let firstEvent, interval > 0 else { return 0 }
            let late = Self.span(from: firstEvent, to: time)
            // A connection of which nothing is heard for its timeout has ended: the sniffer's clock jumped.
            guard late > 0, timeout == 0 || late <= timeout + interval else { return 0 }
            eventCounter = Int(min(late / interval, 1 << 20))
            counts.missedEvents += eventCounter
            return eventCounter
        }
        if let next = nextInterval, UInt16(truncatingIfNeeded: eventCounter) &- next.instant < 0x8000 {
            interval = next.nanoseconds
            nextInterval = nil
        }
        let gap = Self.span(from: anchor, to: time)
        // The same event goes on while its sides alternate; half an interval later it is another.
        if interval > 0
            ? gap < interval / 2 || channel != nil && gap < interval && isInEvent(time, channel)
            : gap < 5_000_000 && before?.fromCentral != fromCentral
        {
            return 0
        }
        self.anchor = time
        counts.events += 1
        // A connection that goes on after its timeout was not silent: the sniffer's clock jumped.
        guard interval > 0, gap > 0, timeout == 0 || gap <= timeout + interval else { return 0 }
        let passed = min((gap + interval / 2) / interval, 1 << 20)
        eventCounter += Int(passed)
        let missed = max(0, Int(passed) - 1)
        counts.missedEvents += missed
        return missed
    }

    /// Takes note of a data PDU of the central. One that it repeats was not acknowledged since. After events
    /// that were not heard an equal PDU may be a new one, except for some.
    mutating func noteData(at time: Int64, isRepetition: Bool) {
        let start = max(ways.central.sent, unacknowledged.heard)
        unacknowledged.time = isRepetition ? Self.span(from: start, to: time) : 0
    }

    /// Counts the events in which the peripheral is silent. The central's acknowledgments show packets of the
    /// peripheral that the sniffer did not hear.
    mutating func noteSilence(_ packet: AirPacket, fromCentral: Bool) {
        if let cause = silentCause, cause.isCentrals == fromCentral, cause.anchor != anchor {
            silentCause = nil
        }
        let isAcknowledged = fromCentral && acknowledged.map { $0 != packet.nextSequenceNumber } ?? false
        if isAcknowledged { hasAcknowledged = true }
        if !fromCentral || isAcknowledged {
            counts.unansweredEvents = 0
            counts.unansweredChannels = 0
            isAnswered = true
            unacknowledged = (last?.time ?? 0, 0)
        }
        guard fromCentral else { return }
        acknowledged = packet.nextSequenceNumber
        guard anchor == last?.time else { return }
        counts.unansweredEvents += 1
        if let channel = packet.channel { counts.unansweredChannels |= 1 << UInt64(channel & 63) }
    }

    /// Whether a side acknowledges a packet that the sniffer did not hear, although it heard the event.
    mutating func acknowledgesUnheard(_ packet: AirPacket, fromCentral: Bool) -> Bool {
        withWay(!fromCentral) { $0.isFollowed = true }
        let isUnheard = withWay(fromCentral) { way in
            let isNew = way.acknowledged.map { $0 != packet.nextSequenceNumber } ?? false
            let isUnheard = isNew && !way.isFollowed
            (way.acknowledged, way.isFollowed) = (packet.nextSequenceNumber, false)
            return isUnheard
        }
        return isUnheard && tellsSides && ways.central.hasNumbers && ways.peripheral.hasNumbers
    }

    /// Number of events without the peripheral that show that it is lost.
    public static let lostEvents = 6

    /// The reason why it is over, if neither side ended it and it is silent; nil if the sniffer may not have
    /// heard the end.
    ///
    /// A central gives up after six events without a first answer, and else after the supervision timeout
    /// (Vol 6, Part B, 4.5.2). If it goes on for longer, only the sniffer does not hear the peripheral. Only
    /// an unchanged NESN shows that the central received nothing, either.
    var silentEnd: UInt8? {
        if let silentCause { return silentCause.reason }
        // The peripheral may skip as many events as its latency has.
        let wait = (Int64(Self.lostEvents) + Int64(parameters.latency)) * interval
        let silence = max(Int64(counts.unansweredEvents) * interval, unacknowledged.time)
        let isLong = interval > 0 && silence >= wait
        guard counts.unansweredEvents >= Self.lostEvents || isLong else { return nil }
        guard isAnswered else { return counts.unansweredEvents <= 2 * Self.lostEvents ? 0x3E : nil }
        let isDeaf = hasAcknowledged && Int64(counts.unansweredEvents) * interval > timeout
        return timeout == 0 || silence <= timeout + wait || isDeaf ? 0x08 : nil
    }

    /// Returns the time of an end that silence shows, in nanoseconds: of the last packet, or when the
    /// supervision timeout has run out; nil if it has not at `now`.
    func silentEndTime(_ reason: UInt8, at now: Int64) -> Int64? {
        let packet = last?.time ?? 0
        guard reason == 0x08, isAnswered else { return packet }
        let end = max(packet, unacknowledged.heard &+ timeout)
        return end <= now ? end : nil
    }

    /// Takes note of a PDU that is to take effect at the event `instant`: one that has passed ends the
    /// connection (Vol 6, Part B, 5.5).
    mutating func check(instant: UInt16) {
        guard crcInit != nil, interval > 0 else { return }
        let passed = UInt16(truncatingIfNeeded: eventCounter) &- instant
        if passed > 0, passed < 0x7FFF { drops(byCentral: false, reason: 0x28) }
    }

    /// Takes note of a packet on whose receipt a side drops the connection, unless it is heard again.
    mutating func drops(byCentral: Bool, reason: UInt8) { silentCause = (reason, byCentral, anchor) }

    /// Takes note of an answer: no side dropped the connection.
    mutating func goesOn() { silentCause = nil }

    /// Whether a PDU may be in clear: a link that was encrypted before the capture began shows it by PDUs
    /// that fit nothing.
    mutating func mayBeClear(_ payload: RawSpan, _ packet: AirPacket) -> Bool {
        guard crcInit == nil, !hasClearPDU, packet.llid != 1 else { return !isClosedFromStart }
        hasClearPDU = Self.fits(payload, packet)
        isClosedFromStart = !hasClearPDU
        return hasClearPDU
    }

    /// Whether a PDU has a whole L2CAP header on a fixed channel, or is a control PDU of its length.
    static func fits(_ payload: RawSpan, _ packet: AirPacket) -> Bool {
        if packet.llid == 3 {
            guard let opcode = payload.octet(at: 0), AirTable.controlName(opcode) != nil else { return false }
            return AirTable.fault(inControl: payload) == nil
        }
        guard let length = payload.u16le(at: 0), let channel = payload.u16le(at: 2) else { return false }
        return (4...7).contains(channel) && Int(length) + 4 >= packet.length && length < 0x400
    }
}
