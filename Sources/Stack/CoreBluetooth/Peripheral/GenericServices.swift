import BluetoothCore
import LEHost

/// The two services that every server has: Generic Access, with the device's name and appearance, and Generic
/// Attribute, with Service Changed.
///
/// Source: Core Specification, Vol 3, Part C, 12, and Vol 3, Part G, 7.
struct GenericServices {
    /// Default name of a device.
    static let name = "blecap"
    /// Handle of the name; nil if absent.
    private(set) var deviceName: UInt16?

    /// Adds the services to an empty database.
    ///
    /// For a host that bonds, they include what clients need to cache their discovery between links.
    ///
    /// - Parameter add: adds a service to the database.
    mutating func place(bonds: Bool, _ add: (GATTServiceDefinition) -> GATTPlacedService?) {
        let access = add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0x1800)),
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0x2A00)), properties: [.read],
                        value: .fixed(Array(Self.name.utf8)), permissions: [.readable]),
                    // Appearance: unknown.
                    .init(
                        uuid: BluetoothUUID(UInt16(0x2A01)), properties: [.read], value: .fixed([0, 0]),
                        permissions: [.readable]),
                ]))
        var characteristics: [GATTServiceDefinition.Characteristic] = [
            .init(uuid: .serviceChanged, properties: [.indicate], value: .fixed([]), permissions: [])
        ]
        if bonds {
            characteristics += [
                .init(
                    uuid: .clientSupportedFeatures, properties: [.read, .write], value: .clientFeatures,
                    permissions: [.readable, .writeable]),
                .init(
                    uuid: .databaseHash, properties: [.read], value: .databaseHash, permissions: [.readable]),
            ]
        }
        _ = add(GATTServiceDefinition(uuid: .genericAttributeService, characteristics: characteristics))
        deviceName = access?.characteristics.first?.valueHandle
    }
}
