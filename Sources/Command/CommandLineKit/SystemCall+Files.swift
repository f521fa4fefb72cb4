import CLinux
import Glibc

extension SystemCall {
    /// Creates a file; see ``OutputFile``.
    ///
    /// If `replacing`, an existing regular file is removed first, so that its other links and open
    /// descriptors keep the old content. A pipe or device is only opened.
    ///
    /// - Parameters:
    ///   - mode: its permission bits.
    ///   - stop: a descriptor that becomes readable to end the wait for a named pipe's reader; nil to wait
    ///     for ``readerPatience``.
    /// - Throws: EEXIST if the file exists and is not to be replaced, ELOOP if it is a link to a file,
    ///   ENOTSUP if others could read it (the file system has no modes), ENXIO for a named pipe without a
    ///   reader, EINTR for `stop`.
    public static func createAnew(
        _ path: String, mode: UInt32 = 0o600, replacing: Bool, stop: Int32? = nil
    ) throws(Problem) -> Int32 {
        if isStream(path) { return try openSpecial(path, stop) }
        if let there = status(ofLink: path) {
            guard replacing else { throw Problem(code: EEXIST) }
            guard there.isRegular || there.isFolder else { throw Problem(code: ELOOP) }
            guard remove(path) else { throw Problem(code: errno) }
        }
        // Safe: the path is terminated by a zero and outlives the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Problem(code: errno) }
        do throws(Problem) { try checkPrivacy(of: descriptor, mode: mode) } catch {
            remove(path)
            throw error
        }
        return descriptor
    }

    /// Closes a new file and throws ENOTSUP if others could read it (the file system has no modes).
    static func checkPrivacy(of descriptor: Int32, mode: UInt32) throws(Problem) {
        guard let made = status(of: descriptor), made.mode & 0o077 & ~mode == 0 else {
            close(descriptor)
            throw Problem(code: ENOTSUP)
        }
    }

    /// The folder of a path.
    static func folder(of path: String) -> String {
        let slash = path.lastIndex(of: "/")
        return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Whether a path is a pipe or a character device.
    static func isStream(_ path: String) -> Bool {
        status(of: path).map { [S_IFIFO, S_IFCHR].contains($0.mode & S_IFMT) } == true
    }

    /// Milliseconds to wait for a named pipe's reader where nothing else ends the wait: a shell may take as
    /// long to start one.
    static let readerPatience = 5000

    /// Opens a pipe or device; waits until a named pipe has a reader.
    private static func openSpecial(_ path: String, _ stop: Int32?) throws(Problem) -> Int32 {
        var waited = 0
        while true {
            // Safe: the path is terminated by a zero and outlives the call.
            let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                // Only the open had to be non-blocking.
                let flags = fcntl(descriptor, F_GETFL)
                guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
                    close(descriptor)
                    throw Problem(code: errno)
                }
                return descriptor
            }
            guard errno == ENXIO, status(of: path)?.isNamedPipe == true else { throw Problem(code: errno) }
            guard stop != nil || waited < readerPatience else { throw Problem(code: ENXIO) }
            waited += 50
            var wanted = pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0)
            // Safe: the kernel reads and fills one structure, which outlives the call.
            if unsafe poll(&wanted, 1, 50) > 0 { throw Problem(code: EINTR) }
        }
    }

    /// Waits until the directory entries in the path's folder are on the disk; returns whether they are.
    @discardableResult
    public static func syncFolder(of path: String) -> Bool {
        // Safe: the path is terminated by a zero and outlives the call.
        let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// The names in the path's folder, in no particular order.
    public static func names(besides path: String) -> [String] {
        // Safe: the path is terminated by a zero, as is each entry's name, which is copied before the next
        // call.
        guard let list = unsafe opendir(folder(of: path)) else { return [] }
        defer { unsafe closedir(list) }
        var names: [String] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe Array($0.prefix { $0 != 0 })
            }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// Opens the descriptors 0 to 2 if they are closed, so that no file gets one of these numbers. Writing to
    /// a standard output that was closed fails, since nobody would receive it.
    public static func openStandardDescriptors() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // Safe: a constant path.
            _ = unsafe open("/dev/null", number == 1 ? O_RDONLY : O_RDWR)
        }
    }

    /// Creates a folder; its parent must exist.
    public static func makeFolder(_ path: String) throws(Problem) {
        // Safe: the path is terminated by a zero and outlives the call.
        guard unsafe mkdir(path, 0o777) == 0 else { throw Problem(code: errno) }
    }

    /// Removes a file's name; returns whether that succeeded.
    @discardableResult
    public static func remove(_ path: String) -> Bool {
        // Safe: the path is terminated by a zero and outlives the call.
        unsafe unlink(path) == 0
    }

    /// Creates zeroed memory with a descriptor, so that it can be shared with another process.
    ///
    /// - Parameter name: its name in lists of open files.
    public static func memory(named name: String, octets: Int) throws(Problem) -> Int32 {
        // Safe: the name is terminated by a zero and outlives the call.
        let descriptor = unsafe memfd_create(name, UInt32(BLECAP_MEMFD_CLOEXEC))
        guard descriptor >= 0 else { throw Problem(code: errno) }
        guard ftruncate(descriptor, octets) == 0 else {
            let code = errno
            close(descriptor)
            throw Problem(code: code)
        }
        return descriptor
    }

    /// Duplicates a descriptor that its owner may close.
    static func duplicate(_ other: Int32) throws(Problem) -> Int32 {
        let descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw Problem(code: errno) }
        return descriptor
    }

    /// The local time as `YYYYMMDD-HHMMSS`.
    ///
    /// - Parameter seconds: seconds since 1970-01-01T00:00:00 UTC.
    public static func localStamp(_ seconds: Int64) -> String {
        var moment = time_t(seconds)
        // Safe: both structures outlive the call, which fills the second.
        var local = unsafe tm()
        guard unsafe localtime_r(&moment, &local) != nil else { return "\(seconds)" }
        func digits(_ value: Int32, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = unsafe [(local.tm_year + 1900, 4), (local.tm_mon + 1, 2), (local.tm_mday, 2)]
        let time = unsafe [(local.tm_hour, 2), (local.tm_min, 2), (local.tm_sec, 2)]
        return date.map(digits).joined() + "-" + time.map(digits).joined()
    }

    /// The path of the running program, from the kernel.
    public static var programPath: String? {
        var path = [UInt8](repeating: 0, count: 4096)
        // Safe: the kernel writes at most as many bytes as the array has.
        let count = unsafe path.withUnsafeMutableBytes {
            guard let room = unsafe $0.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return unsafe readlink("/proc/self/exe", room, $0.count)
        }
        return count > 0 ? String(decoding: path.prefix(count), as: UTF8.self) : nil
    }

    /// Whether a write would not block: the descriptor accepts bytes now, or never will.
    static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        return unsafe poll(&wanted, 1, milliseconds) > 0
    }
}
