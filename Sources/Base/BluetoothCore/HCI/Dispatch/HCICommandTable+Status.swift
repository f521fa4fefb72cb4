import WireBytes

// Which structure holds the parameters of which command of OGF 5.

extension HCICommandTable {
    static func walkStatus<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x1405: try walk(HCIReadRSSI.self, part, &coder)
        default: false
        }
    }
}
