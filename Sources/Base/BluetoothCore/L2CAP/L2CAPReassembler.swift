import WireBytes

/// Puts the ACL fragments of one link and direction together to L2CAP PDUs.
///
/// A PDU that lies whole in one fragment is never copied: its bytes are the fragment's own. Others are
/// gathered in one buffer that is used again and again and never grows past the limit. A fragment that its
/// recorder cut short leaves a hole, and nothing after it completes the PDU: the bytes that are there are
/// given out as cut. Source: Core Specification, Vol 3, Part A, 7.2; Vol 4, Part E, 5.4.2.
public struct L2CAPReassembler: Sendable {
    /// What a fragment led to.
    public enum Outcome: Hashable, Sendable {
        /// The fragment is a whole PDU: header, then information; nothing was copied.
        case whole(L2CAPHeader)
        /// The fragment completes a PDU: its information is in ``information``.
        case completed(L2CAPHeader, fragments: Int)
        /// The PDU goes on in later fragments.
        case pending
        /// The record holds too little of the PDU, or some of its fragments were cut; it can't be completed.
        case cut(Cut)
        /// The fragment goes on with a PDU that was already given out as cut.
        case skipped
        /// The fragment goes on with a PDU whose start was not seen.
        case missingStart
        /// The fragment holds more bytes than its PDU still needs.
        case tooLong(L2CAPHeader, excess: Int)
        /// The PDU is longer than the limit allows to gather.
        case overLimit(L2CAPHeader)
        /// A start that is too short even for the header, although its record is complete.
        case shortStart
    }

    /// A PDU that can't be completed because the recorder dropped bytes of it.
    public struct Cut: Hashable, Sendable {
        /// The header, where its four bytes are there.
        public var header: L2CAPHeader?
        /// Bytes of the information known without a gap from its start. In the fragment itself where
        /// `isInFragment` is set, else in ``L2CAPReassembler/information``.
        public var known: Int
        /// Whether the known bytes are those of this fragment after its header.
        public var isInFragment: Bool

        @inlinable
        public init(header: L2CAPHeader?, known: Int, isInFragment: Bool) {
            self.header = header
            self.known = known
            self.isInFragment = isInFragment
        }
    }

    /// A PDU that a new start put an end to before all of it had come.
    public struct Abandoned: Hashable, Sendable {
        /// Its header; nil if not even that was complete.
        public var header: L2CAPHeader?
        /// Bytes of information that had come.
        public var received: Int
    }

    @usableFromInline
    enum State: Sendable {
        case idle
        case gathering
        case poisoned
    }

    /// What a new PDU put an end to, by the last fragment; nil if nothing was lost.
    public private(set) var abandoned: Abandoned?
    /// The longest information that is gathered, in bytes.
    public let limit: Int

    @usableFromInline var state = State.idle
    // The header and the information, as they come.
    private var buffer: [UInt8] = []
    private var fragments = 0

    /// A reassembler that gathers no PDU with more than `limit` bytes of information.
    public init(limit: Int = 0xFFFF) { self.limit = max(0, limit) }

    /// The information of the PDU completed or cut last, until the next fragment.
    public var information: ArraySlice<UInt8> { buffer.dropFirst(L2CAPHeader.size) }

    /// Whether nothing is under way, nor anything left over of a PDU that can't be completed.
    @inlinable public var isIdle: Bool { state == .idle }

    /// Whether a PDU has begun that is not complete.
    public var isGathering: Bool { state == .gathering }

    /// The bytes that the PDU under way still needs, or `Int.max` while its header is not complete; nil
    /// if none is under way.
    public var missingCount: Int? {
        guard state == .gathering else { return nil }
        guard let header = gatheredHeader else { return .max }
        return max(0, Int(header.length) &- (buffer.count &- L2CAPHeader.size))
    }

    /// Bytes of memory that it takes.
    public var room: Int { buffer.capacity }

    /// Gives back the room of what was gathered, which is forgotten; the room of a PDU under way stays.
    public mutating func releaseRoom() { if state != .gathering { buffer = [] } }

    /// Forgets what was gathered and keeps the room.
    public mutating func reset() {
        state = .idle
        buffer.removeAll(keepingCapacity: true)
        fragments = 0
        abandoned = nil
    }

    /// Takes the next fragment.
    ///
    /// - Parameters:
    ///   - octets: the ACL data that is there.
    ///   - isContinuation: whether its Packet Boundary flag says that it goes on with a PDU.
    ///   - sentCount: the bytes that the fragment had on the wire; more than there are where it was cut.
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
            if isCut {
                state = .poisoned
                return .cut(Cut(header: nil, known: 0, isInFragment: true))
            }
            // A controller may cut anywhere, even within the header.
            guard octets.byteCount > 0 else { return .shortStart }
            gather(octets, first: true)
            return .pending
        }
        let length = Int(header.length)
        if held == length { return .whole(header) }
        if held > length { return .tooLong(header, excess: held &- length) }
        if isCut {
            state = .poisoned
            return .cut(Cut(header: header, known: held, isInFragment: true))
        }
        guard length <= limit else {
            state = .poisoned
            return .overLimit(header)
        }
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
            guard isCut else { return .pending }
            state = .poisoned
            return .cut(Cut(header: nil, known: 0, isInFragment: false))
        }
        let held = buffer.count - L2CAPHeader.size
        let length = Int(header.length)
        if held == length {
            state = .idle
            return .completed(header, fragments: fragments)
        }
        if held > length {
            state = .poisoned
            return .tooLong(header, excess: held - length)
        }
        if isCut {
            state = .poisoned
            return .cut(Cut(header: header, known: held, isInFragment: false))
        }
        guard length <= limit else {
            state = .poisoned
            return .overLimit(header)
        }
        return .pending
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
        // What the header can't ask for is not kept: a fragment is at most 65535 bytes long.
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
