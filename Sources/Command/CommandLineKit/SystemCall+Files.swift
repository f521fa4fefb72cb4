import Glibc

extension SystemCall {
    /// Creates a file that only its owner may read; what stood there before is emptied where `replacing`.
    ///
    /// - Throws: EEXIST in the problem where the file is there and is not to be replaced.
    public static func createPrivate(_ path: String, replacing: Bool) throws(Problem) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL)
        // Safe: the path has a zero at its end and outlives the call.
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw Problem(code: errno) }
        // A file that was there keeps its mode when it is opened; pipes and devices keep it for good.
        if replacing, status(of: descriptor)?.isRegular == true { fchmod(descriptor, 0o600) }
        return descriptor
    }

    /// Removes a file's name; whether it could be done.
    @discardableResult
    public static func remove(_ path: String) -> Bool {
        // Safe: the path has a zero at its end and outlives the call.
        unsafe unlink(path) == 0
    }

    /// A second descriptor of standard output, which its owner may close.
    public static func duplicateOutput() throws(Problem) -> Int32 {
        let descriptor = dup(1)
        guard descriptor >= 0 else { throw Problem(code: errno) }
        return descriptor
    }

    /// The local time as `YYYYMMDD-HHMMSS`.
    ///
    /// - Parameter seconds: since 1970-01-01T00:00:00 UTC.
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

    /// The path of the running program, as the kernel knows it.
    public static var programPath: String? {
        var path = [UInt8](repeating: 0, count: 4096)
        // Safe: the kernel writes at most as many octets as the array has.
        let count = unsafe path.withUnsafeMutableBytes {
            guard let room = unsafe $0.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return unsafe readlink("/proc/self/exe", room, $0.count)
        }
        return count > 0 ? String(decoding: path.prefix(count), as: UTF8.self) : nil
    }

    /// Whether the descriptor takes octets now, or says that it never will, so that writing does not wait.
    static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        return unsafe poll(&wanted, 1, milliseconds) > 0
    }
}
