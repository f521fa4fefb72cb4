import BluetoothCore
import Testing

@testable import Analysis

/// What costs more than one record's share is worked out when something changed, never with each record.
@Suite struct UpkeepTests {
    let peer = "00:11:22:33:44:55"
    let other = "00:11:22:33:44:66"

    // MARK: Deadlines

    private func atTheEndOfTime() -> Trace {
        var trace = Trace()
        trace.now = .max - 1_000_000_000
        trace.connect(0x40, peer)
        return trace
    }

    /// Whether nothing will ever be due: neither of the link nor of its file.
    private func isNothingDue(_ trace: Trace) -> Bool {
        var analyzer = Analyzer()
        _ = trace.run(&analyzer)
        return analyzer.links.allSatisfy { $0.deadline == .max }
            && analyzer.progress(ofFile: 0)?.deadline == .max
    }

    @Test func `a request at the end of time is never due`() {
        var trace = atTheEndOfTime()
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        #expect(isNothingDue(trace))
        trace.event(HCIHardwareError { _ in }.packet)
        #expect(isNothingDue(trace))
        #expect(!trace.run().codes.contains(.attTimeout))
    }

    @Test func `a pairing at the end of time is never due`() {
        var trace = atTheEndOfTime()
        trace.smp(0x40, .tx, .pairingRequest)
        #expect(isNothingDue(trace))
    }

    @Test func `a request of the key protocol at the end of time is never due`() {
        var trace = atTheEndOfTime()
        trace.discover(0x40, EnablingTests.car())
        for hex in ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"] {
            trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: octets(hex)))
        }
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        #expect(outcome.seen.last?.keyMessages == 1)
        #expect(analyzer.annotators.links[0].deadline == .max)
        #expect(isNothingDue(trace))
    }

    @Test func `a request is not due where the clock was set by all of time`() {
        var trace = Trace()
        trace.now = .min
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.now = .max - 10_000_000_000
        let end = trace.event(HCIHardwareError { _ in }.packet)
        let outcome = trace.run()
        #expect(outcome[end].codes == [.clockJump, .hardwareError])
        #expect(isNothingDue(trace))
    }

    // MARK: Losses

    @Test func `losses take from a link once, until something comes on it again`() {
        var trace = Trace()
        let handles: [UInt16] = Array(0x40..<0x50)
        for handle in handles { trace.connect(handle, "00:11:22:33:44:\(String(handle, radix: 16))") }
        for _ in 0..<100 {
            trace.drops += 1
            trace.event(HCIHardwareError { _ in }.packet)
        }
        var analyzer = Analyzer()
        _ = trace.run(&analyzer)
        #expect(analyzer.upkeep.losses == handles.count)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.drops += 1
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        trace.drops += 1
        trace.event(HCIHardwareError { _ in }.packet)
        var again = Analyzer()
        let outcome = trace.run(&again)
        // Once for the request, once for the response.
        #expect(again.upkeep.losses == handles.count + 2)
        #expect(outcome[request].codes.isEmpty)
        #expect(outcome[response].frame.request == nil)
    }

    // MARK: Databases

    /// A Read By Type exchange that shows the database's hash.
    private func showHash(_ trace: inout Trace, _ handle: UInt16, _ octet: UInt8 = 7) {
        trace.att(
            handle, .tx,
            ATTReadByTypeRequest(
                startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(0x2B2A as UInt16)))
        let value = little(0x60) + [UInt8](repeating: octet, count: 16)
        trace.att(handle, .rx, ATTReadByTypeResponse(length: 18, attributes: value))
    }

    /// How often the database of the peer that has changed last did.
    private func changes(_ trace: Trace) -> Int {
        var analyzer = Analyzer()
        _ = trace.run(&analyzer)
        return (0..<analyzer.peers.peers.count).map { analyzer.peers.generation(of: $0) }.max() ?? 0
    }

    @Test func `what a hash led to is taken over once, and again where there is more`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        showHash(&trace, 0x40)
        trace.connect(0x41, other)
        showHash(&trace, 0x41)
        let before = changes(trace)
        for _ in 0..<10 { showHash(&trace, 0x41) }
        #expect(changes(trace) == before)
        let use = trace.notify(0x41, 3)
        trace.discover(0x40, .simple(service: 0xAA00, notifying: 0xAA01, written: 0xAA02, from: 0x10))
        let early = trace.notify(0x41, 0x12)
        showHash(&trace, 0x41)
        let late = trace.notify(0x41, 0x12)
        let outcome = trace.run()
        #expect(outcome[use].labelText == "FFF0/FFF1 value database-hash")
        #expect(outcome[early].labelText == "none")
        #expect(outcome[late].labelText == "AA00/AA01 value database-hash")
    }

    @Test func `a descriptor belongs to nothing where characteristics had no room`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discoverServices(
            0x40, TestServer(services: [.init(start: 1, end: 0xFFFE, uuid: BluetoothUUID(0x1812 as UInt16))]))
        let all = (0..<UInt16(1100)).map {
            TestServer.Characteristic(declaration: 2 + 2 * $0, uuid: BluetoothUUID(0x2A00 + $0 % 200))
        }
        for start in stride(from: 0, to: all.count, by: 50) {
            trace.att(0x40, .tx, trace.askCharacteristics(all[start].declaration, 0xFFFF))
            trace.att(0x40, .rx, trace.characteristics(Array(all[start..<(start + 50)])))
        }
        let kept = trace.read(0x40, all[AttributeDatabase.limit - 1].value, [1])
        let past = [0, 1, 50].map { trace.read(0x40, all[AttributeDatabase.limit + $0].value, [1]) }
        trace.att(0x40, .tx, trace.askCharacteristics(2300, 0xFFFF))
        trace.att(0x40, .rx, trace.notFound(.readByTypeRequest, 2300))
        let end = trace.read(0x40, all[AttributeDatabase.limit + 2].value, [1])
        let outcome = trace.run()
        #expect(outcome[kept].labelText == "1812/2A17 value discovered")
        for frame in past + [end] { #expect(outcome[frame].labelText == "none") }
        #expect(outcome.frames(with: .tableFull).count == 1)
    }
}
