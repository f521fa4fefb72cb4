import BluetoothCore
import PayloadFormat
import WireBytes

struct LongRead: Sendable {
    /// The result of reading a part of a value, or of an error instead of a part.
    enum Outcome: Equatable {
        /// More parts may follow, or the part belongs to no value under assembly.
        case isPart
        /// The part is the complete value. An error: the value was already passed on.
        case isWhole
        /// The part, or the error, completes this value.
        case ends([UInt8])
    }

    var handle: UInt16
    /// Number of bytes read so far: the offset of the next part.
    var end: Int
    /// The bytes read so far; empty if the recorder truncated some, or if no more are expected.
    var octets: [UInt8] = []
    /// Whether the value was passed to the protocols above ATT already, or never can be.
    var isDone: Bool

    /// Limit of the bytes kept; an attribute value has at most 512.
    static let limit = 4096
}

extension ATTBearer {
    /// Handles a value that a client reads, or a part of one. A part that fills its PDU is kept, since more
    /// may follow, until a shorter part or an error ends the value.
    ///
    /// - Parameters:
    ///   - request: the frame of the request, if the part need not be the value's first.
    ///   - missing: number of its bytes that the recorder did not keep.
    mutating func read(
        _ value: RawSpan, of handle: UInt16, by client: Side, pieceOf request: FramePlace?, missing: Int,
        isCut: Bool, startSeen: Bool
    ) -> LongRead.Outcome {
        let sent = value.byteCount &+ missing
        let fills = sent &+ 1 >= Int(mtu)
        var offset = 0
        if let request {
            // If another request overtook this one, the offset is that other request's.
            guard self[client].request.frame == request else { return .isPart }
            offset = Int(self[client].request.offset)
        }
        if offset == 0 {
            let mayGoOn = fills && !isCut
            // Without the start of the link, the MTU may be unknown: the value may be complete.
            let isDone = !mayGoOn || !startSeen
            self[client].read = LongRead(
                handle: handle, end: sent, octets: mayGoOn ? value.copied() : [], isDone: isDone)
            return isDone ? .isWhole : .isPart
        }
        guard var read = self[client].read else { return .isPart }
        self[client].read = nil
        guard read.handle == handle, read.end == offset, offset &+ sent <= LongRead.limit else {
            return .isPart
        }
        let isKept = !isCut && read.octets.count == offset
        if isKept { read.octets += value.copied() } else { read.octets = [] }
        read.end = offset &+ sent
        read.isDone = !fills || !isKept
        self[client].read = read
        return isKept && !fills ? .ends(read.octets) : .isPart
    }

    /// Handles an error instead of a value's next part. If the last part filled its PDU, the client then
    /// asked for bytes past the end (Core Specification, Vol 3, Part F, 3.4.4.5 and 3.4.4.6): the value is
    /// complete.
    mutating func refuse(
        _ request: PendingRequest, _ error: UInt8?, by client: Side
    ) -> LongRead.Outcome {
        guard error == ATTErrorCode.invalidOffset.rawValue || error == ATTErrorCode.attributeNotLong.rawValue,
            let read = self[client].read, read.handle == request.handle, read.end == Int(request.offset)
        else { return .isPart }
        self[client].read = nil
        return read.isDone ? .isWhole : .ends(read.octets)
    }

    /// Ends a long read, since the client asks for something else.
    @inline(__always)
    mutating func endRead(by client: Side) {
        if self[client].read != nil { self[client].read = nil }
    }
}
