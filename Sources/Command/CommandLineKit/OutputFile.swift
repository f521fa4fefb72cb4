import Glibc

/// A file that a command writes: the one rule for all of them.
///
/// It is created anew, is never written through a link, takes the place of another only where that is wanted,
/// and is as private as what it is made from. A pipe or a device is opened as it is.
public struct OutputFile: Equatable, Sendable {
    /// The path as the user gave it; `-` is standard output.
    public let path: String
    /// The permission bits that it is created with, less those of the umask.
    public let mode: UInt32
    /// Whether a file that is there is replaced.
    public let replaces: Bool

    /// - Parameter inputs: the files that it is made from; it is readable by those who may read all of them,
    ///   and by its owner only where there is none, or one is no file.
    public init(_ path: String, madeFrom inputs: [String] = [], replaces: Bool = false) {
        self.path = path
        self.replaces = replaces
        let modes = inputs.map { input -> UInt32 in
            guard let there = input == "-" ? SystemCall.status(of: Int32(0)) : SystemCall.status(of: input),
                there.isRegular
            else { return 0o600 }
            return there.mode
        }
        mode = modes.isEmpty ? 0o600 : modes.reduce(0o666, &) | 0o600
    }

    /// Fails where a file is there that is not to be replaced, before the work that it is wanted for.
    public func check() throws(OutputError) {
        guard path != "-", !replaces, !SystemCall.isStream(path), SystemCall.status(ofLink: path) != nil
        else { return }
        throw .system(call: "create", errno: EEXIST, file: path)
    }

    /// Creates it.
    ///
    /// - Parameter stop: a descriptor that becomes readable when a named pipe's reader is not to be waited
    ///   for any more; nil to wait as long as it takes.
    /// - Returns: a descriptor, which the caller closes.
    public func create(stop: Int32? = nil) throws(OutputError) -> Int32 {
        do throws(SystemCall.Problem) {
            return path == "-"
                ? try SystemCall.duplicate(1)
                : try SystemCall.createAnew(path, mode: mode, replacing: replaces, stop: stop)
        } catch {
            throw .system(call: "create", errno: error.code, file: path)
        }
    }
}
