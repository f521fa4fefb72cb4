import LEHost

/// What an adapter knows of one of its peripheral managers; used within the scheduler, but for the owner.
final class ServerRole: @unchecked Sendable {
    private let owner = Guarded(Weak<CBPeripheralManager>(nil))
    var advertised: AdvertisingPayload?
    /// Whether the delegate waits to be told that it advertises.
    var isStarting = false

    var manager: CBPeripheralManager? { owner.current.object }

    func begin(_ manager: CBPeripheralManager) { owner.current = Weak(manager) }
}
