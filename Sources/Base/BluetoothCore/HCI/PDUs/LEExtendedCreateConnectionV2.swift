public import WireBytes

/// Starts establishing a connection as the central, with one set of parameters for every bit set in the PHYs.
///
/// HCI_LE_Extended_Create_Connection_[v2] command. Source: Vol 4, Part E, 7.8.66.
public struct LEExtendedCreateConnectionV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2085) }
    public typealias ReturnParameters = HCINoReturn

    public var advertisingHandle: UInt8 = 0
    public var subevent: UInt8 = 0
    /// The parameters that both versions have.
    public var connection = LEExtendedCreateConnection()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle)
        try coder.u8("subevent", &subevent)
        try connection.code(&coder)
    }
}
