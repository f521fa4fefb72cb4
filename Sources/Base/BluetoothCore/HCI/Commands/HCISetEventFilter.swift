public import WireBytes

/// Chooses which inquiry results and connection requests reach the host.
///
/// HCI_Set_Event_Filter command. Source: Vol 4, Part E, 7.3.3.
public struct HCISetEventFilter: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C05) }
    public typealias ReturnParameters = HCIStatusReturn

    /// 0 clears all filters, and nothing follows; 1 filters inquiry results, 2 connection requests.
    public var filterType: UInt8 = 0
    /// 0 any device, 1 devices of a class, 2 one device.
    public var filterConditionType: UInt8 = 0
    public var classOfDevice: UInt32 = 0
    public var classOfDeviceMask: UInt32 = 0
    public var bdAddr = DeviceAddress(0, .public)
    /// Only in a filter for connection requests.
    public var autoAcceptFlag: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u8("filter_type", &filterType, .code(HCINames.filterType))
        guard filterType == 1 || filterType == 2 else { return }
        try coder.u8("filter_condition_type", &filterConditionType, .code(HCINames.filterCondition))
        switch filterConditionType {
        case 1:
            try coder.u24("class_of_device", &classOfDevice, .hex)
            try coder.u24("class_of_device_mask", &classOfDeviceMask, .hex)
        case 2: try coder.address("bd_addr", &bdAddr)
        default: break
        }
        if filterType == 2 { try coder.u8("auto_accept_flag", &autoAcceptFlag, .code(HCINames.autoAccept)) }
    }
}
