import BluetoothCore

extension PeerDatabase {
    /// Returns an attribute's assigned name or else its UUID; nil if it is not known.
    func name(of handle: UInt16) -> String? {
        guard let attribute = self[handle] else { return nil }
        switch attribute.type {
        case .clientCharacteristicConfiguration:
            return "CCCD of " + (attribute.characteristic.map(Self.name) ?? "a characteristic")
        case .characteristicDeclaration:
            return "declaration of " + (attribute.characteristic.map(Self.name) ?? "a characteristic")
        case .primaryService, .secondaryService:
            return "service " + (attribute.service.map(Self.name) ?? "")
        default: return Self.name(attribute.type)
        }
    }

    private static func name(_ uuid: BluetoothUUID) -> String {
        for use in [.characteristic, .descriptor, .service] as [AssignedNumbers.UUIDUse] {
            if let name = AssignedNumbers.text(uuid, as: use) { return name }
        }
        return uuid.description
    }
}
