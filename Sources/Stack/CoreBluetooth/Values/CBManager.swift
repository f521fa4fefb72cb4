public import Dispatch
public import Foundation
import LEHost

/// Where a manager stands.
public enum CBManagerState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

extension CBManagerState {
    /// What a host's state means to managers; nil where it says nothing yet.
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

/// What the person has allowed the program to do.
public enum CBManagerAuthorization: Int, Hashable, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case allowedAlways = 3
}

/// Where a central manager stood, up to iOS 10; ``CBManagerState`` took its place.
@available(*, deprecated, renamed: "CBManagerState")
public enum CBCentralManagerState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// Where a peripheral manager stood, up to iOS 10; ``CBManagerState`` took its place.
@available(*, deprecated, renamed: "CBManagerState")
public enum CBPeripheralManagerState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// What the person has allowed a peripheral manager; ``CBManagerAuthorization`` took its place.
public enum CBPeripheralManagerAuthorizationStatus: Int, Hashable, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
}

/// What central and peripheral managers have in common.
open class CBManager: NSObject, @unchecked Sendable {
    /// Where the manager stands; changed in the manager's queue, before the delegate is told.
    open var state: CBManagerState { standing.current }

    /// What the person has allowed. Linux asks no one: what a user may do with an adapter is a permission of
    /// the system, and one that it may not open is ``CBManagerState/unsupported``.
    open class var authorization: CBManagerAuthorization { .allowedAlways }
    open var authorization: CBManagerAuthorization { .allowedAlways }

    /// The adapter that it works on, with the time, randomness and queues of what is built on it; nil where
    /// there is none. Not part of Apple's API.
    @_spi(Host) public let adapter: BluetoothAdapter?

    /// The queue of its callbacks; nil for the main queue. Not part of Apple's API, and not called `queue`:
    /// a subclass may well have a property of that name.
    @_spi(Host) public let callbackQueue: DispatchQueue?

    /// What was called though the manager's state or the object did not allow it, in order: each text once,
    /// and at most 100. Apple writes it to its log. Not part of Apple's API.
    @_spi(Host) public var misuse: [String] { misuses.current.lines }

    /// How many such calls there were, with those that ``misuse`` leaves out. Not part of Apple's API.
    @_spi(Host) public var misuseCount: Int { misuses.current.count }

    let standing = Guarded(CBManagerState.unknown)
    let misuses = Guarded(Misuses())

    /// Not part of Apple's API, and of use to the module's own managers alone. It is public because a
    /// subclass of those inherits their convenience initializers only where it can see all designated ones.
    public init(queue: DispatchQueue?, adapter: BluetoothAdapter?) {
        callbackQueue = queue
        self.adapter = adapter
    }

    /// Whether a call is allowed now; one that is not is kept in ``misuse``.
    func isOn(_ call: String) -> Bool {
        guard state != .poweredOn else { return true }
        noteMisuse("\(call) can only be used while in the powered on state")
        return false
    }

    /// Hands a callback to the manager's queue.
    func call(_ body: @escaping @Sendable () -> Void) {
        if let adapter { return adapter.deliver(on: callbackQueue, body) }
        LiveDelivery().deliver(on: callbackQueue, body)
    }
}
