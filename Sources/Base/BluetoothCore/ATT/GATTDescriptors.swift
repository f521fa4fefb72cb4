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
        try coder.u16("Server Characteristic Configuration", &bits, .bits(gattServerConfigurationName))
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
        try coder.u16("Characteristic Extended Properties", &bits, .bits(gattExtendedPropertyName))
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
        try coder.u8("Format", &format, .code(gattFormatName))
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

@usableFromInline
@Sendable
func gattServerConfigurationName(_ position: Int) -> StaticString? {
    switch position {
    case 0: "Broadcast"
    default: nil
    }
}

@usableFromInline
@Sendable
func gattExtendedPropertyName(_ position: Int) -> StaticString? {
    switch position {
    case 0: "Reliable Write"
    case 1: "Writable Auxiliaries"
    default: nil
    }
}

@usableFromInline
@Sendable
func gattFormatName(_ format: UInt64) -> StaticString? {
    switch format {
    case 0x01: "boolean"
    case 0x02: "uint2"
    case 0x03: "uint4"
    case 0x04: "uint8"
    case 0x05: "uint12"
    case 0x06: "uint16"
    case 0x07: "uint24"
    case 0x08: "uint32"
    case 0x09: "uint48"
    case 0x0A: "uint64"
    case 0x0B: "uint128"
    case 0x0C: "sint8"
    case 0x0D: "sint12"
    case 0x0E: "sint16"
    case 0x0F: "sint24"
    case 0x10: "sint32"
    case 0x11: "sint48"
    case 0x12: "sint64"
    case 0x13: "sint128"
    case 0x14: "float32"
    case 0x15: "float64"
    case 0x16: "medfloat16"
    case 0x17: "medfloat32"
    case 0x18: "uint16[2]"
    case 0x19: "utf8s"
    case 0x1A: "utf16s"
    case 0x1B: "struct"
    case 0x1C: "medASN1"
    default: nil
    }
}
