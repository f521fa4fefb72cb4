public import WireBytes

/// Asks for the types of the attributes in a range of handles.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.1.
public struct ATTFindInformationRequest: ATTPDU {
    public static let opcode = ATTOpcode.findInformationRequest

    /// First handle of the range; never 0.
    public var startingHandle: UInt16 = 0
    /// Last handle of the range.
    public var endingHandle: UInt16 = 0

    public init() {}

    public init(startingHandle: UInt16, endingHandle: UInt16) {
        self.startingHandle = startingHandle
        self.endingHandle = endingHandle
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Starting Handle", &startingHandle)
        try coder.handle("Ending Handle", &endingHandle)
    }
}

/// Lists attribute handles with their types.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.3.2.
public struct ATTFindInformationResponse: ATTPDU {
    public static let opcode = ATTOpcode.findInformationResponse

    /// 1 if all UUIDs have two bytes, 2 if all have 16.
    public var format: UInt8 = 0
    /// Pairs of handle and type, of ``elementWidth`` bytes each: ``ATTHandleType``.
    public var information: [UInt8] = []

    public init() {}

    public init(format: UInt8, information: [UInt8]) {
        self.format = format
        self.information = information
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        let start = coder.offset
        try coder.u8("Format", &format, .code(.attInformationFormat))
        guard let width = elementWidth else { throw DecodeError(.invalidValue, at: start) }
        try coder.attributeElements("Information Data", &information, width: width)
    }

    /// Length of each element in bytes; nil if the format is not assigned.
    public var elementWidth: Int? {
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
public struct ATTHandleType: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16 = 0
    /// Its type.
    public var type = BluetoothUUID(UInt16(0))
    /// Width of the type on the wire in bytes: 2 or 16.
    public var typeWidth: UInt8 = 2

    public init() {}

    public init(handle: UInt16, type: BluetoothUUID) {
        self.handle = handle
        self.type = type
        typeWidth = type.attributeWidth
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Handle", &handle)
        try coder.attributeType("UUID", &type, width: &typeWidth)
    }
}
