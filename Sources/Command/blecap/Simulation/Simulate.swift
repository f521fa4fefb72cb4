import BluetoothCore
import CommandLineKit
import CoreBluetooth
import LEHost
import SimulatedDevices
import UQDK
import UQDKBle
import WireBytes

/// The commands `blecap drive uqdk` and `blecap simulate car`: a phone and a car on the virtual air, reported
/// from one side.
struct Simulate {
    let arguments: ParsedArguments
    let console: Console
    let side: Simulation.Side

    /// Default actions of a phone with a simulated car.
    private static let usualVisit: [DriveAction] = [.unlock(.all), .status]

    /// - Parameter stage: takes the place of the one that the options name.
    func run(on stage: Stage? = nil) throws(Failure) -> ExitStatus {
        let words = side == .car ? Array(arguments.operands.dropFirst()) : arguments.operands
        var options = try SimulationOptions(arguments, default: Self.usualVisit, operands: words)
        if side == .phone, options.actions.last != .status { options.actions.append(.status) }
        try SimulationRecording.check(arguments)
        let stage =
            if let stage { stage } else if side == .phone { try Stage(arguments, console) } else {
                try Stage(
                    arguments.environment, isLive: false, seed: options.seed,
                    recorder: PacketRecorder(arguments))
            }
        let simulation = try Simulation(options, stage, showing: side)
        var air = try AirRecording.open(arguments, stage)
        var recording = try SimulationRecording.open(arguments)
        let failures = simulation.run()
        if side == .car, let state = simulation.carState { simulation.journal.add(state) }
        try recording?.write(simulation.controller, of: simulation.address, stage, console)
        try simulation.journal.show()
        let word = side == .phone ? "phone" : "car"
        try air?.finish(stage, console)
        Self.explain(recording?.path, recording?.packets ?? 0, of: word, options, arguments, console)
        guard let first = failures.first else { return .success }
        console.say(failures.count == 1 ? first : "\(first) (the first of \(failures.count))")
        return .negative
    }

    /// The notice that a car or a phone has a key that everybody knows.
    static let testKeyNotice = "no --keys: using the test key of the published vectors"

    /// Reports the key used, and commands that explain and replay the recording.
    ///
    /// - Parameter isKeySaid: whether ``testKeyNotice`` was written at the start.
    static func explain(
        _ path: String?, _ packets: Int, of side: String, _ options: SimulationOptions,
        _ arguments: ParsedArguments, _ console: Console, isKeySaid: Bool = false
    ) {
        func given(_ option: OptionRow) -> [String] {
            arguments.values(option).flatMap { ["--\(option.long)", $0] }
        }
        var keyWords = given(.keys) + (arguments.has(.insecureKeys) ? ["--insecure-keys"] : [])
        if options.usesTestKey {
            let file = path.flatMap { TestKeyFile.write(beside: $0, in: arguments.environment) }
            keyWords = ["--keys", file ?? "FILE"]
            let start = isKeySaid ? "the test key of the published vectors" : testKeyNotice
            if !isKeySaid || file != nil { console.say(start + (file.map { ", saved in \($0)" } ?? "")) }
        }
        guard let path else { return }
        let rest = (keyWords + given(.dialect) + [path]).map(Shell.quoted).joined(separator: " ")
        console.say(
            packets.counting("packet") + " of the \(side) recorded to \(path); "
                + "'blecap annotate \(rest)' explains them, 'blecap replay \(rest)' plays them to the stack")
    }
}

/// The devices that `simulate` offers by a word.
enum SimulatedDevice {
    static let linkAddress = DeviceAddress(0x024C_4B00_0001, .public)

    /// The small devices, each with its word and address.
    static let gadgets: [(word: String, address: UInt64, gadget: any Gadget)] = [
        ("band", 0x024D_4900_0001, Band()), ("clock", 0x0258_4D47_0001, WallClock()),
        ("link", linkAddress.value, LinkDevice()), ("mobike", 0x024D_4F42_494B, Mobike()),
        ("fob", 0x0246_4F42_0002, Fob()),
    ]

    static let words = ["car"] + gadgets.map(\.word)

    /// Adds the small devices to the air of a world. The fob's person confirms the number that the phone
    /// shows, and enters its passkey.
    ///
    /// - Parameters:
    ///   - pairing: how the fob pairs.
    ///   - desk: the phone's person.
    static func gadgets(
        in world: SimulatedWorld, pairing: Fob.Pairing = .compare, _ desk: PairingDesk = PairingDesk()
    ) -> [SimulatedGadget] {
        var made: [SimulatedGadget] = []
        for device in gadgets {
            let adapter = world.adapter(DeviceAddress(device.address, .public)) { configuration in
                guard device.gadget is Fob else { return }
                configuration.host.security = pairing.policy
                configuration.pairingAgent = { question, _, answer in
                    switch question {
                    case .compare: answer(.yes)
                    case .enter: desk.whenShown { answer(.passkey($0)) }
                    case .display(let number): desk.say("the fob shows \(PairingDesk.shown(number))")
                    case .consent, .replaceBond: answer(.no)
                    }
                }
            }
            made.append(SimulatedGadget(device.gadget, on: adapter.bluetooth))
        }
        return made
    }
}

/// Reports of the phone's manager, in words.
enum PhoneText {
    static func event(_ event: UQDKBleEvent) -> String {
        guard case .vehicle(let told) = event, !told.fields.isEmpty else { return "\(event)" }
        return "\(event): \(told.fields.shown)"
    }

    /// The name of an action's command in the reference format.
    static func command(_ action: DriveAction) -> String {
        switch action {
        case .activate: "ACTIVATE"
        case .lock: "DOOR_LOCK"
        case .unlock: "DOOR_UNLOCK"
        case .trunk: "TRUNK_OPEN"
        case .find: "FIND_VEHICLE"
        case .engineStart: "ENGINE_START"
        case .engineStop: "ENGINE_STOP"
        case .windows: "WINDOW_SET"
        case .status: "STATUS_QUERY"
        case .wait: "wait"
        case .send(let code, _): "command 0x" + String(code, radix: 16)
        }
    }
}
