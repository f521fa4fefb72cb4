import BluetoothCore
import PayloadFormat
import Testing
import UQDK
import WireBytes

@testable import Analysis

/// Prepared writes of several attributes, executed together.
@Suite struct PreparedWritesTests {
    let peer = "00:11:22:33:44:55"

    func connected() -> Trace {
        var trace = Trace()
        trace.connect(0x40, peer)
        return trace
    }

    func prepare(_ trace: inout Trace, _ handle: UInt16, _ offset: UInt16, _ value: [UInt8]) {
        trace.att(0x40, .tx, ATTPrepareWriteRequest(handle: handle, offset: offset, value: value))
        trace.att(0x40, .rx, ATTPrepareWriteResponse(handle: handle, offset: offset, value: value))
    }

    func execute(_ trace: inout Trace, flags: UInt8 = 1) -> Int {
        let frame = trace.att(0x40, .tx, ATTExecuteWriteRequest(flags: flags))
        trace.att(0x40, .rx, ATTExecuteWriteResponse())
        return frame
    }

    /// Handle and octets of each value that a frame makes whole.
    func values(_ seen: Seen) -> [String] {
        seen.allJoined.map { "\($0.handle): \(Hex.text($0.octets))" }
    }

    @Test func `each attribute's value is put together by itself, in the order of its first part`() {
        var trace = connected()
        prepare(&trace, 7, 0, [1, 2])
        prepare(&trace, 5, 0, [0xA, 0xB])
        prepare(&trace, 7, 2, [3])
        prepare(&trace, 9, 2, [0xE])
        prepare(&trace, 5, 2, [0xC])
        prepare(&trace, 9, 0, [0xD, 0xD])
        let frame = execute(&trace)
        let outcome = trace.run()
        #expect(values(outcome[frame]) == ["7: 010203", "5: 0a0b0c", "9: 0d0d0e"])
        #expect(outcome.seen.filter { !$0.allJoined.isEmpty }.map(\.frame.number) == [frame])
        #expect(outcome.codes.isEmpty)
    }

    @Test func `every value goes to the protocols above ATT`() {
        let gatt = Dialect.reference1.gatt
        var trace = connected()
        trace.discover(
            0x40,
            TestServer(services: [
                .init(
                    start: 1, end: 9, uuid: gatt.service,
                    characteristics: [
                        .init(declaration: 2, properties: 0x08, uuid: gatt.command),
                        .init(declaration: 5, properties: 0x08, uuid: gatt.command),
                    ])
            ]))
        prepare(&trace, 3, 0, [0xAA, 0xBB])
        prepare(&trace, 6, 0, [0xCC])
        prepare(&trace, 3, 2, [0xDD])
        let frame = execute(&trace)
        let seen = trace.run()[frame]
        #expect(seen.keyMessages == 2)
        #expect(values(seen) == ["3: aabbdd", "6: cc"])
    }

    @Test func `what is cancelled is dropped, and what comes after is not mixed with it`() {
        var trace = connected()
        prepare(&trace, 7, 0, [1, 2])
        let cancelled = execute(&trace, flags: 0)
        prepare(&trace, 7, 0, [9])
        let executed = execute(&trace)
        let outcome = trace.run()
        #expect(outcome[cancelled].allJoined.isEmpty)
        #expect(values(outcome[executed]) == ["7: 09"])
    }

    @Test func `a value with a hole is left out, the others are not`() {
        var trace = connected()
        prepare(&trace, 7, 0, [1, 2])
        prepare(&trace, 7, 3, [4])
        prepare(&trace, 5, 0, [5])
        prepare(&trace, 6, 1, [6])
        prepare(&trace, 8, 65_535, [8])
        let frame = execute(&trace)
        #expect(values(trace.run()[frame]) == ["5: 05"])
    }

    @Test func `a part that the server refused is not in the value`() {
        var trace = connected()
        prepare(&trace, 7, 0, [1, 2])
        trace.att(0x40, .tx, ATTPrepareWriteRequest(handle: 5, offset: 0, value: [5]))
        trace.att(
            0x40, .rx,
            ATTErrorResponse(request: .prepareWriteRequest, handle: 5, error: .writeNotPermitted))
        prepare(&trace, 7, 2, [3])
        let frame = execute(&trace)
        #expect(values(trace.run()[frame]) == ["7: 010203"])
    }

    @Test func `two values of one attribute are two, and a later part goes over an earlier one`() {
        var trace = connected()
        prepare(&trace, 7, 0, [1, 2])
        prepare(&trace, 7, 0, [3, 4])
        prepare(&trace, 7, 1, [5, 6])
        let frame = execute(&trace)
        #expect(values(trace.run()[frame]) == ["7: 0102", "7: 030506"])
    }

    @Test func `the queues of the two ends are two`() {
        var trace = connected()
        prepare(&trace, 7, 0, [1, 2])
        trace.att(0x40, .rx, ATTPrepareWriteRequest(handle: 7, offset: 0, value: [9]))
        trace.att(0x40, .tx, ATTPrepareWriteResponse(handle: 7, offset: 0, value: [9]))
        prepare(&trace, 7, 2, [3])
        let ours = execute(&trace)
        let theirs = trace.att(0x40, .rx, ATTExecuteWriteRequest(flags: 1))
        let outcome = trace.run()
        #expect(values(outcome[ours]) == ["7: 010203"])
        #expect(values(outcome[theirs]) == ["7: 09"])
    }

    @Test func `a queue without end keeps within its bounds, tells it once, and writes nothing wrong`() {
        var trace = connected()
        var executed: [Int] = []
        for round in 0..<2 {
            for part in 0..<UInt16(400) {
                prepare(&trace, 7 + part % 3, part / 3 * 18, [UInt8](repeating: UInt8(round), count: 18))
            }
            executed.append(execute(&trace))
        }
        prepare(&trace, 5, 0, [5])
        let last = execute(&trace)
        let outcome = trace.run()
        #expect(executed.allSatisfy { outcome[$0].allJoined.isEmpty })
        #expect(values(outcome[last]) == ["5: 05"])
        #expect(outcome.codes == [.tableFull])
    }

    @Test func `parts and octets of a queue are bounded`() {
        var queue = PreparedWrites()
        let value = [UInt8](repeating: 1, count: 500)
        var refused = 0
        for part in 0..<1000 {
            let hasRoom = queue.add(
                value.borrowedOctets, to: 1, offset: 0, frame: FramePlace(file: 0, frame: part), isCut: false)
            if !hasRoom { refused += 1 }
        }
        #expect(refused == 1)
        #expect(queue.counts.octets <= PreparedWrites.octetLimit)
        #expect(queue.values.isEmpty)
        var short = PreparedWrites()
        let none: [UInt8] = []
        for part in 0..<1000 {
            _ = short.add(
                none.borrowedOctets, to: 1, offset: 0, frame: FramePlace(file: 0, frame: part), isCut: true)
        }
        #expect(short.counts.parts <= PreparedWrites.partLimit)
    }

    @Test func `parts that are refused give their room back`() {
        var queue = PreparedWrites()
        let value = [UInt8](repeating: 7, count: 500)
        for frame in 1...40 {
            let hasRoom = queue.add(
                value.borrowedOctets, to: 5, offset: 0, frame: FramePlace(file: 0, frame: frame), isCut: false
            )
            #expect(hasRoom)
            if frame > 1 { queue.remove(frame: FramePlace(file: 0, frame: frame)) }
        }
        #expect(queue.counts.octets == 500 && queue.counts.parts == 1)
        #expect(queue.values.map(\.octets) == [value])
    }
}
