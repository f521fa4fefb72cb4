import Synchronization

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

    /// Bytes that are held.
    var used: Int { state.withLock { $0.used } }

    /// Takes room for so many bytes; false where there is not as much.
    func take(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= state.limit - state.used else { return false }
            state.used += count
            return true
        }
    }

    /// Gives room back.
    func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}
