public import WireBytes

/// Finds what a command or event of the kernel's management interface holds.
public enum ManagementTable {
    /// Hands the parameters of a command to `coder`; false where none are known, and none was touched.
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: ManagementCommand, _ coder: inout C
    ) throws(DecodeError) -> Bool { try walkCommand(opcode, &coder) }

    /// Hands what the kernel returns for a command to `coder`; false where nothing is known of it, and none
    /// was touched.
    @inlinable
    public static func codeReturn<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: ManagementCommand, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        // Every program asks first what it may ask for: no other answer is as long.
        guard opcode.rawValue == 0x02 else { return try walkReturn(opcode, &coder) }
        try coder.pdu(ManagementReadSupportedCommandsReturn.self)
        return true
    }

    /// Hands the parameters of an event, other than Command Complete and Command Status, to `coder`; false
    /// where none are known, and none was touched.
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ event: ManagementEvent, _ coder: inout C
    ) throws(DecodeError) -> Bool { try walkEvent(event, &coder) }
}
