import CLinux
import Glibc

/// A second process of this program, which survives when this one is killed and receives descriptors until
/// then.
///
/// It has its own session and blocks every signal except SIGKILL and SIGSTOP, so the end of a terminal or
/// service does not end it; it exits by itself. Of this process's descriptors it only gets those passed to
/// it. It lives as long as this object.
public final class ChildProcess {
    private let socket: Int32
    private let process: pid_t

    /// Starts the child process.
    ///
    /// - Parameters:
    ///   - name: the first of its `CommandLine.arguments`, by which the program recognizes its role.
    ///   - program: the program to run; by default the running one, even if its file was replaced.
    public init(named name: String, program: String = "/proc/self/exe") throws(SystemCall.Problem) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        // Safe: the kernel writes two descriptors into an array of two.
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SystemCall.Problem(code: errno)
        }
        socket = ends[0]
        let started = Self.spawn(program, name, input: ends[1])
        close(ends[1])
        switch started {
        case .success(let number): process = number
        case .failure(let problem):
            process = 0
            throw problem
        }
    }

    deinit {
        if process > 0 {
            // The child is no longer needed. A child not yet waited for keeps its process number, so this
            // kills the right one.
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        }
        close(socket)
    }

    private static func spawn(
        _ program: String, _ name: String, input: Int32
    ) -> Result<pid_t, SystemCall.Problem> {
        // Safe: all structures outlive the calls, are filled by the first call for each, and freed by the
        // last; the arguments end with a null pointer, and their bytes live as long as the closure runs.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(BLECAP_SPAWN_SETSID)
        unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        var process = pid_t()
        let code = unsafe name.withCString { text in
            var words = unsafe [UnsafeMutablePointer(mutating: text), nil]
            return unsafe posix_spawn(&process, program, &actions, &attributes, &words, environ)
        }
        return code == 0 ? .success(process) : .failure(SystemCall.Problem(code: code))
    }

    /// Whether the child has exited, which happens before this process exits only if someone kills it.
    public var hasEnded: Bool {
        var wanted = pollfd(fd: socket, events: 0, revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        return unsafe poll(&wanted, 1, 0) > 0
    }

    /// Passes duplicates of descriptors to the child; returns whether that succeeded.
    public func hand(_ descriptors: [Int32]) -> Bool {
        var control = DescriptorMessage.control(for: descriptors)
        // Safe: everything that the message refers to outlives the call.
        let sent = unsafe DescriptorMessage.withMessage(&control) { message in
            unsafe sendmsg(socket, &message, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        return sent == 1
    }
}

/// Functions called in the child.
extension ChildProcess {
    /// Whether this process is a child: its standard input is the socket of one.
    public static var isThisProcess: Bool {
        var kind: Int32 = 0
        var length = socklen_t(4)
        // Safe: the kernel writes one integer.
        guard unsafe getsockopt(0, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else { return false }
        return kind == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// Drops what a child does not need: its working folder, and every capability.
    ///
    /// - Parameter name: its name in process lists, at most 15 bytes.
    public static func settle(as name: String) {
        // Safe: constant paths; the name's bytes outlive the call. Failures are harmless.
        _ = unsafe chdir("/")
        let list = unsafe open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
        if list >= 0 {
            _ = unsafe write(list, name, name.utf8.count)
            close(list)
        }
        var header = __user_cap_header_struct(version: UInt32(_LINUX_CAPABILITY_VERSION_3), pid: 0)
        var none = [__user_cap_data_struct](repeating: __user_cap_data_struct(), count: 2)
        // Safe: this version of the call reads two structures.
        _ = unsafe capset(&header, &none)
    }

    /// Receives the next descriptors, which the caller closes; returns nil if no more will come.
    public static func take() -> [Int32]? {
        var control = DescriptorMessage.control(for: [Int32](repeating: -1, count: DescriptorMessage.most))
        var length = 0
        // Safe: the kernel writes at most the size stated in the message.
        let taken = unsafe DescriptorMessage.withMessage(&control) { message in
            let taken = unsafe recvmsg(0, &message, Int32(MSG_CMSG_CLOEXEC))
            length = unsafe Int(message.msg_controllen)
            return taken
        }
        return taken > 0 ? DescriptorMessage.descriptors(in: control.prefix(length)) : nil
    }
}
