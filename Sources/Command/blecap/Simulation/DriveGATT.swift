import BluetoothCore
import CommandLineKit
import CoreBluetooth
import SimulatedDevices
import WireBytes

/// `blecap drive gatt`: a plain central against one of the small devices, on the virtual air.
struct DriveGATT {
    let arguments: ParsedArguments
    let console: Console

    /// A device to connect to: its name, its address and the service that it advertises.
    struct Device {
        var name: String
        var address: UInt64
        var service: UInt16
        var gadget: any Gadget
    }

    static let devices: [Device] = [
        Device(name: "band", address: 0x024D_4900_0001, service: 0xFEE0, gadget: Band()),
        Device(name: "clock", address: 0x0258_4D47_0001, service: 0xFFF0, gadget: WallClock()),
        Device(name: "link", address: 0x024C_4B00_0001, service: 0xFFE0, gadget: LinkDevice()),
        Device(name: "mobike", address: 0x024D_4F42_494B, service: 0xFF00, gadget: Mobike()),
    ]

    /// The longest that an answer is waited for: what the attribute protocol allows.
    private static let patience = Duration.seconds(31)

    /// Runs to the end and gives the exit status.
    func run() throws(Failure) -> ExitStatus {
        try SimulationOptions.requireRadio(arguments)
        guard let device = Self.devices.first(where: { $0.name == arguments.value(.device) }) else {
            throw Failure(
                .usage, "no device given",
                advice: "give --device \(Self.devices.map(\.name).joined(separator: ", "))")
        }
        var actions: [GATTAction] = []
        for word in arguments.operands { actions.append(try GATTAction(word)) }
        let seed = try SimulationOptions.seed(arguments)
        var recording = try SimulationRecording.open(arguments)
        let recorder = PacketRecorder()
        let world = SimulatedWorld(
            seed: seed, wallClockOrigin: Simulation.wallClockOrigin, tap: recorder.tap)
        let journal = SimulationJournal(world.time)
        let phone = world.adapter(Simulation.phoneAddress)
        let gadget = SimulatedGadget(
            device.gadget, on: world.adapter(DeviceAddress(device.address, .public)).bluetooth)
        let central = PlainCentral(phone.bluetooth, journal, service: BluetoothUUID(device.service))
        world.run(for: Self.patience) { central.isIdle }
        for action in actions where central.isLinked {
            central.perform(action)
            world.run(for: Self.patience) { central.isIdle }
            if case .wait(let seconds) = action { world.run(for: .seconds(Int64(seconds))) }
        }
        // The last action's result may still arrive.
        world.run(for: .milliseconds(500))
        central.disconnect()
        world.run(for: .seconds(1))
        withExtendedLifetime(gadget) {}
        let packets = recorder.packets(of: phone.controller)
        try recording?.write(packets, of: Simulation.phoneAddress, seed: seed)
        try Simulate.show(journal)
        if let path = recording?.path {
            console.say(
                packets.count.counting("packet") + " recorded to \(path); "
                    + "'blecap annotate \(Shell.quoted(path))' explains them")
        }
        guard let first = central.failures.first else { return .success }
        console.say(first)
        return .negative
    }
}
