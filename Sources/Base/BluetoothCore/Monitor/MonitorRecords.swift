public import WireBytes

/// Reports a new controller.
public struct MonitorNewIndex: PDUFields, Equatable {
    public var type: UInt8 = 0
    public var bus: UInt8 = 0
    public var bdAddr = DeviceAddress(0, .public)
    /// The name, such as `hci0`: eight bytes that need not end with a zero.
    public var name: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u8("type", &type)
        try coder.u8("bus", &bus)
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("name", &name, count: 8, .text)
    }
}

/// Reports a controller's address and manufacturer when it was opened.
public struct MonitorIndexInfo: PDUFields, Equatable {
    public var bdAddr = DeviceAddress(0, .public)
    public var manufacturer: UInt16 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u16("manufacturer", &manufacturer, .company)
    }
}
