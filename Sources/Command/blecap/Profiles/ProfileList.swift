import CommandLineKit
import Profiles
import Rendering
import WireBytes

/// The command `blecap profile list`: the built-in profiles, a line each.
struct ProfileList {
    let arguments: ParsedArguments

    func run() throws(Failure) -> ExitStatus {
        let names = Profile.shippedDocuments.map(\.key)
        let column = (names.map(\.columns).max() ?? 0) + 2
        let width = arguments.environment.output.columns ?? 100
        var text = ""
        for source in ProfileSource.shipped {
            let name = source.name + String(repeating: " ", count: column - source.name.columns)
            let lines = (name + (source.title ?? "")).visible.wrapped(to: width, indent: column)
            text += lines.joined(separator: "\n") + "\n"
        }
        return try Command.show(text, arguments.environment)
    }
}
