import BluetoothCore
import CommandLineKit
import CoreBluetooth
import Runtime
import SimulatedDevices
import UQDK
import UQDKBle
import VirtualController
import WireBytes

/// A car and a phone on one virtual air; the lines show one of the two sides.
final class Simulation {
    /// The side whose lines are written and whose controller is recorded.
    enum Side: Sendable { case phone, car }

    /// Limit for one operation, longer than the phone's own limits.
    private static let patience = Duration.seconds(120)

    let options: SimulationOptions
    let side: Side
    let journal: SimulationJournal
    private let stage: Stage
    /// The car; nil if the phone's adapter is a real one.
    private let car: SimulatedCar?
    private let phone: UQDKBleManager
    /// The adapter of the reported side.
    private let shown: SimulatedAdapter

    init(_ options: SimulationOptions, _ stage: Stage, showing side: Side) throws(Failure) {
        self.options = options
        self.stage = stage
        self.side = side
        journal = SimulationJournal(stage)
        let journal = journal
        let phoneAdapter = try stage.phone()
        if stage.isOutside {
            shown = phoneAdapter
            car = nil
        } else {
            let carAdapter = stage.world.adapter(options.address)
            shown = side == .phone ? phoneAdapter : carAdapter
            car = SimulatedCar(options.car, on: carAdapter.bluetooth) { event in
                if side == .car { journal.add("\(event)") }
            }
        }
        let key = options.keys.first ?? SimulationOptions.testKey
        do throws(UQDKBleError) {
            phone = try UQDKBleManager.createBLE(
                mac: options.address.description,
                data: UQDKDataManager(
                    keyID: key.keyID, key: key.key, authCounter: stage.authCounter),
                dialect: options.dialect,
                context: ManagerContext(
                    adapter: phoneAdapter.bluetooth, queue: stage.world.delivery.inline))
        } catch {
            throw Failure(.usage, "can't create the phone: \(error)")
        }
        guard side == .phone else { return }
        phone.deviceStatusChanged = { journal.add("\($0)") }
        phone.onEvent = { journal.add(PhoneText.event($0)) }
    }

    /// The side's controller.
    var controller: ControllerID { shown.controller }

    /// The address of the reported side's controller.
    var address: DeviceAddress { shown.bluetooth.address ?? shown.address }

    /// Lets the car advertise, then the phone connect, perform its actions, and disconnect.
    ///
    /// - Returns: the refusals and failures; empty for success.
    func run() -> [String] {
        if side == .car { journal.add("the car is \(options.address), \(options.dialect.name)") }
        if !options.isActivated { car?.openPairingWindow(code: options.pairingCode) }
        if car != nil { stage.run(for: .milliseconds(500)) }
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
        let _: Bool? = stage.result(within: Self.patience, isCleanup: true) { done in
            phone.disconnect { done(true) }
        }
        stage.run(for: .seconds(1))
        return stage.failure.map { [$0] } ?? failures
    }

    /// A line about the final state of the car.
    var carState: String? {
        guard let car else { return nil }
        let vehicle = car.vehicle
        let doors = vehicle.doorsLocked == Vehicle.everyDoor ? "locked" : "not all locked"
        return "the car is left with its doors \(doors), \(vehicle.doorsOpen == 0 ? "none" : "some") open, "
            + "the engine \(vehicle.engineRuns ? "on" : "off"), \(car.keys.count { $0.slot != nil }) of "
            + "\(car.keys.count.counting("key")) activated"
    }
}

// Actions of the phone
extension Simulation {
    private func connect() -> String? {
        let end = stage.result(within: Self.patience) { (done: @escaping @Sendable (UQDKBleError?) -> Void) in
            phone.connectToVehicle(done)
        }
        guard let end else { return "the connection attempt never ended" }
        if let error = end { return "no connection: \(error)" }
        if side == .phone, !phone.vehicleInfo.isEmpty { journal.add("info: \(phone.vehicleInfo.shown)") }
        return nil
    }

    /// Activates the key if necessary, and authenticates.
    private func begin() -> [String] {
        if !options.isActivated, !options.actions.contains(where: \.isActivation),
            let failure = perform(.activate(code: nil))
        {
            return [failure]
        }
        if options.actions.first?.isActivation == true { return [] }
        return authenticate().map { [$0] } ?? []
    }

    private func authenticate() -> String? {
        let end = stage.result(within: Self.patience) { (done: @escaping @Sendable (UQDKBleError?) -> Void) in
            phone.authenticate(done)
        }
        guard let end else { return "the authentication never ended" }
        return end.map { "no session: \($0)" }
    }

    /// Performs one action; returns a failure, nil if the car did it.
    private func perform(_ action: DriveAction) -> String? {
        if case .wait(let seconds) = action {
            stage.run(for: .seconds(Int64(seconds)))
            return nil
        }
        if !action.isActivation, !phone.isAuthenticated, let failure = authenticate() { return failure }
        let name = PhoneText.command(action)
        let started = stage.time.now
        let code = car?.pairingCode ?? options.pairingCode ?? "000000"
        let end = stage.result(within: Self.patience) { [phone] done in
            Self.start(action, phone, pairingCode: code, done)
        }
        switch end {
        case .success(let response)?:
            let took = started.duration(to: stage.time.now).saturatedNanoseconds / 1_000_000
            if side == .phone {
                journal.add(
                    "\(name): success" + (response.fields.isEmpty ? "" : ", \(response.fields.shown)")
                        + " (\(took) ms)")
            }
            return nil
        case .failure(let error)?:
            let text = "\(name): \(error)"
            if side == .phone { journal.add(text) }
            // A car activates a key once, and closes its pairing window.
            if action.isActivation, case .refused = error {
                return text + "; for a key that the car knows already, give --activated"
            }
            return text
        case nil: return "\(name): never ended"
        }
    }

    private static func start(
        _ action: DriveAction, _ phone: UQDKBleManager, pairingCode: String, _ done: @escaping UQDKCompletion
    ) {
        switch action {
        case .activate(let code): phone.activate(pairingCode: code ?? pairingCode, done)
        case .lock(let doors): phone.lock(doors: doors, done)
        case .unlock(let doors): phone.unlock(doors: doors, done)
        case .trunk: phone.openTrunk(done)
        case .find(let seconds): phone.findVehicle(seconds: seconds, done)
        case .engineStart(let minutes): phone.startEngine(minutes: minutes, done)
        case .engineStop: phone.stopEngine(done)
        case .windows(let percent): phone.setWindow(percentOpen: percent, done)
        case .send(let command, let body): phone.send(command: command, body: body, done)
        case .status, .wait: phone.queryStatus(done)
        }
    }
}
