import CommandLineKit
import Foundation
import TestSupport

@testable import blecap

/// One run of the command: its output and its status.
struct CommandRun {
    /// Standard output.
    let output: Data
    /// Standard error; empty on a terminal, which shows both as one.
    let errors: String
    /// The exit status.
    let status: Int32

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard output with lines that go on below made whole again.
    var unwrapped: String {
        text.replacing(#/\n +/#, with: " ")
    }

    /// These arguments, with files beside logs left aside unless the option that names them is given.
    static func withoutFoundFiles(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, ["annotate", "diff", "info", "replay"].contains(command) else {
            return arguments
        }
        var words = [command]
        if !arguments.contains(where: { $0.hasPrefix("--keys") || $0.hasPrefix("-k") }) {
            words += ["--keys", "none"]
        }
        if !arguments.contains("--gatt") { words += ["--gatt", "none"] }
        return words + arguments.dropFirst()
    }

    /// Runs the command in this process.
    ///
    /// - Parameters:
    ///   - variables: all of its environment variables.
    ///   - columns: the width of the terminal that output and errors go to; nil for files.
    ///   - isTyped: whether the input counts as a terminal's.
    init(
        _ arguments: [String], input: Data = Data(), variables: [String: String] = [:],
        findsFiles: Bool = false, columns: Int? = nil, isTyped: Bool = false
    ) throws {
        let (input, output, errors) = (
            try FileHandle.nameless(input), try FileHandle.nameless(), try FileHandle.nameless()
        )
        func stream(_ file: FileHandle) -> CommandEnvironment.Stream {
            CommandEnvironment.Stream(
                file.fileDescriptor, isTerminal: file === input ? isTyped : columns != nil, columns: columns)
        }
        let environment = CommandEnvironment(
            input: stream(input), output: stream(output), errors: stream(columns == nil ? errors : output),
            variables: variables)
        let words = findsFiles ? arguments : Self.withoutFoundFiles(arguments)
        status = withExtendedLifetime((input, output, errors)) {
            Command.run(words, in: environment).rawValue
        }
        self.output = try output.content()
        self.errors = String(decoding: try errors.content(), as: UTF8.self)
    }

    /// Runs the built command as a process, with these changes of the environment.
    static func process(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) throws -> CommandRun {
        let run = try ProgramRun(
            PackageRoot.command.path, withoutFoundFiles(arguments), input: input,
            environment: ["GITHUB_ACTIONS": ""].merging(environment) { $1 })
        return CommandRun(output: run.output, errors: run.errors, status: run.status)
    }

    private init(output: Data, errors: String, status: Int32) {
        self.output = output
        self.errors = errors
        self.status = status
    }
}
