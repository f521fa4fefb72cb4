public import WireBytes

/// Announces other limits for credit based channels.
///
/// Source: Core Specification, Vol 3, Part A, 4.27.
@frozen
public struct L2CAPCreditBasedReconfigureRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .creditBasedReconfigureRequest }

    /// Octets of the longest SDU the sender receives.
    public var mtu: UInt16
    /// Octets of the longest K-frame payload the sender receives.
    public var mps: UInt16
    /// One to five channel ends, two octets each: ``L2CAPChannel``.
    public var destinationCIDs: Payload

    @inlinable
    public init() {
        mtu = 0
        mps = 0
        destinationCIDs = Payload()
    }

    @inlinable
    public init(mtu: UInt16, mps: UInt16, destinationCIDs: Payload) {
        self.mtu = mtu
        self.mps = mps
        self.destinationCIDs = destinationCIDs
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("MTU", &mtu)
        try coder.u16("MPS", &mps)
        try coder.attributeElements("Destination CIDs", &destinationCIDs, of: L2CAPChannel.self, width: 2)
    }
}

/// Accepts or refuses other limits.
///
/// Source: Core Specification, Vol 3, Part A, 4.28.
@frozen
public struct L2CAPCreditBasedReconfigureResponse: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .creditBasedReconfigureResponse }

    /// Whether they are accepted.
    public var result: L2CAPReconfigureResult

    @inlinable
    public init() {
        result = L2CAPReconfigureResult(rawValue: 0)
    }

    @inlinable
    public init(result: L2CAPReconfigureResult) {
        self.result = result
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("Result", &result, width: 2, L2CAPReconfigureResult.meaning)
    }
}
