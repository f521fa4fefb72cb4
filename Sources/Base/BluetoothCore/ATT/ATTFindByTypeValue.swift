public import WireBytes

/// Asks which attributes in a range have a 16-bit type and exactly a value.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.3.
@frozen
public struct ATTFindByTypeValueRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .findByTypeValueRequest }

    /// The first handle asked about; never 0.
    public var startingHandle: UInt16
    /// The last handle asked about.
    public var endingHandle: UInt16
    /// The type, two octets on the wire.
    public var type: BluetoothUUID
    /// The value looked for.
    public var value: Payload

    @inlinable
    public init() {
        startingHandle = 0
        endingHandle = 0
        type = BluetoothUUID(UInt16(0))
        value = Payload()
    }

    @inlinable
    public init(startingHandle: UInt16, endingHandle: UInt16, type: BluetoothUUID, value: Payload) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.type = type
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Starting Handle", &startingHandle)
        try coder.handle("Ending Handle", &endingHandle)
        try coder.uuid("Attribute Type", &type, width: 2)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Names the attributes found, each with the last handle of its group.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.4.
@frozen
public struct ATTFindByTypeValueResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .findByTypeValueResponse }

    /// Pairs of handles, four octets each: ``ATTHandleRange``.
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
        try coder.attributeElements("Handles Information", &handles, of: ATTHandleRange.self, width: 4)
    }
}

/// An attribute and the last handle of the group it begins.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.4.
@frozen
public struct ATTHandleRange: PDUFields, Hashable {
    /// The attribute found.
    public var handle: UInt16
    /// The last handle of its group; its own where it begins none.
    public var groupEndHandle: UInt16

    @inlinable
    public init() {
        handle = 0
        groupEndHandle = 0
    }

    @inlinable
    public init(handle: UInt16, groupEndHandle: UInt16) {
        self.handle = handle
        self.groupEndHandle = groupEndHandle
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Found Attribute Handle", &handle)
        try coder.handle("Group End Handle", &groupEndHandle)
    }
}
