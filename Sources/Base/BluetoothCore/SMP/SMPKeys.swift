public import WireBytes

/// Gives the Long Term Key of legacy pairing.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.2.
@frozen
public struct SMPEncryptionInformation<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .encryptionInformation }

    /// 16 octets, least significant first.
    public var ltk: Payload

    @inlinable
    public init() {
        ltk = Payload()
    }

    @inlinable
    public init(ltk: Payload) {
        self.ltk = ltk
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Long Term Key", &ltk, count: 16, .secret)
    }
}

/// Gives what names the Long Term Key when it is asked for again.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.3.
@frozen
public struct SMPCentralIdentification: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .centralIdentification }

    /// The Encrypted Diversifier.
    public var ediv: UInt16
    /// The random number.
    public var rand: UInt64

    @inlinable
    public init() {
        ediv = 0
        rand = 0
    }

    @inlinable
    public init(ediv: UInt16, rand: UInt64) {
        self.ediv = ediv
        self.rand = rand
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("EDIV", &ediv, .hex)
        try coder.u64("Rand", &rand, .hex)
    }
}

/// Gives the Identity Resolving Key, which resolves the sender's private addresses.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.4.
@frozen
public struct SMPIdentityInformation<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .identityInformation }

    /// 16 octets, least significant first.
    public var irk: Payload

    @inlinable
    public init() {
        irk = Payload()
    }

    @inlinable
    public init(irk: Payload) {
        self.irk = irk
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Identity Resolving Key", &irk, count: 16, .secret)
    }
}

/// Gives the address that stands behind the sender's private addresses.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.5.
@frozen
public struct SMPIdentityAddressInformation: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .identityAddressInformation }

    /// 0 for a public address, 1 for a static random one.
    public var addressType: UInt8
    /// The identity address; its kind follows the type.
    public var address: DeviceAddress

    @inlinable
    public init() {
        addressType = 0
        address = DeviceAddress(0)
    }

    @inlinable
    public init(addressType: UInt8, address: DeviceAddress) {
        self.addressType = addressType
        self.address = address
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8(
            "AddrType", &addressType,
            .code(.smpAddressType))
        address.kind = addressType == 0 ? .public : addressType == 1 ? .random : .unknown
        try coder.address("BD_ADDR", &address)
    }
}

/// Gives the Connection Signature Resolving Key, which signs Signed Write Commands.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.6.
@frozen
public struct SMPSigningInformation<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .signingInformation }

    /// 16 octets, least significant first.
    public var csrk: Payload

    @inlinable
    public init() {
        csrk = Payload()
    }

    @inlinable
    public init(csrk: Payload) {
        self.csrk = csrk
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Signature Key", &csrk, count: 16, .secret)
    }
}
