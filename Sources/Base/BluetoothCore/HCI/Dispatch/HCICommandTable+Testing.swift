import WireBytes

// Which structure holds the parameters of which command of OGF 6.

extension HCICommandTable {
    static func walkTesting<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x1801: try walk(HCIReadLoopbackMode.self, part, &coder)
        case 0x1802: try walk(HCIWriteLoopbackMode.self, part, &coder)
        case 0x1803: try walk(HCIEnableDeviceUnderTestMode.self, part, &coder)
        case 0x1804: try walk(HCIWriteSimplePairingDebugMode.self, part, &coder)
        case 0x180A: try walk(HCIWriteSecureConnectionsTestMode.self, part, &coder)
        default: false
        }
    }
}
