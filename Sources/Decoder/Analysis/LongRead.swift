import BluetoothCore
import PayloadFormat
import WireBytes

/// A value that was read so far; its reader may ask for the rest.
struct LongRead: Sendable {
    /// The result of a part of a value, or of an error instead of it.
    enum Outcome: Equatable {
        /// More may follow, or it belongs to no value that is being joined.
        case isPart
        /// It is the complete value; for an error, the value was passed to the protocols above ATT before.
        case isWhole
        /// It is the last part of this value.
        case ends([UInt8])
    }

    var handle: UInt16
    /// Number of bytes of the value that came so far, which is the offset of its next part.
    var end: Int
    /// Those bytes; empty if the recorder did not keep them all, and if no more are expected.
    var octets: [UInt8] = []
    /// Whether the bytes so far were passed to the protocols above ATT as the complete value, or can't be.
    var isDone: Bool

    /// Most bytes that are kept: an attribute value has at most 512.
    static let limit = 4096
}

extension ATTBearer {
    /// Handles a value that a client reads, or a part of one. A part that fills its PDU may have more behind
    /// it, and is kept until a shorter one, or an error, ends the value.
    ///
    /// - Parameters:
    ///   - request: the frame of the request, if the part need not be the value's first.
    ///   - missing: number of its bytes that the recorder did not keep.
    mutating func read(
        _ value: RawSpan, _ handle: UInt16, by client: Side, pieceOf request: FramePlace?, missing: Int,
        isCut: Bool, startSeen: Bool
    ) -> LongRead.Outcome {
        let sent = value.byteCount &+ missing
        let fills = sent &+ 1 >= Int(mtu)
        var offset = 0
        if let request {
            // If another request overtook this one, the offset is that of the other.
            guard self[requestOf: client].frame == request else { return .isPart }
            offset = Int(self[requestOf: client].offset)
        }
        if offset == 0 {
            let mayGoOn = fills && !isCut
            // If the start of the link is missing, so may be the MTU: the value may still be complete.
            let isDone = !mayGoOn || !startSeen
            self[readBy: client] = LongRead(
                handle: handle, end: sent, octets: mayGoOn ? value.copied() : [], isDone: isDone)
            return isDone ? .isWhole : .isPart
        }
        guard var read = self[readBy: client] else { return .isPart }
        self[readBy: client] = nil
        guard read.handle == handle, read.end == offset, offset &+ sent <= LongRead.limit else {
            return .isPart
        }
        let isKept = !isCut && read.octets.count == offset
        if isKept { read.octets += value.copied() } else { read.octets = [] }
        read.end = offset &+ sent
        read.isDone = !fills || !isKept
        self[readBy: client] = read
        return isKept && !fills ? .ends(read.octets) : .isPart
    }

    /// Handles an error instead of a value's next part. If the last part filled its PDU, the client asked for
    /// bytes behind the value's end (Core Specification, Vol 3, Part F, 3.4.4.5 and 3.4.4.6): the value is
    /// complete.
    mutating func refuse(
        _ request: PendingRequest, _ error: UInt8?, by client: Side
    ) -> LongRead.Outcome {
        guard error == ATTErrorCode.invalidOffset.rawValue || error == ATTErrorCode.attributeNotLong.rawValue,
            let read = self[readBy: client], read.handle == request.handle, read.end == Int(request.offset)
        else { return .isPart }
        self[readBy: client] = nil
        return read.isDone ? .isWhole : .ends(read.octets)
    }

    /// Ends a read in parts, since the client asks for something else.
    @inline(__always)
    mutating func endRead(by client: Side) {
        if client == .host {
            if readByHost != nil { readByHost = nil }
        } else if readByPeer != nil {
            readByPeer = nil
        }
    }
}
