import WireBytes

// Which structure holds what of which management command.

extension ManagementTable {
    /// The parameters of a command.
    static func walkCommand<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: ManagementCommand, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x05: try coder.pdu(ManagementSetPowered.self)
        case 0x06: try coder.pdu(ManagementSetDiscoverable.self)
        case 0x07: try coder.pdu(ManagementSetConnectable.self)
        case 0x08: try coder.pdu(ManagementSetFastConnectable.self)
        case 0x09: try coder.pdu(ManagementSetBondable.self)
        case 0x0A: try coder.pdu(ManagementSetLinkSecurity.self)
        case 0x0B: try coder.pdu(ManagementSetSecureSimplePairing.self)
        case 0x0C: try coder.pdu(ManagementSetHighSpeed.self)
        case 0x0D: try coder.pdu(ManagementSetLowEnergy.self)
        case 0x0E: try coder.pdu(ManagementSetDeviceClass.self)
        case 0x0F: try coder.pdu(ManagementSetLocalName.self)
        case 0x10: try coder.pdu(ManagementAddUUID.self)
        case 0x11: try coder.pdu(ManagementRemoveUUID.self)
        case 0x12: try coder.pdu(ManagementLoadLinkKeys.self)
        case 0x13: try coder.pdu(ManagementLoadLongTermKeys.self)
        case 0x14: try coder.pdu(ManagementDisconnect.self)
        case 0x16: try coder.pdu(ManagementPINCodeReply.self)
        case 0x17: try coder.pdu(ManagementPINCodeNegativeReply.self)
        case 0x18: try coder.pdu(ManagementSetIOCapability.self)
        case 0x19: try coder.pdu(ManagementPairDevice.self)
        case 0x1A: try coder.pdu(ManagementCancelPairDevice.self)
        case 0x1B: try coder.pdu(ManagementUnpairDevice.self)
        case 0x1C: try coder.pdu(ManagementUserConfirmationReply.self)
        case 0x1D: try coder.pdu(ManagementUserConfirmationNegativeReply.self)
        case 0x1E: try coder.pdu(ManagementUserPasskeyReply.self)
        case 0x1F: try coder.pdu(ManagementUserPasskeyNegativeReply.self)
        case 0x22: try coder.pdu(ManagementRemoveRemoteOutOfBandData.self)
        case 0x23: try coder.pdu(ManagementStartDiscovery.self)
        case 0x24: try coder.pdu(ManagementStopDiscovery.self)
        case 0x25: try coder.pdu(ManagementConfirmName.self)
        case 0x26: try coder.pdu(ManagementBlockDevice.self)
        case 0x27: try coder.pdu(ManagementUnblockDevice.self)
        case 0x28: try coder.pdu(ManagementSetDeviceID.self)
        case 0x29: try coder.pdu(ManagementSetAdvertising.self)
        case 0x2A: try coder.pdu(ManagementSetBREDR.self)
        case 0x2B: try coder.pdu(ManagementSetStaticAddress.self)
        case 0x2C: try coder.pdu(ManagementSetScanParameters.self)
        case 0x2D: try coder.pdu(ManagementSetSecureConnections.self)
        case 0x2E: try coder.pdu(ManagementSetDebugKeys.self)
        case 0x2F: try coder.pdu(ManagementSetPrivacy.self)
        case 0x30: try coder.pdu(ManagementLoadIdentityResolvingKeys.self)
        case 0x31: try coder.pdu(ManagementGetConnectionInformation.self)
        case 0x32: try coder.pdu(ManagementGetClockInformation.self)
        case 0x33: try coder.pdu(ManagementAddDevice.self)
        case 0x34: try coder.pdu(ManagementRemoveDevice.self)
        case 0x35: try coder.pdu(ManagementLoadConnectionParameters.self)
        case 0x3A: try coder.pdu(ManagementStartServiceDiscovery.self)
        case 0x3E: try coder.pdu(ManagementAddAdvertising.self)
        case 0x3F: try coder.pdu(ManagementRemoveAdvertising.self)
        case 0x40: try coder.pdu(ManagementGetAdvertisingSizeInformation.self)
        case 0x41: try coder.pdu(ManagementStartLimitedDiscovery.self)
        case 0x43: try coder.pdu(ManagementSetAppearance.self)
        case 0x45: try coder.pdu(ManagementSetPHYConfiguration.self)
        case 0x47: try coder.pdu(ManagementSetWidebandSpeech.self)
        case 0x4A: try coder.pdu(ManagementSetExperimentalFeature.self)
        case 0x4F: try coder.pdu(ManagementGetDeviceFlags.self)
        case 0x50: try coder.pdu(ManagementSetDeviceFlags.self)
        case 0x52: try coder.pdu(ManagementAddAdvertisementPatternsMonitor.self)
        default: return try walkCommand1(opcode, &coder)
        }
        return true
    }

    /// More of them.
    static func walkCommand1<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: ManagementCommand, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x53: try coder.pdu(ManagementRemoveAdvertisementMonitors.self)
        case 0x54: try coder.pdu(ManagementAddExtendedAdvertisingParameters.self)
        case 0x55: try coder.pdu(ManagementAddExtendedAdvertisingData.self)
        case 0x56: try coder.pdu(ManagementAddAdvertisementPatternsMonitorWithRSSIThreshold.self)
        default: return false
        }
        return true
    }

    /// What is returned for a command.
    @usableFromInline
    static func walkReturn<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: ManagementCommand, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode.rawValue {
        case 0x01: try coder.pdu(ManagementReadVersionInformationReturn.self)
        case 0x03: try coder.pdu(ManagementReadControllerIndexListReturn.self)
        case 0x04: try coder.pdu(ManagementReadControllerInformationReturn.self)
        case 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x29, 0x2A, 0x2B, 0x2D, 0x2E, 0x2F,
            0x47:
            try coder.pdu(ManagementSettings.self)
        case 0x0E, 0x10, 0x11: try coder.pdu(ManagementClass.self)
        case 0x0F: try coder.pdu(ManagementNames.self)
        case 0x14, 0x16, 0x17, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F, 0x22, 0x25, 0x26, 0x27, 0x33,
            0x34, 0x50:
            try coder.pdu(ManagementPeer.self)
        case 0x15: try coder.pdu(ManagementGetConnectionsReturn.self)
        case 0x23, 0x24, 0x3A, 0x41: try coder.pdu(ManagementAddressType.self)
        case 0x31: try coder.pdu(ManagementGetConnectionInformationReturn.self)
        case 0x32: try coder.pdu(ManagementGetClockInformationReturn.self)
        case 0x36: try coder.pdu(ManagementReadUnconfiguredControllerIndexListReturn.self)
        case 0x37: try coder.pdu(ManagementReadControllerConfigurationInformationReturn.self)
        case 0x3C: try coder.pdu(ManagementReadExtendedControllerIndexListReturn.self)
        case 0x3D: try coder.pdu(ManagementReadAdvertisingFeaturesReturn.self)
        case 0x3E, 0x3F, 0x55: try coder.pdu(ManagementInstance.self)
        case 0x40: try coder.pdu(ManagementGetAdvertisingSizeInformationReturn.self)
        case 0x42: try coder.pdu(ManagementReadExtendedControllerInformationReturn.self)
        case 0x44: try coder.pdu(ManagementGetPHYConfigurationReturn.self)
        case 0x49: try coder.pdu(ManagementReadExperimentalFeaturesInformationReturn.self)
        case 0x4A: try coder.pdu(ManagementExperimentalFeature.self)
        case 0x4F: try coder.pdu(ManagementGetDeviceFlagsReturn.self)
        case 0x51: try coder.pdu(ManagementReadAdvertisementMonitorFeaturesReturn.self)
        case 0x52, 0x53, 0x56: try coder.pdu(ManagementMonitorHandle.self)
        case 0x54: try coder.pdu(ManagementAddExtendedAdvertisingParametersReturn.self)
        default: return false
        }
        return true
    }
}
