import CommandLineKit
import SimulatedDevices
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
        var recording = try SimulationRecording.open(arguments)
        let failures = simulation.run()
        if side == .car, let state = simulation.carState { simulation.journal.add(state) }
        try recording?.write(simulation.controller, of: simulation.address, stage, console)
        try simulation.journal.show()
        let word = side == .phone ? "phone" : "car"
        Self.explain(recording?.path, recording?.packets ?? 0, of: word, options, arguments, console)
        guard let first = failures.first else { return .success }
        console.say(failures.count == 1 ? first : "\(first) (the first of \(failures.count))")
        return .negative
    }

    /// Reports the key used, and commands that explain and replay the recording.
    static func explain(
        _ path: String?, _ packets: Int, of side: String, _ options: SimulationOptions,
        _ arguments: ParsedArguments, _ console: Console
    ) {
        func given(_ option: OptionRow) -> [String] {
            arguments.values(option).flatMap { ["--\(option.long)", $0] }
        }
        var keyWords = given(.keys) + (arguments.has(.insecureKeys) ? ["--insecure-keys"] : [])
        if options.usesTestKey {
            let file = path.flatMap { TestKeyFile.write(beside: $0, in: arguments.environment) }
            keyWords = ["--keys", file ?? "FILE"]
            console.say(
                "no --keys: using the test key of the published vectors"
                    + (file.map { ", saved in \($0)" } ?? ""))
        }
        guard let path else { return }
        let rest = (keyWords + given(.dialect) + [path]).map(Shell.quoted).joined(separator: " ")
        console.say(
            packets.counting("packet") + " of the \(side) recorded to \(path); "
                + "'blecap annotate \(rest)' explains them, 'blecap replay \(rest)' plays them to the stack")
    }
}
