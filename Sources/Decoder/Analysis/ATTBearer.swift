import BluetoothCore
import CaptureFile

/// One ATT bearer of a link: its MTU and the exchanges under way on it.
struct ATTBearer: Sendable {
    /// The channel it runs on: 4, or the local CID of an enhanced bearer.
    var cid: UInt16
    /// ATT_MTU in octets.
    var mtu: UInt16 = 23
    /// What the side that asked for the MTU offered, until the answer comes.
    var offeredMTU: UInt16?
    /// The request of the local client that has no response yet.
    var fromHost = PendingRequest()
    /// The request of the peer's client that has no response yet.
    var fromPeer = PendingRequest()
    /// The indication that has no confirmation yet, by the side that sent it.
    var indicationFromHost = PendingRequest()
    var indicationFromPeer = PendingRequest()
    /// The last write of each side, for the time from a write to its notification.
    var lastHostWrite: (frame: Int, time: CaptureTime)?
    var lastPeerWrite: (frame: Int, time: CaptureTime)?
    /// The parts of a long write that were prepared, until it is executed.
    var longWrite: (handle: UInt16, octets: [UInt8])?

    init(cid: UInt16) { self.cid = cid }

    subscript(requestOf client: Side) -> PendingRequest {
        get { client == .host ? fromHost : fromPeer }
        set { if client == .host { fromHost = newValue } else { fromPeer = newValue } }
    }

    subscript(indicationOf server: Side) -> PendingRequest {
        get { server == .host ? indicationFromHost : indicationFromPeer }
        set { if server == .host { indicationFromHost = newValue } else { indicationFromPeer = newValue } }
    }
}

/// Which of the two devices on a link.
enum Side: Sendable {
    case host, peer
}

/// A request or indication that waits for its answer.
struct PendingRequest: Sendable {
    var isOpen = false
    var opcode = ATTOpcode(rawValue: 0)
    var frame = 0
    var time = CaptureTime(nanoseconds: 0)
    var transaction = 0
    /// The handle, or the first handle of the range, that it names.
    var handle: UInt16 = 0
    var endHandle: UInt16 = 0
    /// The attribute type it asks for.
    var type: BluetoothUUID?
    /// The service UUID that a Find By Type Value request looks for.
    var sought: BluetoothUUID?
    /// Whether its 30 s ran out and were reported.
    var timedOut = false
}
