import WireBytes

// Which structure holds the parameters of which command of OGF 1.

extension HCICommandTable {
    static func walkLinkControl<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x0401: try walk(HCIInquiry.self, part, &coder)
        case 0x0402: try walk(HCIInquiryCancel.self, part, &coder)
        case 0x0403: try walk(HCIPeriodicInquiryMode.self, part, &coder)
        case 0x0404: try walk(HCIExitPeriodicInquiryMode.self, part, &coder)
        case 0x0405: try walk(HCICreateConnection.self, part, &coder)
        case 0x0406: try walk(HCIDisconnect.self, part, &coder)
        case 0x0408: try walk(HCICreateConnectionCancel.self, part, &coder)
        case 0x0409: try walk(HCIAcceptConnectionRequest.self, part, &coder)
        case 0x040A: try walk(HCIRejectConnectionRequest.self, part, &coder)
        case 0x040B: try walk(HCILinkKeyRequestReply.self, part, &coder)
        case 0x040C: try walk(HCILinkKeyRequestNegativeReply.self, part, &coder)
        case 0x040D: try walk(HCIPINCodeRequestReply.self, part, &coder)
        case 0x040E: try walk(HCIPINCodeRequestNegativeReply.self, part, &coder)
        case 0x040F: try walk(HCIChangeConnectionPacketType.self, part, &coder)
        case 0x0411: try walk(HCIAuthenticationRequested.self, part, &coder)
        case 0x0413: try walk(HCISetConnectionEncryption.self, part, &coder)
        case 0x0415: try walk(HCIChangeConnectionLinkKey.self, part, &coder)
        case 0x0417: try walk(HCILinkKeySelection.self, part, &coder)
        case 0x0419: try walk(HCIRemoteNameRequest.self, part, &coder)
        case 0x041A: try walk(HCIRemoteNameRequestCancel.self, part, &coder)
        case 0x041B: try walk(HCIReadRemoteSupportedFeatures.self, part, &coder)
        case 0x041C: try walk(HCIReadRemoteExtendedFeatures.self, part, &coder)
        case 0x041D: try walk(HCIReadRemoteVersionInformation.self, part, &coder)
        case 0x041F: try walk(HCIReadClockOffset.self, part, &coder)
        case 0x0420: try walk(HCIReadLMPHandle.self, part, &coder)
        case 0x0428: try walk(HCISetupSynchronousConnection.self, part, &coder)
        case 0x0429: try walk(HCIAcceptSynchronousConnectionRequest.self, part, &coder)
        case 0x042A: try walk(HCIRejectSynchronousConnectionRequest.self, part, &coder)
        case 0x042B: try walk(HCIIOCapabilityRequestReply.self, part, &coder)
        case 0x042C: try walk(HCIUserConfirmationRequestReply.self, part, &coder)
        case 0x042D: try walk(HCIUserConfirmationRequestNegativeReply.self, part, &coder)
        case 0x042E: try walk(HCIUserPasskeyRequestReply.self, part, &coder)
        case 0x042F: try walk(HCIUserPasskeyRequestNegativeReply.self, part, &coder)
        case 0x0430: try walk(HCIRemoteOOBDataRequestReply.self, part, &coder)
        case 0x0433: try walk(HCIRemoteOOBDataRequestNegativeReply.self, part, &coder)
        case 0x0434: try walk(HCIIOCapabilityRequestNegativeReply.self, part, &coder)
        case 0x043D: try walk(HCIEnhancedSetupSynchronousConnection.self, part, &coder)
        case 0x043E: try walk(HCIEnhancedAcceptSynchronousConnectionRequest.self, part, &coder)
        case 0x043F: try walk(HCITruncatedPage.self, part, &coder)
        case 0x0440: try walk(HCITruncatedPageCancel.self, part, &coder)
        case 0x0441: try walk(HCISetConnectionlessPeripheralBroadcast.self, part, &coder)
        case 0x0442: try walk(HCISetConnectionlessPeripheralBroadcastReceive.self, part, &coder)
        case 0x0443: try walk(HCIStartSynchronizationTrain.self, part, &coder)
        case 0x0444: try walk(HCIReceiveSynchronizationTrain.self, part, &coder)
        case 0x0445: try walk(HCIRemoteOOBExtendedDataRequestReply.self, part, &coder)
        default: false
        }
    }
}
