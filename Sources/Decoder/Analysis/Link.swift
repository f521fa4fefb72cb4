public import BluetoothCore
public import CaptureFile
public import LinkLayer
import PayloadFormat

/// One connection, from the event that opened it (or the first packet on it) to its end.
///
/// Handles are reused for other peers, so a link is one use of a handle on one adapter of one file. Knowledge
/// about one link is never applied to another.
public struct Link: Sendable {
    /// The transport of a connection.
    public enum Transport: UInt8, Sendable {
        case unknown, le, brEDR
    }

    /// The role of the local device.
    public enum Role: UInt8, Sendable {
        case unknown, central, peripheral

        /// - Parameter octet: New_Role of Role Change (Vol 4, Part E, 7.7.18); nil for a reserved value.
        init?(changedTo octet: UInt8?) {
            switch octet {
            case 0: self = .central
            case 1: self = .peripheral
            default: return nil
            }
        }
    }

    /// The number of the connection in the whole capture, from 1.
    public var number: Int
    public var file: Int
    public var adapter: UInt16
    public var handle: UInt16
    public var transport = Transport.unknown
    public var role = Role.unknown
    /// The peer's address in this connection; nil if the log starts in mid-connection.
    public var address: DeviceAddress?
    /// The peer's identity address, if it is known and differs from `address`.
    public var identity: DeviceAddress?
    /// The previous connection with this handle, and the frame that ended it, if no event opened this one.
    public var predecessor: (connection: Int, frame: FramePlace)?
    /// The connection's number before it was evicted, if it has been resumed.
    public internal(set) var earlierNumber: Int?
    /// Whether it was evicted, so that its end is unknown.
    public internal(set) var wasEvicted = false
    /// The peer's index in the analyzer's ``PeerTable``.
    var peer = 0
    /// Whether earlier packets of it may be missing: no event of the log opened it, or it was not followed
    /// for a while.
    public var mayLackEarlierPackets = false
    /// Whether the host requested it, but the log lacks the event that opened it.
    public internal(set) var beginningIsMissing = false
    /// The host's attempts to connect to the device that it had withdrawn before; nil without any.
    public internal(set) var withdrawnBefore: WithdrawnAttempts?
    /// The host's connection attempt at the time of the first packet, if no event opened the connection.
    var askedFor: ConnectAttempt?
    public var isOpen = true
    /// Whether a frame of it was selected (``Analyzer/select()``).
    var isChosen = false
    /// Whether the analysis follows it: it has not ended and was not evicted.
    var isFollowed = true
    /// Time of the peer's last packet, or of an event that follows from one; nil before the first.
    private(set) var lastHeard: CaptureTime?
    /// The peer's last packet; empty before the first.
    private(set) var lastHeardFrame = FramePlace()
    /// The time of the last packet that carried data, in either direction; nil without one.
    public private(set) var lastData: CaptureTime?
    /// Time of the peer's last packet with L2CAP content; nil before the first.
    private(set) var lastContent: CaptureTime?
    /// The number of its last record in the whole capture.
    var lastRecord = 0
    /// Counts of the packets that a sniffer heard; nil for links in HCI logs.
    public internal(set) var air: AirConnection.Counts?
    /// The reason why encrypted PDUs on the air could not be decrypted; nil if all could be.
    public internal(set) var closedReason: LinkSecurity.Reason?
    /// The access address, of a connection on the air; its handle is only the analysis's number.
    public internal(set) var accessAddress: UInt32?
    /// The address of the central on the air, if the sniffer heard its connection request.
    public internal(set) var central: DeviceAddress?
    /// Whether a sniffer gave a response the direction of its request.
    var hasWrongDirections = false
    /// The strength of the peer's last packet on the air, in dBm.
    var signal: Int8?
    /// The value of `lastRecord` when packets were last lost. Until the link has another record, a further
    /// loss changes nothing.
    var lastRecordAtLoss = -1
    /// The first frame of the link.
    public var firstFrame = FramePlace()
    public var lastFrame = FramePlace()
    /// The HCI error code with which it ended; nil while open, or if the end is missing.
    public var endReason: UInt8?
    /// Whether only silence on the air shows that it ended: no PDU ended it.
    public internal(set) var endIsInferred = false
    /// Whether the log would show the end of the link; an export without events does not.
    public internal(set) var endIsRecorded = true
    /// Whether the host had asked for the end.
    public internal(set) var wasAskedToEnd = false
    /// The request whose timeout made its sender end the connection.
    public internal(set) var overdueAtEnd: OverdueRequest?
    /// The reason that explains its unanswered requests: `endReason`, or the host's own disconnection if the
    /// link was lost after the host had asked for the end.
    var reasonForUnanswered: UInt8? {
        wasAskedToEnd ? HCIStatus.connectionTerminatedByLocalHost.rawValue : endReason
    }
    /// The requests that were unanswered at its end; late responses may still come.
    var unansweredAtEnd: [FramePlace] = []
    /// The event that ended it together with its adapter; nil if it ended alone, or its end is missing.
    public internal(set) var endedWith: LinkEnd?
    /// The times of its phases; see ``Phases``.
    public var phases = Phases()
    /// The counts of its packets and PDUs.
    public var counts = LinkCounts()
    /// Facts about the radio link.
    var conditions = LinkConditions()
    /// The connection parameters in force.
    public var parameters: LinkConditions.Parameters { conditions.inForce }
    public var isEncrypted = false
    var payloadTimeout: CaptureTime?
    /// The last Mode Change event; nil without any.
    var modeChanged: CaptureTime?
    var buffers = BufferUse()
    /// The last discovery requests that were answered.
    var discovery = DiscoveryRound()
    var controls = ControlRequests()
    var lastWrite = LastWrite()
    /// Whether the peer seems to reject connections: it ended the link unused, or after a write that had
    /// ended an earlier link too.
    var wasRejected = false
    /// Whether the discovery of its phases is the peer's: as that of a peripheral's central, or as the only
    /// one.
    public var peerDiscovers: Bool { discoverer == .peer }

    /// The client whose discovery its phases show.
    var discoverer: Side {
        role == .peripheral && counts.discovery.byPeer > 0 || counts.discovery.byHost == 0 ? .peer : .host
    }

    /// Whether the last request of discovery has no answer.
    public var discoveryIsUnanswered: Bool {
        counts.responses > 0
            && bearers.contains { bearer in
                let request = bearer[discoverer].request
                return request.isOpen && request.opcode.isDiscovery && !request.answerMayBeMissing
                    && phases.isDiscovery(at: request.time)
            }
    }

    /// The last answer of discovery; nil if its last request was refused or has no answer.
    public var discoveryEnded: CaptureTime? {
        phases.discoveryRefusal != nil || discoveryIsUnanswered ? nil : phases.discoveryEnded
    }

    /// Whether the peer does not support the MTU exchange.
    public internal(set) var mtuIsNotSupported = false
    /// Whether the keys of a bond were used or made on it.
    public var isBonded = false
    /// The ATT bearers: the fixed channel, then enhanced ones as they open.
    var bearers: [ATTBearer] = [ATTBearer()]
    /// The PDU of each side under reassembly.
    var assemblies = BySide(Assembly())
    /// The services that channels were requested to; limited, since a hostile log could name any number.
    public private(set) var channelUses: [ChannelUse] = []
    /// The result of the last pairing or authentication over BR/EDR; nil without one.
    public internal(set) var classicSecurity: (isPairing: Bool, status: UInt8)?
    /// Client Characteristic Configurations.
    var subscriptions = Subscriptions() {
        didSet { phases.subscribed = subscriptions.since }
    }
    /// The last write to a configuration that the server refused: the descriptor's handle, the frames of
    /// the write and of the refusal, and the error.
    public var refusedSubscription:
        (descriptor: UInt16, frame: FramePlace, refusal: FramePlace, error: UInt8)?
    { subscriptions.refused }
    /// Whether a protocol above ATT received a value of its response characteristic.
    var hasReceivedResponses = false
    /// The response characteristic, if its notifications were never enabled.
    public internal(set) var unsubscribedResponses: UnsubscribedResponses?
    /// The inputs of the last search for one that failed.
    var failedSearch: UnsubscribedSearch?
    /// The value of the peer's Device Name characteristic, read on this link or an earlier one; empty if it
    /// was not read.
    public internal(set) var deviceName: [UInt8] = []
    /// Whether pairing timed out, or was unfinished when the link or the log ended, or when encryption began.
    public var pairingWasUnfinished: Bool { pairing.wasUnfinished }
    /// The last PDU of a pairing without a result.
    public var pairingStopped: FramePlace? { pairing.stopped }
    /// The connection-oriented channels, and the commands that open them.
    var signalling = Signalling()
    /// The time at which the oldest unanswered request times out, in nanoseconds.
    var deadline = Int64.max
    /// The SMP exchange so far.
    var pairing = Pairing()
    /// Use of protocols above ATT on it; only set for a listed link.
    public internal(set) var uses: [ProtocolUse] = []
    /// The requests that were unanswered when the log ended.
    public internal(set) var openRequests: [OpenRequest] = []
    /// The frame and code of its first problem that is an error or worse.
    public var firstProblem: (frame: Int, code: Problem.Code)?
    /// Rank of the link when a list is full: selected links come first, then those with failures, and among
    /// them those with a protocol above ATT.
    var gravity: Int { (isChosen ? 3 : 0) + (firstProblem == nil ? 0 : uses.isEmpty ? 1 : 2) }

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

    /// ATT_MTU of the fixed channel, in bytes; nil if the log does not show it: it may lack an exchange, or
    /// the connection has no such channel, as over BR/EDR.
    public var attMTU: UInt16? {
        guard let bearer = bearers.first, transport != .brEDR else { return nil }
        let isShown = !mayLackEarlierPackets && bearer.mtuIsKnown && bearer.offeredMTU == nil
        return isShown || phases.mtuExchanged != nil ? bearer.mtu : nil
    }

    /// Whether the log would show a response; an export of selected packets may not.
    var showsResponses: Bool { counts.responses > 0 || !mayLackEarlierPackets }

    /// Reassigns to the peer everything that was recorded as sent by the host.
    ///
    /// Counts and most phases are of both sides, and stay.
    mutating func reassignHostToPeer() {
        bearers[0].reassignHostToPeer()
        phases.firstWrite = nil
        lastWrite = LastWrite()
        subscriptions.reassignHostToPeer()
    }

    /// Records a write to a configuration, or to a descriptor that may be one; returns false if the table is
    /// full.
    mutating func configure(
        _ write: ConfigurationWrite, to state: UInt16, isRequest: Bool, isCertain: Bool, bearer: Int
    ) -> Bool {
        if isRequest {
            let before = subscriptions.value(write.server, atDescriptor: write.descriptor)
            bearers[bearer][write.server.other].withNewestRequest {
                $0.overwritten = before
                $0.configured = state
            }
        }
        if !isCertain { subscriptions.possible = write }
        return subscriptions.set(write.server, atDescriptor: write.descriptor, to: state)
    }

    /// Whether the log shows every subscription of this link. It does not if, for example, a bonded peer may
    /// remember earlier ones.
    var canProveUnsubscribed: Bool {
        !mayLackEarlierPackets && !hasReceivedResponses && !subscriptions.writesMayBeMissing
            && subscriptions.all.count < Subscriptions.limit
            && (phases.pairingStarted != nil || !isBonded && !isEncrypted)
    }

    /// Handles a signalling PDU; the channels that it opens may be ATT bearers.
    mutating func receiveSignals(
        _ payload: RawSpan, isCut: Bool, isLE: Bool, from source: Signalling.Source
    ) -> Signalling.Outcome {
        signalling.receive(payload, isCut: isCut, isLE: isLE, from: source, &bearers)
    }

    /// Whether the peer sent data since the link was encrypted: both sides have the same key.
    var keysHaveWorked: Bool {
        guard isEncrypted, let encrypted = phases.encrypted, let lastContent else { return false }
        return lastContent > encrypted
    }

    /// Counts a frame of the link.
    @inline(__always)
    mutating func count(_ frame: borrowing Frame) {
        counts.packets &+= 1
        if frame.hasATT { counts.attPDUs &+= 1 }
        lastFrame = frame.place
        phases.last = frame.header.time
        let kind = frame.header.kind
        if kind == .acl || kind == .air || kind == .sco || kind == .iso { lastData = phases.last }
        if kind == .acl || kind == .air, frame.direction == .controllerToHost {
            (lastHeard, lastHeardFrame) = (phases.last, frame.place)
            // `||` would capture the borrowed frame in a closure.
            if kind == .acl ? true : frame.l2cap != nil { lastContent = phases.last }
        }
        if frame.event != 0, frame.showsPeerActivity { lastHeard = phases.last }
        lastRecord = frame.recordNumber
    }

    /// Drops the state that only a followed link needs.
    mutating func strip() {
        assemblies = BySide(Assembly())
        bearers = Array(bearers.prefix(1))
        if !bearers.isEmpty { bearers[0].forgetParts() }
        subscriptions.strip()
        signalling = Signalling()
        controls = ControlRequests()
        unansweredAtEnd = []
        askedFor = nil
    }
}

/// Times of a link's phases; nil if a phase was not reached, or the log does not show it.
public struct Phases: Sendable {
    /// Start of the scan before the connection; a stop shorter than a second does not end a scan.
    public var scanStarted: CaptureTime?
    /// The first advertising report of the peer, if it came during this scan.
    public var advertised: CaptureTime?
    /// End of the scan; the connection request if that came first.
    public var scanEnded: CaptureTime?
    /// Time of the scan's stops, in nanoseconds.
    public var scanStopped: Int64 = 0
    /// The host's connection request.
    public var connectStarted: CaptureTime?
    /// The completion of the connection.
    public var connected: CaptureTime?
    /// The request of the first MTU exchange.
    public var mtuStarted: CaptureTime?
    /// Whether the peer sent that request.
    public internal(set) var mtuWasAskedByPeer = false
    /// The response of the MTU exchange.
    public var mtuExchanged: CaptureTime?
    /// The first request of one side's discovery (``Link/peerDiscovers``), and the last answer before its
    /// first pause. After a pause, clients only look up single values.
    public var discoveryStarted: CaptureTime?
    public var discoveryEnded: CaptureTime?
    /// The error with which the last request before that pause was refused.
    public private(set) var discoveryRefusal: ATTErrorCode?
    /// The last answer of all.
    private var discoveryLast: CaptureTime?
    /// Time that discovery took without its pauses, in nanoseconds.
    public var discoveryTime: Int64 = 0
    /// The accepted write that enabled notifications or indications: of a value that a protocol above ATT
    /// listens to, else of any value except Service Changed, which hosts enable on their own.
    public var subscribed: CaptureTime?
    /// The request for pairing.
    public var pairingStarted: CaptureTime?
    /// The host's request for encryption, with keys of a pairing or of a bond.
    public var encryptionStarted: CaptureTime?
    public var encrypted: CaptureTime?
    public var firstWrite: CaptureTime?
    /// The peer's first notification or indication.
    public var firstNotification: CaptureTime?
    /// Whether the peer's first value was an indication.
    public var beginsWithIndication = false
    /// The first and last packet of its synchronous connections and isochronous streams.
    public var streamed: ClosedRange<CaptureTime>?
    public var disconnected: CaptureTime?
    /// The end of the log, if the link was open then.
    public var logEnded: CaptureTime?
    /// The first and last packet of the link.
    public var first = CaptureTime(nanoseconds: 0)
    public var last = CaptureTime(nanoseconds: 0)

    /// Takes note of a discovery's first request; that of the other side no longer counts.
    mutating func startDiscovery(at time: CaptureTime) {
        (discoveryStarted, discoveryEnded, discoveryLast, discoveryTime) = (time, nil, nil, 0)
    }

    /// Takes note of a discovery's request and its answer.
    ///
    /// - Parameter refusal: the error of the answer, unless it only ends a search.
    mutating func discover(from asked: CaptureTime, to answered: CaptureTime, refusal: ATTErrorCode?) {
        let last = discoveryLast ?? asked
        let goesOn = asked.since(last) < Self.shortestPause
        discoveryTime &+= max(0, answered.since(goesOn ? last : asked))
        if goesOn, discoveryEnded == discoveryLast {
            discoveryEnded = answered
            discoveryRefusal = refusal
        }
        discoveryLast = answered
    }

    /// Whether a request at this time is a part of the discovery, not one after its first pause.
    fileprivate func isDiscovery(at asked: CaptureTime) -> Bool {
        discoveryEnded == discoveryLast && asked.since(discoveryLast ?? asked) < Self.shortestPause
    }

    /// Shortest pause between two requests that is not a part of discovery, in nanoseconds.
    private static let shortestPause: Int64 = 1_000_000_000
}

extension Link {
    mutating func note(channelTo psm: UInt16, _ change: (inout ChannelUse) -> Void) {
        if let place = channelUses.firstIndex(where: { $0.psm == psm }) {
            change(&channelUses[place])
        } else if channelUses.count < Channel.limit {
            var use = ChannelUse(psm: psm)
            change(&use)
            channelUses.append(use)
        }
    }
}

// Missing packets. Each event resets the state that it makes uncertain:
// - `handleLostPackets`: the recorder lost packets, or the log holds a fragment of an unknown side. PDUs and
//   SDUs under reassembly are dropped, responses match no earlier request, pairing is not followed on.
// - `handleLostPDU(on:)`: a PDU could not be reassembled. The same, but only for its channel, if known.
// - `skipRestOfPDU(of:)`: a sniffer missed a fragment. Only the rest of that PDU is skipped.
// - `tolerateMissingAnswers`: a sniffer may have missed packets. Only: no answer counts as missing.
extension Link {
    /// Handles packets that the log lacks: unfinished PDUs are dropped, since fragments can no longer be
    /// identified.
    mutating func handleLostPackets() {
        assemblies.host.reassembler.reset()
        assemblies.peer.reassembler.reset()
        handleLostPDU(on: nil)
    }

    /// Drops a side's unfinished PDU, and its fragments that still follow.
    mutating func skipRestOfPDU(of side: Side) {
        assemblies[side].reassembler.skipRest()
    }

    /// Records that a sniffer may have missed packets: answers don't count as missing, but still match.
    mutating func tolerateMissingAnswers() {
        for bearer in bearers.indices { bearers[bearer].tolerateMissingAnswers() }
        assemblies.host.mayLackFragments = true
        assemblies.peer.mayLackFragments = true
        subscriptions.writesMayBeMissing = true
        pairing.stop()
        signalling.handleLostAnswers()
    }

    /// Handles a lost PDU of a channel, or of an unknown one: answers from now on may belong to requests that
    /// are not in the log.
    mutating func handleLostPDU(on channel: UInt16?) {
        if channel == nil || channel == 4 {
            bearers[0].resetAfterLoss()
            subscriptions.writesMayBeMissing = true
        }
        if channel == nil || channel == 6 { pairing.stop() }
        if channel == nil || channel == 1 || channel == 5 { signalling.handleLostAnswers() }
        guard channel.map({ $0 >= 0x40 }) ?? true else { return }
        for index in signalling.channels.indices {
            signalling.channels[index].assemblies.host.dropSDU()
            signalling.channels[index].assemblies.peer.dropSDU()
            if let bearer = signalling.channels[index].bearer { bearers[bearer].resetAfterLoss() }
        }
    }

    /// Memory that incomplete data uses, in bytes.
    var incompleteBytes: Int {
        var sum = assemblies.host.incompleteBytes &+ assemblies.peer.incompleteBytes
        for channel in signalling.channels {
            sum &+= channel.assemblies.host.incompleteBytes &+ channel.assemblies.peer.incompleteBytes
        }
        for bearer in bearers {
            for side in [Side.host, .peer] {
                sum &+= bearer[side].prepared.incompleteBytes &+ (bearer[side].read?.octets.capacity ?? 0)
            }
        }
        return sum
    }

    /// Releases the memory of complete PDUs.
    mutating func releaseBuffers() {
        assemblies.host.reassembler.releaseRoom()
        assemblies.peer.reassembler.releaseRoom()
        for index in signalling.channels.indices {
            signalling.channels[index].assemblies.host.releaseBuffers()
            signalling.channels[index].assemblies.peer.releaseBuffers()
        }
    }

    /// Drops incomplete SDUs and values.
    mutating func dropIncomplete() {
        handleLostPackets()
        for index in signalling.channels.indices {
            signalling.channels[index].assemblies.host.dropSDU()
            signalling.channels[index].assemblies.peer.dropSDU()
        }
        for index in bearers.indices {
            for side in [Side.host, .peer] {
                bearers[index][side].prepared.dropIncomplete()
                bearers[index][side].read?.dropIncomplete()
            }
        }
    }
}

extension Assembly {
    fileprivate var incompleteBytes: Int {
        reassembler.room &+ frames.capacity &* MemoryLayout<FramePlace>.stride
    }
}

extension LongRead {
    /// Drops the bytes, so that the value is never passed on.
    fileprivate mutating func dropIncomplete() {
        octets = []
        isDone = true
    }
}
