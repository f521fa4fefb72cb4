import CoreBluetooth
import Foundation
import OSLog
import ReplayHarness
import Runtime
import Testing
import os

/// What a program for iOS writes to its log stands between the packets.
@Suite struct ProgramLogTests {
    @Test func `the lines of a program's log stand in the transcript`() throws {
        let harness = try ReplayHarness(ReplayHarnessTests.unlock)
        harness.make {
            let log = Logger(subsystem: "key", category: "link")
            let name = "secret"
            log.error(
                "\(3) of \(2.5, format: .fixed(precision: 1)) \(name) \(name, privacy: .public) \(true)")
            log.debug("\(255, format: .hex(includePrefix: true)) \(CBUUID(string: "180F"), privacy: .public)")
            os_log("%d %{public}@ %@ %.1f%%", log: .default, type: .info, 7, "shown", "hidden", 1.5)
            os_log("never", log: .disabled)
        }
        let text = String(decoding: harness.transcript, as: UTF8.self)
        #expect(text.contains("log [key:link] error: 3 of 2.5 <private> secret true"), "\(text)")
        #expect(text.contains("log [key:link] debug: 0xff 180F"), "\(text)")
        #expect(text.contains("log info: 7 shown <private> 1.5%"), "\(text)")
        #expect(!text.contains("never"))
    }

    @Test func `objects and times are as Apple's code writes them`() throws {
        let harness = try ReplayHarness(ReplayHarnessTests.unlock)
        let uuid = CBUUID(string: "180F")
        #expect(String(format: "%@ %d", uuid, 4) == "\(uuid) 4")
        let begun = harness.make { CFAbsoluteTimeGetCurrent() }
        harness.run { harness.clock.now.nanoseconds > 1_000_000_000 }
        let passed: CFTimeInterval = harness.make { CFAbsoluteTimeGetCurrent() } - begun
        #expect(abs(passed - Double(harness.clock.now.nanoseconds) / 1e9) < 0.001)
    }
}
