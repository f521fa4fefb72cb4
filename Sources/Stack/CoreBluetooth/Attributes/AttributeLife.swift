/// Whether what was discovered at a peripheral is still of use: it is until the link ends, or the peripheral
/// says that its services have changed.
final class AttributeLife: Sendable {
    private let owner: Guarded<Weak<CBPeripheral>>

    init(_ peripheral: CBPeripheral) { owner = Guarded(Weak(peripheral)) }

    /// Whether an operation of this peripheral may use it.
    func serves(_ peripheral: CBPeripheral) -> Bool { owner.current.object === peripheral }

    func end() { owner.current = Weak(nil) }
}

extension CBService {
    /// Makes it, and all that was discovered in it, useless.
    func end() {
        life?.end()
        // Services may include each other.
        let included = contents.change { contents in
            defer { contents.includedServices = nil }
            return contents.includedServices ?? []
        }
        for service in included { service.end() }
    }
}
