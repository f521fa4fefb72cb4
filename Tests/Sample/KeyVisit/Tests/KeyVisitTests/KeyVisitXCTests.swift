import Foundation
import KeyVisit
import ReplayHarness
import XCTest

/// The same with XCTest.
final class KeyVisitXCTests: XCTestCase {
    func testLastNightsVisitIsTheSame() throws {
        let replay = try ReplayHarness(capture)
        let visit = replay.make { KeyVisit(recorded, queue: DispatchQueue(label: "key visit")) }
        replay.run()
        XCTAssertNil(replay.failure())
        XCTAssertEqual(visit.outcome, .done(answers: recorded.count))
    }

    func testAnotherByteIsFoundAtItsFrame() throws {
        var changed = recorded
        changed[6][1][2] ^= 0x01
        let replay = try ReplayHarness(capture)
        let visit = replay.make { KeyVisit(changed, queue: DispatchQueue(label: "key visit")) }
        replay.run()
        withExtendedLifetime(visit) {}
        XCTAssertEqual(replay.failure()?.hasPrefix("frame 257: DIVERGED"), true)
    }

    /// On the main thread, whose queue and actor run on while it replays.
    func testTheMainQueueAndTheMainActorRun() throws {
        let replay = try ReplayHarness(capture)
        let visit = replay.make { KeyVisit(recorded, queue: nil) }
        try replay.run { @MainActor in
            while visit.outcome == nil { try await Task.sleep(for: .seconds(1)) }
        }
        XCTAssertNil(replay.failure())
        XCTAssertEqual(visit.outcome, .done(answers: recorded.count))
        XCTAssertEqual(replay.usedWallTime, [])
    }
}
