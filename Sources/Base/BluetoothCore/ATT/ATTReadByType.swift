public import WireBytes

/// Asks for the values of the attributes of one type in a range of handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.1.
public struct ATTReadByTypeRequest: ATTPDU {
    public static let opcode = ATTOpcode.readByTypeRequest

    /// First handle of the range; never 0.
    public var startingHandle: UInt16 = 0
    /// Last handle of the range.
    public var endingHandle: UInt16 = 0
    /// The requested type.
    public var type = BluetoothUUID(UInt16(0))
    /// Width of the type on the wire in bytes: 2 or 16.
    public var typeWidth: UInt8 = 2

    public init() {}

    public init(startingHandle: UInt16, endingHandle: UInt16, type: BluetoothUUID) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.type = type
        typeWidth = type.attributeWidth
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Starting Handle", &startingHandle)
        try coder.handle("Ending Handle", &endingHandle)
        try coder.attributeType("Attribute Type", &type, width: &typeWidth)
    }
}

/// Carries attributes of the requested type, all with values of one length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.2.
public struct ATTReadByTypeResponse: ATTPDU {
    public static let opcode = ATTOpcode.readByTypeResponse

    /// Length of each element in bytes: 2 plus the length of the value.
    public var length: UInt8 = 0
    /// Elements of ``length`` bytes each: ``ATTHandleValue``.
    public var attributes: [UInt8] = []

    public init() {}

    public init(length: UInt8, attributes: [UInt8]) {
        self.length = length
        self.attributes = attributes
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        let start = coder.offset
        try coder.u8("Length", &length)
        guard length >= 2 else { throw DecodeError(.invalidLength, at: start) }
        try coder.attributeElements("Attribute Data List", &attributes, width: Int(length))
    }
}

/// The value of one attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.2.
public struct ATTHandleValue: PDUFields, Hashable, Codable {
    /// The attribute.
    public var handle: UInt16 = 0
    /// Its value, or as much of it as the response has.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}
