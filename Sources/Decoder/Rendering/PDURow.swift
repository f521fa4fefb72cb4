import BluetoothCore
import WireBytes

/// The row of a table that describes the fields of a PDU.
enum PDURow {
    case command(HCIOpcode)
    /// The return parameters of a command that succeeded.
    case returned(HCIOpcode)
    /// The status of a command that was refused.
    case refusal
    case event(HCIEventCode)
    /// An LE Meta event, after its subevent code.
    case leEvent(LESubeventCode)
    case monitor(MonitorOpcode)
    /// A PDU of the Attribute protocol, after its opcode.
    case att(ATTOpcode)
    /// A PDU of the Security Manager, after its code.
    case smp(SMPCode)
    /// An L2CAP signalling command, after its header.
    case signal(L2CAPSignallingCode)
    /// An advertising PDU on the air, after its header.
    case airAdvertising(UInt8)
    /// A control PDU on the air, after its opcode.
    case airControl(UInt8)
    /// Bytes without known fields.
    case unknown

    /// Passes the fields to `coder`; returns false if the fields are unknown. If `coder` then has read
    /// nothing, the caller has to show the bytes; some rows pass unknown bytes as one field.
    ///
    /// Always inlined: most callers know the case.
    @inline(__always)
    func decode<Coder: ReadingCoder & ~Copyable & ~Escapable>(
        with coder: inout Coder
    ) throws(DecodeError) -> Bool {
        switch self {
        case .command(let opcode): try HCICommandTable.code(opcode, .parameters, &coder)
        case .returned(let opcode): try HCICommandTable.code(opcode, .returnParameters, &coder)
        case .refusal: try Self.status(with: &coder)
        case .event(let code): try HCIEventTable.code(code, &coder)
        case .leEvent(let code): try HCIEventTable.codeLE(code, &coder)
        case .monitor(let opcode): try MonitorTable.code(opcode, &coder)
        case .att(let opcode): try ATTTable.code(opcode, &coder)
        case .smp(let code): try SMPTable.code(code, &coder)
        case .signal(let code): try L2CAPTable.code(code, &coder)
        case .airAdvertising(let type): try AirTable.codeAdvertising(type, &coder)
        case .airControl(let opcode): try AirTable.codeControl(opcode, &coder)
        case .unknown: false
        }
    }

    private static func status<Coder: ReadingCoder & ~Copyable & ~Escapable>(
        with coder: inout Coder
    ) throws(DecodeError) -> Bool {
        var status: UInt64 = 0
        try coder.unsigned("status", &status, width: 1, .status)
        return true
    }
}
