public import WireBytes

/// HCI_Read_RSSI command.
///
/// Source: Vol 4, Part E, 7.5.4.
public struct HCIReadRSSI: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x1405)
    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

extension HCIReadRSSI {
    /// What the controller returns for ``HCIReadRSSI``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0
        public var rssi: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
            try coder.i8("rssi", &rssi, .dBm)
        }
    }
}
