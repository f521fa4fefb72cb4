import BluetoothCore
import PayloadFormat
import WireBytes

/// A value that was read, as far as it came: its reader may ask for what follows.
struct LongRead: Sendable {
    /// What a piece of a value comes to, or an error in its place.
    enum Outcome: Equatable {
        /// More may follow, or it belongs to no value that is put together.
        case isPart
        /// It is the whole value itself; of an error: the value went to the protocols above ATT before.
        case isWhole
        /// It is the last of this value.
        case ends([UInt8])
    }

    /// The attribute handle.
    var handle: UInt16
    /// Octets of the value that came so far, which is the offset that its next piece has.
    var end: Int
    /// Those octets; empty where the recorder did not keep them all, and where no more are expected.
    var octets: [UInt8] = []
    /// Whether what came so far went to the protocols above ATT as the whole value, or can't go there.
    var isDone: Bool

    /// The most octets that are kept: an attribute value has at most 512.
    static let limit = 4096
}

extension ATTBearer {
    /// A value that a client reads, or a piece of one that it reads piece by piece: a piece that fills its
    /// PDU may have more behind it, and is kept until a shorter one, or an error, ends the value.
    ///
    /// - Parameters:
    ///   - request: the frame that asked, where the piece need not be the value's first.
    ///   - missing: octets of it that the recorder did not keep.
    mutating func read(
        _ value: RawSpan, _ handle: UInt16, by client: Side, pieceOf request: FramePlace?, missing: Int,
        isCut: Bool, startSeen: Bool
    ) -> LongRead.Outcome {
        let sent = value.byteCount &+ missing
        let fills = sent &+ 1 >= Int(mtu)
        var offset = 0
        if let request {
            // A request that another overtook has left its offset to that one.
            guard self[requestOf: client].frame == request else { return .isPart }
            offset = Int(self[requestOf: client].offset)
        }
        if offset == 0 {
            let mayGoOn = fills && !isCut
            // Where the start of the link is missing, so may be the MTU: the value may be whole all the same.
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

    /// An error in place of a value's next piece. Where the last piece filled its PDU, the client asked for
    /// what follows, and nothing does (Core Specification, Vol 3, Part F, 3.4.4.5 and 3.4.4.6): the value is
    /// whole with it.
    mutating func refuse(
        _ request: PendingRequest, _ error: UInt8?, by client: Side
    ) -> LongRead.Outcome {
        guard error == ATTErrorCode.invalidOffset.rawValue || error == ATTErrorCode.attributeNotLong.rawValue,
            let read = self[readBy: client], read.handle == request.handle, read.end == Int(request.offset)
        else { return .isPart }
        self[readBy: client] = nil
        return read.isDone ? .isWhole : .ends(read.octets)
    }

    /// The client asks for something other than the rest of the value.
    @inline(__always)
    mutating func endRead(by client: Side) {
        if client == .host {
            if readByHost != nil { readByHost = nil }
        } else if readByPeer != nil {
            readByPeer = nil
        }
    }
}
