import LEHost

/// What an adapter knows of one of its peripheral managers; used within the scheduler, but for the owner.
final class ServerRole: @unchecked Sendable {
    private let owner = Guarded(Weak<CBPeripheralManager>(nil))
    var advertised: AdvertisingPayload?
    /// How often the program had called to stop when it called to start, as long as the delegate waits for
    /// the end of that; nil where it waits for nothing.
    var starting: UInt64?

    var manager: CBPeripheralManager? { owner.current.object }

    func begin(_ manager: CBPeripheralManager) { owner.current = Weak(manager) }
}
