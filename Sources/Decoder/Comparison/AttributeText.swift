import Analysis
import BluetoothCore

/// Attributes by their UUIDs, with the names assigned to them.
enum AttributeText {
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
        label.characteristic.map { text($0, .characteristic(in: label.service)) } ?? "a characteristic"
    }

    static func text(_ uuid: BluetoothUUID, _ use: AssignedNumbers.UUIDUse) -> String {
        AssignedNumbers.text(uuid, as: use).map { "\(uuid) (\($0))" } ?? "\(uuid)"
    }

    static func line(of service: BluetoothUUID) -> String { "service \(text(service, .service))" }

    /// The lines of services that operating systems manage by themselves, each in its own way.
    static let housekeeping = [BluetoothUUID.genericAccessService, .genericAttributeService].map(line)

    /// Returns the names of the properties of a characteristic.
    private static func text(properties: UInt8) -> String {
        let set: ValueSet = "gatt_properties"
        let names = (0..<8).filter { properties & 1 << $0 != 0 }.compactMap { set.name(UInt64($0)) }
        return names.isEmpty ? "none" : names.map { "\($0)".lowercased() }.joined(separator: ", ")
    }

    /// Returns the attributes of a device, one line each: the same whatever their handles.
    static func lines(of services: [KnownService]) -> [String] {
        var lines: [String] = []
        for service in services {
            let name = line(of: service.uuid)
            lines.append(name)
            for characteristic in service.characteristics {
                guard let uuid = characteristic.uuid else { continue }
                let value = text(uuid, .characteristic(in: service.uuid))
                lines.append("\(name), \(value), properties \(text(properties: characteristic.properties))")
            }
        }
        return lines.sorted()
    }
}
