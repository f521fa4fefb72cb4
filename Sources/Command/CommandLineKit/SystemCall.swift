import Glibc
import WireBytes

/// The system calls that the command line needs, each wrapped once.
public enum SystemCall {
    /// A call's errno.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The errno.
        public var code: Int32

        public var description: String { SystemMessage.text(code) }

        public init(code: Int32) { self.code = code }
    }

    /// A file's status; two names with the same identity are the same file.
    public struct FileStatus: Equatable, Sendable {
        /// The device that holds the file.
        public var device: UInt64
        /// The file's number on the device.
        public var inode: UInt64
        /// Type and permission bits.
        public var mode: UInt32
        /// Length in bytes.
        public var size: Int

        /// Whether it is a regular file, not a pipe, a terminal or a device.
        public var isRegular: Bool { mode & S_IFMT == S_IFREG }
        /// Whether it is a folder.
        public var isFolder: Bool { mode & S_IFMT == S_IFDIR }
        /// Whether it is a named pipe.
        public var isNamedPipe: Bool { mode & S_IFMT == S_IFIFO }
        /// Whether it is a pipe or a socket.
        public var isPipeOrSocket: Bool { isNamedPipe || mode & S_IFMT == S_IFSOCK }
        /// Whether the group or others may read it.
        public var isReadableByOthers: Bool { mode & 0o044 != 0 }
        /// Whether both are the same file.
        public func isSameFile(as other: FileStatus) -> Bool {
            device == other.device && inode == other.inode
        }
    }

    /// Turns a write to a pipe without a reader, or beyond the file size limit, into an error instead of a
    /// signal that ends the process.
    public static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// The status of a path; nil if there is no file.
    public static func status(of path: String) -> FileStatus? {
        var found = stat()
        // Safe: the kernel fills the structure, which outlives the call.
        guard unsafe stat(path, &found) == 0 else { return nil }
        return FileStatus(found)
    }

    /// The status of a path, or of the link itself if it is one; nil if there is no file.
    public static func status(ofLink path: String) -> FileStatus? {
        var found = stat()
        // Safe: the kernel fills the structure, which outlives the call.
        guard unsafe lstat(path, &found) == 0 else { return nil }
        return FileStatus(found)
    }

    /// The status of a descriptor; nil if it is not open.
    public static func status(of descriptor: Int32) -> FileStatus? {
        var found = stat()
        // Safe: the kernel fills the structure, which outlives the call.
        guard unsafe fstat(descriptor, &found) == 0 else { return nil }
        return FileStatus(found)
    }

    static func write(_ descriptor: Int32, _ octets: RawSpan) -> Result<Int, Problem> {
        // Safe: the kernel reads the span's own bytes while they are borrowed.
        let count = unsafe octets.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        return count < 0 ? .failure(Problem(code: errno)) : .success(count)
    }

    static func waitUntilWritable(_ descriptor: Int32) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        _ = unsafe poll(&wanted, 1, -1)
    }
}

extension SystemCall.FileStatus {
    fileprivate init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        mode = status.st_mode
        size = Int(status.st_size)
    }
}
