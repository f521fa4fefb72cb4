public import WireBytes

/// Whether this client wants notifications or indications: the CCCD.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.3.
@frozen
public struct GATTClientCharacteristicConfiguration: PDUFields, Hashable {
    /// What it wants.
    public var configuration: GATTClientConfiguration

    @inlinable
    public init() {
        configuration = []
    }

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

/// Whether the server broadcasts the value.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.4.
@frozen
public struct GATTServerCharacteristicConfiguration: PDUFields, Hashable {
    /// The bits.
    public var bits: UInt16

    @inlinable
    public init() {
        bits = 0
    }

    @inlinable
    public init(bits: UInt16) {
        self.bits = bits
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Server Characteristic Configuration", &bits, .bits(.gattServerConfiguration))
    }
}

/// What more may be done with the value.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.1.
@frozen
public struct GATTExtendedProperties: PDUFields, Hashable {
    /// The bits.
    public var bits: UInt16

    @inlinable
    public init() {
        bits = 0
    }

    @inlinable
    public init(bits: UInt16) {
        self.bits = bits
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Characteristic Extended Properties", &bits, .bits(.gattExtendedProperties))
    }
}

/// A text: a description, a device's name.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.2.
@frozen
public struct GATTText<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// UTF-8.
    public var text: Payload

    @inlinable
    public init() {
        text = Payload()
    }

    @inlinable
    public init(text: Payload) {
        self.text = text
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Text", &text, .text)
    }
}

/// How a value is to be shown.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.5.
@frozen
public struct GATTPresentationFormat: PDUFields, Hashable {
    /// The type of the value.
    public var format: UInt8
    /// The power of ten that the value is multiplied with.
    public var exponent: Int8
    /// The unit.
    public var unit: BluetoothUUID
    /// Who gave the description its meaning; 1 for the Bluetooth SIG.
    public var namespace: UInt8
    /// Which of several like values it is.
    public var description: UInt16

    @inlinable
    public init() {
        format = 0
        exponent = 0
        unit = BluetoothUUID(UInt16(0))
        namespace = 0
        description = 0
    }

    @inlinable
    public init(format: UInt8, exponent: Int8, unit: BluetoothUUID, namespace: UInt8, description: UInt16) {
        self.format = format
        self.exponent = exponent
        self.unit = unit
        self.namespace = namespace
        self.description = description
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Format", &format, .code(.gattFormat))
        try coder.i8("Exponent", &exponent)
        try coder.uuid("Unit", &unit, width: 2)
        try coder.u8("Name Space", &namespace)
        try coder.u16("Description", &description, .hex)
    }
}

/// The formats of a value that is made of several.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.6.
@frozen
public struct GATTAggregateFormat<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// Handles of presentation formats, two octets each: ``ATTHandle``.
    public var handles: Payload

    @inlinable
    public init() {
        handles = Payload()
    }

    @inlinable
    public init(handles: Payload) {
        self.handles = handles
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("List of Handles", &handles, of: ATTHandle.self, width: 2)
    }
}
