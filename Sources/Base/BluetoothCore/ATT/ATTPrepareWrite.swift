public import WireBytes

/// Asks the server to queue a part of a value for a later Execute Write Request.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.1.
public struct ATTPrepareWriteRequest: ATTPDU {
    public static let opcode = ATTOpcode.prepareWriteRequest

    /// The attribute.
    public var handle: UInt16 = 0
    /// Offset of the part in the value.
    public var offset: UInt16 = 0
    /// The part, up to ATT_MTU − 5 bytes.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, offset: UInt16, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.u16("Value Offset", &offset)
        try coder.octets("Part Attribute Value", &value, .attributeValue)
    }
}

/// Repeats the part that the server has queued.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.2.
public struct ATTPrepareWriteResponse: ATTPDU {
    public static let opcode = ATTOpcode.prepareWriteResponse

    /// The attribute.
    public var handle: UInt16 = 0
    /// Offset of the part in the value.
    public var offset: UInt16 = 0
    /// The part as received.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, offset: UInt16, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.u16("Value Offset", &offset)
        try coder.octets("Part Attribute Value", &value, .attributeValue)
    }
}

/// Asks the server to write, or to discard, all queued parts.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.3.
public struct ATTExecuteWriteRequest: ATTPDU {
    public static let opcode = ATTOpcode.executeWriteRequest

    /// 0 to discard all, 1 to write all at once.
    public var flags: UInt8 = 0

    public init() {}

    public init(flags: UInt8) {
        self.flags = flags
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("Flags", &flags, .code(.attExecuteWriteFlags))
    }
}

/// Confirms that the queued parts were written or discarded.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.4.
public struct ATTExecuteWriteResponse: ATTPDU {
    public static let opcode = ATTOpcode.executeWriteResponse

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}
