public import Analysis
public import BluetoothCore
import CaptureFile
public import CoreBluetooth
public import Dispatch
import Foundation
public import Replay
public import Runtime
import Synchronization

/// A recorded session for a test: the program under test makes its `CBCentralManager` on it, and virtual time
/// goes on as the recording and the program want it to.
///
///     let replay = try ReplayHarness("unlock.btsnoop")
///     let app = replay.make { KeyApp() }
///     let report = replay.run { app.isDone }
///     #expect(report.verdict == .same)
///
/// A program that takes its time from the harness (``clock``, ``asyncAfter(_:on:_:)``) does the same in each
/// run. One that waits on the wall clock can't: the harness waits for it as long as ``Options/patience``, and
/// says so by ``usedWallTime``.
public final class ReplayHarness: Sendable {
    /// How a session is replayed.
    public struct Options: Sendable {
        /// How the recording is played.
        public var replay = ReplayOptions()
        /// Whether what the API tells the program is compared with what the log entails, beside what the
        /// program sends. To be switched off for a program whose queues wait for the wall clock: what it is
        /// told comes when they have time, and not when the log has it.
        public var judgesApplication = true
        /// The number of the log's adapter; nil for the one with the most ATT PDUs.
        public var adapter: UInt16?
        /// Keys, dialects, profiles and databases, besides those of the files beside the log.
        public var knowledge = AnalysisKnowledge()
        /// Whether `LOG.keys.json` and `LOG.gatt` beside the log are used.
        public var readsFilesBesideLog = true
        /// What all chance follows from that the log does not hold.
        public var seed: UInt64 = 0
        /// The octets of nonces that the program draws, in their order; with none, those of the phone in the
        /// log, where its protocol is known.
        public var nonces: [[UInt8]] = []
        /// How long the wall clock is waited for where nothing happens in virtual time.
        public var patience: Duration = .seconds(1)
        /// The longest run, in virtual time.
        public var limit: Duration = .seconds(24 * 3600)

        public init() {}
    }

    /// The recording and what is above it.
    public let session: ReplaySession
    /// The log's path; empty if absent.
    public let log: String
    /// What the log is to come to; nil where it is to be the same.
    public let expectation: LogExpectation?
    let options: Options
    private let wall = Mutex<[String]>([])

    /// The session of a log.
    ///
    /// Throws `CaptureFileError` where the file can't be read, `SessionModel.Failure` where it holds no
    /// session, ``CompanionFileError`` where a file beside it can't be used, and `DecodingError` for an
    /// expectation that can't be read.
    ///
    /// - Parameter expectation: where the program may or must do something else than was recorded, and how
    ///   requests are to end; nil for the one beside the log (`unlock.expect.json`), an empty one for none.
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

    /// The session of a model.
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
        session.adapter.takesNote = { [weak recording] in recording?.note(callback: $0) }
    }

    deinit { session.adapter.close() }

    /// Virtual time as a clock, for code that takes one.
    public var clock: VirtualTime { session.time }

    /// What was called on the wall clock, as far as it could be told; empty for a run that is the same each
    /// time.
    public var usedWallTime: [String] { wall.withLock { $0 } }

    /// What was found so far.
    public var report: ReplayReport {
        var report = session.recording.report
        report.usedWallTime = usedWallTime
        report.isOfProgram = true
        return report
    }

    /// The canonical trace, as octets.
    public var transcript: [UInt8] { session.recording.transcript.octets() }

    /// Makes the program, whose managers are then on the recording: also those that it makes in callbacks.
    public func make<Program>(_ body: () throws -> Program) rethrows -> Program {
        try AdapterSlot.with(session.adapter, body)
    }

    /// Writes a line into the transcript's section of the API: what the program shows its user, or has come
    /// to, so that a kept transcript tells when it does so at another time.
    public func note(_ line: String) { session.recording.note(callback: line) }

    /// The identifier by which the program knows a device of the log, such as one that it has remembered from
    /// an earlier session.
    public func identifier(of address: DeviceAddress) -> UUID { session.adapter.identifier(of: address) }

    /// Runs `body` on a queue after `delay` of virtual time.
    @discardableResult
    public func asyncAfter(
        _ delay: Duration, on queue: DispatchQueue? = nil, _ body: @escaping @Sendable () -> Void
    ) -> EventID {
        session.adapter.asyncAfter(delay, on: queue, body)
    }

    /// Takes back what ``asyncAfter(_:on:_:)`` was given.
    public func cancel(_ id: EventID) { session.adapter.cancel(id) }

    /// Runs until `condition` holds, the program has done something else than the recorded one, or nothing
    /// is to come. Without a condition: until there is a verdict.
    @discardableResult
    public func run(until condition: (() -> Bool)? = nil) -> ReplayReport {
        run(until: condition, isOver: false)
    }

    /// - Parameter isOver: whether the program has ended: then the wall clock is not waited for.
    private func run(until condition: (() -> Bool)?, isOver: Bool) -> ReplayReport {
        let recording = session.recording
        let end = session.time.now.advanced(by: options.limit)
        while true {
            settle()
            if recording.isSettled, condition == nil || recording.hasDiverged { break }
            // A program that is done may still do what the recorded one did not.
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

    /// Runs `body` as a task in virtual time, until it has ended and the recording has too: awaiting, and
    /// sleeping on ``clock``, take no time.
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

    /// Runs what is ready, on the main thread that of the main queue too.
    private func settle() {
        session.settle()
        while Thread.isMainThread {
            let delivered = session.delivery.delivered
            session.delivery.runMainQueue()
            guard session.delivery.delivered != delivered || session.time.executor.pending > 0 else { return }
            session.settle()
        }
    }

    // The verdict of a session that is over needs no more time; a program that waits may need some.
    private func limit(_ hasCondition: Bool) -> Instant {
        hasCondition ? .distantFuture : session.recording.idleDeadline
    }

    /// Waits on the wall clock for code that does the same; whether it has called.
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

/// How a task has ended.
private final class Ended: Sendable {
    private let kept = Mutex<Result<Void, any Error>?>(nil)
    var result: Result<Void, any Error>? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
