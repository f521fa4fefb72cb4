public import WireBytes

/// Refuses a command that is not understood, too long or for no channel.
///
/// Source: Core Specification, Vol 3, Part A, 4.1.
@frozen
public struct L2CAPCommandReject<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .commandReject }

    /// Why.
    public var reason: L2CAPRejectReason
    /// What the reason carries: an MTU, or two channel identifiers.
    public var data: Payload

    @inlinable
    public init() {
        reason = L2CAPRejectReason(rawValue: 0)
        data = Payload()
    }

    @inlinable
    public init(reason: L2CAPRejectReason, data: Payload) {
        self.reason = reason
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("Reason", &reason, width: 2, L2CAPRejectReason.meaning)
        try coder.octets("Reason Data", &data)
    }
}
