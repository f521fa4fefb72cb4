import Foundation

/// The program's code that a thread runs.
///
/// A task has task-local values of its own, and one that is detached has none; what the thread runs is the
/// same for all of them.
struct ProgramThread {
    /// The adapter for the managers that the code makes.
    var adapter: BluetoothAdapter?
    /// The block of the program that runs.
    var block: ProgramBlock?
    /// Whether this thread settles, and runs the program's code itself.
    var isInline = false

    private static let key = {
        var key = pthread_key_t()
        // Safe: the call fills the value that it is given.
        let status = unsafe pthread_key_create(&key, nil)
        precondition(status == 0, "no key for values of threads is left")
        return key
    }()

    static var current: ProgramThread {
        // Safe: `with` alone sets it, to a value that lives as long.
        unsafe pthread_getspecific(key)?.assumingMemoryBound(to: ProgramThread.self).pointee
            ?? ProgramThread()
    }

    /// Runs `body` with other values.
    static func with<Result>(
        _ change: (inout ProgramThread) -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
        var value = current
        change(&value)
        // Safe: the pointer is taken back before the value goes.
        let outer = unsafe pthread_getspecific(key)
        return try unsafe withUnsafeMutablePointer(to: &value) { pointer in
            unsafe pthread_setspecific(key, pointer)
            defer { unsafe pthread_setspecific(key, outer) }
            return try body()
        }
    }
}
