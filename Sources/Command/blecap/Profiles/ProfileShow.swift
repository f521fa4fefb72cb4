import CommandLineKit
import Profiles

/// The command `blecap profile show`: the content of profiles, for reading.
struct ProfileShow {
    let arguments: ParsedArguments

    func run() throws(Failure) -> ExitStatus {
        var text = ""
        for name in arguments.operands {
            let profile = try ProfileFiles.read(name, arguments.environment)
            if !text.isEmpty { text += "\n" }
            text += ProfileText(profile, width: arguments.environment.output.columns ?? 100).text
        }
        return try Command.show(text, arguments.environment)
    }
}
