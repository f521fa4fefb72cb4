import Foundation
import Runtime
import Synchronization
import Testing

@testable import Replay

/// Changed logs, played to a program that does what the unchanged log holds, as a user's own program in the
/// harness does: the replay names the place of the change, or the golden transcript does.
@Suite struct ChangeDetectionTests {
    static let logs = [
        "mi-band", "mobike", "link-device", "peripheral-clock", "two-devices", "handle-reuse", "uqdk-unlock",
        "uqdk-refusals",
    ]

    /// How many changes are made: `BLECAP_CHANGES`, else 30.
    private static let count =
        ProcessInfo.processInfo.environment["BLECAP_CHANGES"].flatMap(Int.init) ?? 30

    private struct Found {
        var runs = 0
        var missed: [String] = []
        var alarms: [String] = []
    }

    @Test func `a changed log is found at its place, and a harmless change passes`() throws {
        var found: [String: Found] = [:]
        let logs = try Self.logs.map(ChangedLog.init)
        var rest: [String: [(log: Int, place: LogChange.Place)]] = [:]
        for (index, log) in logs.enumerated() {
            for change in LogChange.all {
                rest[change.name, default: []] += change.places(in: log.model, isKeyed: log.isKeyed)
                    .map { (index, $0) }
            }
        }
        var random = SplitMix(state: 15)
        for change in LogChange.all { rest[change.name]?.shuffle(using: &random) }
        let all = rest.values.reduce(0) { $0 + $1.count }
        var made = 0
        // Each change in turn, as often as the logs let it.
        while made < Self.count, rest.contains(where: { !$0.value.isEmpty }) {
            for change in LogChange.all where made < Self.count {
                guard let one = rest[change.name]?.popLast(), let result = try logs[one.log].judge(one.place)
                else { continue }
                made += 1
                found[change.name, default: Found()].runs += 1
                switch result {
                case .right: break
                case .missed(let text): found[change.name]?.missed.append(text)
                case .alarm(let text): found[change.name]?.alarms.append(text)
                }
            }
        }
        for change in LogChange.all {
            guard let one = found[change.name] else { continue }
            print("\(change.name): \(one.runs) runs, \(one.missed.count) missed, \(one.alarms.count) alarms")
            for line in one.missed + one.alarms { print("    \(line)") }
        }
        let missed = found.values.reduce(0) { $0 + $1.missed.count }
        let alarms = found.values.reduce(0) { $0 + $1.alarms.count }
        print("\(made) changes of \(all), \(missed) missed, \(alarms) false alarms")
        #expect(missed * 100 <= made && alarms == 0)
    }
}

/// A log whose changes are judged.
private struct ChangedLog {
    enum Judgement {
        case right
        case missed(String)
        case alarm(String)
    }

    let name: String
    let records: [Recording.Kept]
    let model: SessionModel
    let options: LogReplay.Options
    let golden: LogReplay
    /// Whether the manager of the digital-key protocol makes the messages anew.
    let isKeyed: Bool

    init(_ name: String) throws {
        self.name = name
        isKeyed = name == "uqdk-unlock"
        records = try Recording.records("\(name).btsnoop")
        model = try Recording.model(records)
        // Without its key a session's messages are values as others are.
        options = isKeyed ? try LogReplayTests.options() : LogReplay.Options()
        var own = options
        let program = FixedProgram(model, model, isKeyed: isKeyed)
        own.program = { program.take($0) }
        golden = LogReplay(model, actions: model, options: own)
    }

    /// What became of a change; nil where it can't be made.
    func judge(_ place: LogChange.Place) throws -> Judgement? {
        guard let records = place.made(in: records) else { return nil }
        let label = "\(name), frame \(place.frame)"
        let changed = try Recording.model(records)
        if case .contradiction(let expected) = place.meaning {
            let report = LogReplay(changed, actions: changed, options: options).report
            let frames = Self.frames(report)
            guard !frames.contains(where: expected.contains) else { return .right }
            return .missed("\(label): expected \(expected), found \(frames); \(Self.head(report))")
        }
        var options = options
        let program = FixedProgram(model, changed, isKeyed: isKeyed)
        options.program = { program.take($0) }
        let replay = LogReplay(changed, actions: model, options: options)
        let frames = Self.frames(replay.report)
        let told = Self.told(golden, replay)
        switch place.meaning {
        case .contradiction: return nil
        case .harmless:
            if case .same = replay.report.verdict, told == nil { return .right }
            if replay.report.verdict == golden.report.verdict, told == nil { return .right }
            return .alarm("\(label): \(Self.head(replay.report)); told at \(told?.nanoseconds ?? -1)")
        case .gap:
            switch replay.report.verdict {
            case .same, .partlySame, .notReplayable: return .right
            case .diverged, .stuck, .unfinished: return .alarm("\(label): \(Self.head(replay.report))")
            }
        case .different(let expected):
            if frames.contains(where: expected.contains) { return .right }
            if let told, isRight(told, place.frame, expected, replay) { return .right }
            return .missed(
                "\(label): expected \(expected), found \(frames), told at \(told?.nanoseconds ?? -1); "
                    + Self.head(replay.report))
        }
    }

    private static func head(_ report: ReplayReport) -> String {
        report.text.split(separator: "\n").prefix(4).joined(separator: " | ")
    }

    /// The frames that a report names.
    private static func frames(_ report: ReplayReport) -> [Int] {
        switch report.verdict {
        case .diverged(let divergence):
            [divergence.told?.frame ?? divergence.expected?.frame ?? 0]
        case .stuck(let stuck): [stuck.expected?.frame ?? 0]
        case .partlySame(let obstacles), .notReplayable(let obstacles): obstacles.map(\.frame)
        case .same: report.assumptions.filter { $0.kind == .missingResponse }.map(\.frame)
        case .unfinished: []
        }
    }

    /// When the program is told something else first; nil where it is told the same.
    private static func told(_ golden: LogReplay, _ replay: LogReplay) -> Instant? {
        let known = golden.transcript.callbacks.filter { !$0.text.hasPrefix("didDiscover ") }
        let new = replay.transcript.callbacks.filter { !$0.text.hasPrefix("didDiscover ") }
        for (old, new) in zip(known, new) where old.text != new.text { return min(old.time, new.time) }
        guard known.count != new.count else { return nil }
        return known.count > new.count ? known[new.count].time : new[known.count].time
    }

    /// Whether what is told otherwise follows from the changed PDU: it is told next.
    private func isRight(_ told: Instant, _ frame: Int, _ expected: [Int], _ replay: LogReplay) -> Bool {
        let passed =
            golden.transcript.pdus.filter { $0.frame == frame }.map { (golden, $0.time) }
            + replay.transcript.pdus.filter { expected.contains($0.frame) }.map { (replay, $0.time) }
        return passed.contains { one, time in
            let next = one.transcript.callbacks.first {
                $0.time >= time && !$0.text.hasPrefix("didDiscover ")
            }
            return told >= time && told <= max(next?.time ?? time, time.advanced(by: .milliseconds(100)))
        }
    }
}

/// A program that does what a log holds, whatever the log that is played to it has.
private final class FixedProgram: Sendable {
    private let rest: Mutex<[Int: [HostStep]]>
    private let ranks: [Int: [Int: Int]]
    private let lengths: [Int: Int]
    private let lasts: [Int: Int]

    /// - Parameter isKeyed: whether a manager reads and subscribes by itself.
    init(_ model: SessionModel, _ changed: SessionModel, isKeyed: Bool) {
        func client(_ connection: RecordedConnection) -> [HostStep] {
            connection.steps.filter { step in
                step.lane == .client && step.isRequired && !(isKeyed && (step.isRead || step.isConfiguration))
            }
        }
        var ranks: [Int: [Int: Int]] = [:]
        var lasts: [Int: Int] = [:]
        for connection in changed.connections {
            for (rank, step) in client(connection).enumerated() {
                ranks[connection.number, default: [:]][step.index] = rank
                lasts[connection.number] = rank
            }
        }
        self.ranks = ranks
        self.lasts = lasts
        var steps: [Int: [HostStep]] = [:]
        for connection in model.connections { steps[connection.number] = client(connection) }
        lengths = steps.mapValues(\.count)
        rest = Mutex(steps)
    }

    func take(_ turn: HostTurn) -> [HostTurn] {
        guard case .step(let number, let step) = turn, let rank = ranks[number]?[step.index] else {
            return [turn]
        }
        return rest.withLock { rest in
            guard let steps = rest[number], let length = lengths[number] else { return [turn] }
            let done = length - steps.count
            var count = rank == lasts[number] ? steps.count : min(max(0, rank + 1 - done), steps.count)
            // Subscriptions to others next to each other are made at once.
            while count > 0, count < steps.count, steps[count - 1].isConfiguration,
                steps[count].isConfiguration, steps[count].handle != steps[count - 1].handle
            { count += 1 }
            rest[number] = Array(steps.dropFirst(count))
            return steps.prefix(count).map { .step(connection: number, $0) }
        }
    }
}
