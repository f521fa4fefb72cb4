public import WireBytes

/// Tells which PHYs a connection uses.
///
/// HCI_LE_Read_PHY command. Source: Vol 4, Part E, 7.8.47.
public struct LEReadPHY: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2030) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension LEReadPHY {
    /// What the controller returns for ``LEReadPHY``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var txPHY: UInt8 = 0
        public var rxPHY: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u8("tx_phy", &txPHY, .code(HCINames.phy))
            try coder.u8("rx_phy", &rxPHY, .code(HCINames.phy))
        }
    }
}

/// Sets the PHYs that the host prefers for new connections.
///
/// HCI_LE_Set_Default_PHY command. Source: Vol 4, Part E, 7.8.48.
public struct LESetDefaultPHY: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2031) }
    public typealias ReturnParameters = HCIStatusReturn

    public var allPHYs: UInt8 = 0
    public var txPHYs: UInt8 = 0
    public var rxPHYs: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("all_phys", &allPHYs, .bits(HCINames.allPHYs))
        try coder.u8("tx_phys", &txPHYs, .bits(HCINames.phys))
        try coder.u8("rx_phys", &rxPHYs, .bits(HCINames.phys))
    }
}

/// Asks for other PHYs on one connection.
///
/// HCI_LE_Set_PHY command. Source: Vol 4, Part E, 7.8.49.
public struct LESetPHY: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2032) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var allPHYs: UInt8 = 0
    public var txPHYs: UInt8 = 0
    public var rxPHYs: UInt8 = 0
    public var phyOptions: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("all_phys", &allPHYs, .bits(HCINames.allPHYs))
        try coder.u8("tx_phys", &txPHYs, .bits(HCINames.phys))
        try coder.u8("rx_phys", &rxPHYs, .bits(HCINames.phys))
        try coder.u16("phy_options", &phyOptions, .code(HCINames.codedPHYOptions))
    }
}

/// HCI_LE_Request_Peer_SCA command.
///
/// Source: Vol 4, Part E, 7.8.108.
public struct LERequestPeerSCA: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x206D) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// Sets which subrates the host accepts on new connections.
///
/// HCI_LE_Set_Default_Subrate command. Source: Vol 4, Part E, 7.8.123.
public struct LESetDefaultSubrate: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x207D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var subrateMin: UInt16 = 0
    public var subrateMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    public var continuationNumber: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("subrate_min", &subrateMin)
        try coder.u16("subrate_max", &subrateMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("continuation_number", &continuationNumber)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// Asks for another subrate on one connection.
///
/// HCI_LE_Subrate_Request command. Source: Vol 4, Part E, 7.8.124.
public struct LESubrateRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x207E) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var subrateMin: UInt16 = 0
    public var subrateMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    public var continuationNumber: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("subrate_min", &subrateMin)
        try coder.u16("subrate_max", &subrateMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("continuation_number", &continuationNumber)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// HCI_LE_Read_All_Remote_Features command.
///
/// Source: Vol 4, Part E, 7.8.129.
public struct LEReadAllRemoteFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2088) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var pagesRequested: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("pages_requested", &pagesRequested)
    }
}

/// HCI_LE_Frame_Space_Update command.
///
/// Source: Vol 4, Part E, 7.8.151.
public struct LEFrameSpaceUpdate: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x209D) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    /// In microseconds.
    public var frameSpaceMin: UInt16 = 0
    /// In microseconds.
    public var frameSpaceMax: UInt16 = 0
    public var phys: UInt8 = 0
    public var spacingTypes: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("frame_space_min", &frameSpaceMin, .steps(nanoseconds: 1_000))
        try coder.u16("frame_space_max", &frameSpaceMax, .steps(nanoseconds: 1_000))
        try coder.u8("phys", &phys, .bits(HCINames.phys))
        try coder.u16("spacing_types", &spacingTypes, .bits(HCINames.spacingTypes))
    }
}

/// HCI_LE_Connection_Rate_Request command.
///
/// Source: Vol 4, Part E, 7.8.154.
public struct LEConnectionRateRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x20A1) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 125 µs.
    public var connectionIntervalMin: UInt16 = 0
    /// In units of 125 µs.
    public var connectionIntervalMax: UInt16 = 0
    public var subrateMin: UInt16 = 0
    public var subrateMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    public var continuationNumber: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    /// In units of 125 µs.
    public var minCELength: UInt16 = 0
    /// In units of 125 µs.
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("connection_interval_min", &connectionIntervalMin, .steps(nanoseconds: 125_000))
        try coder.u16("connection_interval_max", &connectionIntervalMax, .steps(nanoseconds: 125_000))
        try coder.u16("subrate_min", &subrateMin)
        try coder.u16("subrate_max", &subrateMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("continuation_number", &continuationNumber)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u16("min_ce_length", &minCELength, .steps(nanoseconds: 125_000))
        try coder.u16("max_ce_length", &maxCELength, .steps(nanoseconds: 125_000))
    }
}

/// HCI_LE_Set_Default_Rate_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.155.
public struct LESetDefaultRateParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x20A2) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 125 µs.
    public var connectionIntervalMin: UInt16 = 0
    /// In units of 125 µs.
    public var connectionIntervalMax: UInt16 = 0
    public var subrateMin: UInt16 = 0
    public var subrateMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    public var continuationNumber: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    /// In units of 125 µs.
    public var minCELength: UInt16 = 0
    /// In units of 125 µs.
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_interval_min", &connectionIntervalMin, .steps(nanoseconds: 125_000))
        try coder.u16("connection_interval_max", &connectionIntervalMax, .steps(nanoseconds: 125_000))
        try coder.u16("subrate_min", &subrateMin)
        try coder.u16("subrate_max", &subrateMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("continuation_number", &continuationNumber)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u16("min_ce_length", &minCELength, .steps(nanoseconds: 125_000))
        try coder.u16("max_ce_length", &maxCELength, .steps(nanoseconds: 125_000))
    }
}

/// Connection intervals that a controller supports.
///
/// Source: Vol 4, Part E, 7.8.156.
public struct LEConnectionIntervalGroup: PDUFields, Equatable {
    /// In units of 125 µs.
    public var groupMin: UInt16 = 0
    /// In units of 125 µs.
    public var groupMax: UInt16 = 0
    /// In units of 125 µs.
    public var groupStride: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("group_min", &groupMin, .steps(nanoseconds: 125_000))
        try coder.u16("group_max", &groupMax, .steps(nanoseconds: 125_000))
        try coder.u16("group_stride", &groupStride, .steps(nanoseconds: 125_000))
    }
}

/// HCI_LE_Read_Minimum_Supported_Connection_Interval command.
///
/// Source: Vol 4, Part E, 7.8.156.
public struct LEReadMinimumSupportedConnectionInterval: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x20A3) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadMinimumSupportedConnectionInterval {
    /// What the controller returns for ``LEReadMinimumSupportedConnectionInterval``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 125 µs.
        public var minimumSupportedConnectionInterval: UInt8 = 0
        public var groups: [LEConnectionIntervalGroup] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8(
                "minimum_supported_connection_interval", &minimumSupportedConnectionInterval,
                .steps(nanoseconds: 125_000))
            try coder.counted("num_groups", "groups", &groups)
        }
    }
}
