public import WireBytes

/// Asks for up to five credit based channels at once.
///
/// Source: Core Specification, Vol 3, Part A, 4.25.
@frozen
public struct L2CAPCreditBasedConnectionRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .creditBasedConnectionRequest }

    /// The service asked for.
    public var spsm: UInt16
    /// Octets of the longest SDU the sender receives.
    public var mtu: UInt16
    /// Octets of the longest K-frame payload the sender receives.
    public var mps: UInt16
    /// K-frames that may be sent to it at once.
    public var initialCredits: UInt16
    /// One to five channel ends, two octets each: ``L2CAPChannel``.
    public var sourceCIDs: Payload

    @inlinable
    public init() {
        spsm = 0
        mtu = 0
        mps = 0
        initialCredits = 0
        sourceCIDs = Payload()
    }

    @inlinable
    public init(spsm: UInt16, mtu: UInt16, mps: UInt16, initialCredits: UInt16, sourceCIDs: Payload) {
        self.spsm = spsm
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.sourceCIDs = sourceCIDs
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("SPSM", &spsm, .hex)
        try coder.u16("MTU", &mtu)
        try coder.u16("MPS", &mps)
        try coder.u16("Initial Credits", &initialCredits)
        try coder.attributeElements("Source CIDs", &sourceCIDs, of: L2CAPChannel.self, width: 2)
    }
}

/// Grants or refuses the channels asked for at once.
///
/// Source: Core Specification, Vol 3, Part A, 4.26.
@frozen
public struct L2CAPCreditBasedConnectionResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .creditBasedConnectionResponse }

    /// Octets of the longest SDU the sender receives.
    public var mtu: UInt16
    /// Octets of the longest K-frame payload the sender receives.
    public var mps: UInt16
    /// K-frames that may be sent to it at once.
    public var initialCredits: UInt16
    /// Whether the channel is granted.
    public var result: L2CAPCreditBasedResult
    /// Their ends in the order asked, 0 where refused: ``L2CAPChannel``.
    public var destinationCIDs: Payload

    @inlinable
    public init() {
        mtu = 0
        mps = 0
        initialCredits = 0
        result = L2CAPCreditBasedResult(rawValue: 0)
        destinationCIDs = Payload()
    }

    @inlinable
    public init(
        mtu: UInt16, mps: UInt16, initialCredits: UInt16, result: L2CAPCreditBasedResult,
        destinationCIDs: Payload
    ) {
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.result = result
        self.destinationCIDs = destinationCIDs
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("MTU", &mtu)
        try coder.u16("MPS", &mps)
        try coder.u16("Initial Credits", &initialCredits)
        try coder.code("Result", &result, width: 2, L2CAPCreditBasedResult.meaning)
        try coder.attributeElements("Destination CIDs", &destinationCIDs, of: L2CAPChannel.self, width: 2)
    }
}

/// One channel end in a list.
///
/// Source: Core Specification, Vol 3, Part A, 4.25.
@frozen
public struct L2CAPChannel: PDUFields, Hashable {
    /// The channel end.
    public var channel: L2CAPChannelID

    @inlinable
    public init() {
        channel = L2CAPChannelID(rawValue: 0)
    }

    @inlinable
    public init(channel: L2CAPChannelID) {
        self.channel = channel
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("CID", &channel)
    }
}
