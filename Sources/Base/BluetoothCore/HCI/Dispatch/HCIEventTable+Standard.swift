public import WireBytes

// Which structure holds the parameters of which event.

extension HCIEventTable {
    @usableFromInline
    static func walkStandard<C: FieldCoder & ~Copyable & ~Escapable>(
        _ code: HCIEventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch code.rawValue {
        case 0x01: try coder.pdu(HCIInquiryComplete.self)
        case 0x02: try coder.pdu(HCIInquiryResult.self)
        case 0x03: try coder.pdu(HCIConnectionComplete.self)
        case 0x04: try coder.pdu(HCIConnectionRequest.self)
        case 0x06: try coder.pdu(HCIAuthenticationComplete.self)
        case 0x07: try coder.pdu(HCIRemoteNameRequestComplete.self)
        case 0x08: try coder.pdu(HCIEncryptionChange.self)
        case 0x09: try coder.pdu(HCIChangeConnectionLinkKeyComplete.self)
        case 0x0A: try coder.pdu(HCILinkKeyTypeChanged.self)
        case 0x0B: try coder.pdu(HCIReadRemoteSupportedFeaturesComplete.self)
        case 0x0C: try coder.pdu(HCIReadRemoteVersionInformationComplete.self)
        case 0x0D: try coder.pdu(HCIQoSSetupComplete.self)
        case 0x10: try coder.pdu(HCIHardwareError.self)
        case 0x11: try coder.pdu(HCIFlushOccurred.self)
        case 0x12: try coder.pdu(HCIRoleChange.self)
        case 0x14: try coder.pdu(HCIModeChange.self)
        case 0x15: try coder.pdu(HCIReturnLinkKeys.self)
        case 0x16: try coder.pdu(HCIPINCodeRequest.self)
        case 0x17: try coder.pdu(HCILinkKeyRequest.self)
        case 0x18: try coder.pdu(HCILinkKeyNotification.self)
        case 0x19: try coder.pdu(HCILoopbackCommand.self)
        case 0x1A: try coder.pdu(HCIDataBufferOverflow.self)
        case 0x1B: try coder.pdu(HCIMaxSlotsChange.self)
        case 0x1C: try coder.pdu(HCIReadClockOffsetComplete.self)
        case 0x1D: try coder.pdu(HCIConnectionPacketTypeChanged.self)
        case 0x1E: try coder.pdu(HCIQoSViolation.self)
        case 0x20: try coder.pdu(HCIPageScanRepetitionModeChange.self)
        case 0x21: try coder.pdu(HCIFlowSpecificationComplete.self)
        case 0x22: try coder.pdu(HCIInquiryResultWithRSSI.self)
        case 0x23: try coder.pdu(HCIReadRemoteExtendedFeaturesComplete.self)
        case 0x2C: try coder.pdu(HCISynchronousConnectionComplete.self)
        case 0x2D: try coder.pdu(HCISynchronousConnectionChanged.self)
        case 0x2E: try coder.pdu(HCISniffSubrating.self)
        case 0x2F: try coder.pdu(HCIExtendedInquiryResult.self)
        case 0x30: try coder.pdu(HCIEncryptionKeyRefreshComplete.self)
        case 0x31: try coder.pdu(HCIIOCapabilityRequest.self)
        case 0x32: try coder.pdu(HCIIOCapabilityResponse.self)
        case 0x33: try coder.pdu(HCIUserConfirmationRequest.self)
        case 0x34: try coder.pdu(HCIUserPasskeyRequest.self)
        case 0x35: try coder.pdu(HCIRemoteOOBDataRequest.self)
        case 0x36: try coder.pdu(HCISimplePairingComplete.self)
        case 0x38: try coder.pdu(HCILinkSupervisionTimeoutChanged.self)
        case 0x39: try coder.pdu(HCIEnhancedFlushComplete.self)
        case 0x3B: try coder.pdu(HCIUserPasskeyNotification.self)
        case 0x3C: try coder.pdu(HCIKeypressNotification.self)
        case 0x3D: try coder.pdu(HCIRemoteHostSupportedFeaturesNotification.self)
        case 0x48: try coder.pdu(HCINumberOfCompletedDataBlocks.self)
        case 0x4E: try coder.pdu(HCITriggeredClockCapture.self)
        case 0x4F: try coder.pdu(HCISynchronizationTrainComplete.self)
        case 0x50: try coder.pdu(HCISynchronizationTrainReceived.self)
        case 0x51: try coder.pdu(HCIConnectionlessPeripheralBroadcastReceive.self)
        case 0x52: try coder.pdu(HCIConnectionlessPeripheralBroadcastTimeout.self)
        case 0x53: try coder.pdu(HCITruncatedPageComplete.self)
        case 0x54: try coder.pdu(HCIPeripheralPageResponseTimeout.self)
        case 0x55: try coder.pdu(HCIConnectionlessPeripheralBroadcastChannelMapChange.self)
        case 0x56: try coder.pdu(HCIInquiryResponseNotification.self)
        default: return try walkStandard1(code, &coder)
        }
        return true
    }

    static func walkStandard1<C: FieldCoder & ~Copyable & ~Escapable>(
        _ code: HCIEventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch code.rawValue {
        case 0x57: try coder.pdu(HCIAuthenticatedPayloadTimeoutExpired.self)
        case 0x58: try coder.pdu(HCISAMStatusChange.self)
        case 0x59: try coder.pdu(HCIEncryptionChangeV2.self)
        default: return false
        }
        return true
    }
}
