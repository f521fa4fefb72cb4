import WireBytes

// Which structure holds the parameters of which management event.

extension ManagementTable {
    /// The parameters of an event.
    static func walkEvent<C: FieldCoder & ~Copyable & ~Escapable>(
        _ event: ManagementEvent, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch event.rawValue {
        case 0x03: try coder.pdu(ManagementControllerErrorEvent.self)
        case 0x06: try coder.pdu(ManagementNewSettingsEvent.self)
        case 0x07: try coder.pdu(ManagementClassOfDeviceChangedEvent.self)
        case 0x08: try coder.pdu(ManagementLocalNameChangedEvent.self)
        case 0x09: try coder.pdu(ManagementNewLinkKeyEvent.self)
        case 0x0A: try coder.pdu(ManagementNewLongTermKeyEvent.self)
        case 0x0B: try coder.pdu(ManagementDeviceConnectedEvent.self)
        case 0x0C: try coder.pdu(ManagementDeviceDisconnectedEvent.self)
        case 0x0D: try coder.pdu(ManagementConnectFailedEvent.self)
        case 0x0E: try coder.pdu(ManagementPINCodeRequestEvent.self)
        case 0x0F: try coder.pdu(ManagementUserConfirmationRequestEvent.self)
        case 0x10: try coder.pdu(ManagementUserPasskeyRequestEvent.self)
        case 0x11: try coder.pdu(ManagementAuthenticationFailedEvent.self)
        case 0x12: try coder.pdu(ManagementDeviceFoundEvent.self)
        case 0x13: try coder.pdu(ManagementDiscoveringEvent.self)
        case 0x14: try coder.pdu(ManagementDeviceBlockedEvent.self)
        case 0x15: try coder.pdu(ManagementDeviceUnblockedEvent.self)
        case 0x16: try coder.pdu(ManagementDeviceUnpairedEvent.self)
        case 0x17: try coder.pdu(ManagementPasskeyNotifyEvent.self)
        case 0x18: try coder.pdu(ManagementNewIdentityResolvingKeyEvent.self)
        case 0x19: try coder.pdu(ManagementNewSignatureResolvingKeyEvent.self)
        case 0x1A: try coder.pdu(ManagementDeviceAddedEvent.self)
        case 0x1B: try coder.pdu(ManagementDeviceRemovedEvent.self)
        case 0x1C: try coder.pdu(ManagementNewConnectionParameterEvent.self)
        case 0x20: try coder.pdu(ManagementExtendedIndexAddedEvent.self)
        case 0x21: try coder.pdu(ManagementExtendedIndexRemovedEvent.self)
        case 0x23: try coder.pdu(ManagementAdvertisingAddedEvent.self)
        case 0x24: try coder.pdu(ManagementAdvertisingRemovedEvent.self)
        case 0x26: try coder.pdu(ManagementPHYConfigurationChangedEvent.self)
        case 0x27: try coder.pdu(ManagementExperimentalFeatureChangedEvent.self)
        case 0x2A: try coder.pdu(ManagementDeviceFlagsChangedEvent.self)
        case 0x2B: try coder.pdu(ManagementAdvertisementMonitorAddedEvent.self)
        case 0x2C: try coder.pdu(ManagementAdvertisementMonitorRemovedEvent.self)
        case 0x2F: try coder.pdu(ManagementAdvertisementMonitorDeviceFoundEvent.self)
        case 0x30: try coder.pdu(ManagementAdvertisementMonitorDeviceLostEvent.self)
        default: return false
        }
        return true
    }
}
