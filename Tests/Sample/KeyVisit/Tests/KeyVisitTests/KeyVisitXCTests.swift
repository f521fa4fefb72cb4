import Foundation
import KeyVisit
import ReplayHarness
import XCTest

/// The same with XCTest.
final class KeyVisitXCTests: XCTestCase {
    func testLastNightsVisitIsTheSame() throws {
        let replay = try ReplayHarness(capture)
        let queue = DispatchQueue(label: "key visit")
        let visit = replay.make {
            KeyVisit(recorded, queue: queue) { replay.asyncAfter(.seconds($0), on: queue, $1) }
        }
        replay.run()
        XCTAssertNil(replay.failure())
        XCTAssertEqual(visit.outcome, .done(answers: recorded.count))
    }

    func testAnotherByteIsFoundAtItsFrame() throws {
        var changed = recorded
        changed[6][1][2] ^= 0x01
        let replay = try ReplayHarness(capture)
        let queue = DispatchQueue(label: "key visit")
        let visit = replay.make {
            KeyVisit(changed, queue: queue) { replay.asyncAfter(.seconds($0), on: queue, $1) }
        }
        replay.run()
        withExtendedLifetime(visit) {}
        XCTAssertEqual(replay.failure()?.hasPrefix("frame 257: DIVERGED"), true)
    }
}
