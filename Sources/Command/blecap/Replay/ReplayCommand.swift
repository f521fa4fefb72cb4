import Adapters
import Analysis
import CaptureFile
import CommandLineKit
import Crypto
import Dispatch
import Replay
import Synchronization
import WireBytes

/// The command `blecap replay`: replays recorded sessions to the real central stack, and reports differences.
struct ReplayCommand {
    /// Result of one log.
    struct Outcome: Sendable {
        var path: String
        /// The verdicts that count as success.
        var allowed: Set<AllowedVerdict> = []
        /// Whether a failed request makes the log fail.
        var failsOnOutcome = false
        /// Duration of the replay in real time.
        var time: Duration = .zero
        var failure: Failure?
        var replay: LogReplay?
        /// Difference between repeated runs, if any.
        var difference: String?
        /// A line describing the comparison of equal repeated runs; nil for a single run.
        var repetition: String?
        /// Difference between the transcript and the golden one, if any.
        var golden: GoldenDifference?
        /// The transcript's SHA-256, in hexadecimal.
        var digest = ""
        /// The frames that were never reached, a line per connection; nil if not requested.
        var unplayed: String?
        /// Damage of the log, after which data could not be read.
        var damage: Failure?
    }

    /// The command line as given, without files found beside the logs.
    private let given: ParsedArguments
    let arguments: ParsedArguments
    let console: Console
    let options: LogReplay.Options
    let knowledge: LogKnowledge
    let adapter: UInt16?
    /// The connections to replay.
    let choice: ConnectionChoice
    /// The address where another program's host reaches the recording; nil for this program's stack.
    private let place: AdapterAddress?
    private var limits = SessionLimits()
    private let repeats: Int
    private let allowed: Set<AllowedVerdict>
    private let golden: TranscriptPlace?
    private let transcript: TranscriptPlace?
    /// Records the traffic; nil if not requested.
    let recording: ReplayRecording?

    init(_ given: ParsedArguments, _ console: Console) throws(Failure) {
        let inputs = try NamedInputs(given.operands, given.environment)
        if let notice = inputs.notice { console.say(notice) }
        var given = given
        given.operands = inputs.paths
        let arguments = FoundFiles.added(to: given, console)
        self.given = given
        self.arguments = arguments
        self.console = console
        knowledge = try LogKnowledge(given, found: arguments)
        choice = try ConnectionChoice(arguments)
        var options = LogReplay.Options()
        let seed = try arguments.number(.chance) ?? 0
        options.seed = UInt64(seed)
        options.replay.tier = arguments.value(.tier).flatMap(MatchingTier.init) ?? .semantic
        options.replay.continues = arguments.has(.goOn)
        if options.replay.tier == .strict { limits.packets = SessionLimits().pdus }
        limits.lastFrame = try arguments.number(.untilFrame, least: 1) ?? .max
        options.replay.policy = Self.policy(arguments.value(.policy), seed: UInt64(seed))
        if let time = try arguments.nanoseconds(.patience) { options.replay.idleLimit = .nanoseconds(time) }
        self.options = options
        allowed = try AllowedVerdict.read(arguments)
        repeats = try arguments.number(.repeats, least: 1) ?? 1
        adapter = try FrameFilter.numbers(arguments, .adapter, 0...0xFFFF).last.map { UInt16(clamping: $0) }
        golden = try TranscriptPlace(.golden, arguments)
        transcript = try TranscriptPlace(.transcript, arguments)
        place = try arguments.value(.listen).map { text throws(Failure) in
            guard arguments.operands.count == 1 else {
                throw Failure(.usage, "--listen is for one log", advice: "replay the logs one by one")
            }
            guard !arguments.has(.sweep), !arguments.has(.sweepOnly) else {
                throw Failure(.usage, "--sweep is for this project's own host, not for --listen")
            }
            return try Stage.address(text, "--listen")
        }
        for option in [OptionRow.expect, .bless] where arguments.has(option) {
            guard arguments.operands.count == 1 else {
                throw Failure(.usage, "--\(option.long) is for one log", advice: "replay the logs one by one")
            }
        }
        recording = try ReplayRecording(arguments)
        // Check before the work, not after it.
        try checkBlessing()
        let transcripts = transcript.map { arguments.operands.map($0.file) } ?? []
        for path in transcripts + [arguments.value(.junit)].compactMap(\.self) {
            _ = try Output.file(path, arguments, madeFrom: arguments.operands)
        }
    }

    private static func policy(_ name: String?, seed: UInt64) -> PlacementPolicy {
        switch name {
        case "recorded": .recorded
        case "earliest": .earliest
        case "latest": .latest
        case "shuffle": .shuffle(seed: seed)
        default: .causal
        }
    }

    func run() throws(Failure) -> ExitStatus {
        if arguments.has(.sweep) || arguments.has(.sweepOnly) { return try sweepAll() }
        try transcript?.makeFolder()
        var outcomes = replayAll()
        for index in outcomes.indices { keep(&outcomes[index]) }
        try show(outcomes)
        try recording?.write(console)
        // Last, so that it includes all results of the logs.
        if let path = arguments.value(.junit) { try write(JUnitReport.octets(outcomes), to: path) }
        return Self.status(outcomes)
    }

    /// Compares the transcript of a log with the golden one, and writes it and the expectation.
    private func keep(_ outcome: inout Outcome) {
        guard let octets = outcome.replay?.transcriptOctets else { return }
        outcome.digest = Self.digest(octets)
        let path = outcome.path
        do throws(Failure) {
            outcome.golden = try golden?.difference(
                of: octets, path, recording: again(path, golden: .transcript))
        } catch {
            outcome.failure = error
        }
        // Written even if there is no golden one, since it may become that.
        do throws(Failure) {
            if let transcript { try write(octets, to: transcript.file(of: path)) }
            if let place = arguments.value(.bless), let replay = outcome.replay {
                try write(try blessing(of: replay, path).json, to: place)
            }
        } catch {
            outcome.failure = error
        }
    }

    private func show(_ outcomes: [Outcome]) throws(Failure) {
        var out = TextBuffer()
        if outcomes.count == 1, let outcome = outcomes.first {
            ReplayText.put(outcome, again: again(outcome.path), into: &out)
        } else {
            ReplayText.putSummary(outcomes, into: &out)
        }
        ReplayText.fit(&out, Output.textOptions(arguments, arguments.environment.output.descriptor))
        if GitHubAnnotations.areWanted(arguments) { out.put(GitHubAnnotations.text(outcomes)) }
        try write(&out)
        for outcome in outcomes {
            for failure in [outcome.failure, outcome.damage].compactMap(\.self) { console.say(failure.line) }
            if let place = arguments.value(.bless), outcome.failure == nil, outcome.replay != nil {
                let command = again(outcome.path, ["--expect", place])
                console.say("wrote \(place): '\(command)' expects this result")
            }
        }
    }

    // MARK: Replaying

    private func replayAll() -> [Outcome] {
        let paths = arguments.operands
        guard paths.count > 1 else { return paths.map(replay) }
        let outcomes = Mutex<[Outcome?]>(Array(repeating: nil, count: paths.count))
        DispatchQueue.concurrentPerform(iterations: paths.count) { index in
            let outcome = replay(paths[index])
            outcomes.withLock { $0[index] = outcome }
        }
        return outcomes.withLock { $0 }.compactMap(\.self)
    }

    private func replay(_ path: String) -> Outcome {
        var outcome = Outcome(path: path, allowed: allowed, failsOnOutcome: arguments.has(.failOnOutcome))
        let start = ContinuousClock.now
        do throws(Failure) {
            var log = try read(path)
            outcome.damage = log.damage
            recording?.join(&log.options)
            log.options.expectation = try ExpectationFile.of(path, arguments, console)
            if !choice.isEmpty { log.options.expectation?.keep(for: log.model) }
            if let place {
                outcome.replay = try listen(log.model, log.options, at: place)
            } else {
                repeatedly(log.model, log.options, &outcome)
            }
        } catch {
            outcome.failure = error
        }
        outcome.time = ContinuousClock.now - start
        return outcome
    }

    /// A log as it is replayed.
    struct ReadLog {
        var model: SessionModel
        var options: LogReplay.Options
        /// Damage of the log, after which data could not be read.
        var damage: Failure?
    }

    /// Reads a log with its knowledge.
    func read(_ path: String) throws(Failure) -> ReadLog {
        let known = try knowledge.of([path])
        var captures = try Failure.reporting { () throws(CaptureFileError) in
            try CaptureSet(paths: [path], input: arguments.environment.input.descriptor)
        }
        var log: ReadLog
        do throws(SessionModel.Failure) {
            log = ReadLog(
                model: try SessionModel(
                    reading: &captures, adapter: adapter, knowledge: known, limits: limits),
                options: options, damage: captures.errors.first.map { Failure($0) })
        } catch {
            throw try endingEarly(path, known)
                ?? Failure(
                    .unreplayable, "\(path): \(error.text)", advice: "'blecap info' shows what is in it")
        }
        if log.model.obstacles.contains(where: { $0.kind == .noConnection }),
            let failure = try endingEarly(path, known)
        {
            throw failure
        }
        log.options.knowledge = known.uqdk
        try choice.choose(in: &log.model, path, known)
        return log
    }

    /// The failure if `--until-frame` ends a log before its first connection; nil if it does not.
    private func endingEarly(_ path: String, _ known: AnalysisKnowledge) throws(Failure) -> Failure? {
        // Standard input can't be read again.
        guard limits.lastFrame < .max, path != "-" else { return nil }
        var captures = try Failure.reporting { () throws(CaptureFileError) in
            try CaptureSet(paths: [path], input: arguments.environment.input.descriptor)
        }
        let whole = try? SessionModel(reading: &captures, adapter: adapter, knowledge: known)
        guard let first = whole?.connections.first(where: { $0.number > 0 })?.frame else { return nil }
        return Failure(
            .unreplayable,
            "\(path): --until-frame \(limits.lastFrame) ends before the first connection, "
                + "which begins with frame \(first)",
            advice: "give a later frame")
    }

    private func repeatedly(
        _ model: SessionModel, _ options: LogReplay.Options, _ outcome: inout Outcome
    ) {
        let first = LogReplay(model, options: options)
        let octets = first.transcriptOctets
        for run in stride(from: 2, through: repeats, by: 1) {
            let again = LogReplay(model, options: options)
            guard again.transcriptOctets != octets || again.report.text != first.report.text else { continue }
            outcome.difference = "run \(run) of \(repeats) was not the same as the first"
            break
        }
        if outcome.difference == nil, repeats > 1 {
            let lines = octets.count { $0 == 0x0A }.counting("line")
            let bytes = octets.count.counting("byte")
            outcome.repetition =
                "  repeated  \(repeats) runs, with the same report and transcript: \(lines), \(bytes)\n"
        }
        if arguments.has(.unplayed) {
            outcome.unplayed = first.report.unplayed.map { "  unplayed  \($0.text)\n" }.joined()
        }
        outcome.replay = first
    }

    private static func digest(_ octets: [UInt8]) -> String {
        (try? SHA256.hash(of: octets)).map { Hex.text($0) } ?? "not made"
    }

    static func status(_ outcomes: [Outcome]) -> ExitStatus {
        let all = outcomes.map(\.status)
        return [.usage, .input, .environment, .negative, .unreplayable].first { all.contains($0) } ?? .success
    }

    // MARK: Output

    /// The command that repeats the run.
    ///
    /// - Parameters:
    ///   - golden: the option for the golden transcript's file.
    ///   - more: further words.
    func again(
        _ path: String, golden option: OptionRow = .golden, _ more: [String] = []
    ) -> String {
        var words = ["blecap", "replay"]
        let said: [OptionRow] = [
            .keys, .dialect, .profile, .gatt, .adapter, .connection, .peer, .policy, .chance, .tier,
            .untilFrame, .patience, .expect, .allow, .failOnOutcome, .listen,
        ]
        for option in said {
            let source = arguments.has(option) ? arguments : given
            for value in source.values(option) { words += ["--\(option.long)", value] }
        }
        if let golden { words += ["--\(option.long)", golden.path] }
        if arguments.has(.insecureKeys) { words.append("--insecure-keys") }
        if arguments.has(.goOn) { words.append("--continue") }
        if arguments.has(.allowPartial) { words.append("--allow-partial") }
        if arguments.has(.repeats) { words += ["--repeat", "\(repeats)"] }
        return (words + more + [path]).map(Shell.quoted).joined(separator: " ")
    }

    func write(_ out: inout TextBuffer) throws(Failure) {
        try arguments.environment.write(&out)
    }

    private func write(_ octets: [UInt8], to path: String) throws(Failure) {
        let file = try Output.file(path, arguments, madeFrom: arguments.operands)
        try Output.unlessReaderGone { () throws(OutputError) in
            var sink = try DescriptorSink(file)
            try sink.write(octets.borrowedOctets)
            try sink.finish()
        }
    }
}

// The option `--bless` of `replay`: the result of a replay becomes the expectation of later ones.

extension ReplayCommand {
    /// Refuses to replace an expectation without `--force`, since a person may have edited it.
    func checkBlessing() throws(Failure) {
        guard let place = arguments.value(.bless) else { return }
        do throws(Failure) {
            _ = try Output.file(place, arguments, madeFrom: arguments.operands)
        } catch {
            guard error.status == .environment, SystemCall.status(of: place)?.isRegular == true,
                let log = arguments.operands.first
            else { throw error }
            throw Failure(
                error.status, "\(place) already exists and may have been edited",
                advice: "to replace it: \(again(log, ["--bless", place, "--force"]))")
        }
    }

    /// The expectation for later replays of a log.
    func blessing(of replay: LogReplay, _ path: String) throws(Failure) -> LogExpectation {
        let blessing = replay.blessing
        guard blessing.departures.isEmpty, blessing.outcomes.isEmpty else { return blessing }
        let what = "\(path): nothing to bless: the replay is \(replay.report.word)"
        switch replay.report.verdict {
        case .same, .partlySame:
            throw Failure(
                .usage, "\(what) and has no request whose end could be expected",
                advice: "a log without a failure needs no expectation; to keep what passed: "
                    + again(path, ["--transcript", "FILE"]))
        default:
            throw Failure(
                .usage, "\(what), and not at a PDU of the host",
                advice: "an expectation can allow another PDU than the recorded one; mend this first")
        }
    }
}

// The option `--sweep` of `replay`: replays a session with one fault at a time.

extension ReplayCommand {
    /// The single run selected by `--sweep-only`; nil for all.
    static func onlyRun(_ arguments: ParsedArguments) throws(Failure) -> SweepCase? {
        guard let text = arguments.value(.sweepOnly) else { return nil }
        if let only = SweepCase(text) { return only }
        let names = SweepFault.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
            .usage, "--sweep-only takes FAULT:PDU[:CONNECTION[:FRAMES]], not '\(text)'",
            advice: "the faults are \(names)")
    }

    /// Sweeps the logs one after the other.
    func sweepAll() throws(Failure) -> ExitStatus {
        var part = Sweep.Part(only: try Self.onlyRun(arguments))
        part.limit = try arguments.number(.limit, least: 1) ?? .max
        part.shard = try Self.shard(arguments)
        var isWrong = false
        for path in arguments.operands {
            let log = try read(path)
            var line = ProgressMeter([], arguments.environment)
            let swept = Sweep(log.model, options: log.options, part: part) { count, run in
                line.update("\(count.counting("run")), at \(run)")
            }
            line.end()
            // Another shard may have the only runs.
            guard !swept.runs.isEmpty || part.shard.of > 1 else {
                throw Failure(.unreplayable, "\(path): it has no PDU at which the fault could be")
            }
            var out = TextBuffer()
            out.put(swept.text { again(path, ["--sweep-only", "\($0)"]) })
            try write(&out)
            isWrong = isWrong || !swept.failures.isEmpty
        }
        return isWrong ? .negative : .success
    }

    /// Parses the shard: `2/4` is the second of four parts.
    private static func shard(_ arguments: ParsedArguments) throws(Failure) -> (number: Int, of: Int) {
        guard let text = arguments.value(.shard) else { return (0, 1) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count
        else {
            throw Failure(
                .usage, "--shard takes I/N, such as 2/4 for the second of four parts, not '\(text)'")
        }
        return (number - 1, count)
    }
}

extension SessionModel.Failure {
    var text: String {
        switch self {
        case .noAdapter: "it holds no record of an adapter, so no session"
        case .unknownAdapter(let number): "it holds no record of adapter \(number)"
        }
    }
}
