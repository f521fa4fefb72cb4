import BluetoothCore
import CoreBluetooth
public import LEHost
public import Runtime
import SimulatedDevices
import Synchronization
public import UQDK
import WireBytes

/// A complete replay of a log, in which the log also takes the application's part.
public struct LogReplay: Sendable {
    /// Options of a replay.
    public struct Options: Sendable {
        /// Options for playing the recording.
        public var replay = ReplayOptions()
        /// Random seed for values the log does not contain.
        public var seed: UInt64 = 0
        /// The dialects and keys of the digital-key protocol.
        public var knowledge = UQDKKnowledge()
        /// Faults injected into the managers, for tests that must find them.
        var seam = UQDKDriver.Seam()
        /// The expected result; nil for the result in the log.
        public var expectation: LogExpectation?
        /// Whether live models of the far devices answer from the beginning, so that nothing is compared.
        var isLive = false
        /// An attacker between the phone and the model of the first car.
        var tampering: CarTampering?
        /// The actions to perform at a turn of the log, in place of the recorded one, for tests that must
        /// find such deviations.
        var program: (@Sendable (HostTurn) -> [HostTurn])?
        /// A faulty transport between the stack and the recording, for tests that must find the fault.
        public var transport: (@Sendable (FakeAdapter, VirtualTime) -> any HCITransport)?

        public init() {}
    }

    /// The verdict and the statistics.
    public private(set) var report: ReplayReport
    /// Packets and callbacks of the replay.
    public let transcript: Transcript
    /// Differences between the calls that were made and those in the log.
    public let notes: [String]
    /// Outcomes of the digital-key protocol's requests.
    public let outcomes: [UQDKOutcome]
    /// Outcomes of all requests, also on connections without the digital-key protocol.
    public let requests: [RequestOutcome]
    private let expectation: LogExpectation?
    /// The answers of the far device's model, if there was one.
    let answers: [(command: String, status: StatusName)]
    /// Whether a message between the far device and the host was tampered with.
    let wasTampered: Bool
    /// The number of car events that reached the application, and the number that the last car's model sent.
    let events: (told: Int, sent: Int)
    /// Unmet expectations; nil without an expectation.
    public let misses: [String]?
    /// The message field with the first difference; nil without one, or outside of known messages.
    public let field: String?
    private let describe: ReplayOptions.Describer?

    /// Limit of failed connections that are left out to reach the others.
    private static let mostFailures = 64

    /// Replays a log.
    ///
    /// A connection that fails is left out and the rest is played again, so that each connection has a
    /// verdict.
    public init(_ model: SessionModel, options: Options = Options()) {
        self.init(model, actions: model, options: options)
        // A session that continues after failures has already played all connections.
        guard !options.replay.continues else { return }
        var rest = model
        var latest = report
        for _ in 0..<Self.mostFailures {
            guard let failed = latest.failedConnection,
                let place = rest.connections.firstIndex(where: { $0.number == failed })
            else { break }
            rest.connections[place].isLeftOut = true
            latest = LogReplay(rest, actions: rest, options: options).report
            for result in latest.results where result.number != failed {
                guard let known = report.results.firstIndex(where: { $0.number == result.number }),
                    report.results[known].isUnreached
                else { continue }
                report.results[known] = result
            }
        }
    }

    /// Replays a log with another log's calls, for tests that change only the expected packets.
    init(_ model: SessionModel, actions: SessionModel, options: Options) {
        var plan = PlayPlan(model, actions: actions, options: options)
        let (model, visits) = (plan.model, plan.visits)
        let state = LateLines()
        plan.replay.stateLines = { state.lines }
        plan.replay.judgesApplication = true
        plan.replay.hearsServer = true
        // The nonces of connections that are left out are not drawn.
        let drawn = model.connections.filter(\.isPlayable).flatMap { connection in
            visits[connection.number]?.nonces ?? []
        }
        let nonces = drawn + (plan.car?.nonces ?? [])
        let session = ReplaySession(
            model, options: plan.replay, nonces: nonces, seed: options.seed,
            hasGenericServices: model.ownLayout == nil, transport: options.transport)
        let recording = session.recording
        let driver = LogDriver(
            model, visits, car: plan.car, actions: actions, keys: options.knowledge.keys, on: session.adapter,
            delivery: session.delivery, seam: options.seam,
            listener: DriverListener(
                note: { recording.note(callback: $0) }, tell: { recording.told($0, by: $1) }))
        session.judgeApplication()
        let program = options.program
        recording.onTurn { turn in (program?(turn) ?? [turn]).forEach(driver.take) }
        state.driver = driver
        var report = recording.report
        if case .unfinished = report.verdict { report = session.run() }
        outcomes = driver.outcomes
        // After a deviation of the host, the log doesn't predict outcomes.
        let departed = report.departed
        let live = recording.livePeer
        answers = live?.answers ?? []
        wasTampered = live?.wasTampered ?? false
        events = (driver.toldEvents, live?.sentEvents ?? 0)
        let judged = model.connections.filter { connection in
            !options.isLive && !departed.contains { model.connection(ofStepAt: $0) == connection.number }
        }
        let truth = UQDKTruth(
            recording.transcript, end: report.time, isExact: options.replay.policy == .causal)
        report.judge(driver.reports(truth, judged))
        requests =
            outcomes.compactMap(RequestOutcome.init)
            + [RequestOutcome](recording.transcript, attributesOf: model, besides: Set(visits.keys))
        expectation = options.expectation
        misses = options.expectation?.misses(report, requests)
        report.given = driver.given
        report.leaveOut(driver.unjudged)
        self.report = report
        transcript = recording.transcript
        notes = driver.notes
        field = Self.field(report, visits)
        describe = plan.replay.describe
        session.adapter.close()
        // This breaks a reference cycle: options, `state`, driver, adapter, options.
        state.driver = nil
    }

    /// Collects the result of a recording that was played to another program's host.
    init(of recording: FakeAdapter, _ plan: PlayPlan) {
        report = recording.report
        report.isOutside = true
        transcript = recording.transcript
        let untold = plan.expectation?.outcomes.count ?? 0
        notes =
            untold > 0
            ? ["\(untold.counting("outcome")) not judged: what the application was told is not known"] : []
        outcomes = []
        requests = [RequestOutcome](recording.transcript, plan.model, plan.knowledge)
        expectation = nil
        answers = []
        wasTampered = false
        events = (0, 0)
        misses = plan.expectation?.misses(report, nil)
        field = Self.field(report, plan.visits)
        describe = plan.replay.describe
    }

    /// The transcript as text.
    public var transcriptOctets: [UInt8] { transcript.octets(describe) }

    /// This replay's result as the expectation of later replays, after a person has reviewed it.
    public var blessing: LogExpectation {
        var departures = report.departed.map {
            LogExpectation.Departure(frame: $0, isRequired: true, reason: "")
        }
        if case .diverged(let divergence) = report.verdict, let frame = divergence.expected?.frame {
            departures.append(.init(frame: frame, isRequired: true, reason: ""))
        }
        let spoken = Set(outcomes.map(\.connection))
        return LogExpectation(
            departures: departures,
            outcomes: requests.filter { $0.frame > 0 && (spoken.contains($0.connection) || !$0.isGood) }
                .map { .init(frame: $0.frame, name: $0.name, ends: $0.ends) })
    }

    /// The requests that were refused or got no answer, unless expected.
    public var failures: [RequestOutcome] { LogExpectation.failures(requests, besides: expectation) }

    /// Whether a log can be replayed.
    public enum Prospect: Sendable {
        /// The log can be replayed.
        case replayable
        /// Only keys are missing, and the log identifies them.
        case needsKeys
        /// The log has other obstacles.
        case notReplayable
    }

    /// Returns whether a log can be replayed, without replaying it.
    public static func prospect(_ model: SessionModel, _ knowledge: UQDKKnowledge) -> Prospect {
        guard model.obstacles.isEmpty else { return .notReplayable }
        var prospect = Prospect.replayable
        for connection in model.connections {
            guard let visit = UQDKVisit(connection, knowledge),
                PlayPlan.frameWithoutKey(visit, knowledge.keys) != nil
            else { continue }
            guard visit.keyID(in: knowledge.keys) != nil else { return .notReplayable }
            prospect = .needsKeys
        }
        return prospect
    }

    private static func field(_ report: ReplayReport, _ visits: [Int: UQDKVisit]) -> String? {
        guard case .diverged(let divergence) = report.verdict, let expected = divergence.expected,
            let same = divergence.firstDifference, let visit = visits[divergence.connection], same >= 3
        else { return nil }
        // The opcode and the handle precede the value.
        return visit.subject(at: same - 3, ofValueIn: expected.frame)
    }

    /// The report as text.
    public var text: String {
        var text = report.text
        if let misses { text = LogExpectation.text(text, misses) }
        if let field { text += "  field     \(field)\n" }
        for (place, outcome) in outcomes.filter({ $0.got != nil }).enumerated() {
            text +=
                (place == 0 ? "  outcomes  " : "            ") + "\(outcome.text), frame \(outcome.frame)\n"
        }
        for note in notes { text += "  note      \(note)\n" }
        return text
    }
}

/// The source of the driver's state lines; empty until a driver is set.
private final class LateLines: Sendable {
    private let kept = Mutex<LogDriver?>(nil)

    var driver: LogDriver? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    var lines: [String] { driver?.stateLines ?? [] }
}
