import CaptureFile
import CommandLineKit
import MonitorCapture
import WireBytes

/// Takes the records of the channel.
protocol RecordTarget: ~Copyable {
    /// Bytes written so far.
    var octets: Int { get }
    /// The output's descriptor, where a reader of it may go; and whether it waits to take more.
    var watched: (descriptor: Int32, wantsRoom: Bool)? { get }
    /// Takes the next record.
    mutating func take(_ record: borrowing Record) throws(Failure)
    /// Takes a note of the recording itself.
    mutating func take(_ note: MonitorNote, at time: CaptureTime, drops: Int) throws(Failure)
    /// Flushes: the channel is empty, or enough was read at once.
    mutating func settle(_ state: PumpState) throws(Failure)
    /// Says that the recording ends: don't wait any more for a reader that takes nothing.
    mutating func hasToEnd()
    /// The failure for an output whose reader has gone.
    func readerGone() -> Failure
}

/// The progress of a recording.
struct PumpState {
    /// Records received.
    var received = 0
    /// Records that the kernel dropped.
    var lost = 0
    /// Records received when there was no time left to write them.
    var unwritten = 0
    /// Records of impossible length, left out.
    var leftOut = 0
    /// Whether the number of dropped records is unknown.
    var lossIsUnknown = false
    /// When it began.
    var start: ClockReading
    /// The clocks now.
    var now: ClockReading

    /// Nanoseconds since the start.
    var elapsed: Int64 { now.monotonic &- start.monotonic }

    /// Seconds with three digits after the point.
    static func seconds(_ nanoseconds: Int64) -> String {
        let milliseconds = Int64(nanoseconds.magnitude / 1_000_000)
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

extension ClockReading {
    /// The time of a note: in microseconds as the channel's records have it, which every format holds.
    var noteTime: CaptureTime { CaptureTime(microseconds: wall / 1000) }
}

/// Why a recording ended.
enum RecordEnding: Equatable {
    case signal(String)
    case packets, octets, duration

    /// In a word, for the summary.
    var text: String {
        switch self {
        case .signal(let name): name
        case .packets: "--packets"
        case .octets: "--size"
        case .duration: "--duration"
        }
    }
}

/// Moves records from the channel to a target until something ends it.
struct ChannelPump<Channel: RecordChannel & ~Copyable>: ~Copyable {
    private var channel: Channel
    private let signals: StopSignals
    private let limits: RecordLimits
    private var clock = ClockWatch()
    private var latest = LatestWall()
    private(set) var state: PumpState

    /// Records read before the target hands them over and signals are looked at.
    private static var batch: Int { 512 }
    /// Milliseconds after which the loop runs even if nothing arrives.
    private static var tick: Int64 { 1000 }
    /// Records that were waiting when the end came are still read and written, for this long in nanoseconds.
    private let lastPatience: Int64
    /// What could not be written in that time is still counted, for this long in nanoseconds.
    private static var countPatience: Int64 { 5_000_000_000 }

    init(
        _ channel: consuming Channel, _ signals: consuming StopSignals, _ limits: RecordLimits,
        lastPatience: Int64 = 5_000_000_000
    ) {
        self.lastPatience = lastPatience
        self.channel = channel
        self.signals = signals
        self.limits = limits
        let now = ClockReading.now()
        state = PumpState(start: now, now: now)
        _ = clock.step(now)
        latest.note(now)
    }

    /// Runs until a limit is reached or a signal comes.
    mutating func run<T: RecordTarget & ~Copyable>(_ target: inout T) throws(Failure) -> RecordEnding {
        while true {
            let events = wait(target)
            state.now = ClockReading.now()
            latest.note(state.now)
            try noteStep(&target)
            if events.contains(.stop) {
                let name = signals.take() ?? "a signal"
                try drain(&target)
                return .signal(name)
            }
            if events.contains(.readerGone) { throw target.readerGone() }
            if events.contains(.records) {
                try readBatch(&target)
            }
            // From here on, don't wait for a reader that takes nothing.
            if reached(target.octets) != nil { target.hasToEnd() }
            try noteDrops(&target)
            try target.settle(state)
            if let ending = reached(target.octets) {
                if ending == .duration { try drain(&target) }
                return ending
            }
        }
    }

    /// Reads what is waiting; where that fails, what was read before is handed over.
    private mutating func readBatch<T: RecordTarget & ~Copyable>(_ target: inout T) throws(Failure) {
        do throws(Failure) {
            _ = try Self.read(Self.batch, &channel, &state.received, limits, &target)
        } catch {
            // The failure that ends the recording is the one to report.
            try? target.settle(state)
            throw error
        }
    }

    private func wait<T: RecordTarget & ~Copyable>(_ target: borrowing T) -> WaitSet.Events {
        var patience = Self.tick
        if let limit = limits.nanoseconds {
            let left = limit &- (ClockReading.now().monotonic &- state.start.monotonic)
            patience = min(patience, max(0, (left &+ 999_999) / 1_000_000))
        }
        return WaitSet.wait(
            channel: channel.descriptor, stop: signals.descriptor, output: target.watched?.descriptor,
            wantsRoom: target.watched?.wantsRoom ?? false, milliseconds: Int32(patience))
    }

    private func reached(_ octets: Int) -> RecordEnding? {
        if let limit = limits.packets, state.received >= limit { return .packets }
        if let limit = limits.octets, octets >= limit { return .octets }
        if let limit = limits.nanoseconds, state.elapsed >= limit { return .duration }
        return nil
    }

    /// Reads at most `most` records, and none after `latest` in time; whether none is waiting any more.
    private static func read<T: RecordTarget & ~Copyable>(
        _ most: Int, until latest: Int64 = .max, _ channel: inout Channel, _ received: inout Int,
        _ limits: RecordLimits, _ target: inout T
    ) throws(Failure) -> Bool {
        for _ in 0..<most {
            if let limit = limits.packets, received >= limit { return true }
            if let limit = limits.octets, target.octets >= limit { return true }
            guard let record = try next(&channel) else { return true }
            received &+= 1
            try target.take(record)
            if record.header.time.nanoseconds > latest { return true }
        }
        return false
    }

    @_lifetime(&channel)
    private static func next(_ channel: inout Channel) throws(Failure) -> Record? {
        do throws(MonitorError) { return try channel.next() } catch { throw Failure(error) }
    }

    /// The time of the next record in nanoseconds; nil if none is waiting.
    private static func nextTime(_ channel: inout Channel) throws(Failure) -> Int64? {
        try next(&channel)?.header.time.nanoseconds
    }

    /// Notes how far someone set the wall clock.
    private mutating func noteStep<T: RecordTarget & ~Copyable>(_ target: inout T) throws(Failure) {
        guard let step = clock.step(state.now) else { return }
        let text = "the wall clock was set \(step < 0 ? "back" : "forward") by \(PumpState.seconds(step)) s"
        try note(MonitorNote(.warning, text), &target)
    }

    /// Notes records that the kernel dropped since it was last asked: after what had been waiting was read,
    /// because they came after that.
    private mutating func noteDrops<T: RecordTarget & ~Copyable>(_ target: inout T) throws(Failure) {
        let lost = channel.readDrops()
        state.lossIsUnknown = channel.dropsAreUnknown
        state.leftOut = channel.leftOut
        let new = lost &- state.lost
        guard new > 0 else { return }
        state.lost = lost
        let text =
            "\(new) record\(new == 1 ? "" : "s") lost here (\(lost) in all): the receive buffer was full"
        try note(MonitorNote(.warning, text), &target)
    }

    private func note<T: RecordTarget & ~Copyable>(
        _ note: MonitorNote, _ target: inout T
    ) throws(Failure) {
        try target.take(note, at: state.now.noteTime, drops: state.lost)
    }

    /// Takes what was waiting when the end came. What could not be written in time is counted.
    private mutating func drain<T: RecordTarget & ~Copyable>(_ target: inout T) throws(Failure) {
        target.hasToEnd()
        let begun = state.now.monotonic
        let last = latest.wall(at: begun)
        var isEmpty = false
        while !isEmpty, ClockReading.now().monotonic &- begun < lastPatience {
            isEmpty = try Self.read(
                Self.batch, until: last, &channel, &state.received, limits, &target)
            try target.settle(state)
        }
        if !isEmpty { try countUnwritten(until: last, &target) }
        try noteDrops(&target)
        try target.settle(state)
    }

    /// Counts what is still waiting and came before the end, and notes it.
    private mutating func countUnwritten<T: RecordTarget & ~Copyable>(
        until last: Int64, _ target: inout T
    ) throws(Failure) {
        let begun = ClockReading.now().monotonic
        while ClockReading.now().monotonic &- begun < Self.countPatience {
            guard let time = try Self.nextTime(&channel), time <= last else { break }
            state.unwritten &+= 1
        }
        guard state.unwritten > 0 else { return }
        state.received &+= state.unwritten
        let records = state.unwritten.counting("record")
        try note(MonitorNote(.warning, "\(records) received, not written"), &target)
    }
}
