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
    /// The oldest request of the local client that has no response yet.
    var fromHost = PendingRequest()
    /// The oldest request of the peer's client that has no response yet.
    var fromPeer = PendingRequest()
    /// The requests that each side sent before the oldest had its response, in their order: a client should
    /// wait, and a server answers in order (Core Specification, Vol 3, Part F, 3.3.2).
    var laterFromHost: [PendingRequest] = []
    var laterFromPeer: [PendingRequest] = []
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

    /// Changes the request that a client sent last.
    mutating func withNewestRequest(of client: Side, _ change: (inout PendingRequest) -> Void) {
        if client == .host {
            if laterFromHost.isEmpty {
                change(&fromHost)
            } else {
                change(&laterFromHost[laterFromHost.count - 1])
            }
        } else {
            if laterFromPeer.isEmpty {
                change(&fromPeer)
            } else {
                change(&laterFromPeer[laterFromPeer.count - 1])
            }
        }
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
        let later = laterFromHost.map { (sender: Side.host, request: $0) }
        return awaited + later + laterFromPeer.map { (sender: Side.peer, request: $0) }
    }

    /// Those of them that are answered next: later requests of a side wait for its oldest.
    var awaited: [(sender: Side, request: PendingRequest)] {
        [
            (.host, fromHost), (.peer, fromPeer), (.host, indicationFromHost), (.peer, indicationFromPeer),
        ].filter { $0.1.isOpen }
    }

    /// PDUs of this bearer were lost: which request a response answers is not known until the next request.
    mutating func lose() {
        fromHost.lose()
        fromPeer.lose()
        laterFromHost = []
        laterFromPeer = []
        indicationFromHost.lose()
        indicationFromPeer.lose()
        mtuIsKnown = false
        forgetParts()
    }

    /// All that the host was taken to have sent was sent by the peer.
    mutating func takeHostsForPeers() {
        if fromHost.isOpen { (fromPeer, laterFromPeer) = (fromHost, laterFromHost) }
        if indicationFromHost.isOpen { indicationFromPeer = indicationFromHost }
        fromHost.isOpen = false
        laterFromHost = []
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
    /// Whether its client sent it before the one before had its response.
    var isEarly = false
    /// Whether another request of its kind waited with it when it was answered, so that the response may be
    /// that one's where the log lacks a response.
    var isAmbiguous = false
    /// Whether that one asked for something else, so that what a response lists can't be told either.
    var listsElse = false
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
