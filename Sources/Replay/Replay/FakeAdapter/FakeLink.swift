import BluetoothCore
import Runtime

/// A value that the host reads, in one piece or in several.
struct OpenValue: Sendable {
    var value: [UInt8]
    /// The logged answer to a read at the end of the value; nil if the log has none.
    var end: [UInt8]?
    var latency: Duration
    /// The step that is not complete yet; nil if all are.
    var step: Int?
    /// Whether an application has asked for it.
    var isAskedFor = true
    /// Bytes asked for so far, from the start.
    var seen = 0
}

/// The place at which a host went its own way, as an expectation allows.
struct LinkDeparture: Sendable {
    /// The frame of what was due.
    var frame: Int
    /// The place in the transcript of what the host sent instead.
    var entry: Int
}

/// A recorded connection while it is played.
struct FakeLink: Sendable {
    /// The connection as it was recorded, and its place in the model.
    let connection: RecordedConnection
    let place: Int
    let script: HostScript
    let failsToEncrypt: Bool
    /// The handle that the host knows it by.
    let handle: UInt16
    let openedAt: Instant
    var closedAt: Instant?
    /// Whether the host under test asked for the end.
    var isEndedByHost = false
    var isClosed = false
    var reassembler = L2CAPReassembler()

    // What the host has done.

    /// For each step whether it was seen, or is not waited for any more.
    var isConsumed: [Bool]
    /// Steps that the host did.
    var isMatched: Set<Int> = []
    /// PDUs of the Attribute Protocol that it sent and that were compared with nothing, besides set-up.
    var extraPDUs = 0
    /// Steps that the host did not do, and that are not waited for any more.
    var isSkipped: Set<Int> = []
    /// Attributes of requests that were answered though they are not of the log.
    var answeredFreely: Set<UInt16> = []
    /// The first required step that was not seen; all before it were.
    var frontier = 0
    /// When the frontier went past each step.
    var passed: [Instant]
    /// For each lane the first place at which a step of it may stand that was not seen.
    private var begins = [Int](repeating: 0, count: HostStep.Lane.allCases.count)
    /// The first step of the client that was not seen.
    var cursor: Int { begins[HostStep.Lane.client.rawValue] }
    /// Whether the host's request has no response yet.
    var pendingRequest: ATTOpcode?
    /// The longest PDU that the host offered.
    var offeredMTU: UInt16?
    var mtu: UInt16 = 23
    /// The longest PDU that the peer's client offered.
    var peerMTU: UInt16?
    /// The values that the host has read and may read on, by their handles.
    var openValues: [UInt16: OpenValue] = [:]
    /// The prepared writes, the step that they are for and what has come of its value.
    var prepared: (step: Int, handle: UInt16, value: [UInt8])?

    // The peer as it lives.

    /// Follows what the host does; nil where a departure of the host ends the session.
    var live: LivePeer?
    /// Whether it has taken the recording's place.
    var isLive = false
    /// Where it did, because the host went its own way; nil if it did not.
    var departure: LinkDeparture?

    /// The host's address on it.
    var host = FakeController.madeUpAddress
    /// The pairing that is under way.
    var pairing: PlayedPairing?
    /// When the host learns that the link is encrypted; nil if it is not.
    var encryptedAt: Instant?

    // What the application is told.

    /// Whether values of a characteristic are wanted.
    enum Wish: Sendable { case wanted, ending }
    /// By the handles of values.
    var wanted: [UInt16: Wish] = [:]
    /// What must be told and was not yet, in order.
    var entailed: [Entailment] = []
    /// What was told and had to be.
    var toldEvents = 0

    // What the peer has done.

    /// The frames of the PDUs of the Attribute Protocol that it sent as recorded.
    var playedFrames: Set<Int> = []
    var nextEvent = 0
    var isEventScheduled = false
    var lastEvent: Instant
    var unconfirmed = 0
    /// Requests of the peer that the host has not answered, and which the last one was.
    var unanswered = 0
    var peerRequest: ATTOpcode?
    /// L2CAP requests of the peer that the host has not answered: the code by the identifier.
    var openSignals: [UInt8: UInt8] = [:]
    /// Requests of the peer's Security Manager that the host has not answered.
    var openSecurity = 0
    /// What the host asked since the last step that was seen without being a step, and how often.
    private var extras: [[UInt8]: Int] = [:]
    /// Whether what the host sent last brings the session on.
    var isFresh = true
    /// Responses on their way.
    var replies = 0
    /// The step whose turn was scheduled last, and the one whose turn was given last.
    var turned = -1
    var given = -1
    /// Whether nothing more is to come, and it was counted so.
    var wasDone = false

    init(_ connection: RecordedConnection, place: Int, handle: UInt16, at now: Instant) {
        self.connection = connection
        self.place = place
        self.handle = handle
        script = HostScript(connection)
        failsToEncrypt = connection.failsToEncrypt
        openedAt = now
        lastEvent = now
        isConsumed = [Bool](repeating: false, count: script.steps.count)
        passed = [Instant](repeating: now, count: script.steps.count)
        start(at: now)
    }

    /// Whether all that the host had to do was seen, and all that the peer did was played, or has no one to
    /// be played to any more.
    var isDone: Bool {
        if isLive, isClosed { return true }
        guard frontier >= script.steps.count else { return false }
        if isLive { return connection.end?.request == nil && replies == 0 }
        return isClosed || connection.end == nil && replies == 0 && nextEvent >= script.events.count
    }

    /// Whether the host may end the connection: all was done, and it owes the peer nothing.
    var mayBeEnded: Bool {
        frontier >= script.steps.count && replies == 0 && unanswered == 0
            && nextEvent >= script.events.count
    }

    /// Whether a step is a long read of which a part was seen.
    func isBegun(_ step: HostStep) -> Bool {
        step.handle.map { openValues[$0]?.step == step.index } ?? false
    }

    /// What a host has to do at a step: of a read that was begun, to read on.
    func due(_ place: Int) -> HostStep {
        var step = script.steps[place]
        guard let handle = step.handle, let open = openValues[handle], isBegun(step) else { return step }
        let request = ATTReadBlobRequest(handle: handle, offset: UInt16(clamping: open.seen))
        let octets = request.pdu
        let recorded = step.pdus.first { connection.pdus[$0].octets == octets }
        step.action = .request(octets)
        step.frame = (recorded ?? step.pdus.last).map { connection.pdus[$0].frame } ?? step.frame
        return step
    }

    /// Takes something that may be no step; whether it is among the first of its like. A discovery may
    /// ask the same more than once.
    mutating func isFirst(_ octets: [UInt8]) -> Bool {
        let count = extras[octets] ?? 0
        guard count < 8, count > 0 || extras.count < 4096 else { return false }
        extras[octets] = count + 1
        return true
    }

    /// Steps that must be seen.
    var required: Int { script.steps.count(where: \.isRequired) }

    /// The first step of a lane that was not seen, required or not.
    func first(in lane: HostStep.Lane, where condition: (HostStep) -> Bool = { _ in true }) -> Int? {
        (begins[lane.rawValue]..<script.steps.count).first {
            !isConsumed[$0] && script.steps[$0].lane == lane && condition(script.steps[$0])
        }
    }

    /// The step of the Security Manager that is due.
    var dueSecurity: Int? {
        let security = first(in: .security) { $0.isRequired || connection.pairing == nil }
        let pair = first(in: .client) { if case .pair = $0.action { true } else { false } }
        return [security, pair].compactMap(\.self).min()
    }

    /// Whether a pairing is under way that has not failed.
    func isPairing(at now: Instant) -> Bool {
        guard let pairing, let recorded = connection.pairing else { return false }
        guard let failure = recorded.failure, dueSecurity == nil else { return true }
        return failure.side == .peer && (pairing.sent < recorded.sent.count || now < pairing.latest)
    }

    /// The first step that must be seen and was not, of those that the host does of its own accord or, as the
    /// peripheral, its server does.
    var firstRequired: Int? {
        let lanes: [HostStep.Lane] = connection.isCentral ? [.client] : [.client, .server, .security]
        // All that had to be seen before the frontier was.
        var index = max(frontier, lanes.map { begins[$0.rawValue] }.min() ?? 0)
        while index < script.steps.count {
            let step = script.steps[index]
            let isDriven = lanes.contains(step.lane) && (step.lane != .security || step.isSecurityRequest)
            if !isConsumed[index], isDriven, step.isRequired { return index }
            index += 1
        }
        return nil
    }

    /// Marks a step as seen, and goes past what need not be waited for.
    mutating func consume(_ step: Int, at now: Instant) {
        isConsumed[step] = true
        extras = [:]
        go(in: script.steps[step].lane)
        while frontier < script.steps.count, isConsumed[frontier] || !script.steps[frontier].isRequired {
            passed[frontier] = now
            frontier += 1
        }
    }

    /// Goes past steps at the begin that need not be seen.
    private mutating func start(at now: Instant) {
        while frontier < script.steps.count, !script.steps[frontier].isRequired {
            passed[frontier] = now
            frontier += 1
        }
        for lane in HostStep.Lane.allCases { go(in: lane) }
    }

    /// Goes past the steps of a lane that were seen.
    private mutating func go(in lane: HostStep.Lane) {
        var place = begins[lane.rawValue]
        while place < script.steps.count, isConsumed[place] || script.steps[place].lane != lane { place += 1 }
        begins[lane.rawValue] = place
    }

    /// The place of an instant of the log on the line of this link.
    func replayed(_ recorded: Instant) -> Instant {
        openedAt.advanced(by: connection.completed.duration(to: recorded))
    }

    /// The recorded response to a step's PDU, by the PDU's place among those of the step.
    func response(_ step: HostStep, _ part: Int) -> RecordedPDU? {
        guard step.pdus.indices.contains(part), let place = script.response(to: step.pdus[part]) else {
            return nil
        }
        return connection.pdus[place]
    }

    /// How long the peer took to answer a step's PDU.
    func latency(_ step: HostStep, _ part: Int) -> Duration {
        guard let response = response(step, part) else { return script.typicalLatency }
        let latency = max(.zero, connection.pdus[step.pdus[part]].time.duration(to: response.time))
        return latency < HostScript.transaction ? latency : script.typicalLatency
    }
}
