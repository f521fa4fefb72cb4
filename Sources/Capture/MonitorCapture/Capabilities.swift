import Glibc

/// The capabilities of this process.
public struct Capabilities: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// CAP_NET_ADMIN: large receive buffers, the management interface, the user channel, marks.
    public static let netAdmin = Capabilities(rawValue: 1 << 12)
    /// CAP_NET_RAW: the monitor channel.
    public static let netRaw = Capabilities(rawValue: 1 << 13)

    /// The capabilities in effect; empty if the kernel does not report them.
    public static var effective: Capabilities {
        let text = contents("/proc/self/status")
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }) else {
            return []
        }
        let digits = line.dropFirst(7).drop { $0 == "\t" || $0 == " " }
        return Capabilities(rawValue: UInt64(digits, radix: 16) ?? 0)
    }

    private static func contents(_ path: String) -> String {
        // Safe: the path is terminated by a zero and outlives the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var octets = [UInt8](repeating: 0, count: 8192)
        // Safe: the kernel writes at most as many bytes as the array has.
        let count = unsafe octets.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
    }
}

/// A user of this machine whose identity a process can assume.
public struct UserIdentity: Equatable, Sendable {
    /// The user's name.
    public var name: String
    /// The user's number.
    public var user: UInt32
    /// The number of the user's own group.
    public var group: UInt32

    /// Finds the user with this name; nil if absent.
    public init?(name: String) {
        // Safe: the name is terminated by a zero; the result is copied before any other call.
        guard let entry = unsafe getpwnam(name) else { return nil }
        self.name = name
        user = unsafe entry.pointee.pw_uid
        group = unsafe entry.pointee.pw_gid
    }

    /// Whether this process runs as root.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Changes this process to the user permanently, with the user's groups and without capabilities.
    ///
    /// - Throws: also if the user is root, since no privilege would be dropped.
    public func assume() throws(MonitorError) {
        guard user != 0 else { throw .system(call: "give up being root", errno: EINVAL) }
        // Safe: the name is terminated by a zero and outlives the call.
        guard unsafe initgroups(name, group) == 0 else { throw .system(call: "initgroups", errno: errno) }
        guard setgid(group) == 0 else { throw .system(call: "setgid", errno: errno) }
        guard setuid(user) == 0 else { throw .system(call: "setuid", errno: errno) }
        // Dropped privileges must not come back: a process that can become root again has dropped nothing.
        guard setuid(0) != 0, getuid() == user, geteuid() == user else {
            throw .system(call: "give up being root", errno: EPERM)
        }
    }
}
