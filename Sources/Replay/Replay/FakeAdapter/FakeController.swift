import BluetoothCore
import LEHost
import Runtime
import VirtualController
import WireBytes

/// A connection or failed attempt of the model in replay.
struct PlayedAttempt: Sendable {
    let recorded: RecordedConnection
    /// Whether it is a failed attempt that the host must repeat. Attempts that connect are not.
    let isRequired: Bool
    /// Whether it has ended in the replay, or its connection has begun; also if it was passed over.
    var isPlayed = false
    /// Whether the host has made it once.
    var wasTried = false
    /// The time in the replay at which it ended.
    var closedAt: Instant?

    /// Whether the replay waits for it.
    var isExpected: Bool { recorded.isPlayable || isRequired }
    /// Whether it ended without success or error: the recorded host cancelled it, or the log ends first, in
    /// which case only `recorded.wasGivenUp` is false.
    private var wasCancelled: Bool { recorded.status == .unknownConnectionIdentifier }
    /// Whether the host must make it although no device answers. Unless the log ends first, the host must
    /// also cancel it.
    var isInVain: Bool { isRequired && wasCancelled }
    /// Whether the recorded host cancelled it, and the host need not repeat it.
    var isNeedless: Bool { !isRequired && wasCancelled }

    /// Whether it is an attempt of the host to reach this device, which has not been played.
    func isOpen(to device: DeviceAddress) -> Bool {
        recorded.isCentral && !isPlayed && recorded.peer.names(device)
    }
}

/// A controller that plays a recorded session, as a state machine without I/O.
///
/// It answers the host's commands itself, and plays the far devices of the log. Whatever these devices would
/// notice of the host is compared with the recording.
struct FakeController: Sendable {
    let model: SessionModel
    let options: ReplayOptions
    var air: RecordedAir
    var scanning = Scanning()
    var initiating = Initiating()
    /// The indices of attempts in which a central connects once the host advertises, in order.
    var awaited: [Int] = []
    var links: [FakeLink] = []
    /// The model's connections and failed attempts. A `place` is an index in them.
    var attempts: [PlayedAttempt]
    /// The latest time in the log that the replay has reached.
    var logCursor = Instant.zero
    var random = SplitMix(state: 0x5EED)

    // Results.
    /// Number of divergences that have the states of all links; see `addStates`.
    private var completeStates = 0
    /// Number of advertisements that the host received, by device.
    var heard: [DeviceAddress: Int] = [:]
    /// Number of the host's data packets that were reported as completed.
    var buffersGivenBack = 0
    /// The index of the recorded host's next packet to compare, in the strict tier.
    var nextPacket = 0
    /// Whether the observation after the last recorded step is over too.
    var isOver = false
    private var isSettling = false
    /// Number of playable connections and compared attempts that are still to come.
    var unplayed: Int
    /// The index of the first connection whose turn is not scheduled yet.
    var nextConnectTurn = 0
    /// The recorded ends of connections in order, and the number of those that attempts have waited for.
    let ends: [(time: Instant, place: Int)]
    var endsPassed = 0
    /// The latest end that attempts have waited for, by its time in the log and in the replay.
    var latestEnd: (recorded: Instant, replayed: Instant)?
    /// Number of failed attempts, and of connections lost at once, that the host repeated.
    var repeatedAttempts = 0
    /// Number of the host's attempts beyond those in the log, by device.
    var furtherAttempts: [UInt64: Int] = [:]
    /// The indices of the reports that are repeated if the host scans for longer than recorded.
    var lastRound: [Int]?

    init(_ model: SessionModel, _ options: ReplayOptions) {
        self.model = model
        self.options = options
        air = RecordedAir(model, options)
        attempts = zip(model.connections, model.connections.attemptsToRepeat)
            .map { PlayedAttempt(recorded: $0, isRequired: $1) }
        ends = attempts.enumerated()
            .compactMap { place, attempt in
                if attempt.isRequired { return (attempt.recorded.completed, place) }
                guard attempt.recorded.isPlayable, let end = attempt.recorded.end else { return nil }
                return (end.time, place)
            }
            .sorted { ($0.time, $0.place) < ($1.time, $1.place) }
        unplayed = attempts.count(where: \.isExpected)
    }

    mutating func receive(_ packet: HCIPacket, at time: Instant) {
        air.now = max(air.now, time)
        switch packet.type {
        case .command: command(packet.octets)
        case .acl: takeData(packet.octets)
        default: break
        }
        compareStrictly(packet)
        addStates()
        scheduleSettling()
    }

    /// Processes the events that are due by `time` and returns their outputs in order.
    mutating func advance(to time: Instant) -> [RecordedAir.Output] {
        while let event = air.heap.pop(notAfter: time) {
            air.now = max(air.now, event.time)
            carryOut(event.payload)
            addStates()
        }
        air.now = max(air.now, time)
        scheduleSettling()
        defer { air.outputs = [] }
        return air.outputs
    }

    var nextDeadline: Instant? { air.heap.nextTime }

    private mutating func carryOut(_ event: RecordedAir.Event) {
        switch event {
        case .packet(let packet): air.outputs.append(.packet(packet))
        case .link(let index, let event):
            let wasClosed = links[index].isClosed
            links[index].carryOut(event, &air)
            if links[index].isClosed, !wasClosed { ended(links[index]) }
        case .advertise(let generation): advertise(generation: generation)
        case .connect(let generation, let place): connect(generation: generation, place: place)
        case .accept(let generation, let place, let usual):
            accept(generation: generation, place: place, usual: usual)
        case .connectTurn(let place):
            let one = attempts[place].recorded
            air.outputs.append(.turn(.connect(connection: one.number, one.peer)))
            guard !one.isCentral else { break }
            awaited.append(place)
            scheduleCentral()
        case .giveUpTurn(let place):
            let one = attempts[place].recorded
            air.outputs.append(.turn(.giveUp(connection: one.number, one.peer)))
        case .settle:
            isSettling = false
            isOver = isComplete && air.now >= settlesAt
            if isOver {
                checkPacketsLeft()
                checkScan()
            }
        }
    }

    /// Lets what waited for the end of a link go on.
    private mutating func ended(_ link: FakeLink) {
        attempts[link.place].closedAt = link.closedAt
        if link.connection.wasLostAtOnce { repeatedAttempts += 1 }
        if let end = link.connection.end { logCursor = max(logCursor, end.time) }
        giveConnectTurns()
    }

    /// Whether everything playable has been played.
    var isComplete: Bool { unplayed == 0 && air.undone == 0 }

    var isSettled: Bool { air.judge.hasVerdict || isComplete && isOver }

    /// Time for which the host is observed after the end of the log.
    private static let grace = Duration.seconds(2)
    /// Longest wait for the rest of a log in which nothing is compared.
    private static let longestRest = Duration.seconds(3600)

    /// The end of the observation: the host must do nothing more after the last progress, and until the end
    /// of the log on the replay's timeline.
    private var settlesAt: Instant {
        var end = air.judge.lastProgress
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
        return min(end, air.judge.lastProgress.advanced(by: Self.longestRest)).advanced(by: Self.grace)
    }

    /// Schedules the end of the observation once everything was played.
    mutating func scheduleSettling() {
        guard isComplete, !isOver, !isSettling, !air.judge.hasVerdict else { return }
        isSettling = true
        air.schedule(.settle, at: settlesAt)
    }

    // MARK: Callbacks and questions

    /// Compares a callback with the expected one.
    mutating func told(_ event: ApplicationEvent, by peer: DeviceAddress) {
        guard let index = links.lastIndex(where: { $0.connection.peer == peer }) else { return }
        links[index].told(event, &air)
        addStates()
    }

    /// Returns the answer of the host's user to a question; nil without an answer.
    mutating func answer(to question: PairingQuestion) -> PairingAnswer? {
        let index = links.lastIndex { !$0.isClosed && $0.isPairing(at: air.now) }
        guard let index else { return .no }
        return links[index].answer(to: question, &air)
    }

    // MARK: Divergences

    /// Adds a divergence that concerns no link.
    mutating func record(_ found: Divergence, isFinal: Bool = false) {
        air.judge.record(found, isFinal: isFinal)
        addStates()
    }

    /// Adds the states of the other links to the divergences that a link has found. Each function that may
    /// find one calls it at its end.
    mutating func addStates() {
        for place in completeStates..<air.judge.divergences.count {
            let found = air.judge.divergences[place]
            air.judge.divergences[place].state = state(found.state.first, of: found.connection)
        }
        completeStates = air.judge.divergences.count
    }

    /// Returns the state of the connections, one line each.
    ///
    /// - Parameter own: the line of the connection with this number; nil for its present state.
    private func state(_ own: String? = nil, of connection: Int = 0) -> [String] {
        let buffers =
            buffersGivenBack > 0 && links.contains { !$0.isClosed }
            ? ["buffers: all \(buffersGivenBack.counting("packet")) of the host given back"] : []
        return links.map { $0.connection.number == connection ? own ?? $0.stateLine : $0.stateLine } + buffers
            + (options.stateLines?() ?? [])
    }

    /// Decides about a host that did not perform its next step in time: it is stuck, unless the session may
    /// continue without that step.
    ///
    /// - Returns: whether the session continues.
    mutating func resolveIdle() -> Bool {
        guard !air.judge.hasVerdict else { return false }
        guard !isComplete else {
            isOver = true
            return false
        }
        if let index = links.firstIndex(where: { !$0.isDone }) {
            let isPassed = links[index].passOverNext(&air)
            addStates()
            guard !isPassed else { return true }
            let link = links[index]
            air.judge.stuck = Stuck(
                time: air.now, connection: link.connection.number, peer: link.connection.peer,
                expected: link.next, isUnconnected: false,
                before: air.transcript.last(8, of: link.connection.number),
                callbacks: air.transcript.callbacks, state: state())
            return false
        }
        for (place, attempt) in attempts.enumerated() where attempt.isExpected && !attempt.isPlayed {
            let connection = attempt.recorded
            air.judge.stuck = Stuck(
                time: air.now, connection: connection.number, peer: connection.peer, expected: nil,
                isUnconnected: true, waitsOn: air.core.initiating != nil && initiating.place == place,
                search: connection.isCentral ? search(for: connection.peer) : [],
                before: [],
                callbacks: air.transcript.callbacks.suffix(8), state: state())
            return false
        }
        return false
    }

    /// Limit of the devices listed in a report.
    private static let mostHeard = 4

    /// Returns the advertisements that a host without a connection received, and the devices that it tried to
    /// reach.
    private func search(for peer: DeviceAddress) -> [String] {
        var lines: [String] = []
        let held = model.advertising.reports.count { $0.address == peer }
        let given = heard.map { (address: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.address.value) < ($0.count, $1.address.value) }
        if scanning.generation == 0 {
            lines.append("nothing: the host never scanned")
        } else {
            let of = given.prefix(Self.mostHeard).map { "\($0.address) (\($0.count))" }
            let more = given.count > of.count ? " and \(given.count - of.count) more" : ""
            lines.append(of.isEmpty ? "nothing" : "advertisements of " + of.joined(separator: ", ") + more)
        }
        if heard[peer] == nil {
            lines.append(
                held == 0
                    ? "the log holds no advertisement of \(peer)"
                    : "of \(peer) the log holds \(held.counting("advertisement")), none was given to the host"
            )
        }
        if let command = air.core.initiating {
            let devices = targets(of: command)
            lines.append("the host waits to connect to " + devices.map { "\($0)" }.joined(separator: ", "))
        } else {
            lines.append(
                "the host asks for no connection" + (air.core.scanning.isEnabled ? ", and scans" : ""))
        }
        return lines
    }
}
