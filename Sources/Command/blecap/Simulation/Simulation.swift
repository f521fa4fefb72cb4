import BluetoothCore
import CommandLineKit
import CoreBluetooth
import Runtime
import SimulatedDevices
import Synchronization
import UQDK
import UQDKBle
import VirtualController
import WireBytes

/// A car and a phone on one virtual air; the lines tell what one of them sees.
final class Simulation {
    /// Whose lines are written and whose controller is recorded.
    enum Side: Sendable { case phone, car }

    /// What virtual time begins at: 2026-01-01T00:00:00Z, in nanoseconds since 1970.
    static let wallClockOrigin: Int64 = 1_767_225_600_000_000_000
    static let phoneAddress = DeviceAddress(0x0200_0000_0010, .public)
    /// The longest that the phone's own limits let anything take.
    private static let patience = Duration.seconds(120)

    let options: SimulationOptions
    let side: Side
    let journal: SimulationJournal
    let recorder = PacketRecorder()
    private let world: SimulatedWorld
    private let car: SimulatedCar
    private let phone: UQDKBleManager
    private let controllers: (phone: SimulatedAdapter, car: SimulatedAdapter)

    init(_ options: SimulationOptions, showing side: Side) throws(Failure) {
        self.options = options
        self.side = side
        world = SimulatedWorld(
            seed: options.seed, wallClockOrigin: Self.wallClockOrigin, tap: recorder.tap)
        journal = SimulationJournal(world.time)
        let journal = journal
        controllers = (world.adapter(Self.phoneAddress), world.adapter(options.address))
        car = SimulatedCar(Self.configuration(options), on: controllers.car.bluetooth) { event in
            if side == .car { journal.add("\(event)") }
        }
        let key = options.keys.first ?? SimulationOptions.testKey
        do throws(UQDKBleError) {
            phone = try UQDKBleManager.createBLE(
                mac: options.address.description,
                data: UQDKDataManager(keyID: key.keyID, key: key.key), dialect: options.dialect,
                context: ManagerContext(
                    adapter: controllers.phone.bluetooth, queue: world.delivery.inline))
        } catch {
            throw Failure(.usage, "can't create the phone: \(error)")
        }
        guard side == .phone else { return }
        phone.deviceStatusChanged = { journal.add("\(PhoneText.status($0))") }
        phone.onEvent = { journal.add(PhoneText.event($0)) }
    }

    private static func configuration(_ options: SimulationOptions) -> CarConfiguration {
        var keys = options.keys.map { CarKey(keyID: $0.keyID, key: $0.key) }
        if options.isActivated, !keys.isEmpty { keys[0].slot = 0 }
        return CarConfiguration(keys: keys, dialect: options.dialect)
    }

    /// The packets of the side's controller.
    var packets: [RecordedPacket] {
        recorder.packets(of: side == .phone ? controllers.phone.controller : controllers.car.controller)
    }

    /// The address of the side's controller.
    var address: DeviceAddress { side == .phone ? Self.phoneAddress : options.address }

    /// Lets the car advertise and the phone come, do what it is to do, and go.
    ///
    /// - Returns: what was refused or failed; empty if all went well.
    func run() -> [String] {
        if side == .car { journal.add("the car is \(options.address), \(options.dialect.name)") }
        if !options.isActivated {
            car.openPairingWindow(
                code: options.keys.first?.pairingCode.map { String(decoding: $0, as: UTF8.self) })
        }
        world.run(for: .milliseconds(500))
        var failures: [String] = []
        if let failure = connect() {
            failures.append(failure)
        } else {
            failures += begin()
            if failures.isEmpty {
                for action in options.actions {
                    if let failure = perform(action) { failures.append(failure) }
                }
            }
        }
        _ = result { (done: @escaping @Sendable (Bool) -> Void) in phone.disconnect { done(true) } }
        world.run(for: .seconds(1))
        return failures
    }

    /// A line for the state in which the car is left.
    var carState: String {
        let vehicle = car.vehicle
        let doors = vehicle.doorsLocked == Vehicle.everyDoor ? "locked" : "not all locked"
        return "the car is left with its doors \(doors), \(vehicle.doorsOpen == 0 ? "none" : "some") open, "
            + "the engine \(vehicle.engineRuns ? "on" : "off"), \(car.keys.count { $0.slot != nil }) of "
            + "\(car.keys.count.counting("key")) activated"
    }
}

// What the phone does
extension Simulation {
    private func connect() -> String? {
        let end = result { (done: @escaping @Sendable (UQDKBleError?) -> Void) in
            phone.connectToVehicle(done)
        }
        guard let end else { return "the connection attempt never ended" }
        if let error = end { return "no connection: \(PhoneText.error(error))" }
        if side == .phone, !phone.vehicleInfo.isEmpty { journal.add("info: \(phone.vehicleInfo.shown)") }
        return nil
    }

    /// Activates the key if that is still to be done, and authenticates.
    private func begin() -> [String] {
        if !options.isActivated, !options.actions.contains(.activate), let failure = perform(.activate) {
            return [failure]
        }
        if options.actions.first == .activate { return [] }
        return authenticate().map { [$0] } ?? []
    }

    private func authenticate() -> String? {
        let end = result { (done: @escaping @Sendable (UQDKBleError?) -> Void) in phone.authenticate(done) }
        guard let end else { return "the authentication never ended" }
        return end.map { "no session: \(PhoneText.error($0))" }
    }

    /// Does one thing; nil if the car did it.
    private func perform(_ action: DriveAction) -> String? {
        if case .wait(let seconds) = action {
            world.run(for: .seconds(Int64(seconds)))
            return nil
        }
        if action != .activate, !phone.isAuthenticated, let failure = authenticate() { return failure }
        let name = PhoneText.command(action)
        let started = world.time.now
        let code = car.pairingCode ?? "000000"
        let end = result { [phone] done in Self.start(action, phone, pairingCode: code, done) }
        switch end {
        case .success(let response)?:
            let took = started.duration(to: world.time.now).saturatedNanoseconds / 1_000_000
            if side == .phone {
                journal.add(
                    "\(name): success" + (response.fields.isEmpty ? "" : ", \(response.fields.shown)")
                        + " (\(took) ms)")
            }
            return nil
        case .failure(let error)?:
            let text = "\(name): \(PhoneText.error(error))"
            if side == .phone { journal.add(text) }
            return text
        case nil: return "\(name): never ended"
        }
    }

    private static func start(
        _ action: DriveAction, _ phone: UQDKBleManager, pairingCode: String, _ done: @escaping UQDKCompletion
    ) {
        switch action {
        case .activate: phone.activate(pairingCode: pairingCode, done)
        case .lock(let doors): phone.lock(doors: doors, done)
        case .unlock(let doors): phone.unlock(doors: doors, done)
        case .trunk: phone.openTrunk(done)
        case .find(let seconds): phone.findVehicle(seconds: seconds, done)
        case .engineStart(let minutes): phone.startEngine(minutes: minutes, done)
        case .engineStop: phone.stopEngine(done)
        case .windows(let percent): phone.setWindow(percentOpen: percent, done)
        case .status, .wait: phone.queryStatus(done)
        }
    }

    /// Starts something, and lets time pass until it has ended.
    private func result<Value: Sendable>(
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) -> Value? {
        let kept = Kept<Value>()
        start { kept.value = $0 }
        world.run(for: Self.patience) { kept.value != nil }
        return kept.value
    }
}

/// Keeps a value that comes in a callback.
private final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)
    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
