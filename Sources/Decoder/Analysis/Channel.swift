import BluetoothCore
import PayloadFormat
import WireBytes

/// A connection-oriented channel of a link, from the command that asks for it to the one that closes it.
///
/// Source: Core Specification, Vol 3, Part A, 4.2 to 4.7, 4.22 and 4.25.
struct Channel: Sendable {
    /// The most channels of a link, open or asked for.
    static let limit = 64
    /// The fixed PSM of ATT on BR/EDR, and the SPSM of enhanced ATT bearers.
    static let attPSM: UInt16 = 0x001F
    static let enhancedATTPSM: UInt16 = 0x0027

    /// The service that was asked for.
    var psm: UInt16
    /// Whether SDUs are sent in K-frames against credits; else a PDU is an SDU.
    var isCreditBased: Bool
    /// The identifier of the command that asks for it, and who sent it.
    var identifier: UInt8
    var requester: Side
    /// The ends: what each device calls the channel; 0 until it is known.
    var hostCID: UInt16 = 0
    var peerCID: UInt16 = 0
    /// Octets of the longest SDU that the requester takes.
    var mtu: UInt16
    var isOpen = false
    /// The ATT bearer on it; nil where it carries something else.
    var bearer: Int?
    /// The K-frames that each side may send.
    var hostCredits = ChannelCredits()
    var peerCredits = ChannelCredits()
    /// SDUs that are being put together.
    var fromHost = SDUAssembly()
    var fromPeer = SDUAssembly()

    /// The CID by which a PDU names it that this side sent: a PDU names the receiver's end.
    func cid(sentBy side: Side) -> UInt16 { side == .host ? peerCID : hostCID }

    /// Changes what a side may send.
    mutating func withCredits(of side: Side, _ change: (inout ChannelCredits) -> Void) {
        if side == .host { change(&hostCredits) } else { change(&peerCredits) }
    }

    /// The end that a side has.
    func end(of side: Side) -> UInt16 { side == .host ? hostCID : peerCID }

    mutating func setEnd(of side: Side, _ cid: UInt16) {
        if side == .host { hostCID = cid } else { peerCID = cid }
    }
}

/// Puts the K-frames of one channel and direction together to SDUs (Vol 3, Part A, 3.4.3).
///
/// Nothing numbers K-frames. After a hole only a K-frame that is a whole SDU in itself is trusted again.
struct SDUAssembly: Sendable {
    /// The longest SDU that is put together: an attribute value has at most 512 octets, and ATT few more.
    static let limit = 8192

    enum Outcome {
        /// The SDU is in the K-frame, after its length.
        case whole(length: Int)
        /// The SDU was put together.
        case completed(length: Int)
        /// It goes on, or belongs to one that can't be completed.
        case pending
        /// Its length can't be: the octets announced and the octets there.
        case malformed(announced: Int, held: Int)
        /// The record holds only the start of it, after the length.
        case cut(length: Int)
    }

    private(set) var octets: [UInt8] = []
    private(set) var frames: [FramePlace] = []
    private var expected = 0
    private var isBroken = false

    /// Octets of memory that it takes.
    var room: Int { octets.capacity &+ frames.capacity &* MemoryLayout<FramePlace>.stride }

    /// Whether an SDU is under way.
    var isGathering: Bool { expected > 0 }

    /// Gives back the room of an SDU that is complete.
    mutating func releaseRoom() {
        guard expected == 0 else { return }
        octets = []
        frames = []
    }

    /// A K-frame was lost.
    mutating func lose() {
        expected = 0
        isBroken = true
        octets = []
        frames = []
    }

    mutating func receive(_ payload: RawSpan, isCut: Bool, frame: FramePlace) -> Outcome {
        guard expected > 0 else { return begin(payload, isCut: isCut, frame: frame) }
        if isCut {
            lose()
            return .pending
        }
        guard octets.count &+ payload.byteCount <= expected else {
            let announced = expected
            let held = octets.count &+ payload.byteCount
            lose()
            return .malformed(announced: announced, held: held)
        }
        octets.append(contentsOf: payload.copied())
        if frames.count < Assembly.frameLimit { frames.append(frame) }
        guard octets.count == expected else { return .pending }
        expected = 0
        return .completed(length: octets.count)
    }

    private mutating func begin(_ payload: RawSpan, isCut: Bool, frame: FramePlace) -> Outcome {
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
            lose()
            return .cut(length: length)
        }
        guard held < length, length <= Self.limit else {
            lose()
            return .malformed(announced: length, held: held)
        }
        octets = payload.dropping(2).copied()
        frames = [frame]
        expected = length
        return .pending
    }
}
