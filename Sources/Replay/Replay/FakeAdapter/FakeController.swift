import BluetoothCore
import LEHost
import Runtime
import VirtualController

/// A controller that plays a recorded session, as a state machine without I/O.
///
/// It answers the host's commands itself, and plays the far devices of the log. Whatever these devices would
/// notice of the host is compared with the recording.
struct FakeController: Sendable {
    /// An event on the controller's timeline.
    enum TimelineEvent: Sendable {
        /// Sends a packet to the host.
        case packet(HCIPacket)
        /// Sends a peer's PDU on a link.
        case pdu(Int, PeerPDU)
        /// The next advertising report is due.
        case advertise(generation: Int)
        /// A connection attempt ends.
        case connect(generation: Int, connection: Int)
        /// A central connects to the host.
        case accept(generation: Int, connection: Int, usual: Instant)
        /// The next event on a link is due.
        case event(Int)
        /// The recorded host's next step on a link is due.
        case turn(Int, step: Int)
        /// The recorded host's connection attempt is due.
        case connectTurn(Int)
        /// The recorded host cancels its connection attempt.
        case giveUpTurn(Int)
        /// A link ends.
        case end(Int, HCIStatus)
        /// The deadline of a callback on a link has passed.
        case due(Int)
        /// The key of a link's pairing is in use.
        case encrypted(Int)
        /// The timer of a link's live peer has expired.
        case live(Int)
        /// The observation after the end of the session may be over.
        case settle
    }

    /// A PDU on its way to the host.
    struct PeerPDU: Sendable {
        var channel: L2CAPChannelID
        var octets: [UInt8]
        var frame: Int
        /// Whether the PDU is a response to a request of the host.
        var isReply: Bool
        /// Whether the PDU counts as progress: it is in the log, or answers a new request.
        var isProgress = true
        /// The callback that the log implies when the PDU is delivered.
        var implies: ApplicationEvent?
        /// Whether that callback may be missing, because the host may have made the request for itself.
        var isOptional = false
        /// The handle of a long value, if the PDU answers a further read of it.
        var continues: UInt16?
    }

    enum Output: Sendable {
        case packet(HCIPacket)
        case turn(HostTurn)
        /// A connection is about to be made.
        case connecting(RecordedPast)
    }

    let model: SessionModel
    let options: ReplayOptions
    var now = Instant.zero
    var heap = EventHeap<TimelineEvent>()
    var outputs: [Output] = []
    var core: ControllerCore
    var scanning = Scanning()
    var initiating = Initiating()
    /// Connections that centrals will make once the host advertises, in order.
    var awaited: [Int] = []
    var links: [FakeLink] = []
    /// Whether each connection of the model has been played.
    var isPlayed: [Bool]
    /// The latest time in the log that the replay has reached.
    var logCursor = Instant.zero
    var placement: Placement
    /// Delays that the policy added and that were not taken yet; timers stand still during them.
    private var additions: [Range<Instant>] = []
    var random = SplitMix(state: 0x5EED)

    // Results.
    var transcript = Transcript()
    var normalizations = NormalizationCounts()
    var masksUsed: [VolatileMask] = []
    var compared = 0
    var divergence: Divergence?
    /// Divergences after which the session went on.
    var passedOver: [Divergence] = []
    /// Number of advertisements that the host received, by device.
    var heard: [DeviceAddress: Int] = [:]
    /// Number of the host's data packets that were reported as completed.
    var buffersGivenBack = 0
    /// The index of the recorded host's next packet to compare, in the strict tier.
    var nextPacket = 0
    /// The frames at which the host deviated as expected.
    var departed: [Int] = []
    var stuck: Stuck?
    /// Time of the last progress of the host or a peer.
    var lastProgress = Instant.zero
    /// The latest time for which an event was scheduled that does not depend on the host's requests.
    var lastIndependent = Instant.zero
    /// Whether the observation after the last recorded step is over too.
    var isOver = false
    private var isSettling = false
    /// Number of playable connections and compared attempts that are still to come.
    var unplayed: Int
    /// Number of links that are not done.
    var undone = 0
    /// The index of the first connection whose turn is not scheduled yet.
    var nextConnectTurn = 0
    /// The recorded ends of connections in order, and the number of those that attempts have waited for.
    let ends: [(time: Instant, place: Int)]
    var endsPassed = 0
    /// The latest end that attempts have waited for, by its time in the log and in the replay.
    var latestEnd: (recorded: Instant, replayed: Instant)?
    /// The time in the replay at which each connection of the model ended.
    var closedAt: [Instant?]
    /// Whether the host has made each attempt.
    var wasTried: [Bool]
    /// Whether each connection is a failed attempt that the host must repeat.
    let isRequiredAttempt: [Bool]
    /// Number of failed attempts, and of connections lost at once, that the host repeated.
    var comparedAttempts = 0
    /// Number of the host's attempts beyond those in the log, by device.
    var furtherAttempts: [UInt64: Int] = [:]
    /// The indices of the reports that are repeated if the host scans for longer than recorded.
    var lastRound: [Int]?

    init(_ model: SessionModel, _ options: ReplayOptions) {
        self.model = model
        self.options = options
        core = ControllerCore(model.controller.configuration)
        placement = Placement(options.policy)
        isPlayed = [Bool](repeating: false, count: model.connections.count)
        wasTried = isPlayed
        let isRequiredAttempt = model.connections.comparedAttempts
        self.isRequiredAttempt = isRequiredAttempt
        closedAt = [Instant?](repeating: nil, count: model.connections.count)
        ends = model.connections.enumerated()
            .compactMap { place, connection in
                if isRequiredAttempt[place] { return (connection.completed, place) }
                guard Self.isPlayable(connection), let end = connection.end else { return nil }
                return (end.time, place)
            }
            .sorted { ($0.time, $0.place) < ($1.time, $1.place) }
        unplayed = model.connections.count { Self.isPlayable($0) } + isRequiredAttempt.count { $0 }
    }

    /// Whether a connection of the model can be played.
    static func isPlayable(_ connection: RecordedConnection) -> Bool {
        !connection.isLeftOut && connection.status == .success
    }

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

    /// Processes the events that are due by `time` and returns their outputs in order.
    mutating func advance(to time: Instant) -> [Output] {
        while let event = heap.pop(notAfter: time) {
            now = max(now, event.time)
            carryOut(event.payload)
        }
        now = max(now, time)
        scheduleSettling()
        defer { outputs = [] }
        return outputs
    }

    var nextDeadline: Instant? { heap.nextTime }

    mutating func schedule(_ event: TimelineEvent, at time: Instant) {
        if Self.isIndependent(event) { lastIndependent = max(lastIndependent, time) }
        heap.push(event, at: max(time, now), from: .recording)
    }

    /// Returns the time of a peer's action according to the policy; see
    /// ``Placement/place(cause:delay:recorded:)``.
    mutating func placed(
        cause: Instant, delay: Duration, recorded: Instant, until limit: Instant = .distantFuture
    ) -> Instant {
        let time = min(placement.place(cause: cause, delay: delay, recorded: recorded), limit)
        let usual = cause.advanced(by: delay)
        if time > usual { additions.append(usual..<time) }
        return time
    }

    /// Returns and clears the delays that the policy added.
    mutating func takeAdditions() -> [Range<Instant>] {
        defer { additions = [] }
        return additions
    }

    /// Whether the event advances the session independently of the host's requests.
    private static func isIndependent(_ event: TimelineEvent) -> Bool {
        switch event {
        case .packet, .advertise, .connect, .due, .live: false
        case .pdu(_, let pdu): pdu.isProgress
        case .event, .turn, .connectTurn, .giveUpTurn, .accept, .end, .encrypted, .settle: true
        }
    }

    private mutating func carryOut(_ event: TimelineEvent) {
        switch event {
        case .packet(let packet): outputs.append(.packet(packet))
        case .pdu(let link, let pdu): deliver(pdu, link: link)
        case .advertise(let generation): advertise(generation: generation)
        case .connect(let generation, let connection): connect(generation: generation, connection: connection)
        case .event(let link): playEvent(link: link)
        case .turn(let link, let step): giveTurn(link: link, step: step)
        case .accept(let generation, let connection, let usual):
            accept(generation: generation, connection: connection, usual: usual)
        case .connectTurn(let connection):
            let one = model.connections[connection]
            outputs.append(.turn(.connect(connection: one.number, one.peer)))
            guard !one.isCentral else { break }
            awaited.append(connection)
            scheduleCentral()
        case .giveUpTurn(let connection):
            let one = model.connections[connection]
            outputs.append(.turn(.giveUp(connection: one.number, one.peer)))
        case .end(let link, let reason): end(link: link, reason)
        case .due(let link): checkDue(link: link)
        case .encrypted(let link): advancePairing(link: link) { $0.encrypted(at: $1) }
        case .live(let link): advanceLive(link: link)
        case .settle:
            isSettling = false
            isOver = isComplete && now >= settlesAt
            if isOver {
                checkPacketsLeft()
                checkScan()
            }
        }
    }

    /// Whether everything playable has been played.
    var isComplete: Bool { unplayed == 0 && undone == 0 }

    var isSettled: Bool { divergence != nil || stuck != nil || isComplete && isOver }

    /// Time for which the host is observed after the end of the log.
    private static let grace = Duration.seconds(2)
    /// Longest wait for the rest of a log in which nothing is compared.
    private static let longestRest = Duration.seconds(3600)

    /// The end of the observation: the host must do nothing more after the last progress, and until the end
    /// of the log on the replay's timeline.
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

    /// Schedules the end of the observation once everything was played.
    mutating func scheduleSettling() {
        guard isComplete, !isOver, !isSettling, divergence == nil, stuck == nil else { return }
        isSettling = true
        schedule(.settle, at: settlesAt)
    }

    /// Limit of divergences after which a session may go on.
    private static let mostPassedOver = 64

    /// Adds a divergence.
    ///
    /// - Returns: whether the session continues after it.
    @discardableResult
    mutating func record(_ found: Divergence) -> Bool {
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
