import BluetoothCore
import LEHost
import Runtime

/// A controller that plays a recorded session: a state machine without I/O.
///
/// It answers what concerns only a controller as one does, and gives the far devices of the log. What they
/// would see of the host is compared with the recording.
struct FakeController: Sendable {
    /// What is to happen.
    enum Happening: Sendable {
        /// A packet goes to the host.
        case packet(HCIPacket)
        /// A peer sends a PDU on a link.
        case pdu(Int, PeerPDU)
        /// The next advertising report is due.
        case advertise(generation: Int)
        /// An attempt to connect ends.
        case connect(generation: Int, connection: Int)
        /// A central connects to the host.
        case accept(generation: Int, connection: Int, usual: Instant)
        /// The next event of a link is due.
        case event(Int)
        /// The recorded host's next step of a link is due.
        case turn(Int, step: Int)
        /// The recorded host's attempt to connect is due.
        case connectTurn(Int)
        /// The recorded host gives its attempt to connect up.
        case giveUpTurn(Int)
        /// A link ends.
        case end(Int, HCIStatus)
        /// What the application of a link must have been told may be late.
        case due(Int)
        /// The key of a link's pairing is in use.
        case encrypted(Int)
        /// Time has come for the live peer of a link.
        case live(Int)
        /// The time in which nothing more must come from the host may be over.
        case settle
    }

    /// A PDU on its way to the host.
    struct PeerPDU: Sendable {
        var channel: L2CAPChannelID
        var octets: [UInt8]
        var frame: Int
        /// Whether it is the response to the host's request.
        var isReply: Bool
        /// Whether it brings the session on: it is of the log, or answers what was not asked before.
        var isProgress = true
        /// What the application must be told when it has come.
        var entails: ApplicationEvent?
        /// Whether the host may have asked for itself, so that it need not be told.
        var isOptional = false
        /// The long value of which it answers a further part.
        var continues: UInt16?
    }

    /// What comes out.
    enum Output: Sendable {
        case packet(HCIPacket)
        case turn(HostTurn)
        /// A connection is made, to a device that the recorded host had this bond with, or paired with in
        /// this way.
        case connecting(Bond?, RecordedPairing?)
    }

    let model: SessionModel
    let options: ReplayOptions
    var now = Instant.zero
    var heap = EventHeap<Happening>()
    var outputs: [Output] = []
    var setup = ControllerSetup()
    var scanning = Scanning()
    var initiating = Initiating()
    /// The connections that centrals make as soon as the host advertises, in order.
    var awaited: [Int] = []
    var links: [FakeLink] = []
    var nextHandle: UInt16 = 0x0040
    /// Which connections of the model have been played.
    var isPlayed: [Bool]
    /// How far the log has been played.
    var logCursor = Instant.zero
    var placement: Placement
    /// Delays added by the policy and not taken yet; timers stand still in them.
    private var additions: [Range<Instant>] = []
    var random = SplitMix(state: 0x5EED)

    // What is found.
    var transcript = Transcript()
    var normalizations = NormalizationCounts()
    var masksUsed: [VolatileMask] = []
    var compared = 0
    var divergence: Divergence?
    /// The differences after which the session went on.
    var passedOver: [Divergence] = []
    /// How often the host was given an advertisement of each device.
    var heard: [DeviceAddress: Int] = [:]
    /// Data packets of the host whose buffers were given back.
    var buffersGivenBack = 0
    /// The first packet of the recorded host that was not compared, in the strict tier.
    var nextPacket = 0
    /// The frames at which the host did something else and was let go on.
    var departed: [Int] = []
    var stuck: Stuck?
    /// When the host or a peer did something last that brings the session on.
    var lastProgress = Instant.zero
    /// The latest instant for which something of the recording was ever scheduled.
    var lastOwn = Instant.zero
    /// Whether the time behind the last recorded step has passed, too.
    var isOver = false
    private var isSettling = false
    /// Playable connections, and attempts that are compared, that have not been made.
    var unplayed: Int
    /// Links of which something is still to come.
    var undone = 0
    /// The first connection whose turn has not been scheduled.
    var nextConnectTurn = 0
    /// The recorded ends of connections, in order, and how many of them attempts have waited for.
    let ends: [(time: Instant, place: Int)]
    var endsPassed = 0
    /// The latest of those ends, in the log and as it was replayed.
    var latestEnd: (recorded: Instant, replayed: Instant)?
    /// When the connections of the model ended.
    var closedAt: [Instant?]
    /// Which attempts the host has made already.
    var isAttempted: [Bool]
    /// Which attempts led to no connection and are compared.
    let isAttempt: [Bool]
    /// How many of them, and of connections that were lost at once, the host made, too.
    var comparedAttempts = 0
    /// By device, the attempts of the host that the log does not have.
    var furtherAttempts: [UInt64: Int] = [:]
    /// The reports that come again where the host scans past the recorded ones.
    var lastRound: [Int]?

    init(_ model: SessionModel, _ options: ReplayOptions) {
        self.model = model
        self.options = options
        placement = Placement(options.policy)
        isPlayed = [Bool](repeating: false, count: model.connections.count)
        isAttempted = isPlayed
        let isAttempt = model.connections.comparedAttempts
        self.isAttempt = isAttempt
        closedAt = [Instant?](repeating: nil, count: model.connections.count)
        ends = model.connections.enumerated()
            .compactMap { place, connection in
                if isAttempt[place] { return (connection.completed, place) }
                guard Self.isPlayable(connection), let end = connection.end else { return nil }
                return (end.time, place)
            }
            .sorted { ($0.time, $0.place) < ($1.time, $1.place) }
        unplayed = model.connections.count { Self.isPlayable($0) } + isAttempt.count { $0 }
    }

    /// Whether a connection of the model can be played.
    static func isPlayable(_ connection: RecordedConnection) -> Bool {
        !connection.isLeftOut && connection.status == .success
    }

    /// Takes a packet of the host.
    mutating func receive(_ packet: HCIPacket, at time: Instant) {
        now = max(now, time)
        switch packet.type {
        case .command: command(packet.octets)
        case .acl: takeData(packet.octets)
        default: break
        }
        compareStrictly(packet)
        scheduleSettling()
    }

    /// Lets everything happen that is due by `time`; what comes out is in order.
    mutating func advance(to time: Instant) -> [Output] {
        while let event = heap.pop(notAfter: time) {
            now = max(now, event.time)
            happen(event.payload)
        }
        now = max(now, time)
        scheduleSettling()
        defer { outputs = [] }
        return outputs
    }

    /// When the next thing happens.
    var nextDeadline: Instant? { heap.nextTime }

    mutating func schedule(_ happening: Happening, at time: Instant) {
        if Self.isOwn(happening) { lastOwn = max(lastOwn, time) }
        heap.push(happening, at: max(time, now), from: .recording)
    }

    /// When something of the peer comes, by the policy; see ``Placement/place(cause:delay:recorded:)``.
    mutating func placed(
        cause: Instant, delay: Duration, recorded: Instant, until limit: Instant = .distantFuture
    ) -> Instant {
        let time = min(placement.place(cause: cause, delay: delay, recorded: recorded), limit)
        let usual = cause.advanced(by: delay)
        if time > usual { additions.append(usual..<time) }
        return time
    }

    /// Takes the delays added by the policy.
    mutating func takeAdditions() -> [Range<Instant>] {
        defer { additions = [] }
        return additions
    }

    /// Whether the session goes on with it, whatever the host asks for.
    private static func isOwn(_ happening: Happening) -> Bool {
        switch happening {
        case .packet, .advertise, .connect, .due, .live: false
        case .pdu(_, let pdu): pdu.isProgress
        case .event, .turn, .connectTurn, .giveUpTurn, .accept, .end, .encrypted, .settle: true
        }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .packet(let packet): outputs.append(.packet(packet))
        case .pdu(let link, let pdu): deliver(pdu, link)
        case .advertise(let generation): advertise(generation)
        case .connect(let generation, let connection): connect(generation, connection)
        case .event(let link): happenEvent(link)
        case .turn(let link, let step): giveTurn(link, step)
        case .accept(let generation, let connection, let usual): accept(generation, connection, usual)
        case .connectTurn(let connection):
            let one = model.connections[connection]
            outputs.append(.turn(.connect(connection: one.number, one.peer)))
            guard !one.isCentral else { break }
            awaited.append(connection)
            scheduleCentral()
        case .giveUpTurn(let connection):
            let one = model.connections[connection]
            outputs.append(.turn(.giveUp(connection: one.number, one.peer)))
        case .end(let link, let reason): end(link, reason)
        case .due(let link): checkDue(link)
        case .encrypted(let link): advancePairing(link) { $0.encrypted(at: $1) }
        case .live(let link): advanceLive(link)
        case .settle:
            isSettling = false
            isOver = isComplete && now >= settlesAt
            if isOver {
                checkPacketsLeft()
                checkScan()
            }
        }
    }

    /// Whether all that can be played has been.
    var isComplete: Bool { unplayed == 0 && undone == 0 }

    /// Whether there is a verdict.
    var isSettled: Bool { divergence != nil || stuck != nil || isComplete && isOver }

    /// How long after the end of the log a host is looked at that has done all.
    private static let grace = Duration.seconds(2)
    /// How much of the rest of a log is waited for in which nothing is to be compared.
    private static let longestRest = Duration.seconds(3600)

    /// Until when the host must do nothing more: past the last thing that happened, and past the end of the
    /// log on the line on which it is replayed.
    private var settlesAt: Instant {
        var end = lastProgress
        if let link = links.last {
            if let closed = link.closedAt {
                if let recorded = link.connection.end?.time {
                    end = max(end, closed.advanced(by: max(.zero, recorded.duration(to: model.end))))
                }
            } else {
                end = max(end, link.replayed(model.end))
            }
        } else {
            end = max(end, model.end)
        }
        return min(end, lastProgress.advanced(by: Self.longestRest)).advanced(by: Self.grace)
    }

    /// Looks on for a while where all has been played.
    mutating func scheduleSettling() {
        guard isComplete, !isOver, !isSettling, divergence == nil, stuck == nil else { return }
        isSettling = true
        schedule(.settle, at: settlesAt)
    }

    /// Differences after which a session may go on.
    private static let mostPassedOver = 64

    /// Keeps a difference.
    ///
    /// - Returns: whether the session goes on behind it.
    @discardableResult
    mutating func keep(_ found: Divergence) -> Bool {
        guard divergence == nil, stuck == nil else { return false }
        guard options.continues, passedOver.count < Self.mostPassedOver else {
            divergence = found
            return false
        }
        passedOver.append(found)
        lastProgress = now
        return true
    }
}
