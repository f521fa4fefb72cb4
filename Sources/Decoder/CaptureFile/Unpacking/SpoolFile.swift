import Glibc
import Synchronization

/// An unnamed temporary file for a log unpacked from an archive.
struct SpoolFile {
    private let owned: OwnedDescriptor
    private let name: String
    private let folder: String
    private let budget: SpoolBudget

    /// - Parameter name: what is unpacked, for errors.
    init(for name: String, budget: SpoolBudget = .ofProcess) throws(CaptureFileError) {
        // Safe: the variable's text is copied at once.
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        let descriptor = Self.open(in: folder)
        guard descriptor >= 0 else {
            throw CaptureFileError(.temporary(folder: folder, errno: errno), file: name)
        }
        self.folder = folder
        self.budget = budget
        owned = OwnedDescriptor(descriptor, in: budget)
        self.name = name
    }

    /// Opens a file that has no name at any moment, so that nothing is left of it however this process ends;
    /// on file systems without such files, one whose name is removed at once. No child process inherits it.
    private static func open(in folder: String) -> Int32 {
        // O_TMPFILE of fcntl.h, which Swift does not import.
        let flags = O_DIRECTORY | 0o20_000_000 | O_RDWR | O_CLOEXEC
        // Safe: the path has a zero at its end and outlives the call.
        let nameless = unsafe Glibc.open(folder, flags, 0o600)
        if nameless >= 0 { return nameless }
        var template = Array("\(folder)/blecap-XXXXXX".utf8CString)
        // Safe: the template ends with a zero, and mkstemp only replaces its last six letters.
        return unsafe template.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let path = buffer.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(path)
            if descriptor >= 0 {
                _ = unsafe unlink(path)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
            return descriptor
        }
    }

    mutating func write(_ octets: [UInt8]) throws(CaptureFileError) {
        guard owned.takeRoom(octets.count) else {
            throw CaptureFileError(.unpacksToMore(than: budget.limit), file: name)
        }
        var place = 0
        while place < octets.count {
            // Safe: this reads the rest of the array, which outlives the call.
            let count = unsafe octets.withUnsafeBytes {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[place...])
                return unsafe Glibc.write(owned.number, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                place += count
            } else if errno != EINTR {
                throw CaptureFileError(.temporary(folder: folder, errno: errno), file: name)
            }
        }
    }

    /// The file's descriptor, at its beginning.
    consuming func rewound() -> OwnedDescriptor {
        lseek(owned.number, 0, SEEK_SET)
        return owned
    }
}

/// The bytes that temporary files hold, of all archives that a process has open: a small archive can unpack
/// to any number of bytes.
public final class SpoolBudget: Sendable {
    /// The budget of the process.
    public static let ofProcess = SpoolBudget(limit: standard)
    /// The usual limit: 1 GiB. Android's bug reports unpack to a tenth of that.
    public static let standard = 1 << 30

    private struct State {
        var limit: Int
        var used = 0
    }

    private let state: Mutex<State>

    /// - Parameter limit: bytes.
    init(limit: Int) { state = Mutex(State(limit: limit)) }

    /// Bytes that may be held at once.
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = max(0, newValue) } }
    }

    var used: Int { state.withLock { $0.used } }

    /// Takes room for so many bytes; false where there is not as much.
    func take(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= state.limit - state.used else { return false }
            state.used += count
            return true
        }
    }

    func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}
