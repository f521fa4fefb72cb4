import Foundation
import KeyVisit
import ReplayHarness
import Testing

/// What the phone of `captures/uqdk-unlock.btsnoop` sent: the fragments of each message.
private let recorded: [[Data]] = [
    [octets("00805551010103010000008a89")],
    [octets("01005551010100010000101122334455667788eb"), octets("01818b475ce25f67ee67fd")],
    [octets("0200555101010001000010112233445566778806"), octets("02814b7ed42959d4e844a5")],
    [octets("030055510101010100001811223344556677889f"), octets("0381a51df0a50e233d35c96e41221205f2bcd6")],
    [octets("040055510101010200000c0000000797de2c10ef"), octets("0481edd1b15fa9")],
    [octets("050055510101030101000c00000001bd58a194ad"), octets("058127b7682a33")],
    [octets("060055510101020201000d000000020a03d350db"), octets("06810c746662ef4c")],
    [octets("070055510101020301000c00000003369853b29c"), octets("07819fc4a9a74d")],
    [octets("080055510101020501000d00000004fa4bc39e33"), octets("08818dc5a73abe2c")],
    [octets("40805551010103010000008a76")],
    [octets("090055510101020101000d00000005c7a3196952"), octets("09819450044973a3")],
]

private func octets(_ hex: String) -> Data {
    let digits = Array(hex)
    return Data(
        stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
}

@Suite struct KeyVisitTests {
    private let capture = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../../../captures/uqdk-unlock.btsnoop").standardizedFileURL.path

    /// A visit on the recording, with the harness's time.
    private func visit(
        _ messages: [[Data]], queue: DispatchQueue?, isSlow: Bool = false
    ) throws -> (KeyVisit, ReplayHarness) {
        var options = ReplayHarness.Options()
        // A callback is not on the wall clock because this machine is busy.
        options.patience = .seconds(60)
        if isSlow { options.replay.policy = .latest }
        let replay = try ReplayHarness(capture, options: options)
        let visit = replay.make {
            KeyVisit(messages, queue: queue) { seconds, block in
                replay.asyncAfter(.seconds(seconds), on: queue, block)
            }
        }
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
