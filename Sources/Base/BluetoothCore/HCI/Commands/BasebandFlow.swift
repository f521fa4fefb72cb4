public import WireBytes

/// HCI_Read_Synchronous_Flow_Control_Enable command.
///
/// Source: Vol 4, Part E, 7.3.36.
public struct HCIReadSynchronousFlowControlEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C2E) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadSynchronousFlowControlEnable {
    /// What the controller returns for ``HCIReadSynchronousFlowControlEnable``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var synchronousFlowControlEnable: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8(
                "synchronous_flow_control_enable", &synchronousFlowControlEnable, .code(HCINames.enable))
        }
    }
}

/// HCI_Write_Synchronous_Flow_Control_Enable command.
///
/// Source: Vol 4, Part E, 7.3.37.
public struct HCIWriteSynchronousFlowControlEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C2F) }
    public typealias ReturnParameters = HCIStatusReturn

    public var synchronousFlowControlEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("synchronous_flow_control_enable", &synchronousFlowControlEnable, .code(HCINames.enable))
    }
}

/// Sets whether the controller waits for the host's buffers.
///
/// HCI_Set_Controller_To_Host_Flow_Control command. Source: Vol 4, Part E, 7.3.38.
public struct HCISetControllerToHostFlowControl: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C31) }
    public typealias ReturnParameters = HCIStatusReturn

    public var flowControlEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("flow_control_enable", &flowControlEnable, .bits(HCINames.hostFlowControl))
    }
}

/// Tells the controller how many packets of which size the host can hold.
///
/// HCI_Host_Buffer_Size command. Source: Vol 4, Part E, 7.3.39.
public struct HCIHostBufferSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C33) }
    public typealias ReturnParameters = HCIStatusReturn

    public var hostACLDataPacketLength: UInt16 = 0
    public var hostSynchronousDataPacketLength: UInt8 = 0
    public var hostTotalNumACLDataPackets: UInt16 = 0
    public var hostTotalNumSynchronousDataPackets: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("host_acl_data_packet_length", &hostACLDataPacketLength)
        try coder.u8("host_synchronous_data_packet_length", &hostSynchronousDataPacketLength)
        try coder.u16("host_total_num_acl_data_packets", &hostTotalNumACLDataPackets)
        try coder.u16("host_total_num_synchronous_data_packets", &hostTotalNumSynchronousDataPackets)
    }
}

/// Tells the controller that the host has buffers again; answered only when it is wrong.
///
/// HCI_Host_Number_Of_Completed_Packets command. Source: Vol 4, Part E, 7.3.40.
public struct HCIHostNumberOfCompletedPackets: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C35) }
    public typealias ReturnParameters = HCIStatusReturn

    public var connections: [HCICompletedPackets] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_handles", "connections", &connections)
    }
}

/// HCI_Read_Link_Supervision_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.41.
public struct HCIReadLinkSupervisionTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C36) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

extension HCIReadLinkSupervisionTimeout {
    /// What the controller returns for ``HCIReadLinkSupervisionTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0
        /// In units of 625 µs.
        public var linkSupervisionTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
            try coder.u16("link_supervision_timeout", &linkSupervisionTimeout, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Link_Supervision_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.42.
public struct HCIWriteLinkSupervisionTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C37) }

    public var handle: UInt16 = 0
    /// In units of 625 µs.
    public var linkSupervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
        try coder.u16("link_supervision_timeout", &linkSupervisionTimeout, .steps(nanoseconds: 625_000))
    }
}

extension HCIWriteLinkSupervisionTimeout {
    /// What the controller returns for ``HCIWriteLinkSupervisionTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
        }
    }
}

/// HCI_Enhanced_Flush command.
///
/// Source: Vol 4, Part E, 7.3.66.
public struct HCIEnhancedFlush: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C5F) }
    public typealias ReturnParameters = HCINoReturn

    public var handle: UInt16 = 0
    public var packetType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
        try coder.u8("packet_type", &packetType, .code(HCINames.flushType))
    }
}

/// HCI_Read_Flow_Control_Mode command.
///
/// Source: Vol 4, Part E, 7.3.72.
public struct HCIReadFlowControlMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C66) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadFlowControlMode {
    /// What the controller returns for ``HCIReadFlowControlMode``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var flowControlMode: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("flow_control_mode", &flowControlMode, .code(HCINames.flowControlMode))
        }
    }
}

/// HCI_Write_Flow_Control_Mode command.
///
/// Source: Vol 4, Part E, 7.3.73.
public struct HCIWriteFlowControlMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C67) }
    public typealias ReturnParameters = HCIStatusReturn

    public var flowControlMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("flow_control_mode", &flowControlMode, .code(HCINames.flowControlMode))
    }
}

/// HCI_Read_Enhanced_Transmit_Power_Level command.
///
/// Source: Vol 4, Part E, 7.3.74.
public struct HCIReadEnhancedTransmitPowerLevel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C68) }

    public var connectionHandle: UInt16 = 0
    public var type: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("type", &type, .code(HCINames.powerLevelType))
    }
}

extension HCIReadEnhancedTransmitPowerLevel {
    /// What the controller returns for ``HCIReadEnhancedTransmitPowerLevel``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        /// In dBm.
        public var txPowerLevelGfsk: Int8 = 0
        /// In dBm.
        public var txPowerLevelDqpsk: Int8 = 0
        /// In dBm.
        public var txPowerLevel8dpsk: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.i8("tx_power_level_gfsk", &txPowerLevelGfsk, .dBm)
            try coder.i8("tx_power_level_dqpsk", &txPowerLevelDqpsk, .dBm)
            try coder.i8("tx_power_level_8dpsk", &txPowerLevel8dpsk, .dBm)
        }
    }
}

/// HCI_Set_Event_Mask_Page_2 command.
///
/// Source: Vol 4, Part E, 7.3.69.
public struct HCISetEventMaskPage2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C63) }
    public typealias ReturnParameters = HCIStatusReturn

    public var eventMaskPage2: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u64("event_mask_page_2", &eventMaskPage2, .bits(HCINames.eventMaskPage2))
    }
}

/// HCI_Read_LE_Host_Support command.
///
/// Source: Vol 4, Part E, 7.3.78.
public struct HCIReadLEHostSupport: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C6C) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLEHostSupport {
    /// What the controller returns for ``HCIReadLEHostSupport``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var leSupportedHost: UInt8 = 0
        public var unused: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("le_supported_host", &leSupportedHost, .code(HCINames.enable))
            try coder.u8("unused", &unused, .hex)
        }
    }
}

/// Tells the controller whether the host supports LE.
///
/// HCI_Write_LE_Host_Support command. Source: Vol 4, Part E, 7.3.79.
public struct HCIWriteLEHostSupport: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C6D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var leSupportedHost: UInt8 = 0
    public var unused: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("le_supported_host", &leSupportedHost, .code(HCINames.enable))
        try coder.u8("unused", &unused, .hex)
    }
}

/// HCI_Set_Ecosystem_Base_Interval command.
///
/// Source: Vol 4, Part E, 7.3.100.
public struct HCISetEcosystemBaseInterval: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C82) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 1.25 ms.
    public var interval: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("interval", &interval, .steps(nanoseconds: 1_250_000))
    }
}

/// HCI_Configure_Data_Path command.
///
/// Source: Vol 4, Part E, 7.3.101.
public struct HCIConfigureDataPath: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C83) }
    public typealias ReturnParameters = HCIStatusReturn

    public var dataPathDirection: UInt8 = 0
    public var dataPathID: UInt8 = 0
    public var vendorSpecificConfig: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("data_path_direction", &dataPathDirection, .code(HCINames.dataPathDirection))
        try coder.u8("data_path_id", &dataPathID, .code(HCINames.dataPathID))
        try coder.sizedOctets(
            "vendor_specific_config_length", "vendor_specific_config", &vendorSpecificConfig)
    }
}
