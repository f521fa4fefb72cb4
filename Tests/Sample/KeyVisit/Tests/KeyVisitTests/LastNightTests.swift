import KeyVisit
import ReplayHarness
import ReplayTesting
import Testing

@Test func `last night's visit is the same`() throws {
    let replay = try ReplayHarness(capture)
    let visit = replay.make { KeyVisit(recorded, queue: nil) }
    replay.run()
    replay.expectSame()
    #expect(visit.outcome == .done(answers: recorded.count))
}
