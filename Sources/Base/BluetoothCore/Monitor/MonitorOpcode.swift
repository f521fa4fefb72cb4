public import WireBytes

/// The opcode of a record on the Linux HCI monitor channel.
///
/// Source: net/bluetooth/hci_mon.h of the Linux kernel.
@frozen
public struct MonitorOpcode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var newIndex: Self { Self(rawValue: 0) }
    @inlinable public static var deletedIndex: Self { Self(rawValue: 1) }
    @inlinable public static var command: Self { Self(rawValue: 2) }
    @inlinable public static var event: Self { Self(rawValue: 3) }
    @inlinable public static var aclSent: Self { Self(rawValue: 4) }
    @inlinable public static var aclReceived: Self { Self(rawValue: 5) }
    @inlinable public static var synchronousSent: Self { Self(rawValue: 6) }
    @inlinable public static var synchronousReceived: Self { Self(rawValue: 7) }
    @inlinable public static var openedIndex: Self { Self(rawValue: 8) }
    @inlinable public static var closedIndex: Self { Self(rawValue: 9) }
    @inlinable public static var indexInfo: Self { Self(rawValue: 10) }
    @inlinable public static var vendorDiagnostics: Self { Self(rawValue: 11) }
    @inlinable public static var systemNote: Self { Self(rawValue: 12) }
    @inlinable public static var userLogging: Self { Self(rawValue: 13) }
    @inlinable public static var controlOpen: Self { Self(rawValue: 14) }
    @inlinable public static var controlClose: Self { Self(rawValue: 15) }
    @inlinable public static var controlCommand: Self { Self(rawValue: 16) }
    @inlinable public static var controlEvent: Self { Self(rawValue: 17) }
    @inlinable public static var isoSent: Self { Self(rawValue: 18) }
    @inlinable public static var isoReceived: Self { Self(rawValue: 19) }

    /// The record's name; nil for an unknown opcode.
    public var name: StaticText? { MonitorTable.records.name(of: rawValue) }

    /// The packet type of a record that is an HCI packet; nil for the channel's own records.
    @inlinable public var packetType: HCIPacketType? {
        switch rawValue {
        case 2: .command
        case 3: .event
        case 4, 5: .acl
        case 6, 7: .synchronous
        case 18, 19: .iso
        default: nil
        }
    }
}

/// The opcode of a command that a program gives to the kernel.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementCommand: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The name of the command; nil if none is assigned.
    public var name: StaticText? { ManagementTable.commands.name(of: rawValue) }
}

/// The code of an event that the kernel sends to a program.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementEvent: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var commandComplete: Self { Self(rawValue: 1) }
    @inlinable public static var commandStatus: Self { Self(rawValue: 2) }

    /// The name of the event; nil if none is assigned.
    public var name: StaticText? { ManagementTable.events.name(of: rawValue) }
}

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
