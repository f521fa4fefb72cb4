public import WireBytes

// Which structure holds the parameters of which event.

extension HCIEventTable {
    @usableFromInline
    static func walkLE<C: FieldCoder & ~Copyable & ~Escapable>(
        _ code: LESubeventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch code.rawValue {
        case 0x04: try coder.pdu(LEReadRemoteFeaturesComplete.self)
        case 0x05: try coder.pdu(LELongTermKeyRequest.self)
        case 0x06: try coder.pdu(LERemoteConnectionParameterRequest.self)
        case 0x07: try coder.pdu(LEDataLengthChange.self)
        case 0x08: try coder.pdu(LEReadLocalP256PublicKeyComplete.self)
        case 0x09: try coder.pdu(LEGenerateDHKeyComplete.self)
        case 0x0B: try coder.pdu(LEDirectedAdvertisingReport.self)
        case 0x0C: try coder.pdu(LEPHYUpdateComplete.self)
        case 0x0E: try coder.pdu(LEPeriodicAdvertisingSyncEstablished.self)
        case 0x0F: try coder.pdu(LEPeriodicAdvertisingReport.self)
        case 0x10: try coder.pdu(LEPeriodicAdvertisingSyncLost.self)
        case 0x11: try coder.pdu(LEScanTimeout.self)
        case 0x12: try coder.pdu(LEAdvertisingSetTerminated.self)
        case 0x13: try coder.pdu(LEScanRequestReceived.self)
        case 0x14: try coder.pdu(LEChannelSelectionAlgorithm.self)
        case 0x15: try coder.pdu(LEConnectionlessIQReport.self)
        case 0x16: try coder.pdu(LEConnectionIQReport.self)
        case 0x17: try coder.pdu(LECTERequestFailed.self)
        case 0x18: try coder.pdu(LEPeriodicAdvertisingSyncTransferReceived.self)
        case 0x19: try coder.pdu(LECISEstablished.self)
        case 0x1A: try coder.pdu(LECISRequest.self)
        case 0x1B: try coder.pdu(LECreateBIGComplete.self)
        case 0x1C: try coder.pdu(LETerminateBIGComplete.self)
        case 0x1D: try coder.pdu(LEBIGSyncEstablished.self)
        case 0x1E: try coder.pdu(LEBIGSyncLost.self)
        case 0x1F: try coder.pdu(LERequestPeerSCAComplete.self)
        case 0x20: try coder.pdu(LEPathLossThreshold.self)
        case 0x21: try coder.pdu(LETransmitPowerReporting.self)
        case 0x22: try coder.pdu(LEBIGInfoAdvertisingReport.self)
        case 0x23: try coder.pdu(LESubrateChange.self)
        case 0x24: try coder.pdu(LEPeriodicAdvertisingSyncEstablishedV2.self)
        case 0x25: try coder.pdu(LEPeriodicAdvertisingReportV2.self)
        case 0x26: try coder.pdu(LEPeriodicAdvertisingSyncTransferReceivedV2.self)
        case 0x27: try coder.pdu(LEPeriodicAdvertisingSubeventDataRequest.self)
        case 0x28: try coder.pdu(LEPeriodicAdvertisingResponseReport.self)
        case 0x2A: try coder.pdu(LECISEstablishedV2.self)
        case 0x2B: try coder.pdu(LEReadAllRemoteFeaturesComplete.self)
        case 0x2C: try coder.pdu(LECSReadRemoteSupportedCapabilitiesComplete.self)
        case 0x2D: try coder.pdu(LECSReadRemoteFAETableComplete.self)
        case 0x2E: try coder.pdu(LECSSecurityEnableComplete.self)
        case 0x2F: try coder.pdu(LECSConfigComplete.self)
        case 0x30: try coder.pdu(LECSProcedureEnableComplete.self)
        case 0x31: try coder.pdu(LECSSubeventResult.self)
        case 0x32: try coder.pdu(LECSSubeventResultContinue.self)
        case 0x33: try coder.pdu(LECSTestEndComplete.self)
        case 0x34: try coder.pdu(LEMonitoredAdvertisersReport.self)
        case 0x35: try coder.pdu(LEFrameSpaceUpdateComplete.self)
        case 0x37: try coder.pdu(LEConnectionRateChange.self)
        case 0x38: try coder.pdu(LECSReadRemoteSupportedCapabilitiesCompleteV2.self)
        default: return false
        }
        return true
    }
}
