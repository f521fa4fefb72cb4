import WireBytes

// Which structure holds the parameters of which command of OGF 2.

extension HCICommandTable {
    static func walkLinkPolicy<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x0801: try walk(HCIHoldMode.self, part, &coder)
        case 0x0803: try walk(HCISniffMode.self, part, &coder)
        case 0x0804: try walk(HCIExitSniffMode.self, part, &coder)
        case 0x0807: try walk(HCIQoSSetup.self, part, &coder)
        case 0x0809: try walk(HCIRoleDiscovery.self, part, &coder)
        case 0x080B: try walk(HCISwitchRole.self, part, &coder)
        case 0x080C: try walk(HCIReadLinkPolicySettings.self, part, &coder)
        case 0x080D: try walk(HCIWriteLinkPolicySettings.self, part, &coder)
        case 0x080E: try walk(HCIReadDefaultLinkPolicySettings.self, part, &coder)
        case 0x080F: try walk(HCIWriteDefaultLinkPolicySettings.self, part, &coder)
        case 0x0810: try walk(HCIFlowSpecification.self, part, &coder)
        case 0x0811: try walk(HCISniffSubratingCommand.self, part, &coder)
        default: false
        }
    }
}
