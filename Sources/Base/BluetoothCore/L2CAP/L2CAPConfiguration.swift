public import WireBytes

/// Proposes the options of a channel on BR/EDR.
///
/// Source: Core Specification, Vol 3, Part A, 4.4.
@frozen
public struct L2CAPConfigurationRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .configurationRequest }

    /// The channel's end at the device that answers.
    public var destinationCID: L2CAPChannelID
    /// Bit 0: more options follow in another request.
    public var flags: UInt16
    /// Options one after another: ``L2CAPConfigurationOption``.
    public var options: Payload

    @inlinable
    public init() {
        destinationCID = L2CAPChannelID(rawValue: 0)
        flags = 0
        options = Payload()
    }

    @inlinable
    public init(destinationCID: L2CAPChannelID, flags: UInt16, options: Payload) {
        self.destinationCID = destinationCID
        self.flags = flags
        self.options = options
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("Destination CID", &destinationCID)
        try coder.u16("Flags", &flags, .bits(.l2capConfigurationFlags))
        try coder.elements(
            "Configuration Options", &options, of: L2CAPConfigurationOption<Payload>.self, width: nil)
    }
}

/// Accepts or refuses the options of a channel on BR/EDR.
///
/// Source: Core Specification, Vol 3, Part A, 4.5.
@frozen
public struct L2CAPConfigurationResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .configurationResponse }

    /// The channel's end at the device that sends the request.
    public var sourceCID: L2CAPChannelID
    /// Bit 0: more options follow in another response.
    public var flags: UInt16
    /// Whether they are accepted.
    public var result: L2CAPConfigurationResult
    /// Options one after another: ``L2CAPConfigurationOption``.
    public var options: Payload

    @inlinable
    public init() {
        sourceCID = L2CAPChannelID(rawValue: 0)
        flags = 0
        result = L2CAPConfigurationResult(rawValue: 0)
        options = Payload()
    }

    @inlinable
    public init(sourceCID: L2CAPChannelID, flags: UInt16, result: L2CAPConfigurationResult, options: Payload)
    {
        self.sourceCID = sourceCID
        self.flags = flags
        self.result = result
        self.options = options
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("Source CID", &sourceCID)
        try coder.u16("Flags", &flags, .bits(.l2capConfigurationFlags))
        try coder.code("Result", &result, width: 2, L2CAPConfigurationResult.meaning)
        try coder.elements(
            "Configuration Options", &options, of: L2CAPConfigurationOption<Payload>.self, width: nil)
    }
}

/// One option of a channel.
///
/// Source: Core Specification, Vol 3, Part A, 5.
@frozen
public struct L2CAPConfigurationOption<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// What it sets; bit 7 says that it may be ignored.
    public var type: UInt8
    /// Its value, up to 255 octets.
    public var value: Payload

    @inlinable
    public init() {
        type = 0
        value = Payload()
    }

    @inlinable
    public init(type: UInt8, value: Payload) {
        self.type = type
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Type", &type, .code(.l2capOption))
        var length = UInt8(clamping: value.count)
        try coder.u8("Length", &length)
        try coder.octets("Value", &value, count: Int(length))
    }
}
