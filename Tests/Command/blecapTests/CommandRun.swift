import Foundation

/// One run of the built command: what it wrote and how it ended.
struct CommandRun {
    /// Standard output.
    let output: Data
    /// Standard error.
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

    /// Runs the command with these arguments, standard input and changes of the environment.
    init(
        _ arguments: [String], input: Data? = nil, environment: [String: String] = [:],
        findsFiles: Bool = false
    ) throws {
        let process = Process()
        process.executableURL = PackageRoot.command
        process.arguments = findsFiles ? arguments : Self.withoutFoundFiles(arguments)
        process.environment = ProcessInfo.processInfo.environment
            .merging(["GITHUB_ACTIONS": ""]) { $1 }.merging(environment) { $1 }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files instead of pipes: no run can block on a pipe that nobody empties.
        func file(_ name: String, _ content: Data) throws -> FileHandle {
            let url = folder.appendingPathComponent(name)
            try content.write(to: url)
            return try FileHandle(forUpdating: url)
        }
        process.standardInput = try file("in", input ?? Data())
        process.standardOutput = try file("out", Data())
        process.standardError = try file("err", Data())
        try process.run()
        process.waitUntilExit()
        output = try Data(contentsOf: folder.appendingPathComponent("out"))
        errors = String(decoding: try Data(contentsOf: folder.appendingPathComponent("err")), as: UTF8.self)
        status = process.terminationStatus
    }
}
