import Glibc

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
