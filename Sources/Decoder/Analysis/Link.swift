public import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

/// One connection, from the event that opened it (or the first packet on it) to its end.
///
/// A connection handle is used again for other peers, so a link is one epoch of a handle on one adapter of
/// one file; nothing learned about one epoch is taken for another.
public struct Link: Sendable {
    /// What carries the connection.
    public enum Transport: UInt8, Sendable {
        case unknown, le, brEDR
    }

    /// The role of the local device.
    public enum Role: UInt8, Sendable {
        case unknown, central, peripheral
    }

    /// The number of the connection in the file, from 1.
    public var number: Int
    public var file: Int
    public var adapter: UInt16
    public var handle: UInt16
    public var transport = Transport.unknown
    public var role = Role.unknown
    /// The peer's address as this connection was made with; nil where the log starts in mid-connection.
    public var address: DeviceAddress?
    /// The peer's identity address, where that is known and is not `address`.
    public var identity: DeviceAddress?
    /// The connection that had the handle before, and the frame that ended it, where nothing in the log
    /// opened this one since.
    public var predecessor: (connection: Int, frame: FramePlace)?
    /// The number under which it was listed before, where its place among the connections that are followed
    /// was needed for others in between.
    public internal(set) var earlierNumber: Int?
    /// Whether its place was needed for others, so that its end was not looked for.
    public internal(set) var wasGivenUp = false
    /// The peer's place in the analyser's table of identities.
    var peer = 0
    /// The connection's start was not seen: it was open when the log (or this part of it) began.
    public var wasOpenAtStart = false
    /// The host had asked for it, and the event that it came about is missing from the log.
    public internal(set) var beginningIsMissing = false
    /// What the host had asked for when the first packet came, where no event opened the connection.
    var askedFor: ConnectAttempt?
    public var isOpen = true
    /// Whether one of its frames was chosen (``Analyzer/select()``).
    var isChosen = false
    /// Whether it has its place among the links that are followed.
    var isFollowed = true
    /// The place of its last record among all records.
    var lastRecord = 0
    /// What its last record was when packets of its file were lost: while it still is, more that are lost
    /// take nothing from it.
    var lostSince = -1
    /// The first frame that belongs to it.
    public var firstFrame = FramePlace()
    public var lastFrame = FramePlace()
    /// The reason of its end (HCI error code); nil while open, or where the end is missing.
    public var endReason: UInt8?
    /// The requests that had no response when it ended: a late one may still come.
    var unansweredAtEnd: [FramePlace] = []
    /// What ended it together with its adapter; nil where it ended by itself, or its end is missing.
    public internal(set) var endedWith: LinkEnd?
    /// Times of what was reached on the way; see ``Phases``.
    public var phases = Phases()
    /// What was counted on it.
    public var counts = LinkCounts()
    /// Connection interval in steps of 1.25 ms; 0 where unknown.
    public var intervalUnits: UInt16 = 0
    /// What else is known of its radio side.
    var conditions = LinkConditions()
    public var isEncrypted = false
    /// When the authenticated payload timeout ran out last.
    var payloadTimeout: CaptureTime?
    /// The controller's buffers that it takes.
    var buffers = BufferUse()
    /// The discovery that was answered last.
    var discovery = DiscoveryRound()
    /// The host's last write on it.
    var lastWrite = LastWrite()
    /// Whether the peer ended it before anything was done, or at a write as it had before.
    var wasEndedAtOnce = false
    /// Whether the peer does not support the exchange of the MTU.
    public internal(set) var mtuIsNotSupported = false
    /// Whether the keys of a bond were used or made on it.
    public var isBonded = false
    /// The ATT bearers: the fixed channel, then enhanced ones as they open.
    var bearers: [ATTBearer] = [ATTBearer(cid: 4)]
    /// Fragments being put together: host to controller, controller to host.
    var assemblies = Assemblies()
    /// The services that channels were opened to, with how many; a hostile log may have more.
    public private(set) var channelsOpened: [(psm: UInt16, count: Int)] = []
    /// Client Characteristic Configurations.
    var subscriptions = Subscriptions() {
        didSet { phases.subscribed = subscriptions.since }
    }
    /// The last write to a configuration that the server refused: its handle, the frame, and the error.
    public var refusedSubscription: (descriptor: UInt16, frame: FramePlace, error: UInt8)? {
        subscriptions.refused
    }
    /// A protocol above ATT got a value that answers come by.
    var hasHeardAnswers = false
    /// The value that answers would have come by, where its notifications were never enabled.
    public internal(set) var unheard: UnheardValue?
    /// Where such a value was sought last and not found.
    var soughtInVain: UnheardSearch?
    /// The value of the peer's Device Name characteristic, read on this link or an earlier one; empty where
    /// it was not.
    public internal(set) var deviceName: [UInt8] = []
    /// Pairing was under way when the link or the log ended, or when its time ran out.
    public var pairingWasUnfinished: Bool { pairing.wasUnfinished }
    /// The connection-oriented channels, and the commands that open them.
    var signalling = Signalling()
    /// When the oldest request without a response has waited as long as it may, in nanoseconds.
    var deadline = Int64.max
    /// The SMP exchange so far.
    var pairing = Pairing()
    /// What protocols above ATT did on it: known of a link that is listed.
    public internal(set) var uses: [ProtocolUse] = []
    /// The requests that waited for a response when the log ended.
    public internal(set) var openRequests: [OpenRequest] = []
    /// The first problem of weight on it: its frame and code.
    public var firstProblem: (frame: Int, code: Problem.Code)?
    init(number: Int, file: Int, adapter: UInt16, handle: UInt16, firstFrame: FramePlace, time: CaptureTime) {
        self.number = number
        self.file = file
        self.adapter = adapter
        self.handle = handle
        self.firstFrame = firstFrame
        lastFrame = firstFrame
        phases.first = time
        phases.last = time
    }

    /// ATT_MTU of the fixed channel, in octets.
    public var attMTU: UInt16 { bearers.first?.mtu ?? 23 }

    /// Whether the log would show its end: exports without events do not.
    public internal(set) var endIsRecorded = true

    /// Whether the log would show a response: exports of some packets alone say nothing about the ones that
    /// they left out.
    var showsResponses: Bool { counts.responses > 0 || !wasOpenAtStart }

    /// All that the host was taken to have sent was sent by the peer.
    ///
    /// Counts are of both sides, as are most phases: they stay.
    mutating func takeHostsForPeers() {
        bearers[0].takeHostsForPeers()
        phases.firstWrite = nil
        lastWrite = LastWrite()
        subscriptions.takeHostsForPeers()
    }

    /// A write to a configuration, or to what may be one; false where there is no room for it.
    mutating func configure(
        _ write: ConfigurationWrite, _ state: UInt16, isRequest: Bool, isCertain: Bool, _ bearer: Int
    ) -> Bool {
        if isRequest {
            let before = subscriptions.value(write.server, atDescriptor: write.descriptor)
            bearers[bearer].withNewestRequest(of: write.server.other) {
                $0.before = before
                $0.configures = true
            }
        }
        if !isCertain { subscriptions.possible = write }
        return subscriptions.set(write.server, atDescriptor: write.descriptor, state)
    }

    /// Whether nothing of it as a whole speaks against a value that was never switched on: a bonded peer
    /// remembers what was switched on before.
    var mayBeUnheard: Bool {
        !wasOpenAtStart && !hasHeardAnswers && !subscriptions.mayBeMissing
            && subscriptions.all.count < Subscriptions.limit
            && (phases.pairingStarted != nil || !isBonded && !isEncrypted)
    }

    /// A signalling PDU of it: the channels that it opens may be bearers of ATT.
    mutating func receiveSignals(
        _ payload: RawSpan, isCut: Bool, isLE: Bool, from source: Signalling.Source
    ) -> Signalling.Outcome {
        signalling.receive(payload, isCut: isCut, isLE: isLE, from: source, &bearers)
    }

    /// Counts a frame of it, with its place among all records.
    @inline(__always)
    mutating func count(_ frame: borrowing Frame, _ record: Int) {
        counts.packets &+= 1
        if frame.hasATT { counts.attPDUs &+= 1 }
        lastFrame = frame.place
        phases.last = frame.header.time
        lastRecord = record
    }

    /// Gives up what only a link that is followed needs.
    mutating func strip() {
        assemblies = Assemblies()
        bearers = Array(bearers.prefix(1))
        if !bearers.isEmpty { bearers[0].forgetParts() }
        subscriptions.strip()
        signalling = Signalling()
        unansweredAtEnd = []
        askedFor = nil
    }
}

/// What ends all connections of an adapter at once.
public enum LinkEnd: UInt8, Sendable {
    /// The host sent HCI Reset.
    case reset
    /// The system closed the adapter.
    case closed
    /// The adapter was removed.
    case removed
}

/// When a link reached what; nil where it did not, or the log does not show it.
public struct Phases: Sendable {
    /// The scan before the connection was enabled: restarts within a second of their stop are one scan.
    public var scanStarted: CaptureTime?
    /// The first advertising report of the peer, where that was in this scan.
    public var advertised: CaptureTime?
    /// The scan was stopped; the time of the request to connect where that came first.
    public var scanEnded: CaptureTime?
    /// The host asked for the connection.
    public var connectStarted: CaptureTime?
    /// The connection was complete.
    public var connected: CaptureTime?
    /// The first MTU exchange was asked for.
    public var mtuStarted: CaptureTime?
    /// The MTU exchange was answered.
    public var mtuExchanged: CaptureTime?
    /// The first request of a discovery, and the last answer to one.
    public var discoveryStarted: CaptureTime?
    public var discoveryEnded: CaptureTime?
    /// The write that switched on notifications or indications was sent, and the server took it: of what a
    /// protocol above ATT listens to, else of anything but Service Changed, which hosts switch on themselves.
    public var subscribed: CaptureTime?
    /// Pairing was asked for.
    public var pairingStarted: CaptureTime?
    /// The host asked for encryption, with keys of a pairing or of a bond.
    public var encryptionStarted: CaptureTime?
    public var encrypted: CaptureTime?
    public var firstWrite: CaptureTime?
    public var firstNotification: CaptureTime?
    public var disconnected: CaptureTime?
    /// The log ended while the link was open.
    public var logEnded: CaptureTime?
    /// The first and last packet of the link.
    public var first = CaptureTime(nanoseconds: 0)
    public var last = CaptureTime(nanoseconds: 0)
}

extension Link {
    /// Counts a channel that was opened.
    mutating func noteOpened(_ psm: UInt16) {
        if let place = channelsOpened.firstIndex(where: { $0.psm == psm }) {
            channelsOpened[place].count &+= 1
        } else if channelsOpened.count < Channel.limit {
            channelsOpened.append((psm, 1))
        }
    }
}

/// What was counted on a link.
public struct LinkCounts: Sendable {
    public var packets = 0
    public var attPDUs = 0
    public var requests = 0
    public var responses = 0
    public var errors = 0
    public var discovery = 0
    public var reads = CountBySide()
    public var writes = CountBySide()
    public var notifications = CountBySide()
    public var indications = CountBySide()
    public var smpPDUs = 0
    public var problems = 0
}

/// How many PDUs of a kind each side of a link sent.
public struct CountBySide: Sendable {
    public private(set) var byHost = 0
    public private(set) var byPeer = 0

    public var total: Int { byHost &+ byPeer }

    mutating func add(_ sender: Side) {
        if sender == .host { byHost &+= 1 } else { byPeer &+= 1 }
    }
}
