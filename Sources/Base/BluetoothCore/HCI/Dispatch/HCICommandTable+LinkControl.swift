import WireBytes

// Which structure holds the parameters of which command of OGF 1.

extension HCICommandTable {
    static func walkLinkControl<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x0406: try walk(HCIDisconnect.self, part, &coder)
        case 0x041D: try walk(HCIReadRemoteVersionInformation.self, part, &coder)
        default: false
        }
    }
}
