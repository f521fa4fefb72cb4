public import WireBytes

/// A physical layer of LE.
///
/// Source: Vol 4, Part E, 7.8.47.
@frozen
public struct LEPHY: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var le1M: Self { Self(rawValue: 1) }
    @inlinable public static var le2M: Self { Self(rawValue: 2) }
    @inlinable public static var leCoded: Self { Self(rawValue: 3) }

    /// The set with only this PHY.
    public var mask: LEPHYs { (1...3).contains(rawValue) ? LEPHYs(rawValue: 1 << (rawValue - 1)) : [] }
}

/// A set of physical layers, as in commands.
///
/// Source: Vol 4, Part E, 7.8.48.
public struct LEPHYs: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let le1M = Self(rawValue: 1)
    public static let le2M = Self(rawValue: 2)
    public static let leCoded = Self(rawValue: 4)
}

/// Reads the PHYs of a connection.
///
/// HCI_LE_Read_PHY command. Source: Vol 4, Part E, 7.8.47.
public struct LEReadPHY: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2030) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
    }
}

extension LEReadPHY {
    /// Return parameters of ``LEReadPHY``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var txPHY = LEPHY.le1M
        public var rxPHY = LEPHY.le1M

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle)
            try coder.code("tx_phy", &txPHY, width: 1, .number)
            try coder.code("rx_phy", &rxPHY, width: 1, .number)
        }
    }
}

/// Sets the PHYs that new connections may use.
///
/// HCI_LE_Set_Default_PHY command. Source: Vol 4, Part E, 7.8.48.
public struct LESetDefaultPHY: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2031) }
    public typealias ReturnParameters = HCIStatusReturn

    /// Bits: 0 no preference for sending, 1 none for receiving.
    public var allPHYs: UInt8 = 0
    public var txPHYs: LEPHYs = []
    public var rxPHYs: LEPHYs = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("all_phys", &allPHYs)
        try coder.code("tx_phys", &txPHYs, width: 1, .hex)
        try coder.code("rx_phys", &rxPHYs, width: 1, .hex)
    }
}

/// Requests other PHYs for a connection.
///
/// HCI_LE_Set_PHY command. Source: Vol 4, Part E, 7.8.49.
public struct LESetPHY: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2032) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    /// Bits: 0 no preference for sending, 1 none for receiving.
    public var allPHYs: UInt8 = 0
    public var txPHYs: LEPHYs = []
    public var rxPHYs: LEPHYs = []
    public var phyOptions: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u8("all_phys", &allPHYs)
        try coder.code("tx_phys", &txPHYs, width: 1, .hex)
        try coder.code("rx_phys", &rxPHYs, width: 1, .hex)
        try coder.u16("phy_options", &phyOptions)
    }
}

/// Reports that the PHYs of a connection changed, or that a request for others had no effect.
///
/// HCI_LE_PHY_Update_Complete event. Source: Vol 4, Part E, 7.7.65.12.
public struct LEPHYUpdateComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var txPHY = LEPHY.le1M
    public var rxPHY = LEPHY.le1M

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle)
        try coder.code("tx_phy", &txPHY, width: 1, .number)
        try coder.code("rx_phy", &rxPHY, width: 1, .number)
    }
}
