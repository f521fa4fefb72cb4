public import WireBytes

/// Asks for the values of the attributes of one type in a range of handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.1.
@frozen
public struct ATTReadByTypeRequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readByTypeRequest }

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
        try coder.attributeType("Attribute Type", &type, width: &typeWidth)
    }
}

/// Gives attributes of the type asked for, all with values of one length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.2.
@frozen
public struct ATTReadByTypeResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readByTypeResponse }

    /// Octets of each element: 2 and those of the value.
    public var length: UInt8
    /// Elements of ``length`` octets each: ``ATTHandleValue``.
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
        guard length >= 2 else { throw DecodeError(.invalidLength, at: start) }
        try coder.attributeElements(
            "Attribute Data List", &attributes, of: ATTHandleValue<Payload>.self, width: Int(length))
    }
}

/// The value of one attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.2.
@frozen
public struct ATTHandleValue<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16
    /// Its value, or as much of it as the response holds.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, value: Payload) {
        self.handle = handle
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}
