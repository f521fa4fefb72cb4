import Adapters
import BluetoothCore
import CommandLineKit
import CoreBluetooth
import LEHost
import Runtime
import SimulatedDevices
import Synchronization
import VirtualController
import WireBytes

/// The command `blecap simulate DEVICE` with `--listen ADDRESS` or `--adapter ADAPTER`: a device that serves
/// any number of hosts or phones.
struct Serving {
    let arguments: ParsedArguments
    let console: Console
    let device: String

    /// Runs until it is interrupted, and returns the exit status.
    ///
    /// - Parameters:
    ///   - place: the address where hosts connect; nil if the device's own host is on an adapter.
    ///   - radio: that adapter.
    func run(at place: AdapterAddress?, on radio: AdapterAddress?) throws(Failure) -> ExitStatus {
        let options = try SimulationOptions(arguments, operands: [])
        let recording = try LiveRecording(arguments)
        let stage = try Stage(
            arguments.environment, isLive: true, radio: radio, seed: options.seed, tap: recording?.tap)
        guard let time = stage.time as? RealTime else { return .success }
        let journal = SimulationJournal(stage)
        let desk = try PairingDesk(arguments)
        desk.onQuestion { line, _ in journal.add(line) }
        let (adapter, car, gadget) = try make(options, stage, journal, desk)
        recording?.follow(adapter.controller)
        let seats = HostSeats(stage.world, journal) {
            // Save now, in case the process is killed later.
            if let car { try? CarState.save(car, arguments) }
        }
        let listener = try Failure.reporting { () throws(AdapterError) in
            try place?.listen(time) { seats.take($0) }
        }
        stage.run(for: .seconds(5)) { adapter.bluetooth.address != nil }
        let address = adapter.bluetooth.address ?? adapter.address
        try recording?.begin(of: address, stage)
        if let place = listener?.address ?? radio, stage.failure == nil {
            journal.add("the \(device) is \(address), at \(place)")
            if car != nil, options.usesTestKey { journal.add(Simulate.testKeyNotice) }
        }
        if let car, car.keys.first?.slot == nil { car.openPairingWindow(code: options.pairingCode) }
        if device == "fob" { answer(desk, stage, journal) }
        stage.run(for: RealTime.forever)
        listener?.close()
        seats.close()
        if let car { try CarState.save(car, arguments) }
        withExtendedLifetime(gadget) {}
        let dropped = stage.world.radio.air.droppedData
        if dropped > 0 {
            journal.add("dropped \(dropped.counting("data packet")) for no link, or too long for one")
        }
        let recorded = try recording?.end(stage, console)
        try journal.show()
        if car != nil {
            Simulate.explain(
                recorded?.path, recorded?.packets ?? 0, of: device, options, arguments, console,
                isKeySaid: true)
        } else if let recorded {
            console.say(
                recorded.packets.counting("packet") + " of the \(device) recorded to \(recorded.path)")
        }
        guard let failure = stage.failure else { return .success }
        throw Failure(.environment, failure)
    }

    /// Reads answers to pairing questions, line by line, until the input ends.
    private func answer(_ desk: PairingDesk, _ stage: Stage, _ journal: SimulationJournal) {
        Typing.run(stage) { text in
            do throws(Failure) {
                guard case .answer(let answer) = try GATTAction(text, isAsked: desk.isAsking) else { return }
                if !desk.answer(answer) { journal.add("answer: nothing is asked") }
            } catch {
                _ = console.report(error)
            }
        }
    }

    private func make(
        _ options: SimulationOptions, _ stage: Stage, _ journal: SimulationJournal, _ desk: PairingDesk
    ) throws(Failure) -> (SimulatedAdapter, SimulatedCar?, SimulatedGadget?) {
        if let known = SimulatedDevice.gadgets.first(where: { $0.word == device }) {
            let isFob = known.gadget is Fob
            let pairing = arguments.value(.pairing).flatMap(Fob.Pairing.init) ?? .justWorks
            let adapter = try stage.adapter(
                DeviceAddress(known.address, .public), isFob ? try pairing.policy.asked(by: arguments) : nil,
                asking: isFob ? desk : nil)
            return (adapter, nil, SimulatedGadget(known.gadget, on: adapter.bluetooth))
        }
        var configuration = options.car
        try CarState.restore(&configuration, arguments)
        configuration.name = configuration.name ?? "blecap car"
        let adapter = try stage.adapter(options.address)
        let car = SimulatedCar(configuration, on: adapter.bluetooth) { journal.add("\($0)") }
        return (adapter, car, nil)
    }
}

/// Gives each connecting host a controller on the air, and takes it back when the host leaves.
final class HostSeats: Sendable {
    private struct State {
        var free: [ControllerID] = []
        var taken: [ControllerID: HCIStream] = [:]
        var count: UInt64 = 0
    }

    private let radio: VirtualRadio
    private let journal: SimulationJournal
    private let state = Mutex(State())
    private let onLeave: @Sendable () -> Void

    init(_ world: SimulatedWorld, _ journal: SimulationJournal, onLeave: @escaping @Sendable () -> Void) {
        radio = world.radio
        self.journal = journal
        self.onLeave = onLeave
    }

    /// Connects a host to a controller.
    func take(_ stream: HCIStream) {
        let controller = state.withLock { state in
            let controller = state.free.popLast() ?? add(&state)
            state.taken[controller] = stream
            return controller
        }
        journal.add("a host came")
        radio.attach(controller) { [weak stream] packet in try? stream?.send(packet) }
        stream.onLoss { [weak self] _ in self?.leave(controller) }
        let radio = radio
        do { try stream.open { radio.send($0, from: controller) } } catch { leave(controller) }
    }

    /// Disconnects all hosts.
    func close() {
        let streams = state.withLock { Array($0.taken.values) }
        for stream in streams { stream.close() }
    }

    private func leave(_ controller: ControllerID) {
        let stream = state.withLock { state in
            state.free.append(controller)
            return state.taken.removeValue(forKey: controller)
        }
        radio.attach(controller, nil)
        radio.cutPower(of: controller)
        journal.add(stream?.failure.map { "a host left: \($0)" } ?? "a host left")
        onLeave()
    }

    private func add(_ state: inout State) -> ControllerID {
        defer { state.count += 1 }
        let address = DeviceAddress(Stage.phoneAddress.value + 1 + state.count, .public)
        return radio.add(ControllerConfiguration(publicAddress: address))
    }
}
