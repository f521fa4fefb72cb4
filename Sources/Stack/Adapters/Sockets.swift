import CLinux
import Glibc

/// H4 over TCP.
enum TCP {
    /// The host of an address that names none.
    static let loopback = "127.0.0.1"
    /// The host that means every interface.
    static let everyInterface = "*"

    static func connect(_ host: String, port: UInt16, _ name: String) throws(AdapterError) -> Int32 {
        guard host != everyInterface else {
            throw AdapterError(
                "\(name): '*' is only for listening", advice: "name a machine: tcp:127.0.0.1:\(port)")
        }
        var code: Int32 = 0
        for address in try resolve(host, port: port, name) {
            let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { continue }
            // Safe: the call reads one address, which outlives it.
            if unsafe address.with({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 {
                sendAtOnce(descriptor)
                return descriptor
            }
            code = errno
            close(descriptor)
        }
        throw AdapterError(
            "\(name): \(Descriptor.text(code))",
            advice: code == ECONNREFUSED ? "nothing listens there" : nil)
    }

    static func listen(_ host: String, port: UInt16, _ name: String) throws(AdapterError) -> Int32 {
        var code: Int32 = 0
        // A socket at `::` takes IPv4 too; without IPv6 only that is left.
        let hosts = host == everyInterface ? ["::", "0.0.0.0"] : [host]
        var addresses: [SocketAddress] = []
        for host in hosts { addresses += try resolve(host, port: port, name) }
        for address in addresses where [0, EAFNOSUPPORT, EADDRNOTAVAIL].contains(code) || hosts.count == 1 {
            let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                code = errno
                continue
            }
            set(descriptor, SOL_SOCKET, SO_REUSEADDR)
            if address.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0) }
            // Safe: the call reads one address, which outlives it.
            let isBound = unsafe address.with { unsafe bind(descriptor, $0, $1) } == 0
            if isBound, Glibc.listen(descriptor, 16) == 0 { return descriptor }
            code = errno
            close(descriptor)
        }
        throw AdapterError(
            "\(name): \(Descriptor.text(code))",
            advice: code == EADDRINUSE ? "another program listens there" : nil)
    }

    /// HCI packets are small and urgent.
    static func sendAtOnce(_ descriptor: Int32) { set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) }

    static func bound(_ descriptor: Int32, _ address: AdapterAddress) -> AdapterAddress {
        guard case .tcp(let host, port: 0) = address else { return address }
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        // Safe: the kernel fills at most one structure; the port lies at the same place in both families.
        let result = unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return result == 0 ? .tcp(host: host, port: UInt16(bigEndian: storage.sin6_port)) : address
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, to value: Int32 = 1) {
        var value = value
        // Safe: the kernel reads one number.
        unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func resolve(
        _ host: String, port: UInt16, _ name: String
    ) throws(AdapterError) -> [SocketAddress] {
        // Safe: a structure of the library's, filled here.
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        // Safe: the list is freed after its addresses are copied.
        let code = unsafe getaddrinfo(host.isEmpty ? loopback : host, "\(port)", &hints, &first)
        guard code == 0 else {
            let text = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "not found"
            throw AdapterError("\(name): \(text)", advice: "write the host as 127.0.0.1 or by its name")
        }
        defer { unsafe freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next {
            let info = unsafe entry.pointee
            if let address = unsafe info.ai_addr {
                let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
                found.append(unsafe SocketAddress(family: info.ai_family, bytes: Array(bytes)))
            }
            unsafe next = info.ai_next
        }
        return found
    }
}

/// H4 over a Unix socket.
enum UnixSocket {
    static func connect(_ path: String, _ name: String) throws(AdapterError) -> Int32 {
        let (descriptor, address) = try make(path, name)
        // Safe: the call reads one address, which outlives it.
        guard unsafe address.with({ unsafe Glibc.connect(descriptor, $0, $1) }) != 0 else {
            return descriptor
        }
        let code = errno
        close(descriptor)
        throw AdapterError(
            "\(name): \(Descriptor.text(code))",
            advice: code == ECONNREFUSED || code == ENOENT ? "nothing listens there" : nil)
    }

    static func listen(_ path: String, _ name: String) throws(AdapterError) -> Int32 {
        // A socket file may be left from a killed listener; one that accepts connections belongs to another
        // program and stays.
        if let other = try? connect(path, name) {
            close(other)
            throw AdapterError("\(name): another program listens there")
        }
        var status = stat()
        // Safe: the kernel fills one structure.
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { _ = unsafe unlink(path) }
        let (descriptor, address) = try make(path, name)
        if unsafe address.with({ unsafe bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 16) == 0 {
            return descriptor
        }
        let code = errno
        close(descriptor)
        throw AdapterError("\(name): \(Descriptor.text(code))")
    }

    private static func make(
        _ path: String, _ name: String
    ) throws(AdapterError) -> (Int32, SocketAddress) {
        let bytes = Array(path.utf8)
        guard bytes.count < 108, !bytes.contains(0) else {
            throw AdapterError("\(name): a socket's path has at most 107 bytes")
        }
        let family = UInt16(AF_UNIX)
        let head = [UInt8(truncatingIfNeeded: family), UInt8(truncatingIfNeeded: family >> 8)]
        let inOrder = family.littleEndian == family ? head : head.reversed()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw AdapterError("\(name): \(Descriptor.text(errno))") }
        return (descriptor, SocketAddress(family: AF_UNIX, bytes: inOrder + bytes + [0]))
    }
}

/// An address of any family, as the kernel takes it.
struct SocketAddress {
    var family: Int32
    var bytes: [UInt8]

    func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let size = min(bytes.count, MemoryLayout<sockaddr_storage>.size)
        // Safe: the bytes fit the storage, which holds addresses of every family.
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyBytes(from: bytes.prefix(size)) }
        return unsafe withUnsafePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(size))
            }
        }
    }
}

/// H4 over terminals: serial lines, and pseudo-terminals.
enum Terminal {
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
