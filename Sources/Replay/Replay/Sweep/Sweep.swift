import BluetoothCore
import Runtime
import Synchronization
import UQDK

/// A session played again and again, each time with one fault at one of its PDUs, to a live model of its
/// peer.
///
/// Each run must end, must tell the application the truth, and must leave the stack such that the next
/// session goes as it does without a fault.
public struct Sweep: Sendable {
    /// One run.
    public struct Run: Hashable, Sendable {
        public var fault: SweepFault
        /// Which PDU of the first connection, from 0.
        public var place: Int
        /// What is wrong, a line each; empty where all is well.
        public var wrong: [String]
    }

    /// The runs, by fault and place.
    public private(set) var runs: [Run] = []

    /// The runs in which something is wrong.
    public var failures: [Run] { runs.filter { !$0.wrong.isEmpty } }

    /// - Parameters:
    ///   - only: the one fault, and the one place, that are to be run; nil for all.
    ///   - mostPlaces: PDUs that are looked at, from the beginning.
    public init(
        _ model: SessionModel, options: LogReplay.Options, only: (fault: SweepFault, place: Int)? = nil,
        mostPlaces: Int = 4096
    ) {
        guard let twice = model.twice else { return }
        let baseline = LiveRun(twice, options, nil)
        for fault in SweepFault.allCases where only == nil || only?.fault == fault {
            for place in 0..<mostPlaces where only == nil || only?.place == place {
                let run = LiveRun(twice, options, (fault, place))
                guard run.wasApplied else { break }
                runs.append(Run(fault: fault, place: place, wrong: run.wrong(against: baseline)))
            }
        }
    }

    /// The table of runs, and each failure with the words that repeat it.
    ///
    /// - Parameter again: the command that repeats one run, given its fault and place.
    public func text(again: (String) -> String) -> String {
        var lines = ["SWEPT: \(runs.count) runs, \(failures.count) with something wrong"]
        for fault in SweepFault.allCases {
            let all = runs.filter { $0.fault == fault }
            guard !all.isEmpty else { continue }
            let wrong = all.count { !$0.wrong.isEmpty }
            let name = fault.rawValue + String(repeating: " ", count: max(0, 12 - fault.rawValue.count))
            lines.append("  \(name)\(all.count) runs, \(wrong) wrong")
        }
        for failure in failures {
            lines.append("WRONG \(failure.fault.rawValue) at PDU \(failure.place)")
            lines += failure.wrong.map { "  " + $0 }
            lines.append("  again     " + again("\(failure.fault.rawValue):\(failure.place)"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// One run against live peers.
private struct LiveRun {
    let outcomes: [UQDKOutcome]
    let answers: [(command: String, status: StatusName)]
    let word: String
    let played: Int
    let wasApplied: Bool

    init(_ model: SessionModel, _ options: LogReplay.Options, _ fault: (fault: SweepFault, place: Int)?) {
        var options = options
        let made = Mutex<SweepTransport?>(nil)
        options.isLive = true
        if let fault {
            options.transport = { adapter, time in
                let transport = SweepTransport(adapter, time, fault.fault, at: fault.place)
                made.withLock { $0 = transport }
                return transport
            }
        }
        let replay = LogReplay(model, actions: model, options: options)
        outcomes = replay.outcomes
        answers = replay.answers
        word = replay.report.word
        played = replay.report.connections.played
        wasApplied = made.withLock { $0?.wasApplied ?? false }
    }

    func wrong(against baseline: LiveRun) -> [String] {
        var lines: [String] = []
        if word == "stuck" || word == "unfinished" { lines.append("the run does not end: it is \(word)") }
        let first = outcomes.filter { $0.connection == 1 }
        for outcome in first where outcome.got == nil {
            lines.append("the application is never told how \(outcome.name) ended")
        }
        for name in Set(first.map(\.name)).sorted() {
            let told = outcomes.count { $0.name == name && $0.got == .ok }
            let done = answers.count { $0.command == Self.command(name) && $0.status == .success }
            if told > done {
                lines.append("\(name) is told to have gone well \(told) times, and did \(done) times")
            }
        }
        let next = outcomes.filter { $0.connection == 2 }
        let usual = baseline.outcomes.filter { $0.connection == 2 }
        if next.isEmpty, !usual.isEmpty { lines.append("the next session does not come") }
        for (outcome, usual) in zip(next, usual) where usual.got == .ok && outcome.got != .ok {
            lines.append("in the next session \(outcome.text)")
        }
        return lines
    }

    private static func command(_ name: String) -> String {
        name == "authentication" ? "AUTH_FINISH" : name
    }
}

extension SessionModel {
    /// The first connection that can be played, twice, one after the other; nil where there is none.
    fileprivate var twice: SessionModel? {
        guard var first = connections.first(where: FakeController.isPlayable) else { return nil }
        let pause = Duration.seconds(10)
        let begin = first.asked ?? first.completed
        let end = max(first.end?.time ?? self.end, first.pdus.last?.time ?? begin)
        let shift = begin.duration(to: end) + pause
        first.number = 1
        if first.end == nil || first.end?.request == nil {
            // The host lets go of a connection that it did not end itself.
            first.end = .init(
                frame: first.frame, time: end, reason: .connectionTerminatedByLocalHost,
                request: .init(frame: first.frame, time: end, reason: .remoteUserTerminatedConnection))
        }
        var second = first
        second.number = 2
        second.move(by: shift, frames: 1_000_000_000)
        var model = self
        model.connections = [first, second]
        model.obstacles = []
        model.assumptions = []
        model.end = max(model.end, end.advanced(by: shift))
        return model
    }
}

extension RecordedConnection {
    /// Moves all of it in time, and gives it frames of its own.
    fileprivate mutating func move(by shift: Duration, frames: Int) {
        frame += frames
        asked = asked?.advanced(by: shift)
        completed = completed.advanced(by: shift)
        for index in pdus.indices {
            pdus[index].frame += frames
            pdus[index].time = pdus[index].time.advanced(by: shift)
        }
        for index in updates.indices { updates[index].time = updates[index].time.advanced(by: shift) }
        guard var end else { return }
        end.frame += frames
        end.time = end.time.advanced(by: shift)
        if var request = end.request {
            request.frame += frames
            request.time = request.time.advanced(by: shift)
            end.request = request
        }
        self.end = end
    }
}
