public import BluetoothCore
import LEHost
import Synchronization

/// A pipe for HCI packets between an adapter's host and its controller, as closures.
///
/// For callers that have a controller and don't know the host.
public struct PacketPipe: Sendable {
    /// Starts the pipe with a closure that receives the controller's packets in order and is never called
    /// from within `send`; nil ends it.
    public var attach: @Sendable ((@Sendable (HCIPacket) -> Void)?) -> Void
    /// Sends a packet to the controller.
    public var send: @Sendable (HCIPacket) -> Void

    public init(
        attach: @escaping @Sendable ((@Sendable (HCIPacket) -> Void)?) -> Void,
        send: @escaping @Sendable (HCIPacket) -> Void
    ) {
        self.attach = attach
        self.send = send
    }
}

final class PipeTransport: HCITransport {
    private let pipe: PacketPipe
    private let isOpen = Mutex(false)

    init(_ pipe: PacketPipe) { self.pipe = pipe }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        isOpen.withLock { $0 = true }
        pipe.attach(receive)
    }

    func send(_ packet: HCIPacket) throws(HCITransportError) {
        guard isOpen.withLock({ $0 }) else { throw HCITransportError(operation: "send") }
        pipe.send(packet)
    }

    func close() {
        isOpen.withLock { $0 = false }
        pipe.attach(nil)
    }
}

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
