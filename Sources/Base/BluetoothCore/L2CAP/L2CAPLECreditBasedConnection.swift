public import WireBytes

/// Asks for a credit based channel on LE.
///
/// Source: Core Specification, Vol 3, Part A, 4.22.
@frozen
public struct L2CAPLECreditBasedConnectionRequest: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .leCreditBasedConnectionRequest }

    /// The service asked for.
    public var spsm: UInt16
    /// The channel's end at the device that sends the request.
    public var sourceCID: L2CAPChannelID
    /// Octets of the longest SDU the sender receives.
    public var mtu: UInt16
    /// Octets of the longest K-frame payload the sender receives.
    public var mps: UInt16
    /// K-frames that may be sent to it at once.
    public var initialCredits: UInt16

    @inlinable
    public init() {
        spsm = 0
        sourceCID = L2CAPChannelID(rawValue: 0)
        mtu = 0
        mps = 0
        initialCredits = 0
    }

    @inlinable
    public init(spsm: UInt16, sourceCID: L2CAPChannelID, mtu: UInt16, mps: UInt16, initialCredits: UInt16) {
        self.spsm = spsm
        self.sourceCID = sourceCID
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("SPSM", &spsm, .hex)
        try coder.channel("Source CID", &sourceCID)
        try coder.u16("MTU", &mtu)
        try coder.u16("MPS", &mps)
        try coder.u16("Initial Credits", &initialCredits)
    }
}

/// Grants or refuses a credit based channel on LE.
///
/// Source: Core Specification, Vol 3, Part A, 4.23.
@frozen
public struct L2CAPLECreditBasedConnectionResponse: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .leCreditBasedConnectionResponse }

    /// The channel's end at the device that answers.
    public var destinationCID: L2CAPChannelID
    /// Octets of the longest SDU the sender receives.
    public var mtu: UInt16
    /// Octets of the longest K-frame payload the sender receives.
    public var mps: UInt16
    /// K-frames that may be sent to it at once.
    public var initialCredits: UInt16
    /// Whether the channel is granted.
    public var result: L2CAPCreditBasedResult

    @inlinable
    public init() {
        destinationCID = L2CAPChannelID(rawValue: 0)
        mtu = 0
        mps = 0
        initialCredits = 0
        result = L2CAPCreditBasedResult(rawValue: 0)
    }

    @inlinable
    public init(
        destinationCID: L2CAPChannelID, mtu: UInt16, mps: UInt16, initialCredits: UInt16,
        result: L2CAPCreditBasedResult
    ) {
        self.destinationCID = destinationCID
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.result = result
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("Destination CID", &destinationCID)
        try coder.u16("MTU", &mtu)
        try coder.u16("MPS", &mps)
        try coder.u16("Initial Credits", &initialCredits)
        try coder.code("Result", &result, width: 2, L2CAPCreditBasedResult.meaningOfOne)
    }
}

/// Gives the peer more credits on a channel.
///
/// Source: Core Specification, Vol 3, Part A, 4.24.
@frozen
public struct L2CAPFlowControlCredit: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .flowControlCredit }

    /// The channel's end at the sender.
    public var channel: L2CAPChannelID
    /// K-frames more that may be sent to it.
    public var credits: UInt16

    @inlinable
    public init() {
        channel = L2CAPChannelID(rawValue: 0)
        credits = 0
    }

    @inlinable
    public init(channel: L2CAPChannelID, credits: UInt16) {
        self.channel = channel
        self.credits = credits
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.channel("CID", &channel)
        try coder.u16("Credits", &credits)
    }
}
