public import WireBytes

/// Finds the parameters of an event by its code.
public enum HCIEventTable {
    /// Hands the parameters of an event to `coder`, with the subevent of LE Meta and the return parameters
    /// of Command Complete; false where only the event's name is known. What no field is known for in a
    /// subevent or in return parameters is handed over as octets. Octets after the last field are left in
    /// the coder.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ event: HCIEventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch event.rawValue {
        case 0x3E:
            var subevent = LESubeventCode(rawValue: 0)
            try coder.code("subevent_code", &subevent, width: 1, .code(LESubeventCode.name(of:)))
            if try codeLE(subevent, &coder) { return true }
            var rest: [UInt8] = []
            try coder.octets("parameters", &rest)
        case 0x13: try coder.pdu(HCINumberOfCompletedPackets.self)
        case 0x0E:
            var complete = HCICommandComplete()
            try complete.code(&coder)
            if try HCICommandTable.code(complete.commandOpcode, .returnParameters, &coder) { return true }
            var rest: [UInt8] = []
            if coder.remaining > 0 { try coder.octets("return_parameters", &rest) }
        case 0x0F: try coder.pdu(HCICommandStatus.self)
        case 0x05: try coder.pdu(HCIDisconnectionComplete.self)
        default: return try walkStandard(event, &coder)
        }
        return true
    }

    /// Hands the parameters of an LE Meta event, after its subevent code, to `coder`; false where only its
    /// name is known.
    @inlinable
    public static func codeLE<C: FieldCoder & ~Copyable & ~Escapable>(
        _ subevent: LESubeventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch subevent.rawValue {
        case 0x02: try coder.pdu(LEAdvertisingReport.self)
        case 0x0D: try coder.pdu(LEExtendedAdvertisingReport.self)
        case 0x01: try coder.pdu(LEConnectionComplete.self)
        case 0x0A: try coder.pdu(LEEnhancedConnectionComplete.self)
        case 0x29: try coder.pdu(LEEnhancedConnectionCompleteV2.self)
        case 0x03: try coder.pdu(LEConnectionUpdateComplete.self)
        default: return try walkLE(subevent, &coder)
        }
        return true
    }
}
