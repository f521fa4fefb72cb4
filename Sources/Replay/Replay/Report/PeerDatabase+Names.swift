import BluetoothCore
import WireBytes

extension PeerDatabase {
    /// What an attribute is called: by the name that was assigned, else by its UUID; nil where it is not
    /// known.
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
        guard let short = uuid.assigned16 else { return uuid.description }
        if let known = AssignedNumbers.characteristic(short) { return text(known) }
        if let known = AssignedNumbers.descriptor(short) { return text(known) }
        if let known = AssignedNumbers.service(short) { return text(known) }
        return uuid.description
    }

    private static func text(_ name: RawSpan) -> String { String(decoding: name.copied(), as: UTF8.self) }
}
