public import WireBytes

/// HCI_Read_BD_ADDR command.
///
/// Source: Vol 4, Part E, 7.4.6.
public struct HCIReadBDADDR: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x1009)
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadBDADDR {
    /// What the controller returns for ``HCIReadBDADDR``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var bdAddr = DeviceAddress(0, .public)

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.address("bd_addr", &bdAddr)
        }
    }
}
