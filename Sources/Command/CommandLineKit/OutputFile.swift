import Glibc

/// A file that a command writes; all commands create their outputs here.
///
/// The file is newly created, never written through a link, replaces another only on request, and is as
/// private as its inputs. A pipe or device is only opened.
public struct OutputFile: Equatable, Sendable {
    /// The path as the user gave it; `-` is standard output.
    public let path: String
    /// The permission bits of the new file, before the umask.
    public let mode: UInt32
    /// Whether to replace an existing file.
    public let replaces: Bool
    let environment: CommandEnvironment

    /// - Parameter inputs: the files that the output is made from. The output is readable for those who can
    ///   read all of them, and only for its owner if there are no inputs or one of them is a pipe.
    public init(
        _ path: String, madeFrom inputs: [String] = [], replaces: Bool = false,
        in environment: CommandEnvironment
    ) {
        self.path = path
        self.replaces = replaces
        self.environment = environment
        let modes = inputs.map { input -> UInt32 in
            guard let there = environment.status(ofInput: input), there.isRegular else { return 0o600 }
            return there.mode
        }
        mode = modes.isEmpty ? 0o600 : modes.reduce(0o666, &) | 0o600
    }

    /// Fails early, before the command's work, if the file exists and may not be replaced.
    public func check() throws(OutputError) {
        guard !replaces, !isStream, SystemCall.status(ofLink: path) != nil else { return }
        throw .system(call: "create", errno: EEXIST, file: path)
    }

    /// Whether the path is a stream, such as a pipe, where no file is replaced.
    var isStream: Bool {
        environment.descriptor(ofOutput: path) != nil || SystemCall.isStream(path)
    }

    /// Creates the file.
    ///
    /// - Parameter stop: a descriptor that becomes readable to end the wait for a named pipe's reader; nil to
    ///   wait for a few seconds.
    /// - Returns: a descriptor, which the caller closes.
    public func create(stop: Int32? = nil) throws(OutputError) -> Int32 {
        do throws(SystemCall.Problem) {
            if let own = environment.descriptor(ofOutput: path) { return try SystemCall.duplicate(own) }
            return try SystemCall.createAnew(path, mode: mode, replacing: replaces, stop: stop)
        } catch {
            throw .system(call: "create", errno: error.code, file: path)
        }
    }
}
