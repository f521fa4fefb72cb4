import PayloadFormat
import Runtime
import Testing
import UQDK

@testable import UQDKBle

@Suite struct UQDKBleSessionTests {
    @Test func `connect, activate, authenticate and unlock write the published vectors octet for octet`()
        throws
    {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        #expect(
            bench.statuses.all == [.scanning, .connecting, .discovering, .subscribing, .ready])
        #expect(bench.manager.vehicleInfo.map(\.name) == ["version", "maxMessageSize", "vehicleId"])
        let activated = try #require(bench.result { $0.activate(pairingCode: Vectors.code, $1) })
        #expect(try activated.get().fields.first?.value == .unsigned(2))
        #expect(!bench.manager.isAuthenticated)
        #expect(bench.authenticate() == .some(nil))
        #expect(bench.manager.isAuthenticated && bench.data.authCounter == 7)
        #expect(bench.events.all == [.authenticated(lifetime: 300)])
        let unlocked = try #require(bench.result { $0.unlock($1) })
        let response = try unlocked.get()
        #expect(response.isSecured && response.counter == 1 && response.id == 3)
        bench.car.send(.event, 0x0401, bench.car.state, id: 0x80, isSecured: true)
        #expect(bench.world.run(for: .seconds(5)) { !bench.vehicleEvents.isEmpty })
        let event = try #require(bench.vehicleEvents.first)
        #expect(event.name == "STATUS_EVENT" && event.counter == 2 && event.isSecured)
        let state = try #require(UQDKVehicleState(event.fields))
        #expect(state.open == ["frontLeft"] && state.locked == [] && state.battery == 60)
        #expect(state.range == 412 && state.isEngineOn == false)
        #expect(bench.car.written == Vectors.phone)
        #expect(bench.car.notified == Vectors.car)
        #expect(bench.manager.refusedTransitions.isEmpty)
    }

    @Test func `100 runs are one transcript`() throws {
        func transcript() throws -> [String] {
            let bench = try Bench()
            let open = bench.open()
            let unlocked = bench.result { $0.unlock($1) }
            return bench.car.written + bench.car.notified + bench.statuses.all.map { "\($0)" }
                + ["\(open) \(unlocked.map { "\($0)" } ?? "-") \(bench.world.time.now.nanoseconds)"]
        }
        let first = try transcript()
        #expect(first.contains { $0.hasPrefix("0281") })
        for _ in 1..<100 {
            let again = try transcript()
            guard again == first else {
                Issue.record("a run differs: \(again)")
                return
            }
        }
    }
}
