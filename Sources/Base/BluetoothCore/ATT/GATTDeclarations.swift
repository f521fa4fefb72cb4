public import WireBytes

/// The value of a service's first attribute: the service's UUID.
///
/// Source: Core Specification, Vol 3, Part G, 3.1.
@frozen
public struct GATTServiceDeclaration: PDUFields, Hashable {
    /// The service.
    public var uuid = BluetoothUUID(UInt16(0))
    /// Width of the UUID on the wire in bytes: 2 or 16.
    public var uuidWidth: UInt8 = 2

    @inlinable public init() {}

    @inlinable
    public init(uuid: BluetoothUUID) {
        self.uuid = uuid
        self.uuidWidth = uuid.attributeWidth
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeType("Service UUID", &uuid, width: &uuidWidth)
    }
}

/// The value of an attribute that includes another service.
///
/// Source: Core Specification, Vol 3, Part G, 3.2.
@frozen
public struct GATTIncludeDeclaration: PDUFields, Hashable {
    /// The first attribute of the included service.
    public var handle: UInt16 = 0
    /// The last attribute of the included service.
    public var endGroupHandle: UInt16 = 0
    /// The service's UUID if it has 16 bits; a longer UUID must be read from the included service.
    public var uuid: BluetoothUUID?

    @inlinable public init() {}

    @inlinable
    public init(handle: UInt16, endGroupHandle: UInt16, uuid: BluetoothUUID?) {
        self.handle = handle
        self.endGroupHandle = endGroupHandle
        self.uuid = uuid
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Included Service Attribute Handle", &handle)
        try coder.handle("End Group Handle", &endGroupHandle)
        if coder.isWriting ? uuid == nil : coder.remaining == 0 { return }
        var service = uuid ?? BluetoothUUID(UInt16(0))
        try coder.uuid("Service UUID", &service, width: 2)
        uuid = service
    }
}

/// A characteristic's declaration: its properties, the handle of its value, and its UUID.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.1.
@frozen
public struct GATTCharacteristicDeclaration: PDUFields, Hashable {
    /// Operations permitted on the value.
    public var properties: GATTCharacteristicProperties = []
    /// The attribute that holds the value.
    public var valueHandle: UInt16 = 0
    /// The characteristic.
    public var uuid = BluetoothUUID(UInt16(0))
    /// Width of the UUID on the wire in bytes: 2 or 16.
    public var uuidWidth: UInt8 = 2

    @inlinable public init() {}

    @inlinable
    public init(properties: GATTCharacteristicProperties, valueHandle: UInt16, uuid: BluetoothUUID) {
        self.properties = properties
        self.valueHandle = valueHandle
        self.uuid = uuid
        self.uuidWidth = uuid.attributeWidth
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code(
            "Characteristic Properties", &properties, width: 1, GATTCharacteristicProperties.meaning)
        try coder.handle("Characteristic Value Handle", &valueHandle)
        try coder.attributeType("Characteristic UUID", &uuid, width: &uuidWidth)
    }
}

extension GATTCharacteristicProperties: Codable {
    /// The meaning of the field: the names of its bits.
    @inlinable public static var meaning: FieldMeaning { .bits(.gattProperties) }
}

extension GATTClientConfiguration: Codable {
    /// The meaning of the field: the names of its bits.
    @inlinable public static var meaning: FieldMeaning { .bits(.gattClientConfiguration) }
}

/// Client Characteristic Configuration descriptor (CCCD): the value updates that one client requests.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.3.
@frozen
public struct GATTClientCharacteristicConfiguration: PDUFields, Hashable {
    /// The requested updates.
    public var configuration: GATTClientConfiguration = []

    @inlinable public init() {}

    @inlinable
    public init(configuration: GATTClientConfiguration) {
        self.configuration = configuration
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code(
            "Client Characteristic Configuration", &configuration, width: 2, GATTClientConfiguration.meaning)
    }
}
