import CaptureFile
import CommandLineKit
import WireBytes

/// Runs a command line and returns its exit status.
enum Command {
    static func run(_ arguments: [String], in environment: CommandEnvironment) -> ExitStatus {
        let console = Console(program: CommandTable.blecap.program, environment: environment)
        do throws(Failure) {
            switch try CommandTable.blecap.parse(Extcap.arguments(from: arguments)) {
            case .help(let command, let isFull):
                return try show(CommandTable.blecap.helpText(command, isFull: isFull), environment)
            case .version: return try show(CommandTable.blecap.versionText, environment)
            case .run(var arguments):
                arguments.environment = environment
                return try start(arguments, console)
            }
        } catch {
            return console.report(error)
        }
    }

    private static func start(
        _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) -> ExitStatus {
        if let text = arguments.value(.unpackLimit) {
            guard let octets = Quantity.octets(text) else {
                throw Failure(.usage, "--unpack-limit: '\(text)' is not a size", advice: "such as 500M or 4G")
            }
            SpoolBudget.ofProcess.limit = octets
        }
        switch arguments.command {
        case "annotate": return try Annotate(arguments, console).run()
        case "completions":
            let shell = CompletionShell(rawValue: arguments.operands[0])
            guard let shell else {
                let words = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(.usage, "unknown shell '\(arguments.operands[0])'", advice: "shells: \(words)")
            }
            return try show(CommandTable.blecap.completion(for: shell), arguments.environment)
        case "manual": return try show(CommandTable.blecap.manual, arguments.environment)
        case "convert": return try Convert(arguments, console).run()
        case "devices": return try Devices(arguments: arguments, console: console).run()
        case "diff": return try Diff(arguments, console).run()
        case "extcap": return try Extcap(arguments: arguments).run()
        case "drive uqdk":
            return try Simulate(arguments: arguments, console: console, side: .phone).run()
        case "drive band", "drive link":
            return try DriveGadget(arguments: arguments, console: console).run()
        case "drive": return try Drive(arguments: arguments, console: console).run()
        case "simulate": return try simulate(arguments, console)
        case "info": return try Info(arguments, console).run()
        case "mark": return try Mark(arguments: arguments, console: console).run()
        case "profile check": return try ProfileCheck(arguments: arguments, console: console).run()
        case "profile list": return try ProfileList(arguments: arguments).run()
        case "profile show": return try ProfileShow(arguments: arguments).run()
        case "replay": return try ReplayCommand(arguments, console).run()
        case "report": return try ReportCommand(arguments, console).run()
        case "record": return try Recorder(arguments, console).run()
        default: throw Failure(.usage, "unknown command '\(arguments.command)'")
        }
    }

    private static func simulate(
        _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) -> ExitStatus {
        let device = arguments.operands[0]
        guard SimulatedDevice.words.contains(device) else {
            throw Failure(
                .usage, "unknown device '\(device)'", nearestTo: device, in: SimulatedDevice.words,
                else: "devices: \(SimulatedDevice.words.joined(separator: ", "))")
        }
        let place = try arguments.value(.listen).map { text throws(Failure) in
            try Stage.address(text, "--listen")
        }
        let radio = arguments.has(.radio) ? try Stage.radio(arguments, console) : nil
        guard place == nil || radio == nil else {
            throw Failure(
                .usage, "--listen and --adapter exclude each other",
                advice: "--listen brings hosts to the device, --adapter the device to a radio")
        }
        let owned = [
            (OptionRow.state, "car"), (.pairing, "fob"), (.passkey, "fob"), (.secureConnections, "fob"),
            (.allowLegacy, "fob"),
        ]
        for (option, owner) in owned where arguments.has(option) {
            guard device == owner else {
                throw Failure(.usage, "--\(option.long) is for simulate \(owner)")
            }
            guard place != nil || radio != nil else {
                throw Failure(.usage, "--\(option.long) needs --listen or --adapter")
            }
        }
        if place != nil || radio != nil {
            guard arguments.operands.count == 1 else {
                throw Failure(
                    .usage, "with --listen or --adapter, phones decide what is done: no ACTION is taken")
            }
            return try Serving(arguments: arguments, console: console, device: device)
                .run(at: place, on: radio)
        }
        guard device == "car" else {
            throw Failure(
                .usage, "simulate \(device): nobody can reach it",
                advice: "give --listen, such as --listen tcp:127.0.0.1:9000, or --adapter hci0")
        }
        return try Simulate(arguments: arguments, console: console, side: .car).run()
    }

    /// Writes a text to standard output.
    static func show(_ text: String, _ environment: CommandEnvironment) throws(Failure) -> ExitStatus {
        var buffer = TextBuffer()
        buffer.put(text)
        try environment.write(&buffer)
        return .success
    }
}
