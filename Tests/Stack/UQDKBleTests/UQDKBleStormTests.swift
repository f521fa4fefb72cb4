import CoreBluetooth
import Runtime
import Testing
import UQDK

@testable import UQDKBle

/// Calls in any order, with power and air that come and go: whatever happens, each call ends once.
@Suite struct UQDKBleStormTests {
    /// Counts calls and ends, by a number for each call.
    final class Ledger: Sendable {
        let begun = Box<Int>()
        let ended = Box<Int>()

        func begin() -> @Sendable () -> Void {
            let number = begun.count
            begun.put(number)
            let ended = ended
            return { ended.put(number) }
        }
    }

    static func act(_ choice: Int, _ bench: Bench, _ ledger: Ledger) {
        let manager = bench.manager
        switch choice {
        case 0...3:
            let end = ledger.begin()
            manager.connectToVehicle { _ in end() }
        case 4:
            let end = ledger.begin()
            manager.disconnect { end() }
        case 5...6:
            let end = ledger.begin()
            manager.authenticate { _ in end() }
        case 7:
            let end = ledger.begin()
            manager.activate(pairingCode: Vectors.code) { _ in end() }
        case 8...11:
            let end = ledger.begin()
            manager.unlock { _ in end() }
        case 12:
            let end = ledger.begin()
            manager.sendRaw(fragments: [[0x41, 0x81, 1, 2, 3]], id: 0x41) { _ in end() }
        case 13: bench.phone.setPower(false)
        case 14...15: bench.phone.setPower(true)
        case 16: bench.world.separate(0x0200_0000_0010, 0x0255_5100_0001, true)
        case 17...18: bench.world.separate(0x0200_0000_0010, 0x0255_5100_0001, false)
        case 19: bench.car.answer = { _, _ in true }
        default: bench.car.answer = { _, _ in false }
        }
    }

    /// Sixty things in a row, and then a minute in which all is well.
    static func storm(_ seed: UInt64, _ ledger: Ledger) throws -> Bench {
        let bench = try Bench(seed: seed, nonces: [])
        var random = SplitMix(state: seed)
        for _ in 0..<60 {
            act(random.next(below: 22), bench, ledger)
            let pause = [0, 5, 40, 300, 2_000, 7_000][random.next(below: 6)]
            bench.world.run(for: .milliseconds(pause))
        }
        bench.car.answer = { _, _ in false }
        bench.world.separate(0x0200_0000_0010, 0x0255_5100_0001, false)
        bench.phone.setPower(true)
        bench.world.run(for: .seconds(60))
        return bench
    }

    @Test(arguments: UInt64(1)...12)
    func `each call ends once, no step is illegal, and in the end the car can be opened`(
        _ seed: UInt64
    ) throws {
        let ledger = Ledger()
        let bench = try Self.storm(seed, ledger)
        #expect(ledger.ended.all.sorted() == ledger.begun.all, "seed \(seed)")
        #expect(bench.manager.refusedTransitions.isEmpty)
        if bench.manager.status.kind != .ready { #expect(bench.connect() == .some(nil), "seed \(seed)") }
        #expect(bench.authenticate() == .some(nil), "seed \(seed)")
        #expect(try bench.result { $0.unlock($1) }?.get().isSecured == true)
        #expect(bench.manager.commandData.isEmpty && bench.manager.idQueue.isEmpty)
        bench.manager.disconnect()
        #expect(bench.world.run(for: .seconds(10)) { bench.manager.status == .disconnected })
    }

    @Test func `storms come by every status, by most of its ways out, and by many sessions`() throws {
        var steps: Set<[UQDKBleStatus.Kind]> = []
        var sessions = 0
        for seed in UInt64(100)..<112 {
            let bench = try Self.storm(seed, Ledger())
            let kinds = [.disconnected] + bench.statuses.all.map(\.kind)
            for (from, to) in zip(kinds, kinds.dropFirst()) { steps.insert([from, to]) }
            sessions += bench.events.all.count { if case .authenticated = $0 { true } else { false } }
        }
        #expect(Set(steps.map { $0[1] }) == Set(UQDKBleStatus.Kind.allCases))
        #expect(steps.count >= 14, "\(steps)")
        #expect(steps.allSatisfy { UQDKBleStatus.transitions[$0[0]]?.contains($0[1]) == true })
        #expect(sessions >= 12, "\(sessions)")
    }

    @Test func `a car that is heard and can't be reached is given up after ten seconds`() throws {
        let bench = try Bench()
        let done = Box<UQDKBleError?>()
        bench.manager.connectToVehicle { done.put($0) }
        bench.world.run(for: .seconds(10)) { bench.manager.status == .connecting }
        bench.world.separate(0x0200_0000_0010, 0x0255_5100_0001, true)
        let start = bench.world.time.now
        bench.world.run(for: .seconds(20)) { done.count > 0 }
        let passed = start.duration(to: bench.world.time.now)
        #expect(done.all == [.connectTimedOut] && passed >= .milliseconds(9_900) && passed < .seconds(11))
        #expect(bench.statuses.all.suffix(2) == [.disconnecting, .failed(.connectTimedOut)])
    }
}
