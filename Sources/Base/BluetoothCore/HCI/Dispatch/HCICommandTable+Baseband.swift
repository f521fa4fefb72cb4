import WireBytes

// Which structure holds the parameters of which command of OGF 3.

extension HCICommandTable {
    static func walkBaseband<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x0C01: try walk(HCISetEventMask.self, part, &coder)
        case 0x0C03: try walk(HCIReset.self, part, &coder)
        default: false
        }
    }
}
