public import WireBytes

/// Asks for the types of the attributes in a range of handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.1.
@frozen
public struct ATTFindInformationRequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .findInformationRequest }

    /// The first handle asked about; never 0.
    public var startingHandle: UInt16
    /// The last handle asked about.
    public var endingHandle: UInt16

    @inlinable
    public init() {
        startingHandle = 0
        endingHandle = 0
    }

    @inlinable
    public init(startingHandle: UInt16, endingHandle: UInt16) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Starting Handle", &startingHandle)
        try coder.handle("Ending Handle", &endingHandle)
    }
}

/// Names the types of attributes by their handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.2.
@frozen
public struct ATTFindInformationResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .findInformationResponse }

    /// 1 where all UUIDs have two octets, 2 where all have 16.
    public var format: UInt8
    /// Pairs of handle and type, of ``elementWidth`` octets each: ``ATTHandleType``.
    public var information: Payload

    @inlinable
    public init() {
        format = 0
        information = Payload()
    }

    @inlinable
    public init(format: UInt8, information: Payload) {
        self.format = format
        self.information = information
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        let start = coder.offset
        try coder.u8("Format", &format, .code(.attInformationFormat))
        guard let width = elementWidth else { throw DecodeError(.invalidValue, at: start) }
        try coder.attributeElements("Information Data", &information, of: ATTHandleType.self, width: width)
    }

    /// Octets of each element; nil where the format is not assigned.
    @inlinable public var elementWidth: Int? {
        switch format {
        case 1: 4
        case 2: 18
        default: nil
        }
    }
}

/// The type of one attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.2.
@frozen
public struct ATTHandleType: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16
    /// Its type.
    public var type: BluetoothUUID
    /// Octets of the type on the wire: 2 or 16.
    public var typeWidth: UInt8

    @inlinable
    public init() {
        handle = 0
        type = BluetoothUUID(UInt16(0))
        typeWidth = 2
    }

    @inlinable
    public init(handle: UInt16, type: BluetoothUUID) {
        self.handle = handle
        self.type = type
        self.typeWidth = type.attributeWidth
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Handle", &handle)
        try coder.attributeType("UUID", &type, width: &typeWidth)
    }
}
