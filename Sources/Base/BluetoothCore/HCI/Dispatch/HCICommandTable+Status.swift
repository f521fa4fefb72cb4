import WireBytes

// Which structure holds the parameters of which command of OGF 5.

extension HCICommandTable {
    static func walkStatus<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x1401: try walk(HCIReadFailedContactCounter.self, part, &coder)
        case 0x1402: try walk(HCIResetFailedContactCounter.self, part, &coder)
        case 0x1403: try walk(HCIReadLinkQuality.self, part, &coder)
        case 0x1405: try walk(HCIReadRSSI.self, part, &coder)
        case 0x1406: try walk(HCIReadAFHChannelMap.self, part, &coder)
        case 0x1407: try walk(HCIReadClock.self, part, &coder)
        case 0x1408: try walk(HCIReadEncryptionKeySize.self, part, &coder)
        case 0x140D: try walk(HCISetTriggeredClockCapture.self, part, &coder)
        default: false
        }
    }
}
