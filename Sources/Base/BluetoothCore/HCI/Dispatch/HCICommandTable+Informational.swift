import WireBytes

// Which structure holds the parameters of which command of OGF 4.

extension HCICommandTable {
    static func walkInformational<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x1001: try walk(HCIReadLocalVersionInformation.self, part, &coder)
        case 0x1002: try walk(HCIReadLocalSupportedCommands.self, part, &coder)
        case 0x1003: try walk(HCIReadLocalSupportedFeatures.self, part, &coder)
        case 0x1004: try walk(HCIReadLocalExtendedFeatures.self, part, &coder)
        case 0x1005: try walk(HCIReadBufferSize.self, part, &coder)
        case 0x1009: try walk(HCIReadBDADDR.self, part, &coder)
        case 0x100A: try walk(HCIReadDataBlockSize.self, part, &coder)
        case 0x100B: try walk(HCIReadLocalSupportedCodecs.self, part, &coder)
        case 0x100C: try walk(HCIReadLocalSimplePairingOptions.self, part, &coder)
        case 0x100D: try walk(HCIReadLocalSupportedCodecsV2.self, part, &coder)
        case 0x100E: try walk(HCIReadLocalSupportedCodecCapabilities.self, part, &coder)
        case 0x100F: try walk(HCIReadLocalSupportedControllerDelay.self, part, &coder)
        default: false
        }
    }
}
