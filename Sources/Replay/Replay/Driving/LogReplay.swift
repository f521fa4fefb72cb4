import BluetoothCore
import CoreBluetooth
public import LEHost
public import Runtime
import SimulatedDevices
import Synchronization
public import UQDK
import WireBytes

/// A log replayed from its beginning to its verdict, with the log itself on the application's side.
public struct LogReplay: Sendable {
    /// How a log is replayed.
    public struct Options: Sendable {
        /// How the recording is played.
        public var replay = ReplayOptions()
        /// What all draws follow from that the log does not hold.
        public var seed: UInt64 = 0
        /// The dialects and keys of the digital-key protocol.
        public var knowledge = UQDKKnowledge()
        /// What is changed of the managers: faults, to see them found.
        var seam = UQDKDriver.Seam()
        /// What the log is to come to; nil for what it holds.
        public var expectation: LogExpectation?
        /// Whether models of the far devices answer from the beginning, and nothing is compared.
        var isLive = false
        /// What somebody between the model of the first car and its phone does.
        var tampering: CarTampering?
        /// What the application does when the log has its turn, where it does not do what the log says: a
        /// program with a will of its own, to see that a log which holds something else is found.
        var program: (@Sendable (HostTurn) -> [HostTurn])?
        /// What stands between the stack and the recording: a fault, to see it found.
        public var transport: (@Sendable (FakeAdapter, VirtualTime) -> any HCITransport)?

        public init() {}
    }

    /// What was found.
    public private(set) var report: ReplayReport
    /// What passed.
    public let transcript: Transcript
    /// What of the log was called in another way than recorded.
    public let notes: [String]
    /// What became of the requests of the digital-key protocol.
    public let outcomes: [UQDKOutcome]
    /// The ends of all requests, also on connections without that protocol.
    public let requests: [RequestOutcome]
    private let expectation: LogExpectation?
    /// What the model of the far device answered, where it did.
    let answers: [(command: String, status: StatusName)]
    /// Whether somebody was between the far device and the host.
    let wasTampered: Bool
    /// The number of car events that reached the application, and that the last car's model sent.
    let events: (told: Int, sent: Int)
    /// Unmet expectations; nil without an expectation.
    public let misses: [String]?
    /// The field with the first difference; nil where that is not in a known message.
    public let field: String?
    private let describe: ReplayOptions.Describer?

    /// Connections that may fail before the others are not looked at any more.
    private static let mostFailures = 64

    /// Replays a log. A connection that fails is left out, and the others are played again: each has its
    /// verdict.
    public init(_ model: SessionModel, options: Options = Options()) {
        self.init(model, actions: model, options: options)
        // A session that goes on has played them all.
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
                    report.results[known].word == "not reached"
                else { continue }
                report.results[known] = result
            }
        }
    }

    /// Replays a log with the calls of another: for tests that change what is expected, and not what is done.
    init(_ model: SessionModel, actions: SessionModel, options: Options) {
        var plan = PlayPlan(model, actions: actions, options: options)
        let (model, visits) = (plan.model, plan.visits)
        let state = LateLines()
        plan.replay.stateLines = { state.lines }
        plan.replay.judgesApplication = true
        plan.replay.hearsServer = true
        // A connection that is left out draws none.
        let drawn = model.connections.filter(FakeController.isPlayable).flatMap { connection in
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
        // What the log entails ends where the host did something else.
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
        report.judge(driver.tellings(truth, judged))
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
        // The options know the lines' owner, and it the adapter.
        state.driver = nil
    }

    /// What a recording that was played to a host of another program came to.
    init(of recording: FakeAdapter, _ plan: PlayPlan) {
        report = recording.report
        report.isOutside = true
        transcript = recording.transcript
        let untold = plan.expectation?.outcomes.count ?? 0
        notes =
            untold > 0
            ? ["\(untold.counting("outcome")) not judged: what the application was told is not known"] : []
        outcomes = []
        requests =
            [RequestOutcome](recording.transcript, plan.model, plan.knowledge)
            + [RequestOutcome](
                recording.transcript, attributesOf: plan.model, besides: Set(plan.visits.keys))
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

    /// What this replay came to, to be expected of later ones once a person has read it.
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

    /// The requests that were refused or got no answer, and of which the expectation does not say so.
    public var failures: [RequestOutcome] { LogExpectation.failures(requests, besides: expectation) }

    /// What is to be expected of replaying a log.
    public enum Prospect: Sendable {
        /// Nothing stands in the way.
        case replayable
        /// Only keys are missing, and the log says which.
        case needsKeys
        /// Something else stands in the way.
        case notReplayable
    }

    /// What is to be expected of replaying a log, without doing it.
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
            let octets = expected.octets, let got = divergence.got, let visit = visits[divergence.connection]
        else { return nil }
        let same = zip(octets, got).prefix { $0 == $1 }.count
        // The opcode and the handle stand before the value.
        return same < 3 ? nil : visit.subject(at: same - 3, ofValueIn: expected.frame)
    }

    /// The report for a person.
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

/// Where the driver stands, asked before there is a driver too.
private final class LateLines: Sendable {
    private let kept = Mutex<(any SessionDriver)?>(nil)

    var driver: (any SessionDriver)? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    var lines: [String] { driver?.stateLines ?? [] }
}
