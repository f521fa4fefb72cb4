public import WireBytes

/// Commits the sender to its random number.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.3.
@frozen
public struct SMPPairingConfirm<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .pairingConfirm }

    /// 16 octets, least significant first.
    public var value: Payload

    @inlinable
    public init() {
        value = Payload()
    }

    @inlinable
    public init(value: Payload) {
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Confirm value", &value, count: 16)
    }
}

/// Reveals the random number that was committed to.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.4.
@frozen
public struct SMPPairingRandom<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .pairingRandom }

    /// 16 octets, least significant first.
    public var value: Payload

    @inlinable
    public init() {
        value = Payload()
    }

    @inlinable
    public init(value: Payload) {
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Random value", &value, count: 16)
    }
}

/// Gives the sender's public key on P-256.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.6.
@frozen
public struct SMPPublicKey<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .publicKey }

    /// 32 octets, least significant first.
    public var x: Payload
    /// 32 octets, least significant first.
    public var y: Payload

    @inlinable
    public init() {
        x = Payload()
        y = Payload()
    }

    @inlinable
    public init(x: Payload, y: Payload) {
        self.x = x
        self.y = y
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Public Key X", &x, count: 32)
        try coder.octets("Public Key Y", &y, count: 32)
    }
}

/// Proves that the sender has the same Diffie-Hellman key.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.7.
@frozen
public struct SMPDHKeyCheck<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .dhKeyCheck }

    /// 16 octets, least significant first.
    public var value: Payload

    @inlinable
    public init() {
        value = Payload()
    }

    @inlinable
    public init(value: Payload) {
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("DHKey Check", &value, count: 16)
    }
}

/// Says which key was pressed while a passkey is typed.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.8.
@frozen
public struct SMPKeypressNotification: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .keypressNotification }

    /// What happened.
    public var type: UInt8

    @inlinable
    public init() {
        type = 0
    }

    @inlinable
    public init(type: UInt8) {
        self.type = type
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Notification Type", &type, .code(.smpKeypress))
    }
}
