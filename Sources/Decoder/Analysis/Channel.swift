import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// A connection-oriented channel of a link, from the command that requests it to the one that closes it.
///
/// Source: Core Specification, Vol 3, Part A, 4.2 to 4.7, 4.22 and 4.25.
struct Channel: Sendable {
    /// Most channels of a link, open or requested.
    static let limit = 64
    /// The fixed PSM of ATT on BR/EDR, and the SPSM of enhanced ATT bearers.
    static let attPSM: UInt16 = 0x001F
    static let enhancedATTPSM: UInt16 = 0x0027

    var psm: UInt16
    /// Whether SDUs are sent in K-frames against credits; otherwise a PDU is an SDU.
    var isCreditBased: Bool
    /// The identifier and the sender of the command that requests the channel.
    var identifier: UInt8
    var requester: Side
    /// The channel identifiers at both ends; 0 until they are known.
    var cids = BySide<UInt16>(0)
    /// Longest SDU that the requester accepts, in bytes.
    var mtu: UInt16
    var isOpen = false
    /// Its number among the channels that were opened on the link: channel identifiers are used again.
    var number: UInt16 = 0
    /// The ATT bearer on the channel; nil if the channel carries something else.
    var bearer: Int?
    /// Credits: the K-frames that each side may send.
    var credits = BySide(ChannelCredits())
    /// The SDUs of each side under reassembly.
    var assemblies = BySide(SDUAssembly())
}

/// The channels of a link to one service.
public struct ChannelUse: Sendable {
    public let psm: UInt16
    /// Number of channels that were opened.
    public internal(set) var opened = 0
    /// Number of channels that each side closed while the link went on.
    public internal(set) var closed = CountBySide()
    /// Number of requests that each side refused.
    public internal(set) var refused = CountBySide()
}

/// Reassembles the K-frames of one channel and direction to SDUs (Vol 3, Part A, 3.4.3).
///
/// K-frames are not numbered. After a gap, only a K-frame that is a complete SDU is trusted again.
struct SDUAssembly: Sendable {
    /// Longest SDU of ATT that is reassembled, in bytes: a value has at most 512, and ATT adds few.
    static let limit = 8192

    enum Outcome {
        /// The SDU is in the K-frame, after its length.
        case whole(length: Int)
        case completed(length: Int)
        /// More K-frames follow, or the K-frame belongs to an SDU that can't be completed.
        case pending
        /// The length is impossible: the bytes announced and the bytes present.
        case malformed(announced: Int, held: Int)
        /// The record was truncated after the SDU's length.
        case cut(length: Int)
    }

    private(set) var octets: [UInt8] = []
    private(set) var frames: [FramePlace] = []
    private var expected = 0
    private var isBroken = false

    /// Memory in use, in bytes.
    var incompleteBytes: Int { octets.capacity &+ frames.capacity &* MemoryLayout<FramePlace>.stride }

    mutating func releaseBuffers() {
        guard expected == 0 else { return }
        octets = []
        frames = []
    }

    /// Drops the SDU, since a K-frame was lost.
    mutating func dropSDU() {
        expected = 0
        isBroken = true
        octets = []
        frames = []
    }

    /// - Parameter limit: the longest SDU that is reassembled, in bytes.
    mutating func receive(_ payload: RawSpan, isCut: Bool, limit: Int, frame: FramePlace) -> Outcome {
        guard expected > 0 else { return begin(payload, isCut: isCut, limit: limit, frame: frame) }
        if isCut {
            dropSDU()
            return .pending
        }
        guard octets.count &+ payload.byteCount <= expected else {
            let announced = expected
            let held = octets.count &+ payload.byteCount
            dropSDU()
            return .malformed(announced: announced, held: held)
        }
        octets.append(contentsOf: payload.copied())
        if frames.count < Assembly.frameLimit { frames.append(frame) }
        guard octets.count == expected else { return .pending }
        expected = 0
        return .completed(length: octets.count)
    }

    private mutating func begin(
        _ payload: RawSpan, isCut: Bool, limit: Int, frame: FramePlace
    ) -> Outcome {
        guard let announced = payload.u16le(at: 0) else {
            if isCut { return .pending }
            return .malformed(announced: 2, held: payload.byteCount)
        }
        let length = Int(announced)
        let held = payload.byteCount &- 2
        if held == length {
            isBroken = false
            return .whole(length: length)
        }
        if isBroken { return .pending }
        if isCut {
            dropSDU()
            return .cut(length: length)
        }
        guard held < length, length <= limit else {
            dropSDU()
            return .malformed(announced: length, held: held)
        }
        octets = payload.dropping(2).copied()
        frames = [frame]
        expected = length
        return .pending
    }
}

/// One L2CAP PDU that arrives in several ACL packets, and the frames it arrives in.
///
/// Fragments are not numbered: a continuation belongs to the last started PDU of its sender on its handle.
struct Assembly: Sendable {
    /// Limit of the frames remembered for a PDU; its further fragments are only counted.
    static let frameLimit = 64

    var reassembler = L2CAPReassembler()
    var firstFrame = FramePlace()
    var fragmentCount = 0
    var frames: [FramePlace] = []
    /// Whether a sniffer may have missed fragments of the PDU.
    var mayLackFragments = false
    private(set) var lastTime = CaptureTime(nanoseconds: 0)
    /// Whether a packet of its sender in a later connection event was heard since the last fragment.
    private(set) var laterEventWasHeard = false

    /// Adds the data of one ACL packet that had `sent` bytes on the wire.
    mutating func receive(
        _ data: RawSpan, isContinuation: Bool, sent: Int, frame: FramePlace, _ time: CaptureTime
    ) -> L2CAPReassembler.Outcome {
        let outcome = reassembler.receive(data, isContinuation: isContinuation, sentCount: sent)
        if !isContinuation {
            firstFrame = frame
            fragmentCount = 0
            mayLackFragments = false
            if !frames.isEmpty { frames.removeAll(keepingCapacity: true) }
        }
        fragmentCount &+= 1
        // Most PDUs fit in one packet: only the frames of the others need to be remembered.
        if case .whole = outcome { return outcome }
        if frames.count < Self.frameLimit { frames.append(frame) }
        (lastTime, laterEventWasHeard) = (time, false)
        return outcome
    }

    /// Records that a sniffer heard a packet of its sender that is not a retransmission.
    ///
    /// - Parameter event: the shortest time, in nanoseconds, until the next connection event.
    mutating func goOn(at time: CaptureTime, event: Int64) {
        if reassembler.isGathering, event > 0, time.since(lastTime) >= event { laterEventWasHeard = true }
    }
}
