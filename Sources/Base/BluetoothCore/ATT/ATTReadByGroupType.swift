public import WireBytes

/// Asks for the groups of one type, such as services, in a range of handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.9.
@frozen
public struct ATTReadByGroupTypeRequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readByGroupTypeRequest }

    /// The first handle asked about; never 0.
    public var startingHandle: UInt16
    /// The last handle asked about.
    public var endingHandle: UInt16
    /// The type asked for.
    public var type: BluetoothUUID
    /// Octets of the type on the wire: 2 or 16.
    public var typeWidth: UInt8

    @inlinable
    public init() {
        startingHandle = 0
        endingHandle = 0
        type = BluetoothUUID(UInt16(0))
        typeWidth = 2
    }

    @inlinable
    public init(startingHandle: UInt16, endingHandle: UInt16, type: BluetoothUUID) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
        self.type = type
        self.typeWidth = type.attributeWidth
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Starting Handle", &startingHandle)
        try coder.handle("Ending Handle", &endingHandle)
        try coder.attributeType("Attribute Group Type", &type, width: &typeWidth)
    }
}

/// Gives groups of the type asked for, all with values of one length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.10.
@frozen
public struct ATTReadByGroupTypeResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readByGroupTypeResponse }

    /// Octets of each element: 4 and those of the value.
    public var length: UInt8
    /// Elements of ``length`` octets each: ``ATTGroupValue``.
    public var attributes: Payload

    @inlinable
    public init() {
        length = 0
        attributes = Payload()
    }

    @inlinable
    public init(length: UInt8, attributes: Payload) {
        self.length = length
        self.attributes = attributes
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        let start = coder.offset
        try coder.u8("Length", &length)
        guard length >= 4 else { throw DecodeError(.invalidLength, at: start) }
        try coder.attributeElements(
            "Attribute Data List", &attributes, of: ATTGroupValue<Payload>.self, width: Int(length))
    }
}

/// One group: its first and last handle and the value of its first attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.10.
@frozen
public struct ATTGroupValue<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The attribute that begins the group.
    public var handle: UInt16
    /// The last handle of the group.
    public var groupEndHandle: UInt16
    /// The value of the first attribute.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        groupEndHandle = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, groupEndHandle: UInt16, value: Payload) {
        self.handle = handle
        self.groupEndHandle = groupEndHandle
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.handle("End Group Handle", &groupEndHandle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}
