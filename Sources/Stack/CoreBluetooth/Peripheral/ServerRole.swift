import LEHost

/// State that an adapter keeps for one of its peripheral managers; used within the scheduler, except for the
/// owner.
final class ServerRole: @unchecked Sendable {
    private let owner = Guarded(Weak<CBPeripheralManager>(nil))
    var advertised: AdvertisingPayload?
    /// Number of calls to stop before the pending call to start; nil if no start is pending.
    var starting: UInt64?

    var manager: CBPeripheralManager? { owner.current.object }

    func begin(_ manager: CBPeripheralManager) { owner.current = Weak(manager) }
}
