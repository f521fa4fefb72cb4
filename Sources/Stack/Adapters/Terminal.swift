import CLinux
import Glibc

/// H4 over terminals: serial lines, and pseudo-terminals.
enum Terminal {
    /// Opens an existing terminal.
    static func open(_ path: String, _ name: String) throws(AdapterError) -> Int32 {
        // Safe: the calls read the path.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw AdapterError(
                "\(name): \(Descriptor.text(errno))",
                advice: errno == EACCES ? "its owner or group may open it" : nil)
        }
        guard makeRaw(descriptor) else {
            close(descriptor)
            throw AdapterError("\(name): not a terminal")
        }
        return descriptor
    }

    /// Creates a pseudo-terminal, and a link to its far side.
    static func make(_ path: String, _ name: String) throws(AdapterError) -> Int32 {
        let descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
        var far = [CChar](repeating: 0, count: 128)
        // Safe: the library writes at most as many characters as the array has, with a zero.
        guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
            unsafe ptsname_r(descriptor, &far, far.count) == 0
        else { throw AdapterError("\(name): \(Descriptor.text(errno))") }
        let target = String(decoding: far.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The far side stays open here, so that hosts may come and go; an existing link is replaced.
        let held = unsafe Glibc.open(target, O_RDWR | O_NOCTTY | O_CLOEXEC)
        _ = makeRaw(held)
        var status = stat()
        // Safe: the kernel fills one structure.
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { _ = unsafe unlink(path) }
        guard held >= 0, unsafe symlink(target, path) == 0 else {
            let code = errno
            close(descriptor)
            throw AdapterError("\(name): \(Descriptor.text(code))")
        }
        return descriptor
    }

    /// Makes a terminal pass bytes unchanged.
    private static func makeRaw(_ descriptor: Int32) -> Bool {
        var settings = termios()
        // Safe: the library fills and reads one structure.
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return false }
        unsafe cfmakeraw(&settings)
        return unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0
    }
}
