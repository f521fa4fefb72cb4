/// Lifetime of the attributes discovered at a peripheral: until the link ends, or the peripheral reports that
/// its services have changed.
final class AttributeLife: Sendable {
    private let owner: Guarded<Weak<CBPeripheral>>

    init(_ peripheral: CBPeripheral) { owner = Guarded(Weak(peripheral)) }

    /// Whether an operation of this peripheral may use the attributes.
    func serves(_ peripheral: CBPeripheral) -> Bool { owner.current.object === peripheral }

    func end() { owner.current = Weak(nil) }
}

extension CBService {
    /// Invalidates the service and everything discovered in it.
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
