import CLinux
import Glibc

/// A file that a command is writing. It gets its name in ``publish()``; a run that ends earlier leaves none.
///
/// Until then the file has no name, or a temporary one where the file system needs a name. A stream, and the
/// output of a live input, are written in place.
public final class UnfinishedFile {
    /// The state of the file's name.
    private enum Name {
        /// It has its name from the start.
        case final
        /// It has none yet (O_TMPFILE).
        case missing
        case temporary(String)
    }

    /// The descriptor to write to; -1 once the file is published.
    public private(set) var descriptor: Int32
    private let file: OutputFile
    private var name: Name

    /// Creates the file.
    public convenience init(_ file: OutputFile) throws(OutputError) {
        try self.init(file, mayLackName: true)
    }

    /// - Parameter mayLackName: false to use a temporary name on every file system.
    init(_ file: OutputFile, mayLackName: Bool) throws(OutputError) {
        self.file = file
        guard !file.isStream, !file.isLive else {
            descriptor = try file.create()
            name = .final
            return
        }
        try file.check()
        do throws(SystemCall.Problem) {
            if mayLackName,
                let unnamed = try SystemCall.createUnnamed(inFolderOf: file.path, mode: file.mode)
            {
                (descriptor, name) = (unnamed, .missing)
            } else {
                let temporary = Self.temporaryName(file.path)
                descriptor = try SystemCall.createAnew(temporary, mode: file.mode, replacing: false)
                name = .temporary(temporary)
            }
        } catch {
            throw .system(call: "create", errno: error.code, file: file.path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if case .temporary(let path) = name { SystemCall.remove(path) }
    }

    private static func temporaryName(_ path: String) -> String { "\(path).part-\(getpid())" }

    /// Whether the file has its name before it is complete.
    public var isInPlace: Bool {
        if case .final = name { true } else { false }
    }

    /// A second descriptor for the file, which its owner closes.
    public func duplicate() throws(OutputError) -> Int32 {
        do throws(SystemCall.Problem) { return try SystemCall.duplicate(descriptor) } catch {
            throw .system(call: "create", errno: error.code, file: file.path)
        }
    }

    /// Closes the file and gives it its name; some file systems only report a full disk now.
    public func publish() throws(OutputError) {
        guard descriptor >= 0 else { return }
        if case .missing = name {
            let temporary = Self.temporaryName(file.path)
            try check(SystemCall.link(descriptor, to: temporary), "create")
            name = .temporary(temporary)
        }
        let result = close(descriptor)
        descriptor = -1
        try check(result == 0 || errno == EINTR, "close")
        guard case .temporary(let temporary) = name else { return }
        try check(SystemCall.rename(temporary, to: file.path, replacing: file.replaces), "create")
        name = .final
    }

    private func check(_ succeeded: Bool, _ call: String) throws(OutputError) {
        guard !succeeded else { return }
        throw .system(call: call, errno: errno, file: file.path)
    }
}

extension SystemCall {
    /// Creates a file without a name in the path's folder; nil if the file system can't.
    fileprivate static func createUnnamed(
        inFolderOf path: String, mode: UInt32
    ) throws(Problem) -> Int32? {
        // A name is given through /proc.
        guard status(of: "/proc/self/fd") != nil else { return nil }
        // Safe: the path is terminated by a zero and outlives the call.
        let descriptor = unsafe open(
            folder(of: path), O_WRONLY | O_DIRECTORY | Int32(BLECAP_O_TMPFILE) | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return nil }
        try checkPrivacy(of: descriptor, mode: mode)
        return descriptor
    }

    /// Gives a file without a name this one; returns whether that succeeded.
    fileprivate static func link(_ descriptor: Int32, to path: String) -> Bool {
        // Safe: both paths are terminated by a zero and outlive the call.
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    /// Renames a file; returns whether that succeeded.
    fileprivate static func rename(_ path: String, to other: String, replacing: Bool) -> Bool {
        // Safe: both paths are terminated by a zero and outlive the calls.
        if !replacing {
            if unsafe renameat2(AT_FDCWD, path, AT_FDCWD, other, UInt32(BLECAP_RENAME_NOREPLACE)) == 0 {
                return true
            }
            // Some network file systems can't keep another program's new file apart from ours.
            guard errno == EINVAL, status(ofLink: other) == nil else { return false }
        }
        return unsafe Glibc.rename(path, other) == 0
    }
}
