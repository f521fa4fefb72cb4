import BluetoothCore
import CoreBluetooth
public import LEHost
public import Runtime
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
        /// Whether the phone's authentication counter is left as it is: a fault, to see it found.
        public var usesStaleAuthCounter = false
        /// Whether every request is said to have gone well: a fault, to see it found.
        var claimsSuccess = false
        /// What the log is to come to; nil for what it holds.
        public var expectation: LogExpectation?
        /// Whether models of the far devices answer from the beginning, and nothing is compared.
        var isLive = false
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
    /// What the model of the far device answered, where it did.
    let answers: [(command: String, status: StatusName)]
    /// What of the expectation was not come to; nil where there is none.
    public let misses: [String]?
    /// The field of a message in which the first difference lies; nil where it is none of a known message.
    public let field: String?
    private let describe: ReplayOptions.Describer?

    /// Connections that may fail before the others are not looked at any more.
    private static let mostFailures = 64

    /// Replays a log. A connection that fails is left out, and the others are played again: each has its
    /// verdict.
    public init(_ model: SessionModel, options: Options = Options()) {
        self.init(model, actions: model, options: options)
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
        var model = model
        var visits = Self.visits(actions, options.knowledge)
        // Without its key a connection's messages are values like others: sent as recorded, and not made.
        for missing in Self.missingKeys(visits, options.knowledge.keys) {
            visits[missing.connection] = nil
            model.obstacles.append(missing)
        }
        for place in model.connections.indices where FakeController.isPlayable(model.connections[place]) {
            if let visit = visits[model.connections[place].number] {
                model.addHabits(of: place, visit.dialect)
            }
        }
        let describer = UQDKDescriber(visits)
        var replay = options.replay
        let further = replay.describe
        let describe: ReplayOptions.Describer = { entry in describer.text(entry) ?? further?(entry) }
        replay.describe = describe
        let state = LateLines()
        replay.stateLines = { state.lines }
        replay.judgesApplication = true
        replay.isLive = options.isLive
        if options.isLive { replay.livePeers = Self.livePeers(model, visits, options) }
        if let expectation = options.expectation {
            replay.departures = Set(expectation.departures.map(\.frame))
            replay.livePeers = Self.livePeers(model, visits, options)
        }
        self.describe = describe
        let numbers = visits.keys.sorted()
        let session = ReplaySession(
            model, options: replay, nonces: numbers.flatMap { visits[$0]?.nonces ?? [] }, seed: options.seed,
            transport: options.transport)
        let recording = session.recording
        let driver = LogDriver(
            model, visits, keys: options.knowledge.keys, on: session.adapter, delivery: session.delivery,
            faults: UQDKDriver.Faults(
                staleAuthCounter: options.usesStaleAuthCounter, claimsSuccess: options.claimsSuccess),
            listener: DriverListener(
                note: { recording.note(callback: $0) }, tell: { recording.told($0, by: $1) }))
        session.adapter.witness = CallbackJudge { recording.told($0, by: $1) }
        recording.onTurn { driver.take($0) }
        state.driver = driver
        var report = recording.report
        if case .notReplayable = report.verdict {
        } else {
            report = session.run()
        }
        outcomes = driver.outcomes
        // What the log entails ends where the host did something else.
        let departed = report.departed
        answers = recording.liveAnswers
        report.judge(
            outcomes.filter { outcome in
                !options.isLive && !departed.contains { model.connection(ofStepAt: $0) == outcome.connection }
            })
        misses = options.expectation?.misses(report, outcomes)
        report.given = driver.given
        self.report = report
        transcript = recording.transcript
        notes = driver.notes
        field = Self.field(report, visits)
        session.adapter.close()
        // The options know the lines' owner, and it the adapter.
        state.driver = nil
    }

    /// Models of the connections' peers: cars where a key is known.
    private static func livePeers(
        _ model: SessionModel, _ visits: [Int: UQDKVisit], _ options: Options
    ) -> [Int: LivePeer] {
        let keys = options.knowledge.keys
        // What each car knows of the phone's counter when the connection begins.
        var counters: [DeviceAddress: UInt64] = [:]
        var peers: [Int: LivePeer] = [:]
        for connection in model.connections {
            let visit = visits[connection.number]
            if let visit, let key = visit.keyID(in: keys).flatMap(keys.key) {
                peers[connection.number] = LivePeer(
                    visit, connection, key, authCounter: counters[connection.peer], seed: options.seed)
            } else {
                peers[connection.number] = LivePeer()
            }
            if let taken = visit?.lastAuthCounter { counters[connection.peer] = taken }
        }
        return peers
    }

    /// The transcript as text.
    public var transcriptOctets: [UInt8] { transcript.octets(describe) }

    private static func visits(_ model: SessionModel, _ knowledge: UQDKKnowledge) -> [Int: UQDKVisit] {
        var visits: [Int: UQDKVisit] = [:]
        for connection in model.connections {
            visits[connection.number] = UQDKVisit(connection, knowledge)
        }
        return visits
    }

    /// What this replay came to, to be expected of later ones once a person has read it.
    public var blessing: LogExpectation {
        var departures = report.departed.map {
            LogExpectation.Departure(frame: $0, isRequired: true, reason: "")
        }
        if case .diverged(let divergence) = report.verdict, let frame = divergence.expected?.frame {
            departures.append(.init(frame: frame, isRequired: true, reason: ""))
        }
        return LogExpectation(
            departures: departures,
            outcomes: outcomes.compactMap { outcome in
                outcome.got.map { .init(frame: outcome.frame, name: outcome.name, ends: $0.text) }
            })
    }

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
                frameWithoutKey(visit, knowledge.keys) != nil
            else { continue }
            guard visit.keyID(in: knowledge.keys) != nil else { return .notReplayable }
            prospect = .needsKeys
        }
        return prospect
    }

    /// The visits that can't be made anew: a key that they were made with is not known.
    private static func missingKeys(_ visits: [Int: UQDKVisit], _ keys: KeyStore) -> [Obstacle] {
        visits.keys.sorted().compactMap { number in
            guard let visit = visits[number], let frame = frameWithoutKey(visit, keys) else { return nil }
            return Obstacle(.missingKey, frame: frame, connection: number)
        }
    }

    /// The frame of a visit's first request that takes its key, where that is not known; nil where nothing
    /// is missing.
    private static func frameWithoutKey(_ visit: UQDKVisit, _ keys: KeyStore) -> Int? {
        guard visit.keyID(in: keys).flatMap(keys.key) == nil else { return nil }
        return visit.requests.first { $0.purpose != .ordinary || $0.isSecured }.map { $0.frames.first ?? 0 }
    }

    private static func field(_ report: ReplayReport, _ visits: [Int: UQDKVisit]) -> String? {
        guard case .diverged(let divergence) = report.verdict, let expected = divergence.expected,
            let octets = expected.octets, let got = divergence.got, let visit = visits[divergence.connection]
        else { return nil }
        let same = zip(octets, got).prefix { $0 == $1 }.count
        // The opcode and the handle stand before the value.
        guard same >= 3, let field = visit.field(at: same - 3, ofValueIn: expected.frame) else { return nil }
        let name = visit.request(at: expected.frame)?.name ?? "a message"
        return "\(field) of \(name)"
    }

    /// The report for a person.
    public var text: String {
        var text = report.text
        if let misses {
            text =
                misses.isEmpty
                ? "AS EXPECTED: \(text)"
                : "NOT AS EXPECTED\n" + misses.map { "  missed    \($0)\n" }.joined() + text
        }
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

/// Says what a PDU means to the digital-key protocol.
private struct UQDKDescriber: Sendable {
    private let visits: [Int: UQDKVisit]

    init(_ visits: [Int: UQDKVisit]) { self.visits = visits }

    func text(_ entry: TraceEntry) -> String? {
        guard let visit = visits[entry.connection] else { return nil }
        if entry.frame > 0 { return visit.meanings[entry.frame].map { "UQDK " + $0 } }
        // A PDU that is not of the log: as far as it tells by itself.
        guard entry.side == .host, entry.channel == .attribute, entry.octets.count > 3,
            [ATTOpcode.writeRequest, .writeCommand].contains(ATTOpcode(rawValue: entry.octets[0])),
            visit.commandHandles.contains(UInt16(entry.octets[1]) | UInt16(entry.octets[2]) << 8)
        else { return nil }
        let value = Array(entry.octets[3...])
        var tracker = UQDKTracker(UQDKKnowledge(dialects: [visit.dialect]))
        let attribute = UQDKAttribute(role: .command, dialects: [0])
        let source = UQDKSource(
            handle: 0, sender: .phone, time: 0, frame: 1, originalLength: value.count)
        // A later fragment says nothing by itself.
        guard let annotation = tracker.handle(value.borrowedOctets, attribute, from: source),
            annotation.message != nil || annotation.fragment?.state == .open
        else { return nil }
        return "UQDK " + annotation.summary
    }
}
