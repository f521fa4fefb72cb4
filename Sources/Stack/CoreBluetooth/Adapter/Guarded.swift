import Synchronization

/// A value behind a lock, for what Apple's API hands from queue to queue though its types don't say that
/// they may be: delegates, dictionaries of `Any`.
///
/// The lock guards the reference; what a delegate does with itself is its owner's affair, as with Apple.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = Mutex(())
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// The value, or a new one in its place.
    var current: Value {
        get { lock.withLock { _ in value } }
        set {
            // The old value is let go outside: its end may come back here.
            var other = newValue
            lock.withLock { _ in swap(&value, &other) }
        }
    }

    /// Changes the value in one step. `body` must not use it by another way.
    @discardableResult
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { _ in body(&value) }
    }
}

/// A weak reference, for a ``Guarded``. Delegates have references of their own: an existential isn't a class.
struct Weak<Object: AnyObject> {
    weak var object: Object?

    init(_ object: Object?) { self.object = object }
}
