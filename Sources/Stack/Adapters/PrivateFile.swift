import Glibc

/// A file that its user alone can read.
public enum PrivateFile {
    /// Why a file could not be written, as the system numbers it.
    public struct Problem: Error {
        public var code: Int32
    }

    /// Puts octets in the place of what a file holds: all of them, or, wherever this process ends, what was
    /// there before. The file is made where it is missing, and is read by nobody else at any moment.
    public static func replace(_ path: String, with octets: [UInt8]) throws(Problem) {
        let new = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        // Safe: the path has a zero at its end and outlives the call.
        let file = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Problem(code: errno) }
        var written = 0
        while written < octets.count {
            let part = octets[written...]
            // Safe: the count is that of the octets that are lent for the call.
            let count = unsafe part.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        let isWhole = written == octets.count && fsync(file) == 0
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
}
