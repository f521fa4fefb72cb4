import BluetoothCore
import CaptureFile
import PayloadFormat

/// One ATT bearer of a link: its MTU and the exchanges under way on it.
struct ATTBearer: Sendable {
    /// ATT_MTU in bytes.
    var mtu: UInt16 = 23
    /// The largest ATT_MTU so far, and whether the log shows every MTU exchange.
    var largestMTU: UInt16 = 23
    var mtuIsKnown = true
    /// The MTU offered in a request, until the response comes.
    var offeredMTU: UInt16?
    private var begun = BySide(Begun())
    /// Air captures: the first of the central's consecutive requests without a recorded response. A client
    /// waits for each response, so all these requests were answered, except perhaps the last: the sniffer
    /// missed the responses.
    var firstWithoutRecordedResponse: PendingRequest?
    /// Whether its channel was closed, so that another bearer may reuse this entry.
    var isClosed = false

    /// The exchanges that one side began.
    struct Begun: Sendable {
        var hasAskedMTU = false
        var request = PendingRequest()
        /// Requests that it sent before the oldest one was answered, in order. A client should wait, and a
        /// server answers in order (Core Specification, Vol 3, Part F, 3.3.2).
        var later: [PendingRequest] = []
        var indication = PendingRequest()
        /// Its last write, and whether the other side has sent a value since.
        var lastWrite: (frame: FramePlace, time: CaptureTime, hadValue: Bool)?
        /// The writes that it has prepared but not executed.
        var prepared = PreparedWrites()
        /// The value that it read last and may continue to read.
        var read: LongRead?
        /// The handles that its last Read Multiple (Variable) request asked for.
        var several: (frame: FramePlace, handles: [UInt16])?

        mutating func withNewestRequest(_ change: (inout PendingRequest) -> Void) {
            if later.isEmpty { change(&request) } else { change(&later[later.count - 1]) }
        }

        /// Handles lost PDUs: until the next request, responses can't be matched.
        fileprivate mutating func resetAfterLoss() {
            request.resetAfterLoss()
            later = []
            indication.resetAfterLoss()
            forgetParts()
        }

        /// Marks what is pending as possibly answered by packets that were not recorded.
        fileprivate mutating func tolerateMissingAnswers() {
            request.tolerateMissingAnswers()
            indication.tolerateMissingAnswers()
            later = []
        }

        /// Forgets partly written and partly read values.
        fileprivate mutating func forgetParts() {
            prepared = PreparedWrites()
            read = nil
        }

        /// Takes over what another side had begun.
        fileprivate mutating func take(_ other: Self) {
            if other.request.isOpen { (request, later) = (other.request, other.later) }
            if other.indication.isOpen { indication = other.indication }
            hasAskedMTU = hasAskedMTU || other.hasAskedMTU
            lastWrite = other.lastWrite ?? lastWrite
            if other.prepared.counts.parts > 0 { prepared = other.prepared }
            read = other.read ?? read
            several = other.several ?? several
        }
    }

    subscript(side: Side) -> Begun {
        @inline(__always) _read { yield begun[side] }
        @inline(__always) _modify { yield &begun[side] }
    }

    /// Unanswered requests and indications, with the side that sent them.
    var open: [(sender: Side, request: PendingRequest)] {
        let later = begun.host.later.map { (sender: Side.host, request: $0) }
        return awaited + later + begun.peer.later.map { (sender: Side.peer, request: $0) }
    }

    /// The open requests that are answered next; a side's later requests wait for its oldest one.
    var awaited: [(sender: Side, request: PendingRequest)] {
        [
            (.host, begun.host.request), (.peer, begun.peer.request), (.host, begun.host.indication),
            (.peer, begun.peer.indication),
        ].filter { $0.1.isOpen }
    }

    /// Handles lost PDUs: until the next request, responses can't be matched.
    mutating func resetAfterLoss() {
        begun.host.resetAfterLoss()
        begun.peer.resetAfterLoss()
        mtuIsKnown = false
    }

    /// Marks the pending requests as possibly answered by packets that were not recorded.
    mutating func tolerateMissingAnswers() {
        begun.host.tolerateMissingAnswers()
        begun.peer.tolerateMissingAnswers()
    }

    /// Reassigns to the peer everything that was recorded as sent by the host.
    mutating func reassignHostToPeer() {
        begun.peer.take(begun.host)
        // A request that was answered still shows which response answered it.
        var rest = Begun()
        (rest.request, rest.indication) = (begun.host.request, begun.host.indication)
        (rest.request.isOpen, rest.indication.isOpen) = (false, false)
        begun.host = rest
    }

    /// Forgets partly written and partly read values.
    mutating func forgetParts() {
        begun.host.forgetParts()
        begun.peer.forgetParts()
    }
}

/// One of the two devices on a link.
enum Side: Sendable {
    case host, peer

    var other: Side { self == .host ? .peer : .host }
}

/// A value for each of the two devices on a link.
struct BySide<Value> {
    var host: Value
    var peer: Value

    init(_ both: Value) { (host, peer) = (both, both) }

    subscript(side: Side) -> Value {
        @inline(__always) _read { if side == .host { yield host } else { yield peer } }
        @inline(__always) _modify { if side == .host { yield &host } else { yield &peer } }
    }
}

extension BySide: Sendable where Value: Sendable {}

/// A request or indication that waits for its answer.
struct PendingRequest: Sendable {
    var isOpen = false
    var opcode = ATTOpcode(rawValue: 0)
    var frame = FramePlace()
    var time = CaptureTime(nanoseconds: 0)
    var transaction = 0
    /// The requested handle, or the first handle of the requested range.
    var handle: UInt16 = 0
    var endHandle: UInt16 = 0
    var offset: UInt16 = 0
    var type: BluetoothUUID?
    /// The service UUID that a Find By Type Value request looks for.
    var sought: BluetoothUUID?
    /// Whether no timeout is to be reported: it was already, or the log may lack the answer
    /// (``answerMayBeMissing``).
    var timeoutIsSettled = false
    /// Whether the client sent it before its previous request was answered.
    var isEarly = false
    /// Whether another request of this kind was pending when the response came. If the log lacks a response,
    /// this one may belong to the other request.
    var isAmbiguous = false
    /// Whether the other request asked for another type, so that even the elements of the response are
    /// ambiguous.
    var elementsAreAmbiguous = false
    /// Whether the log may lack its answer, since PDUs may have been lost after it: then an unexpected
    /// response is not reported.
    var answerMayBeMissing = false
    /// The length of the value that it writes; nil for a message of a protocol above ATT.
    var writtenLength: Int?
    /// The state to which it sets a CCCD.
    var configured: UInt16?
    /// The value of that CCCD before the write, which returns if the server refuses the write.
    var overwritten: UInt16?
    /// Whether its fields end too early or contradict each other.
    var isMalformed = false
    /// Whether the log has all of its handles, since recorders cut PDUs.
    var hasHandles = false

    mutating func resetAfterLoss() {
        isOpen = false
        answerMayBeMissing = true
    }

    mutating func tolerateMissingAnswers() {
        timeoutIsSettled = true
        answerMayBeMissing = true
    }

    func asksTheSame(as other: PendingRequest) -> Bool {
        opcode == other.opcode && handle == other.handle && endHandle == other.endHandle
            && offset == other.offset && type == other.type && sought == other.sought
    }

    /// Whether the elements of a response are valid for either request: they contain their own handles, and
    /// both requests ask for the same type.
    func listsTheSame(as other: PendingRequest) -> Bool {
        opcode == other.opcode && type == other.type && sought == other.sought
    }

    var range: ClosedRange<UInt16> { handle...max(handle, endHandle) }
}

/// A request that was unanswered when the log ended, and had not timed out.
public struct OpenRequest: Sendable {
    /// Limit of the requests kept for each link.
    static let limit = 8

    /// Shortest wait that is reported, in nanoseconds. After less, the answer was on its way when the
    /// recording or the connection ended.
    static let shortestWait: Int64 = 1_000_000_000
    /// Longest wait for a response, in nanoseconds.
    package static let longestWait = PendingRequest.timeout

    /// The frame of the request.
    public var place: FramePlace
    /// The name of the requesting message, or of the ATT PDU.
    public var name: String
    /// Nanoseconds from the request to the log's last record.
    public var waited: Int64
    /// The attribute that the request names, and the side that has the attribute; nil for other layers than
    /// ATT.
    public internal(set) var use: (request: AttributeUse, server: Problem.Party)?
    /// Whether it requested a connection that was not established.
    public internal(set) var isConnect = false
    /// Whether a sniffer heard the request, and may have missed the answer.
    public internal(set) var isOnAir = false
    /// Whether an answer only announced another one.
    public internal(set) var isPending = false

    /// The number of the request's frame in its file.
    public var frame: Int { place.frame }
}

extension ATTSummary {
    /// Refills this summary for another PDU. Changing it in place is cheaper than creating a new one.
    @inline(__always)
    mutating func begin(_ opcode: ATTOpcode, _ places: ATTPlaces, _ pdu: RawSpan) {
        self.opcode = opcode
        handle = places.handle(in: pdu)
        value = places.value(in: pdu)
        error = nil
        requestOpcode = nil
        requestedType = nil
        label = nil
        transaction = 0
        afterWrite = nil
        writtenLength = nil
        configured = nil
        isMalformed = false
        guard opcode == .errorResponse else { return }
        error = places.error(in: pdu)
        requestOpcode = places.requestOpcode(in: pdu)
    }

    func answers(_ request: ATTOpcode) -> Bool {
        opcode == .errorResponse ? requestOpcode == request : opcode.answers == request
    }
}
