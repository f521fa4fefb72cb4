import Glibc

/// A file that only its user can read.
public enum PrivateFile {
    /// A failed write, with the system's error number.
    public struct Problem: Error, CustomStringConvertible {
        public var code: Int32

        public var description: String { "the file can't be written (error \(code))" }
    }

    /// Replaces the contents of a file atomically, whenever this process ends.
    ///
    /// A missing file is created; nobody else can read it at any time.
    public static func replace(_ path: String, with octets: [UInt8]) throws(Problem) {
        try update(path) { octets }
    }

    /// Replaces the contents of a file depending on them, while no other process can change it.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - contents: reads the file and returns the new contents; nil leaves the file unchanged.
    public static func update(_ path: String, _ contents: () -> [UInt8]?) throws(Problem) {
        let lock = try create(path + ".lock", 0)
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw Problem(code: errno) } }
        guard let octets = contents() else { return }
        // Left behind by a process that was killed; the lock is ours.
        let new = path + ".new"
        // Safe: the path has a zero at its end and outlives the call.
        _ = unsafe unlink(new)
        let file = try create(new, O_EXCL)
        let isWhole = write(octets, to: file) && fsync(file) == 0
        var code = errno
        close(file)
        if isWhole {
            // Safe: both paths have a zero at their ends and outlive the call.
            if unsafe rename(new, path) == 0 { return }
            code = errno
        }
        // Safe: the path has a zero at its end and outlives the call.
        _ = unsafe unlink(new)
        throw Problem(code: code)
    }

    private static func create(_ path: String, _ flags: Int32) throws(Problem) -> Int32 {
        // Safe: the path has a zero at its end and outlives the call.
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o600)
        guard file >= 0 else { throw Problem(code: errno) }
        return file
    }

    private static func write(_ octets: [UInt8], to file: Int32) -> Bool {
        var written = 0
        while written < octets.count {
            let part = octets[written...]
            // Safe: the count is that of the bytes that are lent for the call.
            let count = unsafe part.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
