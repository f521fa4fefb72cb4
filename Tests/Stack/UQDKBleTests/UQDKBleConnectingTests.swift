@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Runtime
import Testing
import UQDK

@testable import UQDKBle

@Suite struct UQDKBleConnectingTests {
    static let onTheWay: [UQDKBleStatus.Kind] = [
        .scanning, .connecting, .discovering, .subscribing, .ready, .authenticating, .disconnecting,
    ]

    /// Goes on until the manager is at a status, with a car that keeps it there long enough to be seen.
    static func reach(_ kind: UQDKBleStatus.Kind, _ bench: Bench, _ connected: Box<UQDKBleError?>) {
        bench.manager.connectToVehicle { connected.put($0) }
        let first: UQDKBleStatus.Kind = kind == .authenticating || kind == .disconnecting ? .ready : kind
        bench.world.run(for: .seconds(20)) { bench.manager.status.kind == first }
        if kind == .authenticating { bench.manager.authenticate { _ in } }
        if kind == .disconnecting { bench.manager.disconnect() }
        bench.world.run(for: .seconds(1)) { bench.manager.status.kind == kind }
    }

    @Test(arguments: onTheWay)
    func `cancelled at any status, the connect ends once and nothing goes on`(
        _ kind: UQDKBleStatus.Kind
    ) throws {
        let bench = try Bench()
        let (connected, gone) = (Box<UQDKBleError?>(), Box<Bool>())
        Self.reach(kind, bench, connected)
        #expect(bench.manager.status.kind == kind)
        bench.manager.disconnect { gone.put(true) }
        #expect(bench.world.run(for: .seconds(10)) { gone.count > 0 })
        bench.world.run(for: .seconds(30))
        #expect(bench.manager.status == .disconnected && gone.count == 1)
        let wasReady = [.ready, .authenticating, .disconnecting].contains(kind)
        #expect(connected.all == [wasReady ? nil : .cancelled])
        #expect(bench.connect() == .some(nil), "and again")
        #expect(bench.manager.refusedTransitions.isEmpty)
    }

    @Test func `the connection parameters of the options are asked for on each link`() throws {
        let wanted = ConnectionParameters(intervalMin: 12, intervalMax: 24, latency: 3, timeout: 300)
        let bench = try Bench(options: { $0.connectionParameters = wanted })
        func asked() -> [String] {
            bench.world.commands(of: 0x0200_0000_0010).filter { $0.hasPrefix("1320") }
        }
        #expect(bench.connect() == .some(nil) && bench.authenticate() == .some(nil))
        #expect(asked().count == 1 && asked()[0].hasSuffix("0c00180003002c0100000000"))
        bench.manager.disconnect()
        bench.world.run(for: .seconds(1)) { bench.manager.status == .disconnected }
        #expect(bench.connect() == .some(nil) && asked().count == 2)
    }

    @Test(arguments: onTheWay)
    func `power lost at any status ends all that waits, and a connect works once it is back`(
        _ kind: UQDKBleStatus.Kind
    ) throws {
        let bench = try Bench()
        let (connected, asked) = (Box<UQDKBleError?>(), Box<Result<UQDKResponse, UQDKBleError>>())
        Self.reach(kind, bench, connected)
        if kind == .ready || kind == .authenticating { bench.manager.queryStatus { asked.put($0) } }
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(2))
        if kind == .scanning {
            #expect(bench.manager.status == .scanning, "it waits for the power")
        } else if kind == .disconnecting {
            #expect(bench.manager.status == .disconnected)
        } else {
            #expect(bench.manager.status.kind == .failed)
        }
        if kind == .ready || kind == .authenticating {
            guard case .failure? = asked.last else {
                Issue.record("the command is still waiting")
                return
            }
        }
        bench.phone.setPower(true)
        bench.world.run(for: .seconds(20)) { kind != .scanning || bench.manager.status == .ready }
        if kind == .scanning {
            #expect(connected.all == [nil])
        } else {
            #expect(connected.count == 1)
            #expect(bench.connect() == .some(nil))
        }
        #expect(bench.manager.status == .ready && bench.manager.refusedTransitions.isEmpty)
    }

    @Test func `without power a connect waits, and starts when power comes`() throws {
        let bench = try Bench()
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(1))
        let connected = Box<UQDKBleError?>()
        bench.manager.connectToVehicle { connected.put($0) }
        bench.world.run(for: .seconds(60))
        #expect(bench.manager.status == .scanning && connected.count == 0)
        bench.phone.setPower(true)
        bench.world.run(for: .seconds(9)) { connected.count > 0 }
        #expect(connected.all == [nil])
    }

    @Test func `a connect that was cancelled does not start when power comes later`() throws {
        let bench = try Bench()
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(1))
        let connected = Box<UQDKBleError?>()
        bench.manager.connectToVehicle { connected.put($0) }
        bench.world.run(for: .seconds(1))
        bench.manager.disconnect()
        bench.world.run(for: .seconds(1))
        bench.phone.setPower(true)
        bench.world.run(for: .seconds(30))
        #expect(connected.all == [.cancelled] && bench.manager.status == .disconnected)
        #expect(bench.statuses.all == [.scanning, .disconnected])
    }

    @Test func `where power is not waited for, it is an error of its own`() throws {
        let bench = try Bench { $0.waitsForPower = false }
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(1))
        #expect(bench.connect() == .some(.bluetooth(.poweredOff)))
        #expect(bench.manager.status == .failed(.bluetooth(.poweredOff)))
    }

    @Test func `a machine without an adapter is unsupported`() async throws {
        let data = UQDKDataManager(keyID: Vectors.keyID, key: Vectors.key)
        let manager = try UQDKBleManager.createBLE(mac: Bench.mac, data: data)
        let error = await withCheckedContinuation { continuation in
            manager.connectToVehicle { continuation.resume(returning: $0) }
        }
        #expect(error == .bluetooth(.unsupported))
    }

    @Test func `a second connect errs at once, and so does one when connected`() throws {
        let bench = try Bench()
        let (first, second) = (Box<UQDKBleError?>(), Box<UQDKBleError?>())
        bench.manager.connectToVehicle { first.put($0) }
        bench.manager.connectToVehicle { second.put($0) }
        bench.world.run(for: .zero)
        #expect(first.count == 0 && second.all == [.alreadyConnecting])
        bench.world.run(for: .seconds(10)) { first.count > 0 }
        #expect(first.all == [nil])
        #expect(bench.connect() == .some(.alreadyConnected))
    }

    @Test func `a car that is not there is given up after ten seconds, and the scan has ended`() throws {
        let bench = try Bench(mac: "02-55-51-00-00-99")
        let start = bench.world.time.now
        #expect(bench.connect() == .some(.scanTimedOut))
        #expect(start.duration(to: bench.world.time.now) < .milliseconds(10_100))
        #expect(start.duration(to: bench.world.time.now) >= .seconds(10))
        #expect(bench.manager.status == .failed(.scanTimedOut))
        #expect(!bench.manager.bleAdapter.centralManager.isScanning)
    }

    @Test(arguments: ["02:55:51:00:00:01", "025551000001", "02-55-51-00-00-01"])
    func `a car without manufacturer data is known by a name that is its MAC`(_ mac: String) throws {
        let bench = try Bench(mac: mac, car: { $0.showsName = true })
        #expect(bench.connect() == .some(nil))
    }

    @Test(arguments: ["", "02:55:51:00:00", "zz5551000001", "02:55:51:00:00:01:02"])
    func `what is no MAC makes no manager`(_ mac: String) {
        #expect(throws: UQDKBleError.invalidMAC) { try Bench(mac: mac) }
    }

    @Test func `the scan ends before the link is made, on the air too`() throws {
        let bench = try Bench()
        let scanning = Box<Bool>()
        let manager = bench.manager
        manager.deviceStatusChanged = { status in
            if status == .connecting { scanning.put(manager.bleAdapter.centralManager.isScanning) }
        }
        #expect(bench.connect() == .some(nil))
        #expect(scanning.all == [false])
        let commands = bench.world.commands(of: 0x0200_0000_0010)
        let stop = try #require(commands.lastIndex(of: "0c20020000"))
        let connect = try #require(commands.firstIndex { $0.hasPrefix("0d20") })
        #expect(stop < connect)
    }

    @Test func `a car without the service fails, and the link is ended`() throws {
        let bench = try Bench(car: { $0.hasService = false })
        #expect(bench.connect() == .some(.serviceMissing))
        #expect(bench.manager.status == .failed(.serviceMissing))
        #expect(bench.statuses.all.suffix(2) == [.disconnecting, .failed(.serviceMissing)])
    }

    @Test func `a car that refuses to notify is asked three times`() throws {
        let bench = try Bench(car: { $0.eventProperties = [.notify, .notifyEncryptionRequired] })
        #expect(bench.connect() == .some(.notificationsRefused))
        let other = try Bench(
            options: { $0.notificationTries = 1 },
            car: { $0.eventProperties = [.notify, .notifyEncryptionRequired] })
        #expect(other.connect() == .some(.notificationsRefused))
        let writes = bench.world.writes(of: 0x0200_0000_0010)
        #expect(writes - other.world.writes(of: 0x0200_0000_0010) == 2)
    }

    @Test func `a car whose values can't be read in time is given up`() throws {
        let bench = try Bench(car: { $0.answersReads = false })
        let start = bench.world.time.now
        #expect(bench.connect() == .some(.discoveryTimedOut))
        #expect(start.duration(to: bench.world.time.now) < .seconds(7))
    }

    @Test func `a link that is lost ends what waits, with the reason`() throws {
        let bench = try Bench()
        #expect(bench.open())
        let asked = Box<Result<UQDKResponse, UQDKBleError>>()
        bench.car.answer = { _, _ in true }
        bench.manager.queryStatus { asked.put($0) }
        bench.world.run(for: .milliseconds(300))
        bench.car.manager.adapter?.setPower(false)
        bench.world.run(for: .seconds(20)) { bench.manager.status.kind == .failed }
        guard case .failed(.linkLost(let code)) = bench.manager.status else {
            Issue.record("\(bench.manager.status)")
            return
        }
        #expect(asked.all == [.failure(.linkLost(code))])
        #expect(bench.events.all.last == .sessionEnded(.disconnected) && !bench.manager.isAuthenticated)
    }

    @Test func `a car that another program has is not looked for`() throws {
        let bench = try Bench()
        #expect(bench.connect() == .some(nil))
        bench.manager.disconnect()
        bench.world.run(for: .seconds(5))
        let other = OtherProgram(bench.phone)
        bench.world.run(for: .seconds(10)) { other.isDone }
        #expect(other.isDone)
        #expect(bench.connect() == .some(.connectedElsewhere))
        #expect(bench.statuses.all.suffix(2) == [.scanning, .failed(.connectedElsewhere)])
    }

    @Test(arguments: [UQDKBleStatus.Kind.scanning, .connecting, .ready])
    func `a manager that is let go ends what waits, and its link`(_ kind: UQDKBleStatus.Kind) throws {
        let world = TestWorld()
        let car = ScriptedCar(world.adapter(0x0255_5100_0001))
        let phone = world.adapter(0x0200_0000_0010)
        let done = Box<String>()
        func act() throws {
            let manager = try UQDKBleManager.createBLE(
                mac: Bench.mac, data: UQDKDataManager(keyID: Vectors.keyID, key: Vectors.key),
                context: ManagerContext(adapter: phone, queue: world.delivery.inline))
            manager.connectToVehicle { done.put("connect \($0 == nil)") }
            world.run(for: .seconds(10)) { manager.status.kind == kind }
            guard kind == .ready else { return }
            car.answer = { _, _ in true }
            manager.authenticate { done.put("authenticate \($0 == .cancelled)") }
            manager.queryStatus { done.put("status \($0 == .failure(.cancelled))") }
            world.run(for: .seconds(1))
        }
        try act()
        world.run(for: .seconds(20))
        #expect(
            done.all.sorted()
                == (kind == .ready
                    ? ["authenticate true", "connect true", "status true"] : ["connect false"]))
        #expect(car.subscriptions == car.connections, "the link has ended")
    }

    @Test func `two managers have two cars at once, each with its own session`() throws {
        let bench = try Bench()
        let second = ScriptedCar(bench.world.adapter(0x0255_5100_0002), mac: 0x0255_5100_0002)
        let data = UQDKDataManager(keyID: Vectors.keyID, key: Vectors.key)
        let manager = try UQDKBleManager.createBLE(
            mac: "025551000002", data: data,
            context: ManagerContext(adapter: bench.phone, queue: bench.world.delivery.inline))
        let done = Box<String>()
        for (name, one) in [("first", bench.manager), ("second", manager)] {
            one.connectToVehicle { error in
                done.put("\(name) connected \(error == nil)")
                one.authenticate { error in
                    done.put("\(name) authenticated \(error == nil)")
                    one.unlock { result in done.put("\(name) unlocked \((try? result.get()) != nil)") }
                }
            }
        }
        bench.world.run(for: .seconds(20)) { done.count == 6 }
        #expect(done.all.count == 6 && done.all.allSatisfy { $0.hasSuffix("true") })
        #expect(bench.car.received == [1] && second.received == [1])
        #expect(bench.data.authCounter == 7 && data.authCounter == 1)
    }
}

/// A program in the style of iOS that takes the first car that it hears.
final class OtherProgram: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let central: CBCentralManager
    private var peripheral: CBPeripheral?
    private(set) var isDone = false

    init(_ adapter: BluetoothAdapter) {
        let settling = adapter.delivery as? SettlingDelivery
        central = CBCentralManager(delegate: nil, queue: settling?.inline, options: nil, adapter: adapter)
        super.init()
        central.delegate = self
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        central.stopScan()
        self.peripheral = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { isDone = true }
}
