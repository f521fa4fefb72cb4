public import WireBytes

/// Chooses which events the controller sends.
///
/// HCI_Set_Event_Mask command. Source: Vol 4, Part E, 7.3.1.
public struct HCISetEventMask: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x0C01)
    public typealias ReturnParameters = HCIStatusReturn
    public var eventMask: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u64("event_mask", &eventMask, .bits(HCINames.eventMask))
    }
}

/// Puts controller and link manager into their initial state: every connection is gone.
///
/// HCI_Reset command. Source: Vol 4, Part E, 7.3.2.
public struct HCIReset: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x0C03)
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}
