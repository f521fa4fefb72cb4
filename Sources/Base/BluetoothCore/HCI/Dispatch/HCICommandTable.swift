public import WireBytes

/// Finds the parameters and return parameters of a command by its opcode.
public enum HCICommandTable {
    /// Which side's parameters to walk over.
    @frozen
    public enum Part: Sendable {
        /// What the host sends with the command.
        case parameters
        /// What the controller returns in Command Complete.
        case returnParameters
    }

    /// Hands the fields of a command, or of what is returned for it, to `coder`; false where only its name is
    /// known and no field was touched. Octets after the last field are left in the coder.
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.ogf {
        case 1: try walkLinkControl(opcode, part, &coder)
        case 2: try walkLinkPolicy(opcode, part, &coder)
        case 3: try walkBaseband(opcode, part, &coder)
        case 4: try walkInformational(opcode, part, &coder)
        case 5: try walkStatus(opcode, part, &coder)
        case 6: try walkTesting(opcode, part, &coder)
        case 8: try walkLE(opcode, part, &coder)
        default: false
        }
    }

    static func walk<Command: HCICommand, C: FieldCoder & ~Copyable & ~Escapable>(
        _: Command.Type, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch part {
        case .parameters: try coder.pdu(Command.self)
        case .returnParameters: try coder.pdu(Command.ReturnParameters.self)
        }
        return true
    }
}
