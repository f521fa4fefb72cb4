public import Dispatch
public import Foundation
import LEHost

/// State of a manager.
public enum CBManagerState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

extension CBManagerState {
    /// Creates the manager state for a host's state; nil if it does not determine one yet.
    init?(_ host: HostState, after before: CBManagerState) {
        switch host {
        case .off: self = .poweredOff
        case .starting: return nil
        case .ready: self = .poweredOn
        case .failed(.transport): self = .unsupported
        case .failed: self = before == .unknown ? .unsupported : .resetting
        }
    }
}

/// The user's permission for the program.
public enum CBManagerAuthorization: Int, Hashable, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case allowedAlways = 3
}

/// State of a central manager up to iOS 10; replaced by ``CBManagerState``.
@available(*, deprecated, renamed: "CBManagerState")
public enum CBCentralManagerState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// State of a peripheral manager up to iOS 10; replaced by ``CBManagerState``.
@available(*, deprecated, renamed: "CBManagerState")
public enum CBPeripheralManagerState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// The user's permission for a peripheral manager; replaced by ``CBManagerAuthorization``.
public enum CBPeripheralManagerAuthorizationStatus: Int, Hashable, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
}

/// Common base of central and peripheral managers.
open class CBManager: NSObject, @unchecked Sendable {
    /// The manager's state; changed in the manager's queue, before the delegate is called.
    open var state: CBManagerState { standing.current }

    /// The user's permission.
    ///
    /// Linux doesn't ask the user: access to an adapter is a system permission, and an adapter that can't be
    /// opened is ``CBManagerState/unsupported``.
    open class var authorization: CBManagerAuthorization { .allowedAlways }
    open var authorization: CBManagerAuthorization { .allowedAlways }

    /// The manager's adapter, with the time, randomness and queues of everything built on it; nil without
    /// one.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public let adapter: BluetoothAdapter?

    /// The queue of its callbacks; nil for the main queue.
    ///
    /// Not part of Apple's API, and not called `queue`, because a subclass may have a property with that
    /// name.
    @_spi(Host) public let callbackQueue: DispatchQueue?

    /// Calls that the state of the manager or the object did not allow, in order: each text once, at most
    /// 100.
    ///
    /// Apple writes them to its log. Not part of Apple's API.
    @_spi(Host) public var misuse: [String] { misuses.current.lines }

    /// Number of such calls, including those that ``misuse`` leaves out.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public var misuseCount: Int { misuses.current.count }

    let standing = Guarded(CBManagerState.unknown)
    let misuses = Guarded(Misuses())

    /// Creates a manager; only for the module's own managers.
    ///
    /// Not part of Apple's API. It is public because a subclass inherits their convenience initializers only
    /// if it can see all designated ones.
    public init(queue: DispatchQueue?, adapter: BluetoothAdapter?) {
        callbackQueue = queue
        self.adapter = adapter
    }

    /// Returns whether a call is allowed now; a call that is not is recorded in ``misuse``.
    func isOn(_ call: String) -> Bool {
        guard state != .poweredOn else { return true }
        noteMisuse("\(call) can only be used while in the powered on state")
        return false
    }

    /// Delivers a callback to the manager's queue.
    func call(_ body: @escaping @Sendable () -> Void) {
        if let adapter { return adapter.deliver(on: callbackQueue, body) }
        LiveDelivery().deliver(on: callbackQueue, body)
    }
}

/// Adapter and queue of a manager: for code above the API that creates its own managers.
///
/// Not part of Apple's API.
public struct ManagerContext: Sendable {
    /// The adapter; nil for the one of ``AdapterSlot`` at the time of use.
    public var adapter: BluetoothAdapter?
    /// The queue of the callbacks, a serial one; nil for the main queue.
    public var queue: DispatchQueue?

    public init(adapter: BluetoothAdapter? = nil, queue: DispatchQueue? = nil) {
        self.adapter = adapter
        self.queue = queue
    }
}

extension CBCentralManager {
    /// Creates a manager in a context.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public convenience init(
        delegate: (any CBCentralManagerDelegate)?, options: [String: Any]? = nil, context: ManagerContext
    ) {
        self.init(
            delegate: delegate, queue: context.queue, options: options,
            adapter: context.adapter ?? AdapterSlot.current)
    }
}

extension CBManager {
    /// Runs `body` in the manager's queue, after the waiting callbacks.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public func perform(_ body: @escaping @Sendable () -> Void) { call(body) }
}

/// Calls that the state of a manager or its object did not allow: the first of each kind, and a count of all.
///
/// A program that repeats a wrong call for days must not fill the memory or the log.
struct Misuses {
    static let limit = 100
    /// Each text once, in the order of the first calls.
    private(set) var lines: [String] = []
    /// Number of all calls, including repeated ones.
    private(set) var count = 0
    private var isFull = false

    /// Records a misuse.
    ///
    /// - Returns: the line for the log; nil if it has been logged before.
    mutating func note(_ line: String) -> String? {
        count += 1
        if lines.contains(line) { return nil }
        guard lines.count == Self.limit else {
            lines.append(line)
            return line
        }
        defer { isFull = true }
        return isFull ? nil : "API MISUSE: \(Self.limit) different misuses; further ones are only counted"
    }
}

extension CBManager {
    /// Records a misuse, and logs it the first time if the adapter has a log.
    func noteMisuse(_ text: String) {
        guard let line = misuses.change({ $0.note("API MISUSE: \(text)") }) else { return }
        adapter?.configuration.log?(line)
    }
}
