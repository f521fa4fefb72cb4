import LEHost

/// What an adapter knows of one of its peripheral managers; used within the scheduler, but for the owner.
final class ServerRole: @unchecked Sendable {
    private let owner = Guarded(Weak<CBPeripheralManager>(nil))
    var advertised: AdvertisingPayload?
    /// The call whose end the delegate waits for; nil where it waits for none.
    var starting: UInt64?

    var manager: CBPeripheralManager? { owner.current.object }

    func begin(_ manager: CBPeripheralManager) { owner.current = Weak(manager) }
}
