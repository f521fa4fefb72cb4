public import WireBytes

/// Asks for the groups of one type, such as services, in a range of handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.9.
public struct ATTReadByGroupTypeRequest: ATTPDU {
    public static let opcode = ATTOpcode.readByGroupTypeRequest

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
        try coder.attributeType("Attribute Group Type", &type, width: &typeWidth)
    }
}

/// Carries groups of the requested type, all with values of one length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.10.
public struct ATTReadByGroupTypeResponse: ATTPDU {
    public static let opcode = ATTOpcode.readByGroupTypeResponse

    /// Length of each element in bytes: 4 plus the length of the value.
    public var length: UInt8 = 0
    /// Elements of ``length`` bytes each: ``ATTGroupValue``.
    public var attributes: [UInt8] = []

    public init() {}

    public init(length: UInt8, attributes: [UInt8]) {
        self.length = length
        self.attributes = attributes
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        let start = coder.offset
        try coder.u8("Length", &length)
        guard length >= 4 else { throw DecodeError(.invalidLength, at: start) }
        try coder.attributeElements("Attribute Data List", &attributes, width: Int(length))
    }
}

/// One group: its first and last handle and the value of its first attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.10.
public struct ATTGroupValue: PDUFields, Hashable {
    /// The attribute that begins the group.
    public var handle: UInt16 = 0
    /// The last handle of the group.
    public var groupEndHandle: UInt16 = 0
    /// The value of the first attribute.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, groupEndHandle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.groupEndHandle = groupEndHandle
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.handle("End Group Handle", &groupEndHandle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}
