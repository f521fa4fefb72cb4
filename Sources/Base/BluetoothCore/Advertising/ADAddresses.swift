public import WireBytes

/// The device's own address.
///
/// Source: Supplement to the Core Specification, Part A, 1.16.
@frozen
public struct ADLEAddress: PDUFields, Hashable {
    /// The address; its kind follows the type.
    public var address: DeviceAddress
    /// Bit 0: 0 for a public address, 1 for a random one.
    public var addressType: UInt8

    @inlinable
    public init() {
        address = DeviceAddress(0)
        addressType = 0
    }

    @inlinable
    public init(address: DeviceAddress, addressType: UInt8) {
        self.address = address
        self.addressType = addressType
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.address("Device Address", &address)
        try coder.u8("Address Type", &addressType, .code(.adAddressType))
        address.kind = addressType & 1 == 0 ? .public : .random
    }
}

/// One address that the advertising is meant for.
///
/// Source: Supplement to the Core Specification, Part A, 1.13.
@frozen
public struct ADTargetAddress: PDUFields, Hashable {
    /// The address.
    public var address: DeviceAddress

    @inlinable
    public init() {
        address = DeviceAddress(0)
    }

    @inlinable
    public init(address: DeviceAddress) {
        self.address = address
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.address("Target Address", &address)
    }
}

/// The devices that the advertising is meant for.
///
/// Source: Supplement to the Core Specification, Part A, 1.13 and 1.14.
@frozen
public struct ADTargetAddresses<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// Addresses one after another, six octets each: ``ADTargetAddress``.
    public var addresses: Payload

    @inlinable
    public init() {
        addresses = Payload()
    }

    @inlinable
    public init(addresses: Payload) {
        self.addresses = addresses
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("Target Addresses", &addresses, of: ADTargetAddress.self, width: 6)
    }
}
