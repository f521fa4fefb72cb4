public import WireBytes

/// One 16-bit UUID in a list.
///
/// Source: Supplement to the Core Specification, Part A, 1.1.
@frozen
public struct ADUUID16: PDUFields, Hashable {
    /// The UUID, 2 octets on the wire.
    public var uuid: BluetoothUUID

    @inlinable
    public init() {
        uuid = BluetoothUUID(UInt16(0))
    }

    @inlinable
    public init(uuid: BluetoothUUID) {
        self.uuid = uuid
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.uuid("UUID", &uuid, width: 2)
    }
}

/// One 32-bit UUID in a list.
///
/// Source: Supplement to the Core Specification, Part A, 1.1.
@frozen
public struct ADUUID32: PDUFields, Hashable {
    /// The UUID, 4 octets on the wire.
    public var uuid: BluetoothUUID

    @inlinable
    public init() {
        uuid = BluetoothUUID(UInt16(0))
    }

    @inlinable
    public init(uuid: BluetoothUUID) {
        self.uuid = uuid
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.uuid("UUID", &uuid, width: 4)
    }
}

/// One 128-bit UUID in a list.
///
/// Source: Supplement to the Core Specification, Part A, 1.1.
@frozen
public struct ADUUID128: PDUFields, Hashable {
    /// The UUID, 16 octets on the wire.
    public var uuid: BluetoothUUID

    @inlinable
    public init() {
        uuid = BluetoothUUID(UInt16(0))
    }

    @inlinable
    public init(uuid: BluetoothUUID) {
        self.uuid = uuid
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.uuid("UUID", &uuid, width: 16)
    }
}

/// Services by their 16-bit UUIDs.
///
/// Source: Supplement to the Core Specification, Part A, 1.1 and 1.10.
@frozen
public struct ADUUIDList16<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// UUIDs one after another, 2 octets each: ``ADUUID16``.
    public var uuids: Payload

    @inlinable
    public init() {
        uuids = Payload()
    }

    @inlinable
    public init(uuids: Payload) {
        self.uuids = uuids
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("UUIDs", &uuids, of: ADUUID16.self, width: 2)
    }
}

/// Services by their 32-bit UUIDs.
///
/// Source: Supplement to the Core Specification, Part A, 1.1 and 1.10.
@frozen
public struct ADUUIDList32<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// UUIDs one after another, 4 octets each: ``ADUUID32``.
    public var uuids: Payload

    @inlinable
    public init() {
        uuids = Payload()
    }

    @inlinable
    public init(uuids: Payload) {
        self.uuids = uuids
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("UUIDs", &uuids, of: ADUUID32.self, width: 4)
    }
}

/// Services by their 128-bit UUIDs.
///
/// Source: Supplement to the Core Specification, Part A, 1.1 and 1.10.
@frozen
public struct ADUUIDList128<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// UUIDs one after another, 16 octets each: ``ADUUID128``.
    public var uuids: Payload

    @inlinable
    public init() {
        uuids = Payload()
    }

    @inlinable
    public init(uuids: Payload) {
        self.uuids = uuids
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("UUIDs", &uuids, of: ADUUID128.self, width: 16)
    }
}
