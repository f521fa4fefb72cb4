import BluetoothCore
import CaptureFile
import PayloadFormat

/// One ATT bearer of a link: its MTU and the exchanges under way on it.
struct ATTBearer: Sendable {
    /// The channel it runs on: 4, or the local CID of an enhanced bearer.
    var cid: UInt16
    /// ATT_MTU in octets.
    var mtu: UInt16 = 23
    /// The largest ATT_MTU it has had, and whether no exchange of it can be missing.
    var largestMTU: UInt16 = 23
    var mtuIsKnown = true
    /// Which sides have asked for the MTU.
    var hostAskedMTU = false
    var peerAskedMTU = false
    /// What the side that asked for the MTU offered, until the answer comes.
    var offeredMTU: UInt16?
    /// The request of the local client that has no response yet.
    var fromHost = PendingRequest()
    /// The request of the peer's client that has no response yet.
    var fromPeer = PendingRequest()
    /// A request that had no response yet when another of its side came: an answer of its own kind is still
    /// joined to it.
    var overtakenFromHost = PendingRequest()
    var overtakenFromPeer = PendingRequest()
    /// The indication that has no confirmation yet, by the side that sent it.
    var indicationFromHost = PendingRequest()
    var indicationFromPeer = PendingRequest()
    /// The last write of each side, for the time from a write to its notification.
    var lastHostWrite: (frame: FramePlace, time: CaptureTime, isFollowed: Bool)?
    var lastPeerWrite: (frame: FramePlace, time: CaptureTime, isFollowed: Bool)?
    /// The writes that each side has prepared and not executed.
    var preparedByHost = PreparedWrites()
    var preparedByPeer = PreparedWrites()
    /// The value that each side read last, which it may read on.
    var readByHost: LongRead?
    var readByPeer: LongRead?
    /// The handles that the last Read Multiple (Variable) request of each side asked for.
    var severalFromHost: (frame: FramePlace, handles: [UInt16])?
    var severalFromPeer: (frame: FramePlace, handles: [UInt16])?
    /// Whether its channel was closed, so that another may have its place.
    var isClosed = false

    init(cid: UInt16) { self.cid = cid }

    subscript(requestOf client: Side) -> PendingRequest {
        get { client == .host ? fromHost : fromPeer }
        set { if client == .host { fromHost = newValue } else { fromPeer = newValue } }
    }

    subscript(overtakenOf client: Side) -> PendingRequest {
        get { client == .host ? overtakenFromHost : overtakenFromPeer }
        set { if client == .host { overtakenFromHost = newValue } else { overtakenFromPeer = newValue } }
    }

    subscript(indicationOf server: Side) -> PendingRequest {
        get { server == .host ? indicationFromHost : indicationFromPeer }
        set { if server == .host { indicationFromHost = newValue } else { indicationFromPeer = newValue } }
    }

    subscript(preparedBy client: Side) -> PreparedWrites {
        get { client == .host ? preparedByHost : preparedByPeer }
        _modify { if client == .host { yield &preparedByHost } else { yield &preparedByPeer } }
    }

    subscript(readBy client: Side) -> LongRead? {
        get { client == .host ? readByHost : readByPeer }
        set { if client == .host { readByHost = newValue } else { readByPeer = newValue } }
    }

    /// The requests and indications that have no answer yet, with the side that sent them.
    var open: [(sender: Side, request: PendingRequest)] {
        [
            (.host, fromHost), (.peer, fromPeer), (.host, indicationFromHost), (.peer, indicationFromPeer),
        ].filter { $0.1.isOpen }
    }

    /// PDUs of this bearer were lost: which request a response answers is not known until the next request.
    mutating func lose() {
        fromHost.lose()
        fromPeer.lose()
        overtakenFromHost.isOpen = false
        overtakenFromPeer.isOpen = false
        indicationFromHost.lose()
        indicationFromPeer.lose()
        mtuIsKnown = false
        forgetParts()
    }

    /// All that the host was taken to have sent was sent by the peer.
    mutating func takeHostsForPeers() {
        if fromHost.isOpen { fromPeer = fromHost }
        if overtakenFromHost.isOpen { overtakenFromPeer = overtakenFromHost }
        if indicationFromHost.isOpen { indicationFromPeer = indicationFromHost }
        fromHost.isOpen = false
        overtakenFromHost.isOpen = false
        indicationFromHost.isOpen = false
        peerAskedMTU = peerAskedMTU || hostAskedMTU
        hostAskedMTU = false
        lastPeerWrite = lastHostWrite ?? lastPeerWrite
        lastHostWrite = nil
        if preparedByHost.counts.parts > 0 { preparedByPeer = preparedByHost }
        preparedByHost = PreparedWrites()
        readByPeer = readByHost ?? readByPeer
        readByHost = nil
        severalFromPeer = severalFromHost ?? severalFromPeer
        severalFromHost = nil
    }

    /// Forgets the parts of values that are written and read piece by piece.
    mutating func forgetParts() {
        preparedByHost = PreparedWrites()
        preparedByPeer = PreparedWrites()
        readByHost = nil
        readByPeer = nil
    }
}

/// Which of the two devices on a link.
enum Side: Sendable {
    case host, peer

    var other: Side { self == .host ? .peer : .host }
}

/// A request or indication that waits for its answer.
struct PendingRequest: Sendable {
    var isOpen = false
    var opcode = ATTOpcode(rawValue: 0)
    var frame = FramePlace()
    var time = CaptureTime(nanoseconds: 0)
    var transaction = 0
    /// The handle, or the first handle of the range, that it names.
    var handle: UInt16 = 0
    var endHandle: UInt16 = 0
    /// The offset that a Read Blob request names.
    var offset: UInt16 = 0
    /// The attribute type it asks for.
    var type: BluetoothUUID?
    /// The service UUID that a Find By Type Value request looks for.
    var sought: BluetoothUUID?
    /// Whether its 30 s ran out and were reported.
    var timedOut = false
    /// Whether another request of the same kind had no response when it came, so that a response may be that
    /// one's.
    var isAmbiguous = false
    /// Whether that one asked for something else, so that what a response lists can't be told either.
    var listsElseThanBefore = false
    /// Whether PDUs may be missing since: a response that no request asked for is no surprise.
    var mayBeMissing = false
    /// What a CCCD was before this request wrote it.
    var before: UInt16?
    /// Whether it writes a CCCD.
    var configures = false

    mutating func lose() {
        isOpen = false
        mayBeMissing = true
    }

    /// Whether it asks for the same as another.
    func asksTheSame(as other: PendingRequest) -> Bool {
        opcode == other.opcode && handle == other.handle && endHandle == other.endHandle
            && offset == other.offset && type == other.type && sought == other.sought
    }

    /// Whether what a response lists is true whichever of the two it answers: its elements name their handles
    /// themselves, and both asked for the same type.
    func listsTheSame(as other: PendingRequest) -> Bool {
        opcode == other.opcode && type == other.type && sought == other.sought
    }

    /// The handles that it asks about.
    var range: ClosedRange<UInt16> { handle...max(handle, endHandle) }
}
