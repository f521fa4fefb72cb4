import CoreBluetooth
import PayloadFormat
import Runtime
import Testing
import UQDK
import WireBytes

@testable import UQDKBle

@Suite struct UQDKBleCommandTests {
    static let refusals = StatusName.allCases.filter { $0 != .success }

    @Test(arguments: refusals)
    func `a command that is refused says with which status`(_ status: StatusName) throws {
        let bench = try Bench { $0.reauthenticatesAutomatically = false }
        #expect(bench.open())
        bench.car.answer = { car, incoming in
            car.respond(status, to: incoming.message.command, id: incoming.id, isSecured: true)
            return true
        }
        let result = try #require(bench.result { $0.openTrunk($1) })
        guard case .failure(.refused(let response)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response.status == status && response.isSecured && response.body.isEmpty)
        #expect(bench.manager.isAuthenticated, "who secures an answer has the session")
    }

    @Test(arguments: refusals, [CommandPurpose.activate, .authBegin, .authFinish])
    func `activation and authentication that are refused say with which status`(
        _ status: StatusName, _ purpose: CommandPurpose
    ) throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        let code = bench.car.dialect.command(for: purpose)?.code
        bench.car.answer = { car, incoming in
            guard incoming.message.command == code else { return false }
            car.respond(status, to: incoming.message.command, id: incoming.id)
            return true
        }
        let error: UQDKBleError?
        if purpose == .activate {
            let result = try #require(bench.result { $0.activate(pairingCode: Vectors.code, $1) })
            if case .failure(let failure) = result { error = failure } else { error = nil }
        } else {
            error = try #require(bench.authenticate())
        }
        guard case .refused(let response)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.status == status && !response.isSecured)
        #expect(bench.manager.status == .ready && !bench.manager.isAuthenticated)
        bench.car.answer = { _, _ in false }
        #expect(bench.authenticate() == .some(nil), "and once more, by the rules")
    }

    @Test func `every car command goes out with its fields`() throws {
        let bench = try Bench(nonces: [])
        #expect(bench.open())
        let bodies = Box<String>()
        bench.car.answer = { car, incoming in
            bodies.put(
                "\(car.dialect.command(incoming.message.command)?.name ?? "-") "
                    + Hex.text(incoming.body))
            return false
        }
        let acts: [(UQDKBleManager, @escaping UQDKCompletion) -> Void] = [
            { $0.lock($1) }, { $0.lock(doors: [.frontLeft, .trunk], $1) },
            { $0.unlock(doors: .rearRight, $1) },
            { $0.openTrunk($1) }, { $0.findVehicle(seconds: 10, horn: false, $1) },
            { $0.findVehicle(seconds: 3, $1) }, { $0.startEngine(minutes: 10, $1) }, { $0.stopEngine($1) },
            { $0.setWindow([.frontLeft, .frontRight], percentOpen: 40, $1) }, { $0.queryStatus($1) },
            { $0.send(command: 0x0777, body: [1, 2], $1) },
        ]
        for act in acts { #expect(bench.result(act) != nil) }
        #expect(
            bodies.all == [
                "DOOR_LOCK ff", "DOOR_LOCK 11", "DOOR_UNLOCK 08", "TRUNK_OPEN ", "FIND_VEHICLE 0a02",
                "FIND_VEHICLE 0303", "ENGINE_START 0a", "ENGINE_STOP ", "WINDOW_SET 0328", "STATUS_QUERY ",
                "- 0102",
            ])
        #expect(bench.car.received == Array(1...11), "what the dialect does not name goes secured too")
        for values in [["duration": AnnotationValue.signed(256)], [:]] {
            let result = bench.result { $0.send("ENGINE_START", values, $1) }
            guard case .failure(.encoding)? = result else {
                Issue.record("\(String(describing: result))")
                return
            }
        }
    }

    @Test func `before authentication a command goes in clear, and the car's refusal is told`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        let result = bench.result { $0.queryStatus($1) }
        guard case .failure(.refused(let response))? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(response.status == .authenticationRequired && bench.car.written.count == 1)
        #expect(bench.statuses.all.last == .ready, "no authentication follows where no session stood")
    }

    @Test func `commands before a link is there are errors, and nothing waits`() throws {
        let bench = try Bench()
        #expect(bench.result { $0.unlock($1) } == .failure(.notReady))
        #expect(bench.result { $0.activate(pairingCode: Vectors.code, $1) } == .failure(.notReady))
        #expect(bench.authenticate() == .some(.notReady))
        #expect(bench.result { $0.sendRaw(fragments: [[1]], id: 1, $1) } == .failure(.notReady))
        #expect(bench.result { $0.activate(pairingCode: "12a", $1) } == .failure(.invalidPairingCode))
    }

    @Test func `a command without an answer ends after five seconds, and its id is free`() throws {
        let bench = try Bench()
        #expect(bench.open())
        bench.car.answer = { _, _ in true }
        let start = bench.world.time.now
        #expect(bench.result { $0.unlock($1) } == .failure(.timedOut))
        let passed = start.duration(to: bench.world.time.now)
        #expect(passed >= .seconds(5) && passed < .milliseconds(5_200))
        #expect(bench.manager.commandData.isEmpty)
        bench.car.answer = { _, _ in false }
        #expect(try bench.result { $0.unlock($1) }?.get().counter == 1)
        bench.car.respond(.success, to: 0x0202, id: 2)
        bench.world.run(for: .seconds(1))
        #expect(bench.problems == [.unexpectedResponse])
    }

    @Test func `128 requests are outstanding, the next waits for an id, and ids wrap`() throws {
        let bench = try Bench { $0.commandTimeout = .seconds(60) }
        #expect(bench.connect() == .some(nil))
        var ids: [UInt64] = []
        bench.car.answer = { _, incoming in
            ids.append(incoming.id)
            return true
        }
        let done = Box<Result<UQDKResponse, UQDKBleError>>()
        for _ in 0..<130 { bench.manager.queryStatus { done.put($0) } }
        bench.world.run(for: .seconds(30)) { ids.count == 129 }
        #expect(ids == Array(0..<128) && done.count == 0)
        #expect(bench.manager.idQueue.count == 2)
        bench.car.respond(.busy, to: 0x0301, id: 77)
        bench.world.run(for: .seconds(5)) { ids.count == 130 }
        #expect(ids.suffix(1) == [77] && done.count == 1 && bench.manager.idQueue.count == 1)
        bench.car.respond(.busy, to: 0x0301, id: 3)
        bench.world.run(for: .seconds(5)) { ids.count == 130 }
        #expect(ids.suffix(2) == [77, 3])
        // An answer that is the same as the last one under its id would be taken for a repeat.
        bench.world.run(for: .seconds(3))
        for id in UInt64(0)..<128 { bench.car.respond(.busy, to: 0x0301, id: id) }
        bench.world.run(for: .seconds(10)) { done.count == 130 }
        #expect(done.count == 130 && bench.manager.commandData.isEmpty)
        bench.car.answer = { car, incoming in
            ids.append(incoming.id)
            car.respond(.busy, to: 0x0301, id: incoming.id)
            return true
        }
        _ = bench.result { $0.queryStatus($1) }
        #expect(ids.last == 4)
    }

    @Test func `messages longer than the format or the car takes are refused and use no id`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        let long = [UInt8](repeating: 7, count: 2_400)
        let result = bench.result { $0.send(command: 0x0202, body: long, $1) }
        #expect(result == .failure(.encoding(.messageTooLong(2_411))))
        #expect(
            bench.result { $0.send(command: 0x0202, body: long + long, $1) }
                == .failure(.tooLongForVehicle(4_811)))
        #expect(bench.car.written.isEmpty && bench.manager.nextID == 0)
        #expect(
            bench.result { $0.send(command: 0x0202, body: [UInt8](repeating: 7, count: 2_293), $1) } != nil)
        #expect(bench.car.written.count == 128)
    }

    @Test func `at a larger MTU a message is one value, and a long one is cut at 512`() throws {
        let bench = try Bench(mtu: 517)
        #expect(bench.open())
        #expect(bench.car.written.map { $0.utf8.count / 2 } == [2 + 11 + 24, 2 + 11 + 12])
        _ = bench.result { $0.send(command: 0x0202, body: [UInt8](repeating: 7, count: 1_000), $1) }
        #expect(bench.car.written.suffix(3).map { $0.utf8.count / 2 } == [512, 512, 2 + 1_023 - 2 * 510])
    }

    @Test func `without write responses the same values go out`() throws {
        let bench = try Bench { $0.writeType = .withoutResponse }
        #expect(bench.connect() == .some(nil))
        _ = bench.result { $0.activate(pairingCode: Vectors.code, $1) }
        #expect(bench.authenticate() == .some(nil))
        #expect(bench.result { $0.unlock($1) } != nil)
        #expect(bench.car.written == Vectors.phone)
        let long = [UInt8](repeating: 9, count: 2_000)
        #expect(bench.result { $0.send(command: 0x0202, body: long, $1) } != nil)
        #expect(bench.car.received.last == 2, "also when there are more than wait at once")
    }

    @Test func `a write that is refused ends its message, and the next one goes`() throws {
        let bench = try Bench()
        #expect(bench.open())
        bench.car.writeResult = { _ in .unlikelyError }
        #expect(bench.result { $0.unlock($1) } == .failure(.writeFailed))
        bench.car.writeResult = { _ in .success }
        #expect(try bench.result { $0.lock($1) }?.get().isSecured == true)
    }

    @Test func `messages of several callers do not mix their fragments`() throws {
        let bench = try Bench()
        #expect(bench.open())
        let done = Box<UInt64>()
        for index in 0..<20 {
            let body = [UInt8](repeating: UInt8(index), count: 3 * index + 1)
            bench.manager.send(command: 0x0202, body: body) { done.put((try? $0.get())?.id ?? 999) }
        }
        bench.world.run(for: .seconds(20)) { done.count == 20 }
        #expect(done.all == Array(2..<22))
        #expect(bench.car.received == Array(1...20))
    }

    @Test func `raw octets go as they are, and any answer under their id ends them`() throws {
        let bench = try Bench()
        #expect(bench.open())
        var octets = Message(.request, command: 0x0301, payload: []).encoded(.reference1)
        octets[octets.count - 1] ^= 0xFF
        let result = bench.result { $0.sendRaw(message: octets, id: 0x40, $1) }
        guard case .failure(.refused(let response))? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(response.status == .badMessage && response.id == 0x40 && !response.isSecured)
        #expect(bench.manager.isAuthenticated && bench.problems.isEmpty)
        #expect(try bench.result { $0.unlock($1) }?.get().id == 2, "the next id has not moved")
        #expect(
            bench.result { $0.sendRaw(fragments: [], id: 0x41, $1) } == .failure(.encoding(.noRoom(0))))
        let first = Box<Result<UQDKResponse, UQDKBleError>>()
        bench.manager.sendRaw(fragments: [[0x42, 0x00, 0x55]], id: 0x42) { first.put($0) }
        bench.world.run(for: .milliseconds(500))
        #expect(
            bench.result { $0.sendRaw(fragments: [[0x42, 0x00]], id: 0x42, $1) } == .failure(.idInUse))
        bench.world.run(for: .seconds(10)) { first.count > 0 }
        #expect(first.all == [.failure(.timedOut)])
    }
}
