import BluetoothCore
import Testing

@testable import Analysis

/// What configurations switched on is worked out when they or the database change, not for each value.
@Suite struct SubscribedValuesTests {
    let peer = "00:11:22:33:44:55"

    @Test func `a value's configuration is found among those known and those that may be its own`() {
        var random = SeededOctets(seed: 51)
        for _ in 0..<300 {
            // Every third descriptor is of a value that is not known.
            let all = (0..<random.below(12)).map { _ in
                Subscription(
                    handle: UInt16(2 + random.below(60)), value: UInt16(random.below(4)), isOnHost: false)
            }
            let value = { (handle: UInt16) -> UInt16? in handle % 3 == 0 ? nil : handle - 1 }
            var asked = SubscribedValues()
            for entry in all { asked.add(entry, value: value(entry.handle)) }
            asked.sort()
            for handle in UInt16(0)..<64 {
                for bit in [UInt16(1), 2] {
                    let expected = all.contains {
                        $0.value & bit != 0
                            && (value($0.handle) == handle || value($0.handle) == nil && $0.handle > handle)
                    }
                    #expect(asked.enables(handle, by: bit) == expected)
                }
            }
        }
    }

    @Test func `values that nothing asked for cost one look at the configurations`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0])
        for handle in UInt16(0x100)..<0x200 { trace.notify(0x40, handle) }
        var once = Analyzer()
        let outcome = trace.run(&once)
        #expect(once.upkeep.enabledValues == 1)
        #expect(outcome.frames(with: .notSubscribed).count == 256)
        trace.write(0x40, 4, [0, 0])
        let off = trace.notify(0x40, 3)
        trace.write(0x40, 4, [1, 0])
        let on = trace.notify(0x40, 3)
        var again = Analyzer()
        let changed = trace.run(&again)
        #expect(again.upkeep.enabledValues == 3)
        #expect(changed[off].codes == [.notSubscribed])
        #expect(changed[on].codes.isEmpty)
    }

    @Test func `values of the host's own server cost one look as well`() {
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        trace.discover(0x40, .simple(), .rx)
        trace.att(0x40, .rx, ATTWriteRequest(handle: 4, value: [1, 0]))
        trace.att(0x40, .tx, ATTWriteResponse())
        let asked = trace.att(0x40, .tx, ATTHandleValueNotification(handle: 3, value: [1]))
        for handle in UInt16(0x100)..<0x180 {
            trace.att(0x40, .tx, ATTHandleValueNotification(handle: handle, value: [1]))
        }
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        #expect(analyzer.upkeep.enabledValues == 1)
        #expect(outcome[asked].codes.isEmpty)
        #expect(outcome.frames(with: .notSubscribed).count == 128)
    }

    @Test func `a value that answers come by is sought when something changed, not at each timeout`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, EnablingTests.car())
        trace.write(0x40, 6, [1, 0])
        let timeouts = 12
        for _ in 0..<timeouts {
            for hex in ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"]
            {
                trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: octets(hex)))
            }
            trace.wait(seconds: 40)
        }
        trace.event(HCIHardwareError { _ in }.packet)
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        #expect(outcome.codes.filter { $0 == .uqdk }.count >= timeouts)
        #expect(!outcome.codes.contains(.notEnabled))
        #expect(analyzer.upkeep.unsubscribedSearches == 1)
        // Another configuration: another look.
        trace.write(0x40, 14, [2, 0])
        trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: octets("0180")))
        trace.disconnect(0x40)
        var later = Analyzer()
        _ = trace.run(&later)
        #expect(later.upkeep.unsubscribedSearches == 2)
    }

    @Test func `a database of the host that is full says so once`() {
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        let all = (0..<UInt16(AttributeDatabase.limit + 50)).map {
            TestServer.Characteristic(declaration: 2 + 2 * $0, uuid: BluetoothUUID(0x2A00 + $0 % 200))
        }
        for start in stride(from: 0, to: all.count, by: 50) {
            let some = Array(all[start..<min(start + 50, all.count)])
            trace.att(0x40, .rx, trace.askCharacteristics(some[0].declaration, 0xFFFF))
            trace.att(0x40, .tx, trace.characteristics(some))
        }
        let problems = trace.run().seen.flatMap(\.problems).filter { $0.code == .tableFull }
        #expect(problems.map(\.name) == ["attributes of the host"])
    }
}
