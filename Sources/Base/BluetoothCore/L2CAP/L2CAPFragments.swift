import WireBytes

/// Reassembles the ACL fragments of one link and direction into L2CAP PDUs.
///
/// A PDU that is complete in one fragment is never copied: its bytes are the fragment's. Other PDUs are
/// collected in one buffer, which is reused and never exceeds the limit. A fragment that its recorder cut
/// leaves a gap: its PDU is returned as cut, with the bytes before the gap. Source: Core Specification, Vol
/// 3, Part A, 7.2; Vol 4, Part E, 5.4.2.
public struct L2CAPReassembler: Sendable {
    /// The outcome of a fragment.
    public enum Outcome: Hashable, Sendable {
        /// The fragment is a whole PDU, header and information, and nothing was copied.
        case whole(L2CAPHeader)
        /// The fragment completes a PDU; its information is in ``information``.
        case completed(L2CAPHeader, fragments: Int)
        /// The PDU continues in a later fragment.
        case pending
        /// The PDU can't be completed: the recorder cut this fragment or an earlier one.
        case cut(Cut)
        /// The fragment belongs to a PDU that was already returned as cut.
        case skipped
        /// The fragment belongs to a PDU whose start was not seen.
        case missingStart
        /// The fragment has more bytes than its PDU lacks.
        case tooLong(L2CAPHeader, excess: Int)
        /// The PDU is longer than the limit.
        case overLimit(L2CAPHeader)
        /// The first fragment is too short for the header, although its record is complete.
        case shortStart
    }

    /// A PDU that can't be completed because the recorder cut its packets.
    public struct Cut: Hashable, Sendable {
        /// The header, if all four bytes are there.
        public var header: L2CAPHeader?
        /// Whether the bytes of the information that are known without a gap are in this fragment, after its
        /// header, and not in ``L2CAPReassembler/information``.
        public var isInFragment: Bool

        @inlinable
        public init(header: L2CAPHeader?, isInFragment: Bool) {
            self.header = header
            self.isInFragment = isInFragment
        }
    }

    /// An incomplete PDU that ended because a new one started.
    public struct Abandoned: Hashable, Sendable {
        /// The PDU's header; nil if it is incomplete too.
        public var header: L2CAPHeader?
        /// Number of bytes of information received.
        public var received: Int
    }

    @usableFromInline
    enum State: Sendable {
        case idle
        case gathering
        case poisoned
    }

    /// The incomplete PDU that the last fragment ended by starting a new one; nil without one.
    public private(set) var abandoned: Abandoned?
    /// Maximum length of the collected information, in bytes.
    public let limit: Int

    @usableFromInline var state = State.idle
    // The header and the information received so far.
    private var buffer: [UInt8] = []
    private var fragments = 0

    /// Creates a reassembler that collects PDUs with at most `limit` bytes of information.
    public init(limit: Int = 0xFFFF) { self.limit = max(0, limit) }

    /// The information of the last completed or cut PDU, valid until the next fragment.
    public var information: ArraySlice<UInt8> { buffer.dropFirst(L2CAPHeader.size) }

    /// Whether no PDU is in progress, and no fragments of a cut PDU are expected.
    @inlinable public var isIdle: Bool { state == .idle }

    /// Whether a PDU has begun and is incomplete.
    public var isGathering: Bool { state == .gathering }

    /// Number of bytes that the PDU in progress lacks; `Int.max` while its header is incomplete; nil without
    /// a PDU.
    public var missingCount: Int? {
        guard state == .gathering else { return nil }
        guard let header = gatheredHeader else { return .max }
        return max(0, Int(header.length) &- (buffer.count &- L2CAPHeader.size))
    }

    /// Memory in use, in bytes.
    public var room: Int { buffer.capacity }

    /// Frees the memory of the collected bytes, unless a PDU is in progress.
    public mutating func releaseRoom() { if state != .gathering { buffer = [] } }

    /// Forgets the collected bytes and keeps the memory.
    public mutating func reset() {
        state = .idle
        buffer.removeAll(keepingCapacity: true)
        fragments = 0
        abandoned = nil
    }

    /// Forgets the collected bytes, and skips the rest of a PDU of which fragments were lost.
    package mutating func skipRest() {
        reset()
        state = .poisoned
    }

    /// Adds the next fragment.
    ///
    /// - Parameters:
    ///   - octets: the ACL data in the record.
    ///   - isContinuation: whether the Packet Boundary flag marks a continuation.
    ///   - sentCount: the length of the fragment on the wire; more than `octets` has if the recorder cut it.
    public mutating func receive(
        _ octets: RawSpan, isContinuation: Bool, sentCount: Int? = nil
    ) -> Outcome {
        abandoned = nil
        let isCut = (sentCount ?? octets.byteCount) > octets.byteCount
        return isContinuation ? goOn(octets, isCut: isCut) : begin(octets, isCut: isCut)
    }

    private mutating func begin(_ octets: RawSpan, isCut: Bool) -> Outcome {
        abandon()
        let header = Self.header(octets)
        let held = octets.byteCount &- L2CAPHeader.size
        guard let header else {
            if isCut { return poison(.cut(Cut(header: nil, isInFragment: true))) }
            // A controller may cut a PDU anywhere, even within the header.
            guard octets.byteCount > 0 else { return .shortStart }
            gather(octets, first: true)
            return .pending
        }
        let length = Int(header.length)
        if held == length { return .whole(header) }
        if held > length { return .tooLong(header, excess: held &- length) }
        if isCut { return poison(.cut(Cut(header: header, isInFragment: true))) }
        if length > limit { return poison(.overLimit(header)) }
        gather(octets, first: true)
        return .pending
    }

    private mutating func goOn(_ octets: RawSpan, isCut: Bool) -> Outcome {
        switch state {
        case .idle: return .missingStart
        case .poisoned: return .skipped
        case .gathering: break
        }
        gather(octets, first: false)
        guard let header = gatheredHeader else {
            return isCut ? poison(.cut(Cut(header: nil, isInFragment: false))) : .pending
        }
        let held = buffer.count - L2CAPHeader.size
        let length = Int(header.length)
        if held == length {
            state = .idle
            return .completed(header, fragments: fragments)
        }
        if held > length { return poison(.tooLong(header, excess: held - length)) }
        if isCut { return poison(.cut(Cut(header: header, isInFragment: false))) }
        return length > limit ? poison(.overLimit(header)) : .pending
    }

    /// Skips the rest of a PDU that can't be joined.
    private mutating func poison(_ outcome: Outcome) -> Outcome {
        state = .poisoned
        return outcome
    }

    private mutating func abandon() {
        if state == .gathering {
            abandoned = Abandoned(
                header: gatheredHeader, received: max(0, buffer.count - L2CAPHeader.size))
        }
        state = .idle
    }

    private mutating func gather(_ octets: RawSpan, first: Bool) {
        if first {
            buffer.removeAll(keepingCapacity: true)
            fragments = 0
        }
        state = .gathering
        fragments += 1
        // A check against the header's length is not needed: a fragment has at most 65535 bytes.
        for index in 0..<octets.byteCount { buffer.append(octets.octet(at: index) ?? 0) }
    }

    private var gatheredHeader: L2CAPHeader? {
        guard buffer.count >= L2CAPHeader.size else { return nil }
        return L2CAPHeader(
            length: UInt16(buffer[0]) | UInt16(buffer[1]) << 8,
            channel: L2CAPChannelID(rawValue: UInt16(buffer[2]) | UInt16(buffer[3]) << 8))
    }

    private static func header(_ octets: RawSpan) -> L2CAPHeader? {
        guard let length = octets.u16le(at: 0), let channel = octets.u16le(at: 2) else { return nil }
        return L2CAPHeader(length: length, channel: L2CAPChannelID(rawValue: channel))
    }
}

/// Cuts an L2CAP PDU into ACL data that fits the controller's buffers.
///
/// Source: Core Specification, Vol 3, Part A, 7.2.1; Vol 4, Part E, 5.4.2.
public struct L2CAPFragmenter: Sendable {
    /// The content of one ACL packet.
    public struct Fragment: Hashable, Sendable {
        /// Whether the fragment continues the PDU of an earlier fragment.
        public var isContinuation: Bool
        /// The ACL packet's data.
        public var octets: [UInt8]
    }

    private let octets: [UInt8]
    private let limit: Int
    private var position = 0

    /// Cuts `information`, sent on `channel`, into fragments of at most `limit` bytes; nil if it is too long
    /// for the length field.
    ///
    /// LE controllers have a limit of at least 27; a limit below one counts as one.
    public init?(_ information: [UInt8], channel: L2CAPChannelID, limit: Int) {
        guard let length = UInt16(exactly: information.count) else { return nil }
        var writer = ByteWriter(capacity: information.count + L2CAPHeader.size)
        L2CAPHeader(length: length, channel: channel).encode(into: &writer)
        writer.bytes(information)
        octets = writer.octets
        self.limit = max(1, limit)
    }

    /// Returns the next fragment; nil after the last.
    public mutating func next() -> Fragment? {
        guard position < octets.count else { return nil }
        let end = min(position + limit, octets.count)
        defer { position = end }
        return Fragment(isContinuation: position > 0, octets: Array(octets[position..<end]))
    }

    /// Returns all fragments of a PDU in order; empty if it is too long for L2CAP.
    public static func fragments(
        _ information: [UInt8], channel: L2CAPChannelID, limit: Int
    ) -> [Fragment] {
        guard var fragmenter = Self(information, channel: channel, limit: limit) else { return [] }
        var all: [Fragment] = []
        while let fragment = fragmenter.next() { all.append(fragment) }
        return all
    }
}
