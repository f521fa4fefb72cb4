public import WireBytes

/// HCI_Read_Default_Link_Policy_Settings command.
///
/// Source: Vol 4, Part E, 7.2.11.
public struct HCIReadDefaultLinkPolicySettings: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x080E)
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
