public import WireBytes

/// Finds what a monitor channel record holds by its opcode.
public enum MonitorTable {
    /// Hands the fields of one of the channel's own records to `coder`; false for a record without fields,
    /// an HCI packet or an opcode that is not known, and no field is touched then.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: MonitorOpcode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode {
        case .newIndex: try coder.pdu(MonitorNewIndex.self)
        case .indexInfo: try coder.pdu(MonitorIndexInfo.self)
        case .vendorDiagnostics: try coder.pdu(MonitorVendorDiagnostics.self)
        case .systemNote: try coder.pdu(MonitorSystemNote.self)
        case .userLogging: try coder.pdu(MonitorUserLogging.self)
        case .controlOpen: try coder.pdu(MonitorControlOpen.self)
        case .controlClose: try coder.pdu(MonitorControlClose.self)
        case .controlCommand: try codeCommand(&coder)
        case .controlEvent: try codeEvent(&coder)
        default: return false
        }
        return true
    }
}
