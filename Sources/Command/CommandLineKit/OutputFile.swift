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
    /// Whether it grows while its input does, and has its name from the start: there are no inputs, or
    /// one of them is a pipe or device.
    public let isLive: Bool
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
        let found = inputs.map { environment.status(ofInput: $0) }
        let modes = found.map { $0?.isRegular == true ? $0?.mode ?? 0o600 : 0o600 }
        isLive = inputs.isEmpty || found.contains { $0.map { !$0.isRegular && !$0.isFolder } ?? false }
        mode = modes.isEmpty ? 0o600 : modes.reduce(0o666, &) | 0o600
    }

    /// A file that only its owner may read, whatever it is made from, and that has its name once it is
    /// complete.
    public init(secret path: String, replaces: Bool, in environment: CommandEnvironment) {
        self.path = path
        self.replaces = replaces
        self.environment = environment
        isLive = false
        mode = 0o600
    }

    /// Fails early, before the command's work, if the file exists and may not be replaced.
    public func check() throws(OutputError) {
        guard !isStream, let there = SystemCall.status(ofLink: path) else { return }
        guard !there.isFolder else { throw .system(call: "create", errno: EISDIR, file: path) }
        guard replaces else { throw .system(call: "create", errno: EEXIST, file: path) }
        guard !there.isRegular else { return }
        throw .system(call: "create", errno: ELOOP, file: path)
    }

    /// Whether the path is a stream, such as a pipe, where no file is replaced.
    public var isStream: Bool {
        environment.descriptor(ofOutput: path) != nil || SystemCall.isStream(path)
    }

    /// Whether another path names the same file, which need not exist yet.
    public func isSameFile(as other: String) -> Bool {
        if let own = SystemCall.status(of: path) {
            return environment.status(ofInput: other)?.isSameFile(as: own) == true
        }
        let name = { (path: String) in path.split(separator: "/").last }
        guard name(path) == name(other), SystemCall.status(of: other) == nil,
            let folder = SystemCall.status(of: SystemCall.folder(of: path))
        else { return false }
        return SystemCall.status(of: SystemCall.folder(of: other))?.isSameFile(as: folder) == true
    }

    /// Creates the file with its name; for recordings, which last as they grow.
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
