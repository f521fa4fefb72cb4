import CaptureFile
import CommandLineKit
import Foundation
import MonitorCapture
import TestSupport
import Testing

@testable import blecap

/// What a pump does with what the channel gives, and how it ends.
@Suite(.serialized) struct ChannelPumpTests {
    /// Runs a pump, and gives the signals back to the process as they were before.
    private static func pump<T: RecordTarget & ~Copyable>(
        _ script: [ScriptedChannel.Step], _ limits: RecordLimits, _ target: inout T,
        lastPatience: Int64 = 5_000_000_000, signals: consuming StopSignals
    ) throws -> (RecordEnding, PumpState) {
        var pump = ChannelPump(
            try ScriptedChannel(script), signals, limits, lastPatience: lastPatience)
        defer { for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) } }
        let ending = try pump.run(&target)
        return (ending, pump.state)
    }

    private static func records(_ count: Int, octets: Int = 300, in seconds: Int64 = 0)
        -> [ScriptedChannel.Step]
    {
        [ScriptedChannel.Step](repeating: .record(octets: octets, in: seconds - 1), count: count)
    }

    @Test func `What there was no time to write is counted up to the end, and noted`() throws {
        var limits = RecordLimits()
        limits.nanoseconds = 0
        var target = CountingTarget()
        // One batch of 512 is taken before the end is looked at; the last three came after it.
        let script = Self.records(600) + Self.records(3, in: 3600)
        let (ending, state) = try Self.pump(
            script, limits, &target, lastPatience: 0, signals: StopSignals(CommandEnvironment()))
        #expect(ending == .duration)
        let (taken, notes) = (target.taken, target.notes)
        #expect(taken == 512)
        #expect(state.unwritten == 88)
        #expect(state.received == 600)
        #expect(notes == ["88 records received, not written"])
    }

    @Test func `What was waiting at the end is taken, and nothing that came after it`() throws {
        var limits = RecordLimits()
        limits.nanoseconds = 0
        var target = CountingTarget()
        let (_, state) = try Self.pump(
            Self.records(1300) + Self.records(3, in: 3600), limits, &target, lastPatience: 600_000_000_000,
            signals: StopSignals(CommandEnvironment()))
        // The first one after the end had to be read to be known.
        let (taken, notes) = (target.taken, target.notes)
        #expect(taken == 1301)
        #expect(state.unwritten == 0)
        #expect(notes.isEmpty)
    }

    @Test func `Records that were read before the channel failed are handed over`() throws {
        var target = CountingTarget()
        let failure = #expect(throws: Failure.self) {
            _ = try Self.pump(
                Self.records(10) + [.failure], RecordLimits(), &target,
                signals: StopSignals(CommandEnvironment()))
        }
        #expect(failure?.status == .environment)
        #expect(failure?.line.contains("the channel has failed") == true)
        let (taken, settled) = (target.taken, target.settled)
        #expect(taken == 10)
        #expect(settled == 10)
    }

    @Test func `Each part of a pcapng recording says how many records it received`() throws {
        let folder = try TemporaryFolder()
        var options = RecordOptions()
        options.format = .pcapngMonitor
        options.rotation.octets = 8192
        options.limits.packets = 200
        let start = ClockReading.now()
        let signals = try StopSignals(CommandEnvironment())
        let file = try RecordingFile(folder.path("x.pcapng"), options, now: start)
        var target = FileTarget(file, options, nil, nil, start: start)
        // All of them come in one batch, in the middle of which the files are begun.
        let (ending, state) = try Self.pump(
            Self.records(300), options.limits, &target, signals: signals)
        #expect(ending == .packets)
        try target.finish(state, CaptureInfo(name: "x", format: .pcapng, datalink: 254))
        let loss = target.file.loss.sentences.map(\.what)
        #expect(loss.isEmpty)
        var sum = 0
        for name in folder.names {
            let octets = Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
            var (place, packets, said) = (0, 0, -1)
            while place + 8 <= octets.count {
                let length = Int(octets[place + 4]) | Int(octets[place + 5]) << 8
                if octets[place] == 6 { packets += 1 }
                // Interface Statistics Block: after 20 octets the times of start and end in 12 each, then
                // option 4 (isb_ifrecv).
                if octets[place] == 5, octets[place + 44] == 4 { said = Int(octets[place + 48]) }
                place += max(12, length)
            }
            #expect(said == packets, "\(name)")
            sum += packets
        }
        #expect(folder.names.count > 5)
        #expect(sum == 200)
    }

    static let limits: [RecordLimits] = [
        RecordLimits(octets: 150_000, nanoseconds: nil, packets: nil),
        RecordLimits(octets: nil, nanoseconds: nil, packets: 3),
    ]

    @Test(.realTime, arguments: limits)
    func `A limit that is reached ends a recording whose reader takes nothing`(limits: RecordLimits) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? reader.close() }
        var options = RecordOptions()
        options.replaces = true
        let start = ClockReading.now()
        let signals = try StopSignals(CommandEnvironment())
        let stop = signals.descriptor
        let file = try RecordingFile(path, options, now: start, stop: stop)
        var target = FileTarget(file, options, nil, nil, start: start)
        // Where it does not end by itself, its reader awakes, and it ends without a failure.
        let watch = DispatchWorkItem { while !reader.availableData.isEmpty {} }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
        var failure: Failure?
        do {
            _ = try Self.pump(Self.records(3, octets: 60_000), limits, &target, signals: signals)
        } catch {
            failure = error as? Failure
        }
        watch.cancel()
        #expect(failure?.status == .environment)
        #expect(failure?.line.contains("can't write") == true)
    }
}
