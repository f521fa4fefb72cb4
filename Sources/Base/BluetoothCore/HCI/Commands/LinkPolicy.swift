public import WireBytes

/// HCI_Hold_Mode command.
///
/// Source: Vol 4, Part E, 7.2.1.
public struct HCIHoldMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0801) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var holdModeMaxInterval: UInt16 = 0
    /// In units of 625 µs.
    public var holdModeMinInterval: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("hold_mode_max_interval", &holdModeMaxInterval, .steps(nanoseconds: 625_000))
        try coder.u16("hold_mode_min_interval", &holdModeMinInterval, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Sniff_Mode command.
///
/// Source: Vol 4, Part E, 7.2.2.
public struct HCISniffMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0803) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var sniffMaxInterval: UInt16 = 0
    /// In units of 625 µs.
    public var sniffMinInterval: UInt16 = 0
    public var sniffAttempt: UInt16 = 0
    public var sniffTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("sniff_max_interval", &sniffMaxInterval, .steps(nanoseconds: 625_000))
        try coder.u16("sniff_min_interval", &sniffMinInterval, .steps(nanoseconds: 625_000))
        try coder.u16("sniff_attempt", &sniffAttempt)
        try coder.u16("sniff_timeout", &sniffTimeout)
    }
}

/// HCI_Exit_Sniff_Mode command.
///
/// Source: Vol 4, Part E, 7.2.3.
public struct HCIExitSniffMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0804) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_QoS_Setup command.
///
/// Source: Vol 4, Part E, 7.2.6.
public struct HCIQoSSetup: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0807) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var unused: UInt8 = 0
    public var serviceType: UInt8 = 0
    public var tokenRate: UInt32 = 0
    public var peakBandwidth: UInt32 = 0
    /// In microseconds.
    public var latency: UInt32 = 0
    /// In microseconds.
    public var delayVariation: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("unused", &unused, .hex)
        try coder.u8("service_type", &serviceType, .code(HCINames.serviceType))
        try coder.u32("token_rate", &tokenRate)
        try coder.u32("peak_bandwidth", &peakBandwidth)
        try coder.u32("latency", &latency, .steps(nanoseconds: 1_000))
        try coder.u32("delay_variation", &delayVariation, .steps(nanoseconds: 1_000))
    }
}

/// HCI_Role_Discovery command.
///
/// Source: Vol 4, Part E, 7.2.7.
public struct HCIRoleDiscovery: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0809) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIRoleDiscovery {
    /// What the controller returns for ``HCIRoleDiscovery``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var currentRole: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u8("current_role", &currentRole, .code(HCINames.role))
        }
    }
}

/// HCI_Switch_Role command.
///
/// Source: Vol 4, Part E, 7.2.8.
public struct HCISwitchRole: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x080B) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var role: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("role", &role, .code(HCINames.role))
    }
}

/// HCI_Read_Link_Policy_Settings command.
///
/// Source: Vol 4, Part E, 7.2.9.
public struct HCIReadLinkPolicySettings: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x080C) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIReadLinkPolicySettings {
    /// What the controller returns for ``HCIReadLinkPolicySettings``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var linkPolicySettings: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u16("link_policy_settings", &linkPolicySettings, .bits(HCINames.linkPolicy))
        }
    }
}

/// HCI_Write_Link_Policy_Settings command.
///
/// Source: Vol 4, Part E, 7.2.10.
public struct HCIWriteLinkPolicySettings: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x080D) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var linkPolicySettings: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("link_policy_settings", &linkPolicySettings, .bits(HCINames.linkPolicy))
    }
}

/// HCI_Read_Default_Link_Policy_Settings command.
///
/// Source: Vol 4, Part E, 7.2.11.
public struct HCIReadDefaultLinkPolicySettings: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x080E) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadDefaultLinkPolicySettings {
    /// What the controller returns for ``HCIReadDefaultLinkPolicySettings``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var defaultLinkPolicySettings: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16(
                "default_link_policy_settings", &defaultLinkPolicySettings, .bits(HCINames.linkPolicy))
        }
    }
}

/// HCI_Write_Default_Link_Policy_Settings command.
///
/// Source: Vol 4, Part E, 7.2.12.
public struct HCIWriteDefaultLinkPolicySettings: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x080F) }
    public typealias ReturnParameters = HCIStatusReturn

    public var defaultLinkPolicySettings: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("default_link_policy_settings", &defaultLinkPolicySettings, .bits(HCINames.linkPolicy))
    }
}

/// HCI_Flow_Specification command.
///
/// Source: Vol 4, Part E, 7.2.13.
public struct HCIFlowSpecification: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0810) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var unused: UInt8 = 0
    public var flowDirection: UInt8 = 0
    public var serviceType: UInt8 = 0
    public var tokenRate: UInt32 = 0
    public var tokenBucketSize: UInt32 = 0
    public var peakBandwidth: UInt32 = 0
    /// In microseconds.
    public var accessLatency: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("unused", &unused, .hex)
        try coder.u8("flow_direction", &flowDirection, .code(HCINames.flowDirection))
        try coder.u8("service_type", &serviceType, .code(HCINames.serviceType))
        try coder.u32("token_rate", &tokenRate)
        try coder.u32("token_bucket_size", &tokenBucketSize)
        try coder.u32("peak_bandwidth", &peakBandwidth)
        try coder.u32("access_latency", &accessLatency, .steps(nanoseconds: 1_000))
    }
}

/// HCI_Sniff_Subrating command.
///
/// Source: Vol 4, Part E, 7.2.14.
public struct HCISniffSubratingCommand: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0811) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var maxLatency: UInt16 = 0
    /// In units of 625 µs.
    public var minRemoteTimeout: UInt16 = 0
    /// In units of 625 µs.
    public var minLocalTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("max_latency", &maxLatency, .steps(nanoseconds: 625_000))
        try coder.u16("min_remote_timeout", &minRemoteTimeout, .steps(nanoseconds: 625_000))
        try coder.u16("min_local_timeout", &minLocalTimeout, .steps(nanoseconds: 625_000))
    }
}
