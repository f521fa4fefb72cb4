import BluetoothCore
import CoreBluetooth
import PayloadFormat
import Runtime
import SimulatedDevices
import TestSupport
import Testing
import UQDK

@testable import UQDKBle

/// A phone's visit to the simulated car: the result of each act and each event as lines.
final class Visit {
    let world = SimulatedWorld(seed: 1)
    let car: SimulatedCar
    let manager: UQDKBleManager
    private let kept = Lines()

    init(_ dialect: Dialect) throws {
        let width = dialect.command(for: .activate)?.request.fields.first { $0.name == "keyId" }?.fixedWidth
        let keyID = Array(Vectors.keyID.prefix(width ?? 0))
        var configuration = CarConfiguration(keys: [CarKey(keyID: keyID, key: Vectors.key)], dialect: dialect)
        configuration.pairingCode = Vectors.code
        let adapter = world.adapter(DeviceAddress(0x0255_5100_0001)).bluetooth
        car = SimulatedCar(configuration, on: adapter)
        let phone = world.adapter(DeviceAddress(0x0200_0000_0010)).bluetooth
        manager = try UQDKBleManager.createBLE(
            mac: Bench.mac, data: UQDKDataManager(keyID: keyID, key: Vectors.key), dialect: dialect,
            context: ManagerContext(adapter: phone, queue: world.delivery.inline))
        let kept = kept
        manager.onEvent = { event in
            if case .vehicle(let event) = event { kept.add("event \(event.name ?? "-") \(event.isSecured)") }
            if case .sessionEnded(let end) = event { kept.add("ended \(end)") }
            if case .problem(let problem) = event { kept.add("problem \(problem.kind)") }
        }
    }

    var lines: [String] { kept.all }

    func connect() {
        let done = Box<UQDKBleError?>()
        manager.connectToVehicle { done.put($0) }
        world.run(for: .seconds(30)) { done.count > 0 }
        kept.add("connect \(done.all.map { $0 == nil })")
    }

    func authenticate() {
        let done = Box<UQDKBleError?>()
        manager.authenticate { done.put($0) }
        world.run(for: .seconds(30)) { done.count > 0 }
        if case .refused(let response)?? = done.all.first {
            kept.add("authenticate \(response.status?.rawValue ?? "-")")
        } else {
            kept.add("authenticate \(done.all.map { $0 == nil })")
        }
    }

    func act(_ name: String, _ body: (UQDKBleManager, @escaping UQDKCompletion) -> Void) {
        let done = Box<Result<UQDKResponse, UQDKBleError>>()
        body(manager) { done.put($0) }
        world.run(for: .seconds(30)) { done.count > 0 }
        switch done.all.first {
        case .success(let response): kept.add("\(name) \(response.isSecured ? "secured" : "clear")")
        case .failure(.refused(let response)): kept.add("\(name) \(response.status?.rawValue ?? "-")")
        case .failure(let error): kept.add("\(name) \(error)")
        case nil: kept.add("\(name) nothing")
        }
    }
}

/// The manager with the simulated car, which others wrote from the same page of the format.
@Suite struct SimulatedCarSessionTests {
    @Test func `a visit to the car: refused, activated, authenticated, commands, events`() throws {
        let visit = try Visit(.reference1)
        visit.connect()
        visit.act("status") { $0.queryStatus($1) }
        visit.act("activate wrongly") { $0.activate(pairingCode: "000000", $1) }
        visit.act("activate") { $0.activate(pairingCode: "314159", $1) }
        visit.authenticate()
        visit.act("status") { $0.queryStatus($1) }
        visit.act("unlock") { $0.unlock($1) }
        visit.act("trunk") { $0.openTrunk($1) }
        visit.act("engine") { $0.startEngine(minutes: 10, $1) }
        visit.act("window") { $0.setWindow(percentOpen: 50, $1) }
        visit.act("find") { $0.findVehicle(seconds: 5, $1) }
        visit.act("lock") { $0.lock(doors: .frontLeft, $1) }
        visit.act("unknown") { $0.send(command: 0x0299, body: [1], $1) }
        visit.world.run(for: .seconds(1))
        #expect(
            visit.lines.filter { !$0.hasPrefix("event") } == [
                "connect [true]", "status authenticationRequired", "activate wrongly badProof",
                "activate clear", "authenticate [true]", "status secured", "unlock secured",
                "trunk secured", "engine refusedInState", "window secured", "find secured", "lock secured",
                "unknown unsupportedCommand",
            ])
        let events = visit.lines.filter { $0.hasPrefix("event") }
        #expect(events.contains("event PROXIMITY_EVENT true"))
        #expect(events.count { $0 == "event STATUS_EVENT true" } == 3)
        #expect(visit.manager.isAuthenticated && visit.car.sessions == 1)
        #expect(visit.car.keys[0].authCounter == 1 && visit.manager.refusedTransitions.isEmpty)
    }

    @Test func `another dialect, different in every point, runs by the same code`() throws {
        let visit = try Visit(
            Dialect(json: try PackageFile.octets("Tests/Decoder/UQDKTests/other-dialect.json")))
        visit.connect()
        visit.act("activate") { $0.activate(pairingCode: "314159", $1) }
        visit.authenticate()
        visit.act("trunk") { $0.openTrunk($1) }
        visit.act("lights") { $0.send("LIGHTS", ["on": .unsigned(1)], $1) }
        visit.act("lock") { $0.lock($1) }
        #expect(visit.lines.prefix(3) == ["connect [true]", "activate clear", "authenticate [true]"])
        #expect(visit.lines.contains("trunk secured"))
        #expect(visit.lines.contains { $0.hasPrefix("lock the dialect can't express it: no command ") })
        #expect(visit.manager.isAuthenticated && visit.car.sessions == 1, "\(visit.lines)")
    }

    @Test func `five bad proofs lock the key out`() throws {
        let visit = try Visit(.reference1)
        visit.connect()
        for _ in 0..<6 { visit.act("activate") { $0.activate(pairingCode: "271828", $1) } }
        visit.authenticate()
        #expect(
            visit.lines == ["connect [true]"] + [String](repeating: "activate badProof", count: 5) + [
                "activate keyLockedOut", "authenticate keyLockedOut",
            ])
    }
}
