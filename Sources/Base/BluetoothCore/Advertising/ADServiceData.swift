public import WireBytes

/// Data that a service defines.
///
/// Source: Supplement to the Core Specification, Part A, 1.11.
@frozen
public struct ADServiceData16<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The service, 2 octets on the wire.
    public var uuid: BluetoothUUID
    /// What the service says.
    public var data: Payload

    @inlinable
    public init() {
        uuid = BluetoothUUID(UInt16(0))
        data = Payload()
    }

    @inlinable
    public init(uuid: BluetoothUUID, data: Payload) {
        self.uuid = uuid
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.uuid("Service UUID", &uuid, width: 2)
        try coder.octets("Data", &data)
    }
}

/// Data that a service defines.
///
/// Source: Supplement to the Core Specification, Part A, 1.11.
@frozen
public struct ADServiceData32<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The service, 4 octets on the wire.
    public var uuid: BluetoothUUID
    /// What the service says.
    public var data: Payload

    @inlinable
    public init() {
        uuid = BluetoothUUID(UInt16(0))
        data = Payload()
    }

    @inlinable
    public init(uuid: BluetoothUUID, data: Payload) {
        self.uuid = uuid
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.uuid("Service UUID", &uuid, width: 4)
        try coder.octets("Data", &data)
    }
}

/// Data that a service defines.
///
/// Source: Supplement to the Core Specification, Part A, 1.11.
@frozen
public struct ADServiceData128<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The service, 16 octets on the wire.
    public var uuid: BluetoothUUID
    /// What the service says.
    public var data: Payload

    @inlinable
    public init() {
        uuid = BluetoothUUID(UInt16(0))
        data = Payload()
    }

    @inlinable
    public init(uuid: BluetoothUUID, data: Payload) {
        self.uuid = uuid
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.uuid("Service UUID", &uuid, width: 16)
        try coder.octets("Data", &data)
    }
}
