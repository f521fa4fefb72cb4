public import WireBytes

/// Asks for the attributes in a range that have a 16-bit type and exactly a given value.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.3.
public struct ATTFindByTypeValueRequest: ATTPDU {
    public static let opcode = ATTOpcode.findByTypeValueRequest

    /// First handle of the range; never 0.
    public var startingHandle: UInt16 = 0
    /// Last handle of the range.
    public var endingHandle: UInt16 = 0
    /// The type, two bytes on the wire.
    public var type = BluetoothUUID(UInt16(0))
    /// The value to find.
    public var value: [UInt8] = []

    public init() {}

    public init(startingHandle: UInt16, endingHandle: UInt16, type: BluetoothUUID, value: [UInt8]) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.type = type
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Starting Handle", &startingHandle)
        try coder.handle("Ending Handle", &endingHandle)
        try coder.uuid("Attribute Type", &type, width: 2)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Lists the attributes found, each with the last handle of its group.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.4.
public struct ATTFindByTypeValueResponse: ATTPDU {
    public static let opcode = ATTOpcode.findByTypeValueResponse

    /// Pairs of handles, four bytes each: ``ATTHandleRange``.
    public var handles: [UInt8] = []

    public init() {}

    public init(handles: [UInt8]) {
        self.handles = handles
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.attributeElements("Handles Information", &handles, width: 4)
    }
}

/// An attribute and the last handle of the group that it begins.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.4.
public struct ATTHandleRange: PDUFields, Hashable {
    /// The attribute found.
    public var handle: UInt16 = 0
    /// Last handle of its group; its own handle if it begins no group.
    public var groupEndHandle: UInt16 = 0

    public init() {}

    public init(handle: UInt16, groupEndHandle: UInt16) {
        self.handle = handle
        self.groupEndHandle = groupEndHandle
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Found Attribute Handle", &handle)
        try coder.handle("Group End Handle", &groupEndHandle)
    }
}
