import CommandLineKit
import WireBytes

/// Runs a command line and returns its exit status.
enum Command {
    /// Runs what the arguments ask for.
    static func run(_ arguments: [String]) -> ExitStatus {
        let console = Console(program: CommandTable.blecap.program)
        do throws(Failure) {
            switch try CommandTable.blecap.parse(Extcap.arguments(from: arguments)) {
            case .help(let command): return try show(CommandTable.blecap.helpText(command))
            case .version: return try show(CommandTable.blecap.versionText)
            case .run(let arguments): return try start(arguments, console)
            }
        } catch {
            return console.report(error)
        }
    }

    private static func start(
        _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) -> ExitStatus {
        switch arguments.command {
        case "annotate": return try Annotate(arguments, console).run()
        case "convert": return try Convert(arguments, console).run()
        case "devices": return try Devices(arguments: arguments, console: console).run()
        case "extcap": return try Extcap(arguments, console).run()
        case "drive uqdk":
            return try Simulate(arguments: arguments, console: console, side: .phone).run()
        case "drive gatt": return try DriveGATT(arguments: arguments, console: console).run()
        case "simulate car":
            return try Simulate(arguments: arguments, console: console, side: .car).run()
        case "info": return try Info(arguments, console).run()
        case "mark": return try Mark(arguments: arguments, console: console).run()
        case "profile check": return try ProfileCheck(arguments: arguments, console: console).run()
        case "replay": return try ReplayCommand(arguments, console).run()
        case "record": return try Recorder(arguments, console).run()
        default: throw Failure(.usage, "unknown command '\(arguments.command)'")
        }
    }

    /// Writes a text to standard output.
    static func show(_ text: String) throws(Failure) -> ExitStatus {
        var buffer = TextBuffer()
        buffer.put(text)
        var sink = DescriptorSink.standardOutput
        do throws(OutputError) { try sink.drain(&buffer) } catch {
            if let failure = error.failure { throw failure }
        }
        return .success
    }
}
