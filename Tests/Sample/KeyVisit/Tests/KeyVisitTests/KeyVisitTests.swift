import Foundation
import KeyVisit
import ReplayHarness
import Testing

@Suite struct KeyVisitTests {
    /// A visit on the recording.
    private func visit(
        _ messages: [[Data]], queue: DispatchQueue?, isSlow: Bool = false
    ) throws -> (KeyVisit, ReplayHarness) {
        var options = ReplayHarness.Options()
        // A callback is not on the wall clock because this machine is busy.
        options.patience = .seconds(600)
        if isSlow { options.replay.policy = .latest }
        let replay = try ReplayHarness(capture, options: options)
        let visit = replay.make { KeyVisit(messages, queue: queue) }
        return (visit, replay)
    }

    @Test func `the recorded visit on a serial queue is the same`() throws {
        let (visit, replay) = try visit(recorded, queue: DispatchQueue(label: "key visit"))
        let report = replay.run()
        #expect(report.verdict.word == "same", "\(report.text)")
        #expect(visit.outcome == .done(answers: recorded.count))
        #expect(replay.usedWallTime.isEmpty)
    }

    @Test func `the recorded visit on the main queue is the same`() throws {
        let (visit, replay) = try visit(recorded, queue: nil)
        let report = replay.run()
        #expect(report.verdict.word == "same", "\(report.text)")
        #expect(visit.outcome == .done(answers: recorded.count))
    }

    @Test func `another octet in a message is found at its packet`() throws {
        var changed = recorded
        changed[6][1][2] ^= 0x01
        let (visit, replay) = try visit(changed, queue: DispatchQueue(label: "key visit"))
        let report = replay.run()
        #expect(visit.outcome == nil)
        #expect(report.verdict.word == "diverged")
        #expect(report.text.contains("frame 257"), "\(report.text)")
    }

    @Test func `the visit's own timeout of 10 s passes in virtual time`() throws {
        // Each answer of the car comes 29 s after its request: no later than the protocol allows.
        let (visit, replay) = try visit(recorded, queue: nil, isSlow: true)
        replay.run { visit.outcome != nil }
        #expect(visit.outcome == .timedOut(message: 0))
        #expect(replay.clock.now.nanoseconds > 10_000_000_000)
        #expect(replay.usedWallTime.isEmpty)
    }

    @Test func `a hundred visits give one transcript`() throws {
        var transcripts: Set<[UInt8]> = []
        for _ in 0..<100 {
            let (visit, replay) = try visit(recorded, queue: DispatchQueue(label: "key visit"))
            replay.run()
            transcripts.insert(replay.transcript)
            withExtendedLifetime(visit) {}
        }
        #expect(transcripts.count == 1)
    }
}
