public import WireBytes

/// A device as the management interface names it: its address, then which kind of address it is.
public struct ManagementPeer: PDUFields, Equatable {
    public var address = DeviceAddress(0)
    /// 0 BR/EDR, 1 LE public, 2 LE random.
    public var addressType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.address("address", &address)
        try coder.u8("address_type", &addressType, .code(MonitorNames.addressType))
        address.kind = addressType == 2 ? .random : .public
    }
}
