import PayloadFormat
import Runtime
import Testing
import UQDK

@testable import UQDKBle

@Suite struct UQDKBleReceivingTests {
    @Test func `while a session stands, what comes in clear is told of and not taken`() throws {
        let bench = try Bench()
        #expect(bench.open())
        for status in StatusName.allCases where status != .authenticationRequired {
            bench.car.answer = { car, incoming in
                car.respond(status, to: incoming.message.command, id: incoming.id)
                return false
            }
            let before = bench.problems.count
            #expect(try bench.result { $0.unlock($1) }?.get().isSecured == true, "the true one counts")
            #expect(bench.problems.suffix(from: before) == [.inClear])
        }
        bench.car.send(.event, 0x0401, bench.car.state, id: 0x80, isSecured: false)
        bench.world.run(for: .seconds(1))
        #expect(bench.problems.last == .inClear && bench.vehicleEvents.isEmpty)
    }

    @Test func `a wrong tag and a replayed counter are told of and change no counter`() throws {
        let bench = try Bench()
        #expect(bench.open())
        let cipher = try #require(bench.car.cipher)
        var forged = try cipher.seal(.event, command: 0x0401, body: bench.car.state, id: 0x80, counter: 99)
        forged.payload[forged.payload.count - 1] ^= 1
        bench.car.notify(forged.encoded(.reference1), id: 0x80)
        bench.world.run(for: .seconds(3))
        #expect(bench.problems == [.security(.wrongTag)])
        bench.car.send(.event, 0x0401, bench.car.state, id: 0x81, isSecured: true, counter: 5)
        bench.world.run(for: .seconds(3))
        #expect(bench.vehicleEvents.map(\.counter) == [5])
        for (index, counter) in [UInt64(5), 4, 1, 0].enumerated() {
            bench.car.send(
                .event, 0x0401, bench.car.state, id: 0x82 + UInt64(index), isSecured: true, counter: counter)
            bench.world.run(for: .seconds(3))
            #expect(bench.problems.last == .security(.replayed(counter: counter)))
        }
        bench.car.send(.event, 0x0401, bench.car.state, id: 0x90, isSecured: true, counter: 6)
        bench.world.run(for: .seconds(3))
        #expect(bench.vehicleEvents.map(\.counter) == [5, 6])
        let short = Message(.event, command: 0x0401, isSecured: true, payload: [1, 2, 3])
        bench.car.notify(short.encoded(.reference1), id: 0x91)
        bench.world.run(for: .seconds(3))
        #expect(bench.problems.last == .security(.malformed))
    }

    @Test func `the last counter ends the session`() throws {
        let bench = try Bench { $0.reauthenticatesAutomatically = false }
        #expect(bench.open())
        bench.car.send(.event, 0x0401, bench.car.state, id: 0x80, isSecured: true, counter: 0xFFFF_FFFE)
        bench.world.run(for: .seconds(3))
        #expect(bench.manager.isAuthenticated && bench.vehicleEvents.count == 1)
    }

    @Test func `a secured message without a session is told of`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        let message = Message(.event, command: 0x0401, isSecured: true, payload: [UInt8](0..<22))
        bench.car.notify(message.encoded(.reference1), id: 0x80)
        bench.world.run(for: .seconds(1))
        #expect(bench.problems == [.noSession])
    }

    @Test func `events in clear are taken before a session stands`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        bench.car.send(.event, 0x0402, [1, 0xC4], id: 0x80, isSecured: false)
        bench.car.send(.event, 0x0402, [1], id: 0x81, isSecured: false)
        bench.world.run(for: .seconds(1))
        #expect(bench.vehicleEvents.map(\.name) == ["PROXIMITY_EVENT"])
        #expect(bench.vehicleEvents.first?.isSecured == false && bench.problems == [.body])
    }

    @Test func `responses of two requests may interleave their fragments`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        let values = Box<[[UInt8]]>()
        bench.car.answer = { car, incoming in
            let payload = [0] + Vectors.vehicleNonce + [UInt8](repeating: UInt8(incoming.id), count: 8)
            let message = Message(.response, command: incoming.message.command, payload: payload)
            let cut = try? car.dialect.values(
                of: message.encoded(car.dialect), id: incoming.id, valueOctets: 20)
            values.put(cut ?? [])
            if values.count == 2 {
                for index in 0..<2 { for one in values.all { car.notify(one[index]) } }
            }
            return true
        }
        let done = Box<UInt64>()
        for _ in 0..<2 {
            bench.manager.send(command: 0x0101, body: [UInt8](repeating: 0, count: 24)) {
                done.put((try? $0.get())?.id ?? 999)
            }
        }
        bench.world.run(for: .seconds(10)) { done.count == 2 }
        #expect(done.all == [0, 1] && bench.problems.isEmpty)
    }

    @Test func `a response that loses a fragment ends once, and its request at its time`() throws {
        let bench = try Bench()
        #expect(bench.open())
        bench.car.answer = { car, incoming in
            let sealed = try? car.cipher?.seal(
                .response, command: incoming.message.command, body: [0] + [UInt8](0..<40), id: incoming.id,
                counter: 1)
            let octets = sealed?.encoded(car.dialect) ?? []
            let cut = (try? car.dialect.values(of: octets, id: incoming.id, valueOctets: 20)) ?? []
            for (index, value) in cut.enumerated() where index != 1 { car.notify(value) }
            return true
        }
        #expect(bench.result { $0.unlock($1) } == .failure(.timedOut))
        #expect(bench.problems == [.reassembly(.gap(expected: 1, found: 2))])
    }

    @Test func `a message whose end never comes is given up after two seconds`() throws {
        let bench = try Bench()
        #expect(bench.open())
        bench.car.notify([0x80, 0x00, 0x55])
        bench.world.run(for: .milliseconds(500))
        #expect(bench.manager.bleAdapter.receivingQueue.openCount == 1)
        let start = bench.world.time.now
        bench.world.run(for: .seconds(5)) { !bench.problems.isEmpty }
        #expect(start.duration(to: bench.world.time.now) < .seconds(2))
        #expect(bench.problems == [.reassembly(.timeout)])
        #expect(bench.manager.bleAdapter.receivingQueue.openCount == 0)
        bench.world.run(for: .seconds(5))
        #expect(bench.problems.count == 1)
    }

    @Test func `a response to another command than was asked is not taken`() throws {
        let bench = try Bench()
        #expect(bench.open())
        bench.car.answer = { car, incoming in
            car.send(.response, 0x0201, [0], id: incoming.id, isSecured: true)
            return true
        }
        #expect(bench.result { $0.unlock($1) } == .failure(.timedOut))
        #expect(bench.problems == [.otherCommand])
    }

    @Test func `a response without a status, or with other fields, is a bad one`() throws {
        let bench = try Bench()
        #expect(bench.open())
        for body in [[], [0, 1, 2], [0] + [UInt8](0..<11)] as [[UInt8]] {
            bench.car.answer = { car, incoming in
                car.send(.response, incoming.message.command, body, id: incoming.id, isSecured: true)
                return true
            }
            #expect(bench.result { $0.queryStatus($1) } == .failure(.badResponse))
        }
    }

    @Test(arguments: UInt64(1)...8)
    func `a car that notifies anything brings nothing down and fills nothing`(_ seed: UInt64) throws {
        let bench = try Bench()
        #expect(bench.open())
        var random = SplitMix(state: seed)
        for _ in 0..<60 {
            for _ in 0..<16 {
                let count = random.next(below: 21)
                var value = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                // Half of them look like what belongs here.
                if count > 4, random.next(below: 2) == 0 { value[1] = UInt8(random.next(below: 3)) }
                if count > 8, random.next(below: 3) == 0 {
                    value.replaceSubrange(1..<6, with: [0x80, 0x55, 0x51, 1, 2])
                }
                bench.car.notify(value)
            }
            bench.world.run(for: .milliseconds(200))
        }
        #expect(bench.manager.status == .ready && bench.problems.count > 100)
        #expect(bench.manager.bleAdapter.receivingQueue.openCount <= 128)
        bench.world.run(for: .seconds(5))
        #expect(bench.manager.bleAdapter.receivingQueue.openCount == 0)
        #expect(try bench.result { $0.unlock($1) }?.get().isSecured == true, "seed \(seed)")
    }
}
