import BluetoothCore
import Runtime
import SimulatedDevices
import Synchronization
import UQDK
import WireBytes

/// A session that is replayed many times against live models of its peers, each time with one fault at one
/// PDU.
///
/// Each run must end, must report the truth to the application, and must leave the stack in a state in which
/// the next session runs as it does without a fault. Each connection is played alone.
public struct Sweep: Sendable {
    /// A failed check of a run.
    public struct Wrong: Hashable, Sendable {
        /// The description of the failure without the parts that vary between runs. Two failures with equal
        /// causes count as the same failure.
        var cause: String
        /// One line for the report.
        public var text: String
    }

    /// A run of the sweep.
    public struct Run: Sendable {
        /// The fault and its place.
        public var fault: SweepCase
        /// Failed checks; empty if the run passed.
        public var wrong: [Wrong]
        /// The shortest case with the same failure; nil if the run passed, or if the fault has already failed
        /// with this cause.
        public var shrunk: SweepCase?
        /// The number of the connection's PDUs, and of those needed for the failure.
        public var packets = (needed: 0, all: 0)
    }

    /// All runs, in the order of connections, faults and places.
    public private(set) var runs: [Run] = []
    /// Whether runs were left out because of ``Part/limit``.
    public private(set) var isCut = false

    /// The runs with at least one failed check.
    public var failures: [Run] { runs.filter { !$0.wrong.isEmpty } }

    /// The selection of runs to make.
    public struct Part: Sendable {
        /// The only run to make; nil for all.
        public var only: SweepCase?
        /// Maximum number of runs.
        public var limit = Int.max
        /// This machine's number, from 0, and the number of machines that share the runs.
        public var shard = (number: 0, of: 1)
        /// Limit of the PDUs of each connection that get a fault, counted from its beginning.
        public var mostPlaces = 4096

        public init(only: SweepCase? = nil) { self.only = only }
    }

    /// - Parameter progress: called after each run with the number of runs so far.
    public init(
        _ model: SessionModel, options: LogReplay.Options, part: Part = Part(),
        progress: (Int, SweepCase) -> Void = { _, _ in }
    ) {
        let only = part.only
        let playable = model.connections.filter(\.isPlayable)
        var known: Set<String> = []
        for (order, connection) in playable.enumerated()
        where (only?.connection ?? connection.number) == connection.number {
            // A case without a connection's number means the first connection.
            if let only, only.connection == nil, connection.number != playable.first?.number { break }
            let bench = SweepBench(model, connection, options)
            let frames = only?.frames ?? []
            let baseline = bench.run(frames: frames, nil)
            let name = connection.number == playable.first?.number ? nil : connection.number
            for (kind, fault) in SweepFault.allCases.enumerated() where only == nil || only?.fault == fault {
                for place in 0..<part.mostPlaces where only == nil || only?.place == place {
                    // Each machine gets its share of every connection, fault and place.
                    let number = order + kind + place
                    guard only != nil || number % part.shard.of == part.shard.number else { continue }
                    let run = bench.run(frames: frames, (fault, place))
                    guard run.wasApplied else { break }
                    guard runs.count < part.limit else {
                        isCut = true
                        return
                    }
                    let one = SweepCase(fault, at: place, connection: name, frames: frames)
                    runs.append(Run(fault: one, wrong: run.wrong(against: baseline)))
                    progress(runs.count, one)
                    let cause = runs.last?.wrong.first?.cause ?? ""
                    let isNew = known.insert("\(connection.number) \(fault) \(cause)").inserted
                    if !cause.isEmpty, isNew, only == nil || frames.isEmpty { shrinkLast(bench, cause) }
                }
            }
        }
    }

    /// Shrinks the last run, which is the first with this failure for its fault and connection.
    private mutating func shrinkLast(_ bench: SweepBench, _ cause: String) {
        guard let last = runs.last else { return }
        let (shrunk, packets) = bench.shrink(last.fault, cause)
        runs[runs.count - 1].shrunk = shrunk
        runs[runs.count - 1].packets = packets
    }

    /// Returns the table of runs, and each failure with a command that repeats it.
    ///
    /// - Parameter again: returns the command that repeats a run.
    public func text(again: (SweepCase) -> String) -> String {
        let connections = Set(runs.map(\.fault.connection)).count
        var head = "SWEPT: \(runs.count.counting("run"))"
        if connections > 1 { head += " over \(connections) connections" }
        var lines = ["\(head), \(failures.count) with something wrong" + (isCut ? "; more are left" : "")]
        for fault in SweepFault.allCases {
            let all = runs.filter { $0.fault.fault == fault }
            guard !all.isEmpty else { continue }
            let wrong = all.count { !$0.wrong.isEmpty }
            let name = fault.rawValue + String(repeating: " ", count: max(0, 15 - fault.rawValue.count))
            lines.append("  \(name)\(all.count.counting("run")), \(wrong) wrong")
        }
        for failure in failures {
            let number = failure.fault.connection.map { ", connection \($0)" } ?? ""
            let unit = failure.fault.fault.tampering == nil ? "PDU" : "message"
            lines.append("WRONG \(failure.fault.fault.rawValue) at \(unit) \(failure.fault.place)\(number)")
            lines += failure.wrong.map { "  " + $0.text }
            lines.append("  again     " + again(failure.fault))
            guard let shrunk = failure.shrunk else { continue }
            let (needed, all) = failure.packets
            lines.append("  needs     \(needed) of \(all) PDUs: " + again(shrunk))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

struct LiveRun {
    let outcomes: [UQDKOutcome]
    let answers: [(command: String, status: StatusName)]
    let word: String
    let wasApplied: Bool
    /// Number of events that reached the application although no car sent them.
    let falseEvents: Int

    init(_ model: SessionModel, _ options: LogReplay.Options, _ fault: (fault: SweepFault, place: Int)?) {
        var options = options
        let made = Mutex<SweepTransport?>(nil)
        options.isLive = true
        if let fault, let kind = fault.fault.tampering {
            options.tampering = CarTampering(kind, at: fault.place)
        } else if let fault {
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
        wasApplied = made.withLock { $0?.wasApplied } ?? replay.wasTampered
        // Without tampering, an event without a tag may arrive twice or damaged, and the application rightly
        // gets it.
        let hasFalseEvents = options.tampering != nil && replay.events.told > replay.events.sent
        falseEvents = hasFalseEvents ? replay.events.told - replay.events.sent : 0
    }

    func wrong(against baseline: LiveRun) -> [Sweep.Wrong] {
        var found: [Sweep.Wrong] = []
        func note(_ cause: String, _ rest: String = "") {
            found.append(.init(cause: cause, text: cause + rest))
        }
        if word == "stuck" || word == "unfinished" { note("the run does not end", ": it is \(word)") }
        let first = outcomes.filter { $0.connection == 1 }
        for outcome in first where outcome.got == nil {
            note("the application is never told how \(outcome.name) ended")
        }
        for name in Set(first.map(\.name)).sorted() {
            let told = outcomes.count { $0.name == name && $0.got == .ok }
            let done = answers.count { $0.command == Self.command(name) && $0.status == .success }
            guard told > done else { continue }
            note("\(name) is told to have gone well", " \(told) times, and did \(done) times")
        }
        if falseEvents > 0 {
            note("the application is told events that the car did not send", ": \(falseEvents)")
        }
        let next = outcomes.filter { $0.connection == 2 }
        let usual = baseline.outcomes.filter { $0.connection == 2 }
        if next.isEmpty, !usual.isEmpty { note("the next session does not come") }
        for (outcome, usual) in zip(next, usual) where usual.got == .ok && outcome.got != .ok {
            note("in the next session \(outcome.text)")
        }
        return found
    }

    private static func command(_ name: String) -> String {
        name == "authentication" ? "AUTH_FINISH" : name
    }
}

extension SessionModel {
    /// Returns a model of this connection alone, played twice in a row.
    func twice(_ connection: RecordedConnection) -> SessionModel {
        var first = connection
        let pause = Duration.seconds(10)
        let begin = first.asked ?? first.completed
        let end = max(first.end?.time ?? self.end, first.pdus.last?.time ?? begin)
        let shift = begin.duration(to: end) + pause
        first.number = 1
        if first.end == nil || first.end?.request == nil {
            // The host disconnects at the end of the first connection, if it did not do so in the log.
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
    /// Adds `shift` to all times, and `frames` to all frame numbers.
    mutating func move(by shift: Duration, frames: Int) {
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

/// One run of a sweep: a fault, its place, and the part of the log that is played.
///
/// In text: `lost:57` is on the first connection, `lost:57:2` on the second; `lost:31:2:205-215,254-263` has
/// only the PDUs in these frames of the second connection.
public struct SweepCase: Hashable, Sendable, LosslessStringConvertible {
    public var fault: SweepFault
    /// Index of the PDU with the fault among the Attribute Protocol PDUs of both directions, from 0.
    public var place: Int
    /// The connection's number in the model; nil for the first playable one.
    public var connection: Int?
    /// The frames whose PDUs are played; empty for all.
    public var frames: [ClosedRange<Int>]

    public init(
        _ fault: SweepFault, at place: Int, connection: Int? = nil, frames: [ClosedRange<Int>] = []
    ) {
        self.fault = fault
        self.place = place
        self.connection = connection
        self.frames = frames
    }

    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(parts.count), let fault = SweepFault(rawValue: parts[0]),
            let place = Int(parts[1]), place >= 0
        else { return nil }
        self.init(fault, at: place)
        guard parts.count > 2 else { return }
        guard let number = Int(parts[2]), number > 0 else { return nil }
        connection = number
        guard parts.count > 3 else { return }
        for part in parts[3].split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                first > 0, first <= last
            else { return nil }
            frames.append(first...last)
        }
    }

    public var description: String {
        var text = "\(fault.rawValue):\(place)"
        if connection != nil || !frames.isEmpty { text += ":\(connection ?? 1)" }
        guard !frames.isEmpty else { return text }
        let ranges = frames.map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        return text + ":" + ranges.joined(separator: ",")
    }
}
