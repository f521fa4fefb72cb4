public import WireBytes

/// Selects the events that the controller sends.
///
/// HCI_Set_Event_Mask command. Source: Vol 4, Part E, 7.3.1.
public struct HCISetEventMask: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C01) }
    public typealias ReturnParameters = HCIStatusReturn

    public var eventMask: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u64("event_mask", &eventMask)
    }
}

/// Resets controller and link manager to their initial state, without connections.
///
/// HCI_Reset command. Source: Vol 4, Part E, 7.3.2.
public struct HCIReset: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C03) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
}

/// Sets whether the host supports LE.
///
/// HCI_Write_LE_Host_Support command. Source: Vol 4, Part E, 7.3.79.
public struct HCIWriteLEHostSupport: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C6D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var leSupportedHost: UInt8 = 0
    public var unused: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("le_supported_host", &leSupportedHost)
        try coder.u8("unused", &unused)
    }
}

/// Reads the version and the manufacturer of the controller.
///
/// HCI_Read_Local_Version_Information command. Source: Vol 4, Part E, 7.4.1.
public struct HCIReadLocalVersionInformation: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1001) }
    public init() {}
}

extension HCIReadLocalVersionInformation {
    /// Return parameters of ``HCIReadLocalVersionInformation``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var hciVersion: UInt8 = 0
        public var hciSubversion: UInt16 = 0
        public var lmpVersion: UInt8 = 0
        public var companyIdentifier: UInt16 = 0
        public var lmpSubversion: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("hci_version", &hciVersion)
            try coder.u16("hci_subversion", &hciSubversion)
            try coder.u8("lmp_version", &lmpVersion)
            try coder.u16("company_identifier", &companyIdentifier, .company)
            try coder.u16("lmp_subversion", &lmpSubversion)
        }
    }
}

/// Reads the commands that the controller supports, one bit each.
///
/// HCI_Read_Local_Supported_Commands command. Source: Vol 4, Part E, 7.4.2.
public struct HCIReadLocalSupportedCommands: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1002) }
    public init() {}
}

extension HCIReadLocalSupportedCommands {
    /// Return parameters of ``HCIReadLocalSupportedCommands``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// 64 bytes.
        public var supportedCommands: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.octets("supported_commands", &supportedCommands, count: 64)
        }
    }
}

/// HCI_Read_Local_Supported_Features command.
///
/// Source: Vol 4, Part E, 7.4.3.
public struct HCIReadLocalSupportedFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1003) }
    public init() {}
}

extension HCIReadLocalSupportedFeatures {
    /// Return parameters of ``HCIReadLocalSupportedFeatures``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var lmpFeatures: UInt64 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u64("lmp_features", &lmpFeatures)
        }
    }
}

/// Reads the number and the size of the controller's BR/EDR packet buffers.
///
/// HCI_Read_Buffer_Size command. Source: Vol 4, Part E, 7.4.5.
public struct HCIReadBufferSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1005) }
    public init() {}
}

extension HCIReadBufferSize {
    /// Return parameters of ``HCIReadBufferSize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var aclDataPacketLength: UInt16 = 0
        public var synchronousDataPacketLength: UInt8 = 0
        public var totalNumACLDataPackets: UInt16 = 0
        public var totalNumSynchronousDataPackets: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("acl_data_packet_length", &aclDataPacketLength)
            try coder.u8("synchronous_data_packet_length", &synchronousDataPacketLength)
            try coder.u16("total_num_acl_data_packets", &totalNumACLDataPackets)
            try coder.u16("total_num_synchronous_data_packets", &totalNumSynchronousDataPackets)
        }
    }
}

/// Reads the controller's public device address.
///
/// HCI_Read_BD_ADDR command. Source: Vol 4, Part E, 7.4.6.
public struct HCIReadBDADDR: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1009) }
    public init() {}
}

extension HCIReadBDADDR {
    /// Return parameters of ``HCIReadBDADDR``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var bdAddr = DeviceAddress(0, .public)

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.address("bd_addr", &bdAddr)
        }
    }
}

/// Reads the signal strength of a connection.
///
/// HCI_Read_RSSI command. Source: Vol 4, Part E, 7.5.4.
public struct HCIReadRSSI: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1405) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle)
    }
}

extension HCIReadRSSI {
    /// Return parameters of ``HCIReadRSSI``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0
        /// In dBm; 127 if not available.
        public var rssi: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle)
            try coder.i8("rssi", &rssi)
        }
    }
}
