import WireBytes

// Which structure holds the parameters of which command of OGF 4.

extension HCICommandTable {
    static func walkInformational<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x1009: try walk(HCIReadBDADDR.self, part, &coder)
        default: false
        }
    }
}
