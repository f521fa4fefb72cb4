public import WireBytes

/// Asks to close a channel.
///
/// Source: Core Specification, Vol 3, Part A, 4.6.
@frozen
public struct L2CAPDisconnectionRequest: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .disconnectionRequest }

    /// The channel's end at the device that answers.
    public var destinationCID: L2CAPChannelID
    /// The channel's end at the device that sends the request.
    public var sourceCID: L2CAPChannelID

    @inlinable
    public init() {
        destinationCID = L2CAPChannelID(rawValue: 0)
        sourceCID = L2CAPChannelID(rawValue: 0)
    }

    @inlinable
    public init(destinationCID: L2CAPChannelID, sourceCID: L2CAPChannelID) {
        self.destinationCID = destinationCID
        self.sourceCID = sourceCID
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("Destination CID", &destinationCID)
        try coder.channel("Source CID", &sourceCID)
    }
}

/// Says that a channel is closed.
///
/// Source: Core Specification, Vol 3, Part A, 4.7.
@frozen
public struct L2CAPDisconnectionResponse: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .disconnectionResponse }

    /// The channel's end at the device that answers.
    public var destinationCID: L2CAPChannelID
    /// The channel's end at the device that sends the request.
    public var sourceCID: L2CAPChannelID

    @inlinable
    public init() {
        destinationCID = L2CAPChannelID(rawValue: 0)
        sourceCID = L2CAPChannelID(rawValue: 0)
    }

    @inlinable
    public init(destinationCID: L2CAPChannelID, sourceCID: L2CAPChannelID) {
        self.destinationCID = destinationCID
        self.sourceCID = sourceCID
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("Destination CID", &destinationCID)
        try coder.channel("Source CID", &sourceCID)
    }
}
