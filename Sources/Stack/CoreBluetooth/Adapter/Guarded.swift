import Synchronization

/// A value behind a lock, for values that Apple's API passes between queues although their types aren't
/// `Sendable`: delegates, dictionaries of `Any`.
///
/// The lock guards the reference; a delegate's own state is its owner's responsibility, as with Apple.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = Mutex(())
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// The value; setting it replaces it.
    var current: Value {
        get { lock.withLock { _ in value } }
        set {
            // The old value is released outside the lock: its deinit may call back here.
            var other = newValue
            lock.withLock { _ in swap(&value, &other) }
        }
    }

    /// Changes the value atomically.
    ///
    /// `body` must not access it in any other way.
    @discardableResult
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { _ in body(&value) }
    }
}

/// A weak reference, for a ``Guarded``.
///
/// Delegates have their own wrapper, because an existential isn't a class.
struct Weak<Object: AnyObject> {
    weak var object: Object?

    init(_ object: Object?) { self.object = object }
}
