public import WireBytes

/// Selects the LE events that the controller sends.
///
/// HCI_LE_Set_Event_Mask command. Source: Vol 4, Part E, 7.8.1.
public struct LESetEventMask: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2001) }
    public typealias ReturnParameters = HCIStatusReturn

    public var leEventMask: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u64("le_event_mask", &leEventMask)
    }
}

/// Reads the number and the size of the controller's LE ACL packet buffers.
///
/// HCI_LE_Read_Buffer_Size_[v1] command. Source: Vol 4, Part E, 7.8.2.
public struct LEReadBufferSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2002) }
    public init() {}
}

extension LEReadBufferSize {
    /// Return parameters of ``LEReadBufferSize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var leACLDataPacketLength: UInt16 = 0
        public var totalNumLEACLDataPackets: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("le_acl_data_packet_length", &leACLDataPacketLength)
            try coder.u8("total_num_le_acl_data_packets", &totalNumLEACLDataPackets)
        }
    }
}

/// Reads the LE features of the controller.
///
/// HCI_LE_Read_Local_Supported_Features_Page_0 command. Source: Vol 4, Part E, 7.8.3.
public struct LEReadLocalSupportedFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2003) }
    public init() {}
}

extension LEReadLocalSupportedFeatures {
    /// Return parameters of ``LEReadLocalSupportedFeatures``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var leFeatures: UInt64 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u64("le_features", &leFeatures)
        }
    }
}

/// Sets the random device address that legacy advertising, scanning and initiating use.
///
/// HCI_LE_Set_Random_Address command. Source: Vol 4, Part E, 7.8.4.
public struct LESetRandomAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2005) }
    public typealias ReturnParameters = HCIStatusReturn

    public var randomAddress = DeviceAddress(0, .random)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("random_address", &randomAddress)
    }
}

/// HCI_LE_Read_Filter_Accept_List_Size command.
///
/// Source: Vol 4, Part E, 7.8.14.
public struct LEReadFilterAcceptListSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x200F) }
    public init() {}
}

extension LEReadFilterAcceptListSize {
    /// Return parameters of ``LEReadFilterAcceptListSize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var filterAcceptListSize: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("filter_accept_list_size", &filterAcceptListSize)
        }
    }
}

/// Empties the Filter Accept List.
///
/// HCI_LE_Clear_Filter_Accept_List command. Source: Vol 4, Part E, 7.8.15.
public struct LEClearFilterAcceptList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2010) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
}

/// Adds a device to the list that filter policies refer to.
///
/// HCI_LE_Add_Device_To_Filter_Accept_List command. Source: Vol 4, Part E, 7.8.16.
public struct LEAddDeviceToFilterAcceptList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2011) }
    public typealias ReturnParameters = HCIStatusReturn

    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType)
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
    }
}

/// Removes a device from the list that filter policies refer to.
///
/// HCI_LE_Remove_Device_From_Filter_Accept_List command. Source: Vol 4, Part E, 7.8.17.
public struct LERemoveDeviceFromFilterAcceptList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2012) }
    public typealias ReturnParameters = HCIStatusReturn

    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType)
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
    }
}

/// Reads the longest Link Layer payloads that the controller supports.
///
/// HCI_LE_Read_Maximum_Data_Length command. Source: Vol 4, Part E, 7.8.46.
public struct LEReadMaximumDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202F) }
    public init() {}
}

extension LEReadMaximumDataLength {
    /// Return parameters of ``LEReadMaximumDataLength``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var supportedMaxTxOctets: UInt16 = 0
        /// In microseconds.
        public var supportedMaxTxTime: UInt16 = 0
        public var supportedMaxRxOctets: UInt16 = 0
        /// In microseconds.
        public var supportedMaxRxTime: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("supported_max_tx_octets", &supportedMaxTxOctets)
            try coder.u16("supported_max_tx_time", &supportedMaxTxTime)
            try coder.u16("supported_max_rx_octets", &supportedMaxRxOctets)
            try coder.u16("supported_max_rx_time", &supportedMaxRxTime)
        }
    }
}

/// HCI_LE_Read_Suggested_Default_Data_Length command.
///
/// Source: Vol 4, Part E, 7.8.34.
public struct LEReadSuggestedDefaultDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2023) }
    public init() {}
}

extension LEReadSuggestedDefaultDataLength {
    /// Return parameters of ``LEReadSuggestedDefaultDataLength``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var suggestedMaxTxOctets: UInt16 = 0
        /// In microseconds.
        public var suggestedMaxTxTime: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("suggested_max_tx_octets", &suggestedMaxTxOctets)
            try coder.u16("suggested_max_tx_time", &suggestedMaxTxTime)
        }
    }
}

/// Suggests the maximum length of Link Layer payloads on new connections.
///
/// HCI_LE_Write_Suggested_Default_Data_Length command. Source: Vol 4, Part E, 7.8.35.
public struct LEWriteSuggestedDefaultDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2024) }
    public typealias ReturnParameters = HCIStatusReturn

    public var suggestedMaxTxOctets: UInt16 = 0
    /// In microseconds.
    public var suggestedMaxTxTime: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("suggested_max_tx_octets", &suggestedMaxTxOctets)
        try coder.u16("suggested_max_tx_time", &suggestedMaxTxTime)
    }
}
