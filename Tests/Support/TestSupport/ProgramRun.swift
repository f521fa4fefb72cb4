public import Foundation

/// A program that a test has run to its end.
public struct ProgramRun {
    /// Standard output.
    public let output: Data
    /// Standard error.
    public let errors: String
    /// The exit status, or the number of the signal.
    public let status: Int32
    /// Whether a signal has ended it.
    public let isKilled: Bool

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs it. Only tests with ``Testing/Trait/process`` or ``Testing/Trait/judge`` may.
    ///
    /// - Parameter environment: changes of that of the tests.
    public init(
        _ program: String, _ arguments: [String], in folder: URL? = nil, input: Data = Data(),
        environment: [String: String] = [:]
    ) throws {
        Tier.startsProcess(program)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // Files instead of pipes: no run can block on a pipe that nobody empties.
        let files = (
            input: try FileHandle.nameless(input), output: try FileHandle.nameless(),
            errors: try FileHandle.nameless()
        )
        process.standardInput = files.input
        process.standardOutput = files.output
        process.standardError = files.errors
        try process.run()
        process.waitUntilExit()
        output = try files.output.content()
        errors = String(decoding: try files.errors.content(), as: UTF8.self)
        status = process.terminationStatus
        isKilled = process.terminationReason == .uncaughtSignal
    }

    /// Runs a line of the shell; its `$1` and so on are the arguments.
    public init(
        shell line: String, _ arguments: [String] = [], in folder: URL? = nil,
        environment: [String: String] = [:]
    ) throws {
        try self.init("/bin/sh", ["-c", line, "sh"] + arguments, in: folder, environment: environment)
    }
}

extension FileHandle {
    /// A file that goes with its handle.
    public static func nameless(_ content: Data = Data()) throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try content.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forUpdating: url)
    }

    /// All of the file.
    public func content() throws -> Data {
        try seek(toOffset: 0)
        return try readToEnd() ?? Data()
    }
}
