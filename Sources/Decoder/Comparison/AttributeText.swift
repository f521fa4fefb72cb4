import Analysis
import BluetoothCore

/// Attributes by their UUIDs, with the names that were assigned to them.
enum AttributeText {
    /// What an attribute is called, whatever handle it has.
    static func name(of label: AttributeLabel?) -> String {
        guard let label else { return "an attribute without a label" }
        let service = label.service.map { " of service \(text($0, .service))" } ?? ""
        switch label.part {
        case .service: return "the declaration of service \(label.service.map { text($0, .service) } ?? "")"
        case .include: return "an include declaration\(service)"
        case .declaration: return "the declaration of \(characteristic(label))\(service)"
        case .value: return characteristic(label) + service
        case .descriptor(let type):
            let name = type.map { text($0, .descriptor) } ?? "a descriptor"
            return "\(name) of \(characteristic(label))\(service)"
        }
    }

    private static func characteristic(_ label: AttributeLabel) -> String {
        label.characteristic.map { text($0, .characteristic) } ?? "a characteristic"
    }

    /// A UUID with its name.
    static func text(_ uuid: BluetoothUUID, _ use: AssignedNumbers.UUIDUse) -> String {
        AssignedNumbers.text(uuid, as: use).map { "\(uuid) (\($0))" } ?? "\(uuid)"
    }

    /// The line of a service.
    static func line(of service: BluetoothUUID) -> String { "service \(text(service, .service))" }

    /// The lines of services that operating systems look after by themselves, each as it likes.
    static let housekeeping = [BluetoothUUID.genericAccessService, .genericAttributeService].map(line)

    /// The attributes of a device, one line each: the same whatever handles they have.
    static func lines(of services: [KnownService]) -> [String] {
        var lines: [String] = []
        for service in services {
            let name = line(of: service.uuid)
            lines.append(name)
            for characteristic in service.characteristics {
                guard let uuid = characteristic.uuid else { continue }
                let properties = String(characteristic.properties, radix: 16)
                lines.append("\(name), \(text(uuid, .characteristic)), properties 0x\(properties)")
            }
        }
        return lines.sorted()
    }
}
