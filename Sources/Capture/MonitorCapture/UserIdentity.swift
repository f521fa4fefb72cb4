import Glibc

/// A user of this machine that a process may become.
public struct UserIdentity: Equatable, Sendable {
    /// The user's name.
    public var name: String
    /// The user's number.
    public var user: UInt32
    /// The number of the user's own group.
    public var group: UInt32

    /// The user of this name; nil if absent.
    public init?(name: String) {
        // Safe: the name has a zero at its end; what is found is copied before any other call.
        guard let entry = unsafe getpwnam(name) else { return nil }
        self.name = name
        user = unsafe entry.pointee.pw_uid
        group = unsafe entry.pointee.pw_gid
    }

    /// Whether this process runs as root.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Makes this process the user's for good, with the user's groups and without any capability.
    ///
    /// - Throws: also for root itself, who would give up nothing.
    public func assume() throws(MonitorError) {
        guard user != 0 else { throw .system(call: "give up being root", errno: EINVAL) }
        // Safe: the name has a zero at its end and outlives the call.
        guard unsafe initgroups(name, group) == 0 else { throw .system(call: "initgroups", errno: errno) }
        guard setgid(group) == 0 else { throw .system(call: "setgid", errno: errno) }
        guard setuid(user) == 0 else { throw .system(call: "setuid", errno: errno) }
        // What was given up must not come back: a process that still can become root has given up nothing.
        guard setuid(0) != 0, getuid() == user, geteuid() == user else {
            throw .system(call: "give up being root", errno: EPERM)
        }
    }
}
