import BluetoothCore
import Runtime

/// A value that the host reads, whole or in parts.
struct OpenValue: Sendable {
    var value: [UInt8]
    /// The recorded response to a read at the end of the value; nil if it is not in the log.
    var end: [UInt8]?
    var latency: Duration
    /// The index of the step while the value is incomplete; nil afterwards.
    var step: Int?
    /// Whether the application, and not only the host, requested the value.
    var isAskedFor = true
    /// Number of bytes requested so far, from the start.
    var requested = 0
}

/// A permitted deviation of the host.
struct LinkDeparture: Sendable {
    var frame: Int
    /// The index in the transcript of the first PDU that is not compared; the number of PDUs if none followed
    /// yet.
    var entry: Int
}

/// A recorded connection in replay.
struct FakeLink: Sendable {
    let connection: RecordedConnection
    let place: Int
    let index: Int
    let tier: MatchingTier
    /// The first frame that the sniffer could not decrypt; nil if it could read all of them.
    let unreadableFrom: Int?
    let script: HostScript
    let failsToEncrypt: Bool
    let handle: UInt16
    let openedAt: Instant
    var closedAt: Instant?
    /// Whether the application asked for the end of the link, so that its callback has no error.
    var endIsAskedFor = false
    var isClosed = false
    var reassembler = L2CAPReassembler()

    // The host's actions.

    /// For each step, whether it is no longer expected: matched, tolerated as missing, or skipped.
    var consumed: [Bool]
    /// Steps that the host performed as in the log.
    var matched: Set<Int> = []
    /// Attribute Protocol PDUs of the host that were not compared, besides set-up.
    var extraPDUs = 0
    /// Steps that were given up after a divergence.
    var skipped: Set<Int> = []
    /// Handles of requests that were answered although they are not in the log.
    var answeredFreely: Set<UInt16> = []
    /// The index of the first required step that is still expected.
    var frontier = 0
    /// For each step, the time at which the frontier passed it.
    var passedAt: [Instant]
    /// For each lane, an index at or before its first step that is still expected.
    private var laneStarts = [Int](repeating: 0, count: HostStep.Lane.allCases.count)
    /// The index of the client's first step that is still expected.
    var cursor: Int { laneStarts[HostStep.Lane.client.rawValue] }
    /// The host's request that has no response yet.
    var pendingRequest: ATTOpcode?
    /// Time of the host's last request.
    var requestedAt = Instant.zero
    var mtu: UInt16 = 23
    /// The MTU that the peer's client offered.
    var peerMTU: UInt16?
    /// Values that the host has read and may continue to read, by handle.
    var openValues: [UInt16: OpenValue] = [:]
    /// The prepared writes so far: their step, handle and value.
    var prepared: (step: Int, handle: UInt16, value: [UInt8])?

    // The live peer.

    /// The model of the peer, which follows the host's actions; nil if a deviation ends the session.
    var live: LivePeer?
    /// Whether the model has taken over from the recording.
    var isLive = false
    /// The host's deviation after which the model took over; nil without one.
    var departure: LinkDeparture?

    var host = RecordedController.madeUpAddress
    var pairing: PlayedPairing?
    /// Time at which the host learns of the encryption; nil while the link is not encrypted.
    var encryptedAt: Instant?

    // The application's callbacks.

    /// The state of a subscription; a host that ends one may still get values until the peer has answered.
    enum Subscription: Sendable { case active, ending }
    var subscriptions: [UInt16: Subscription] = [:]
    /// Callbacks that are expected but have not come, in order.
    var expectedCallbacks: [ExpectedCallback] = []
    var matchedCallbacks = 0

    // The peer's actions.

    /// The frames of Attribute Protocol PDUs that the peer sent as recorded.
    var playedFrames: Set<Int> = []
    /// The index of the next event in the script, and whether it is scheduled.
    var nextEvent = 0
    var isEventScheduled = false
    /// Time of the peer's last event or value.
    var lastEvent: Instant
    /// Number of the peer's indications that the host has not confirmed.
    var unconfirmed = 0
    /// Number of the peer's requests that the host has not answered, and the opcode of the last one.
    var unanswered = 0
    var peerRequest: ATTOpcode?
    /// Codes of the peer's L2CAP requests that the host has not answered, by identifier.
    var openSignals: [UInt8: UInt8] = [:]
    /// Number of the peer's Security Manager requests that the host has not answered.
    var openSecurity = 0
    /// PDUs of the host since the last performed step, each with the number of its occurrences.
    private var extras: [[UInt8]: Int] = [:]
    /// Whether the host's last PDU counts as progress.
    var lastPDUIsProgress = true
    var replies = 0
    /// The step whose turn was scheduled last.
    var scheduledTurn: Int?
    /// The step that was last given to the driver.
    var givenTurn: Int?
    /// The value of `isDone` when it was last counted.
    var wasDone = false

    init(
        _ model: SessionModel, place: Int, index: Int, handle: UInt16, _ tier: MatchingTier, at now: Instant
    ) {
        let connection = model.connections[place]
        self.connection = connection
        self.place = place
        self.index = index
        self.handle = handle
        self.tier = tier
        unreadableFrom =
            model.obstacles.first { $0.kind == .closed && $0.connection == connection.number }?.frame
        script = HostScript(connection)
        failsToEncrypt = connection.failsToEncrypt
        openedAt = now
        lastEvent = now
        consumed = [Bool](repeating: false, count: script.steps.count)
        passedAt = [Instant](repeating: now, count: script.steps.count)
        start(at: now)
    }

    /// Whether the host has performed all required steps, and all events of the peer have been played or
    /// can't be.
    var isDone: Bool {
        if isLive, isClosed { return true }
        guard frontier >= script.steps.count else { return false }
        if isLive { return connection.end?.request == nil && replies == 0 }
        return isClosed || connection.end == nil && replies == 0 && nextEvent >= script.events.count
    }

    /// Whether the host may end the connection: everything is done, and no response is owed.
    var mayBeEnded: Bool {
        frontier >= script.steps.count && replies == 0 && unanswered == 0
            && nextEvent >= script.events.count
    }

    /// Whether a step is a long read that was partly performed.
    func isBegun(_ step: HostStep) -> Bool {
        step.handle.map { openValues[$0]?.step == step.index } ?? false
    }

    /// Returns a due step; for a partly performed read, the request for its next part.
    func due(at place: Int) -> HostStep {
        var step = script.steps[place]
        guard let handle = step.handle, let open = openValues[handle], isBegun(step) else { return step }
        let request = ATTReadBlobRequest(handle: handle, offset: UInt16(clamping: open.requested))
        let octets = request.pdu
        let known = step.pdus.first { connection.pdus[$0].octets == octets }
        step.action = .request(octets)
        step.frame = (known ?? step.pdus.last).map { connection.pdus[$0].frame } ?? step.frame
        return step
    }

    /// Counts a PDU of the host; returns whether it counts as progress: it is among the first eight equal
    /// ones since the last performed step. Discovery may repeat requests.
    mutating func countPDU(_ octets: [UInt8]) -> Bool {
        let count = extras[octets] ?? 0
        guard count < 8, count > 0 || extras.count < 4096 else { return false }
        extras[octets] = count + 1
        return true
    }

    /// Number of steps that the host must perform.
    var required: Int { script.steps.count(where: \.isRequired) }

    /// Returns the first step of a lane that is still expected, required or not.
    func first(in lane: HostStep.Lane, where condition: (HostStep) -> Bool = { _ in true }) -> Int? {
        (laneStarts[lane.rawValue]..<script.steps.count).first {
            !consumed[$0] && script.steps[$0].lane == lane && condition(script.steps[$0])
        }
    }

    /// The index of the Security Manager's due step.
    var dueSecurity: Int? {
        let security = first(in: .security) { $0.isRequired || connection.pairing == nil }
        let pair = first(in: .client) { if case .pair = $0.action { true } else { false } }
        return [security, pair].compactMap(\.self).min()
    }

    /// Whether a question about pairing may be about this link: its pairing succeeds in the log, or the
    /// failure has not been played yet.
    func isPairing(at now: Instant) -> Bool {
        guard let pairing, let recorded = connection.pairing else { return false }
        guard let failure = recorded.failure, dueSecurity == nil else { return true }
        return failure.side == .peer && (pairing.sent < recorded.sent.count || now < pairing.latest)
    }

    /// The index of the first required step that is still expected, among those that the host starts itself;
    /// for a peripheral, also of its server and its Security Manager.
    var firstRequired: Int? {
        let lanes: [HostStep.Lane] = connection.isCentral ? [.client] : [.client, .server, .security]
        // No required step before the frontier is expected any more.
        var index = max(frontier, lanes.map { laneStarts[$0.rawValue] }.min() ?? 0)
        while index < script.steps.count {
            let step = script.steps[index]
            let isDriven = lanes.contains(step.lane) && (step.lane != .security || step.isSecurityRequest)
            if !consumed[index], isDriven, step.isRequired { return index }
            index += 1
        }
        return nil
    }

    /// Marks a step as no longer expected, and moves the frontier past optional ones. The caller also calls
    /// ``advance(_:)``.
    mutating func consume(step: Int, at now: Instant) {
        consumed[step] = true
        extras = [:]
        advanceBegin(of: script.steps[step].lane)
        while frontier < script.steps.count, consumed[frontier] || !script.steps[frontier].isRequired {
            passedAt[frontier] = now
            frontier += 1
        }
    }

    /// Moves the frontier past optional steps at the beginning.
    private mutating func start(at now: Instant) {
        while frontier < script.steps.count, !script.steps[frontier].isRequired {
            passedAt[frontier] = now
            frontier += 1
        }
        for lane in HostStep.Lane.allCases { advanceBegin(of: lane) }
    }

    /// Moves the beginning of a lane past consumed steps.
    private mutating func advanceBegin(of lane: HostStep.Lane) {
        var place = laneStarts[lane.rawValue]
        while place < script.steps.count, consumed[place] || script.steps[place].lane != lane { place += 1 }
        laneStarts[lane.rawValue] = place
    }

    /// Converts a time in the log to the time in this link's replay.
    func replayed(_ recorded: Instant) -> Instant {
        openedAt.advanced(by: connection.completed.duration(to: recorded))
    }

    func response(_ step: HostStep, part: Int) -> RecordedPDU? {
        guard step.pdus.indices.contains(part), let place = script.response(to: step.pdus[part]) else {
            return nil
        }
        return connection.pdus[place]
    }

    /// Returns the peer's recorded latency for a step's PDU.
    func latency(_ step: HostStep, part: Int) -> Duration {
        guard let response = response(step, part: part) else { return script.typicalLatency }
        let latency = max(.zero, connection.pdus[step.pdus[part]].time.duration(to: response.time))
        return latency < HostScript.transaction ? latency : script.typicalLatency
    }
}
