import WireBytes

// Which structure holds the parameters of which command of OGF 2.

extension HCICommandTable {
    static func walkLinkPolicy<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x080E: try walk(HCIReadDefaultLinkPolicySettings.self, part, &coder)
        default: false
        }
    }
}
