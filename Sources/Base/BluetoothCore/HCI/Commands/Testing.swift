public import WireBytes

/// HCI_Read_Loopback_Mode command.
///
/// Source: Vol 4, Part E, 7.6.1.
public struct HCIReadLoopbackMode: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x1801)
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLoopbackMode {
    /// What the controller returns for ``HCIReadLoopbackMode``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var loopbackMode: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("loopback_mode", &loopbackMode, .code(HCINames.loopback))
        }
    }
}
