public import WireBytes

/// Asks for a channel on BR/EDR.
///
/// Source: Core Specification, Vol 3, Part A, 4.2.
@frozen
public struct L2CAPConnectionRequest: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .connectionRequest }

    /// The service asked for.
    public var psm: UInt16
    /// The channel's end at the device that sends the request.
    public var sourceCID: L2CAPChannelID

    @inlinable
    public init() {
        psm = 0
        sourceCID = L2CAPChannelID(rawValue: 0)
    }

    @inlinable
    public init(psm: UInt16, sourceCID: L2CAPChannelID) {
        self.psm = psm
        self.sourceCID = sourceCID
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("PSM", &psm, .hex)
        try coder.channel("Source CID", &sourceCID)
    }
}

/// Grants or refuses a channel on BR/EDR.
///
/// Source: Core Specification, Vol 3, Part A, 4.3.
@frozen
public struct L2CAPConnectionResponse: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .connectionResponse }

    /// The channel's end at the device that answers.
    public var destinationCID: L2CAPChannelID
    /// The channel's end at the device that sends the request.
    public var sourceCID: L2CAPChannelID
    /// Whether it is granted.
    public var result: L2CAPConnectionResult
    /// What is pending, where the result says so.
    public var status: UInt16

    @inlinable
    public init() {
        destinationCID = L2CAPChannelID(rawValue: 0)
        sourceCID = L2CAPChannelID(rawValue: 0)
        result = L2CAPConnectionResult(rawValue: 0)
        status = 0
    }

    @inlinable
    public init(
        destinationCID: L2CAPChannelID, sourceCID: L2CAPChannelID, result: L2CAPConnectionResult,
        status: UInt16
    ) {
        self.destinationCID = destinationCID
        self.sourceCID = sourceCID
        self.result = result
        self.status = status
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("Destination CID", &destinationCID)
        try coder.channel("Source CID", &sourceCID)
        try coder.code("Result", &result, width: 2, L2CAPConnectionResult.meaning)
        try coder.u16("Status", &status, .code(.l2capConnectionStatus))
    }
}
