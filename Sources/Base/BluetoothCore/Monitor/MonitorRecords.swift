public import WireBytes

// What the monitor channel's own records hold, as the kernel lays it out: least significant octet first.

/// A controller appeared.
public struct MonitorNewIndex: PDUFields, Equatable {
    public var type: UInt8 = 0
    public var bus: UInt8 = 0
    public var bdAddr = DeviceAddress(0, .public)
    /// The name, such as `hci0`: eight octets that need not end with a zero.
    public var name: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u8("type", &type, .code(MonitorNames.controllerType))
        try coder.u8("bus", &bus, .code(MonitorNames.bus))
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("name", &name, count: 8, .text)
    }
}

/// What a controller said of itself when it was opened.
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

/// A note of the kernel's, such as its version.
public struct MonitorSystemNote: PDUFields, Equatable {
    public var note: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.octets("note", &note, .text)
    }
}

/// A line that a program put into the log.
public struct MonitorUserLogging: PDUFields, Equatable {
    /// 0 emergency to 7 debug, as in syslog.
    public var priority: UInt8 = 0
    /// The program's name with its closing zero.
    public var ident: [UInt8] = []
    public var message: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u8("priority", &priority, .code(MonitorNames.priority))
        try coder.sizedOctets("ident_length", "ident", &ident, width: 1, .text)
        try coder.octets("message", &message, .text)
    }
}

/// A program opened a Bluetooth socket.
public struct MonitorControlOpen: PDUFields, Equatable {
    /// Ties the records of one socket together.
    public var cookie: UInt32 = 0
    public var format: UInt16 = 0
    public var version: UInt8 = 0
    public var revision: UInt16 = 0
    public var flags: UInt32 = 0
    /// The program's name.
    public var ident: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u32("cookie", &cookie, .hex)
        try coder.u16("format", &format, .code(MonitorNames.socketFormat))
        try coder.u8("version", &version)
        try coder.u16("revision", &revision)
        try coder.u32("flags", &flags, .bits(MonitorNames.socketFlag))
        try coder.sizedOctets("ident_length", "ident", &ident, width: 1, .text)
    }
}

/// A program closed its Bluetooth socket.
public struct MonitorControlClose: PDUFields, Equatable {
    public var cookie: UInt32 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u32("cookie", &cookie, .hex)
    }
}

/// Octets in a vendor's own format.
public struct MonitorVendorDiagnostics: PDUFields, Equatable {
    public var data: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.octets("data", &data)
    }
}
