import CaptureFile
import CommandLineKit
import MonitorCapture
import WireBytes

/// A consumer of the channel's records.
protocol RecordTarget: ~Copyable {
    /// Bytes written so far.
    var octets: Int { get }
    /// The output's descriptor if its reader may close it, and whether the output is waiting to become
    /// writable.
    var watched: (descriptor: Int32, wantsRoom: Bool)? { get }
    /// Writes the next record.
    mutating func take(_ record: borrowing Record) throws(Failure)
    /// Writes a note about the recording itself.
    mutating func take(_ note: MonitorNote, at time: CaptureTime, drops: Int) throws(Failure)
    /// Flushes, because the channel is empty or a batch was read.
    mutating func settle(_ state: PumpState) throws(Failure)
    /// Declares the end of the recording: don't wait any longer for a blocked reader.
    mutating func hasToEnd()
    /// The failure for an output whose reader closed it.
    func readerGone() -> Failure
}

/// The progress of a recording.
struct PumpState {
    var received = 0
    /// Records that the kernel dropped.
    var lost = 0
    /// Records received but not written for lack of time.
    var unwritten = 0
    /// Records of impossible length, left out.
    var leftOut = 0
    /// Whether the number of dropped records is unknown.
    var lossIsUnknown = false
    /// Clocks at the start.
    var start: ClockReading
    /// Current clocks.
    var now: ClockReading

    /// Nanoseconds since the start.
    var elapsed: Int64 { now.monotonic &- start.monotonic }

    /// Seconds with three decimals.
    static func seconds(_ nanoseconds: Int64) -> String {
        let milliseconds = Int64(nanoseconds.magnitude / 1_000_000)
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

extension ClockReading {
    /// The time of a note, in microseconds like the channel's records, which every format can hold.
    var noteTime: CaptureTime { CaptureTime(microseconds: wall / 1000) }
}

/// The reason why a recording ended.
enum RecordEnding: Equatable {
    case signal(String)
    case packets, octets, duration

    /// The reason in a word, for the summary.
    var text: String {
        switch self {
        case .signal(let name): name
        case .packets: "--packets"
        case .octets: "--size"
        case .duration: "--duration"
        }
    }
}

/// Moves records from the channel to a target until the recording ends.
struct ChannelPump<Channel: RecordChannel & ~Copyable>: ~Copyable {
    private var channel: Channel
    private let signals: StopSignals
    private let limits: RecordLimits
    private var clock = ClockWatch()
    private var latest = LatestWall()
    private(set) var state: PumpState

    /// Records read before the target is flushed and signals are checked.
    private static var batch: Int { 512 }
    /// Milliseconds after which the loop runs even if nothing arrives.
    private static var tick: Int64 { 1000 }
    /// Time for reading and writing the records that were waiting at the end, in nanoseconds.
    private let lastPatience: Int64
    /// Time for counting the records that could not be written in that time, in nanoseconds.
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

    /// Runs until a limit is reached or a signal arrives.
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
            // From here on, don't wait for a blocked reader.
            if reached(target.octets) != nil { target.hasToEnd() }
            try noteDrops(&target)
            try target.settle(state)
            if let ending = reached(target.octets) {
                if ending == .duration { try drain(&target) }
                return ending
            }
        }
    }

    /// Reads the waiting records; on a failure, flushes those read before.
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

    /// Reads at most `most` records, up to the first one after `latest` in time; returns whether none is left
    /// to read.
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

    /// Reads and discards the next record; returns its time in nanoseconds, nil if none is waiting.
    private static func nextTime(_ channel: inout Channel) throws(Failure) -> Int64? {
        try next(&channel)?.header.time.nanoseconds
    }

    /// Adds a note if the wall clock was set.
    private mutating func noteStep<T: RecordTarget & ~Copyable>(_ target: inout T) throws(Failure) {
        guard let step = clock.step(state.now) else { return }
        let text = "the wall clock was set \(step < 0 ? "back" : "forward") by \(PumpState.seconds(step)) s"
        try note(MonitorNote(.warning, text), &target)
    }

    /// Adds a note about records that the kernel has dropped since the last check, after the waiting records
    /// were read, because they were dropped after those arrived.
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

    /// Reads the records that were waiting at the end, and counts those that could not be written in time.
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

    /// Counts the waiting records that arrived before the end, and adds a note.
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
