import CoreBluetooth
import Runtime
import Testing
import UQDK

@testable import UQDKBle

@Suite struct UQDKBleAuthenticationTests {
    static func written(_ bench: Bench, _ command: String) -> Int {
        bench.car.written.count { $0.dropFirst(4).hasPrefix("555101" + command) }
    }

    @Test func `an unanswered authentication is tried three times, five seconds each, with new nonces`()
        throws
    {
        let bench = try Bench(nonces: [])
        #expect(bench.connect() == .some(nil))
        let bodies = Box<[UInt8]>()
        bench.car.answer = { _, incoming in
            bodies.put(incoming.body)
            return true
        }
        let start = bench.world.time.now
        #expect(bench.authenticate() == .some(.authenticationTimedOut))
        let passed = start.duration(to: bench.world.time.now)
        #expect(passed >= .seconds(15) && passed < .milliseconds(15_100))
        #expect(bodies.count == 3 && Set(bodies.all).count == 3)
        #expect(bench.data.authCounter == 6, "no counter is used up where none was sent")
        #expect(bench.manager.commandData.isEmpty && bench.manager.status == .ready)
        bench.car.answer = { _, _ in false }
        #expect(bench.authenticate() == .some(nil))
    }

    @Test func `a finish that is lost costs a counter, and the next try has the next one`() throws {
        let bench = try Bench(nonces: [])
        #expect(bench.connect() == .some(nil))
        var lost = 0
        bench.car.answer = { car, incoming in
            guard incoming.message.command == 0x0102, lost < 2 else { return false }
            lost += 1
            return true
        }
        #expect(bench.authenticate() == .some(nil))
        #expect(bench.data.authCounter == 9)
        #expect(bench.statuses.all.suffix(2) == [.authenticating, .ready])
    }

    @Test func `a vehicle that does not know the key gets no proof of the phone`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        for proof in [[UInt8](repeating: 0, count: 8), [0xB7, 0x3A, 0x9A, 0xEB, 0xED, 0x7C, 0x0D, 0xBD]] {
            bench.car.answer = { car, incoming in
                guard incoming.message.command == 0x0101 else { return false }
                car.respond(to: incoming, body: Vectors.vehicleNonce + proof)
                return true
            }
            #expect(bench.authenticate() == .some(.vehicleNotAuthentic))
        }
        #expect(Self.written(bench, "010102") == 0 && bench.data.authCounter == 6)
        bench.car.answer = { car, incoming in
            car.respond(to: incoming, body: [1, 2, 3])
            return true
        }
        #expect(bench.authenticate() == .some(.badResponse))
    }

    @Test func `a counter that can't be kept is never sent`() throws {
        let bench = try Bench()
        let data = UQDKDataManager(keyID: Vectors.keyID, key: Vectors.key, authCounter: 6) { _ in false }
        let manager = try UQDKBleManager.createBLE(
            mac: Bench.mac, data: data,
            context: ManagerContext(adapter: bench.phone, queue: bench.world.delivery.inline))
        let done = Box<UQDKBleError?>()
        manager.connectToVehicle { _ in manager.authenticate { done.put($0) } }
        bench.world.run(for: .seconds(20)) { done.count > 0 }
        #expect(done.all == [.counterNotStored] && Self.written(bench, "010102") == 0)
    }

    @Test func `counters are kept before they are used, and only grow`() throws {
        let kept = Box<UInt64>()
        let data = UQDKDataManager(keyID: [], key: [], authCounter: 41) { counter in
            kept.put(counter)
            return true
        }
        #expect([data.nextAuthCounter(), data.nextAuthCounter()] == [42, 43])
        #expect(kept.all == [42, 43] && data.authCounter == 43)
        let last = UQDKDataManager(keyID: [], key: [], authCounter: .max)
        #expect(last.nextAuthCounter() == nil)
    }

    @Test func `no text of the data manager shows the key`() {
        let data = UQDKDataManager(keyID: Vectors.keyID, key: Vectors.key, authCounter: 3)
        var dumped = "\(data) \(String(reflecting: data))"
        dump(data, to: &dumped)
        #expect(!dumped.contains("14") && !dumped.contains("0e0f") && dumped.contains("auth counter 3"))
    }

    @Test func `commands that are called while an authentication runs go after it, secured`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        let done = Box<String>()
        bench.manager.authenticate { done.put("authenticated \($0 == nil)") }
        bench.manager.unlock { done.put("unlocked \((try? $0.get())?.isSecured == true)") }
        bench.world.run(for: .seconds(10)) { done.count == 2 }
        #expect(done.all == ["authenticated true", "unlocked true"])
    }

    @Test func `commands that wait for an authentication that fails are not sent in clear`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        bench.car.answer = { car, incoming in
            car.respond(.keyRevoked, to: incoming.message.command, id: incoming.id)
            return true
        }
        let done = Box<Result<UQDKResponse, UQDKBleError>>()
        bench.manager.authenticate { _ in }
        bench.manager.unlock { done.put($0) }
        bench.world.run(for: .seconds(10)) { done.count == 1 }
        guard case .failure(.refused(let response))? = done.last else {
            Issue.record("\(done.all)")
            return
        }
        #expect(response.status == .keyRevoked && Self.written(bench, "010202") == 0)
    }

    @Test func `activations and authentications are done one at a time, in their order`() throws {
        let bench = try Bench(nonces: [])
        #expect(bench.connect() == .some(nil))
        let done = Box<String>()
        bench.manager.authenticate { _ in done.put("first") }
        bench.manager.activate(pairingCode: Vectors.code) { _ in done.put("activated") }
        bench.manager.authenticate { _ in done.put("second") }
        bench.world.run(for: .seconds(20)) { done.count == 3 }
        #expect(done.all == ["first", "activated", "second"] && bench.data.authCounter == 8)
        #expect(bench.manager.refusedTransitions.isEmpty)
    }

    @Test func `the session ends with its lifetime, and another follows by itself`() throws {
        let bench = try Bench(nonces: [], car: { $0.lifetime = 30 })
        #expect(bench.open())
        let start = bench.world.time.now
        bench.world.run(for: .seconds(40)) { !bench.manager.isAuthenticated }
        #expect(start.duration(to: bench.world.time.now) == .seconds(30))
        #expect(bench.events.all == [.authenticated(lifetime: 30), .sessionEnded(.expired)])
        #expect(bench.world.run(for: .seconds(5)) { bench.manager.isAuthenticated })
        #expect(bench.data.authCounter == 8)
        #expect(try bench.result { $0.unlock($1) }?.get().counter == 1)
    }

    @Test func `where it does not follow by itself, the next command goes in clear and is refused`() throws {
        let bench = try Bench(options: { $0.reauthenticatesAutomatically = false }, car: { $0.lifetime = 30 })
        #expect(bench.open())
        bench.world.run(for: .seconds(40))
        #expect(!bench.manager.isAuthenticated && bench.data.authCounter == 7)
        guard case .failure(.refused(let response))? = bench.result({ $0.unlock($1) }) else {
            Issue.record("no refusal")
            return
        }
        #expect(response.status == .authenticationRequired)
    }

    @Test func `a lifetime of zero seconds makes no endless row of sessions`() throws {
        let bench = try Bench(nonces: [], car: { $0.lifetime = 0 })
        #expect(bench.open())
        bench.world.run(for: .seconds(30))
        #expect(bench.data.authCounter == 7 && !bench.manager.isAuthenticated)
    }

    @Test func `status 2 in clear ends the session and leads to a new one, never to success`() throws {
        let bench = try Bench(nonces: [])
        #expect(bench.open())
        var isFirst = true
        bench.car.answer = { car, incoming in
            guard incoming.message.isSecured, isFirst else { return false }
            isFirst = false
            car.respond(.authenticationRequired, to: incoming.message.command, id: incoming.id)
            return true
        }
        let done = Box<Result<UQDKResponse, UQDKBleError>>()
        bench.manager.unlock { done.put($0) }
        bench.world.run(for: .seconds(5)) { done.count > 0 }
        guard case .failure(.refused(let response))? = done.last else {
            Issue.record("\(done.all)")
            return
        }
        #expect(response.status == .authenticationRequired && !response.isSecured)
        #expect(bench.manager.status == .authenticating)
        #expect(try bench.result { $0.lock($1) }?.get().counter == 1, "it waited for the new session")
        #expect(
            bench.events.all == [
                .authenticated(lifetime: 300), .sessionEnded(.refusedByVehicle),
                .authenticated(lifetime: 300),
            ])
    }

    @Test func `a late status 2 of an earlier session does not end the new one`() throws {
        let bench = try Bench(nonces: []) { $0.reauthenticatesAutomatically = false }
        #expect(bench.open())
        var held: ScriptedCar.Incoming?
        bench.car.answer = { _, incoming in
            guard incoming.message.isSecured, held == nil else { return false }
            held = incoming
            return true
        }
        let done = Box<Result<UQDKResponse, UQDKBleError>>()
        bench.manager.unlock { done.put($0) }
        bench.world.run(for: .seconds(1)) { held != nil }
        #expect(bench.authenticate() == .some(nil))
        let late = try #require(held)
        bench.car.respond(.authenticationRequired, to: late.message.command, id: late.id)
        bench.world.run(for: .seconds(1)) { done.count > 0 }
        #expect(done.count == 1 && bench.manager.isAuthenticated)
    }

    @Test func `an authentication that follows by itself and fails is told`() throws {
        let bench = try Bench(nonces: [], car: { $0.lifetime = 10 })
        #expect(bench.open())
        bench.car.answer = { car, incoming in
            car.respond(.keyRevoked, to: incoming.message.command, id: incoming.id)
            return true
        }
        bench.world.run(for: .seconds(12))
        guard case .reauthenticationFailed(.refused(let response))? = bench.events.all.last else {
            Issue.record("\(bench.events.all)")
            return
        }
        #expect(response.status == .keyRevoked && bench.manager.status == .ready)
    }
}
