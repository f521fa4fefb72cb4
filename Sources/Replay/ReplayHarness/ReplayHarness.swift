public import Analysis
public import BluetoothCore
import CaptureFile
public import CoreBluetooth
public import Dispatch
import Foundation
public import Replay
public import Runtime
import Synchronization

/// A recorded session for a test. The tested program creates its `CBCentralManager` on it, and virtual time
/// advances as the recording and the program need.
///
///     let replay = try ReplayHarness("unlock.btsnoop")
///     let app = replay.make { KeyApp() }
///     let report = replay.run { app.isDone }
///     #expect(report.verdict == .same)
///
/// A program that takes its time from the harness (``clock``, ``asyncAfter(_:on:_:)``) does the same in each
/// run. A program that waits on the wall clock may not: the harness waits for it for ``Options/patience``,
/// and reports that in ``usedWallTime``.
public final class ReplayHarness: Sendable {
    /// Options of a replay.
    public struct Options: Sendable {
        /// Options for playing the recording.
        public var replay = ReplayOptions()
        /// Whether the API's callbacks are compared with those that the log implies, beside the PDUs. Switch
        /// it off for a program whose queues wait for the wall clock, because its callbacks then don't come
        /// at the log's times.
        public var judgesApplication = true
        /// The number of the log's adapter; nil for the one with the most ATT PDUs.
        public var adapter: UInt16?
        /// Keys, dialects, profiles and databases, besides those of the files beside the log.
        public var knowledge = AnalysisKnowledge()
        /// Whether to use `LOG.keys.json` and `LOG.gatt` beside the log.
        public var readsFilesBesideLog = true
        /// Random seed for values the log does not contain.
        public var seed: UInt64 = 0
        /// The nonces that the program draws, in order; if empty, those of the log's phone, if its protocol
        /// is known.
        public var nonces: [[UInt8]] = []
        /// Time to wait on the wall clock while nothing happens in virtual time.
        public var patience: Duration = .seconds(1)
        /// Maximum duration of a run, in virtual time.
        public var limit: Duration = .seconds(24 * 3600)

        public init() {}
    }

    /// The recording and the stack above it.
    public let session: ReplaySession
    /// The log's path; empty if absent.
    public let log: String
    /// The expected result; nil for the result in the log.
    public let expectation: LogExpectation?
    let options: Options
    private let wall = Mutex<[String]>([])

    /// Creates the session of a log.
    ///
    /// Throws `CaptureFileError` where the file can't be read, `SessionModel.Failure` where it holds no
    /// session, ``CompanionFileError`` where a file beside it can't be used, and
    /// `LogExpectation.Problem` for an expectation that can't be read.
    ///
    /// - Parameters:
    ///   - path: the log's path.
    ///   - expectation: permitted and required deviations of the program, and expected ends of requests;
    ///     nil for the file beside the log (`unlock.expect.json`), an empty one for none.
    ///   - options: the settings of the replay.
    public convenience init(
        _ path: String, expecting expectation: LogExpectation? = nil, options: Options = Options()
    ) throws {
        var options = options
        if options.readsFilesBesideLog { try options.knowledge.addFiles(beside: path) }
        var captures = try CaptureSet(paths: [path])
        let model = try SessionModel(
            reading: &captures, adapter: options.adapter, knowledge: options.knowledge)
        self.init(
            model, expecting: try expectation ?? LogExpectation(besideLog: path), options: options, log: path)
    }

    /// Creates the session of a model.
    public init(
        _ model: SessionModel, expecting expectation: LogExpectation? = nil, options: Options = Options(),
        log: String = ""
    ) {
        self.options = options
        self.log = log
        self.expectation = expectation
        var replay = options.replay
        if let expectation {
            replay.expect(expectation, of: model, knowledge: options.knowledge.uqdk, seed: options.seed)
        }
        replay.judgesApplication = options.judgesApplication
        session = ReplaySession(
            model, options: replay,
            nonces: options.nonces.isEmpty ? model.nonces(options.knowledge.uqdk) : options.nonces,
            seed: options.seed,
            patience: options.patience)
        if options.judgesApplication { session.judgeApplication() }
        let recording = session.recording
        session.time.executor.surround { [weak adapter = session.adapter] job in
            guard let adapter else { return job() }
            AdapterSlot.with(adapter) { ProgramBlock.runInline(job) }
        }
        session.adapter.takesNote = { [weak recording] in recording?.note(callback: $0) }
    }

    deinit { session.adapter.close() }

    /// Virtual time as a clock, for code that takes one.
    public var clock: VirtualTime { session.time }

    /// Detected uses of the wall clock; empty for a run that is the same each time.
    public var usedWallTime: [String] { wall.withLock { $0 } }

    /// The report so far.
    public var report: ReplayReport {
        var report = session.recording.report
        report.usedWallTime = usedWallTime
        report.isOfProgram = true
        return report
    }

    /// The canonical transcript as bytes.
    public var transcript: [UInt8] { session.recording.transcript.octets() }

    /// Creates the program, whose managers, including those that it creates in callbacks, then use the
    /// recording.
    public func make<Program>(_ body: () throws -> Program) rethrows -> Program {
        try AdapterSlot.with(session.adapter, body)
    }

    /// Adds a line to the transcript's API section, such as the program's output or state, so that a saved
    /// transcript shows changes in its time.
    public func note(_ line: String) { session.recording.note(callback: line) }

    /// Returns the program's identifier of a device in the log, such as one that it has remembered from an
    /// earlier session.
    public func identifier(of address: DeviceAddress) -> UUID { session.adapter.identifier(of: address) }

    /// Runs `body` on a queue after `delay` of virtual time.
    @discardableResult
    public func asyncAfter(
        _ delay: Duration, on queue: DispatchQueue? = nil, _ body: @escaping @Sendable () -> Void
    ) -> EventID {
        session.adapter.asyncAfter(delay, on: queue, body)
    }

    /// Cancels a block scheduled by ``asyncAfter(_:on:_:)``.
    public func cancel(_ id: EventID) { session.adapter.cancel(id) }

    /// Runs until `condition` holds, the program has diverged, or no event is left. Without a condition,
    /// until there is a verdict.
    @discardableResult
    public func run(until condition: (() -> Bool)? = nil) -> ReplayReport {
        run(until: condition, isOver: false)
    }

    /// - Parameter isOver: whether the program has ended, so that the wall clock doesn't matter.
    private func run(until condition: (() -> Bool)?, isOver: Bool) -> ReplayReport {
        session.delivery.isOver = false
        defer { session.delivery.isOver = true }
        let recording = session.recording
        let end = session.time.now.advanced(by: options.limit)
        while true {
            settle()
            if recording.isSettled, condition == nil || recording.hasDiverged { break }
            // A program that is done may still diverge from the recorded one.
            if let condition, !recording.isComplete || recording.isSettled, condition() { break }
            if session.step(notAfter: min(end, limit(condition != nil))) { continue }
            if !isOver, isToldFromOutside() { continue }
            if recording.noteStuck() { continue }
            break
        }
        settle()
        for queue in session.delivery.stalled { addWall("a callback on the queue \(queue)") }
        return report
    }

    /// Runs `body` as a task in virtual time, until it and the recording have ended. Awaiting, and sleeping
    /// on ``clock``, take no real time.
    @discardableResult
    public func run(_ body: @escaping @Sendable () async throws -> Void) throws -> ReplayReport {
        let box = Ended()
        AdapterSlot.with(session.adapter) {
            _ = Task(executorPreference: session.time.executor) {
                do {
                    try await body()
                    box.result = .success(())
                } catch {
                    box.result = .failure(error)
                }
            }
        }
        run { box.result != nil }
        try box.result?.get()
        return session.recording.isSettled ? report : run(until: nil, isOver: true)
    }

    /// Runs ready callbacks and tasks; on the main thread also those of the main queue.
    private func settle() {
        session.settle()
        while Thread.isMainThread {
            let delivered = session.delivery.delivered
            session.delivery.runMainQueue()
            guard session.delivery.delivered != delivered || session.time.executor.pending > 0 else { return }
            session.settle()
        }
    }

    // A session that is over needs no more time for its verdict; a waiting program may need some.
    private func limit(_ hasCondition: Bool) -> Instant {
        hasCondition ? .distantFuture : session.recording.idleDeadline
    }

    /// Waits on the wall clock for code that uses it; returns whether there was a call.
    private func isToldFromOutside() -> Bool {
        let pending = session.time.pending
        let delivered = session.delivery.delivered
        let step = 1_000
        var left = Int(clamping: options.patience.saturatedNanoseconds / 1_000_000)
        while left > 0 {
            if Thread.isMainThread { session.delivery.runMainQueue() }
            session.delivery.pause(microseconds: step)
            left -= 1
            if session.time.pending != pending || session.delivery.delivered != delivered
                || session.time.executor.pending > 0
            {
                addWall("something called after the wall clock was waited for")
                return true
            }
        }
        if !session.delivery.mainQueueRuns() {
            addWall("the main queue, which can't run while one of its own blocks calls run")
        }
        return false
    }

    private func addWall(_ text: String) {
        wall.withLock { wall in
            if !wall.contains(text) { wall.append(text) }
        }
    }
}

/// The result of a task.
private final class Ended: Sendable {
    private let kept = Mutex<Result<Void, any Error>?>(nil)
    var result: Result<Void, any Error>? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

// A replay's result for a test: its failure, and output for continuous integration.
extension ReplayHarness {
    /// Returns the failure message of a test: the frame, the report, and uses of the wall clock.
    ///
    /// Nil if the program did the same as the recorded one.
    ///
    /// - Parameter allowsPartial: whether a log with parts left out is acceptable.
    public func failure(allowsPartial: Bool = false) -> String? {
        if let misses, !misses.isEmpty { return annotation.message }
        switch report.verdict {
        case .same: return nil
        case .partlySame where allowsPartial: return nil
        default: return annotation.message
        }
    }

    /// Outcomes of the program's requests, according to the transcript.
    public var requests: [RequestOutcome] {
        let recording = session.recording
        return [RequestOutcome](recording.transcript, recording.model, options.knowledge.uqdk)
    }

    /// Unmet expectations; nil without an expectation.
    public var misses: [String]? { expectation?.misses(report, requests) }

    /// The replay as a GitHub workflow command. If it is printed, GitHub shows it at the log.
    public var annotation: WorkflowAnnotation {
        let text = report.text
        guard let misses else {
            return WorkflowAnnotation(file: log, word: report.word, frame: report.frame, report: text)
        }
        return WorkflowAnnotation(
            file: log, word: misses.isEmpty ? "as expected" : "not as expected", frame: report.frame,
            report: LogExpectation.text(text, misses))
    }

    /// Returns the replay as a JUnit file of one test case.
    ///
    /// - Parameters:
    ///   - name: the name of the test case; nil for the log's.
    ///   - time: the duration of the test.
    ///   - allowsPartial: whether a replay of a part of the log passes.
    public func junit(name: String? = nil, time: Duration = .zero, allowsPartial: Bool = false) -> [UInt8] {
        let result = failure(allowsPartial: allowsPartial).map { _ in JUnitFile.Result.failed(report.word) }
        return JUnitFile([
            .init(name: name ?? log, time: time, result: result ?? .passed, text: annotation.report)
        ]).octets
    }

    /// Returns random bytes for a program that draws its nonces itself.
    ///
    /// They are the recorded phone's nonces in order, as far as the log or ``Options/nonces`` has them, then
    /// bytes that follow from the seed.
    public func nonce(_ count: Int) throws -> [UInt8] {
        try session.adapter.entropy.octets(count, for: .nonce)
    }
}

extension LogExpectation {
    /// Reads the expectation beside a log: `unlock.expect.json` for `unlock.btsnoop`. Returns nil if absent.
    ///
    /// Throws ``Problem`` for one that can't be read.
    init?(besideLog path: String) throws {
        let log = URL(fileURLWithPath: path)
        let names = [log.deletingPathExtension().lastPathComponent, log.lastPathComponent]
        let files = names.map { log.deletingLastPathComponent().appendingPathComponent($0 + ".expect.json") }
        guard let data = files.lazy.compactMap({ try? Data(contentsOf: $0) }).first else { return nil }
        try self.init(json: [UInt8](data))
    }
}
