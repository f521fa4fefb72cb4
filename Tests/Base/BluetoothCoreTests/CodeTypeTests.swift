import BluetoothCore
import Testing
import WireBytes

/// The types of codes and bits that are made from the names in the tables.
@Suite struct CodeTypeTests {
    @Test func `a code has the value that the table gives its name`() {
        #expect(HCIStatus.success.rawValue == 0)
        #expect(HCIStatus.pinOrKeyMissing.rawValue == 0x06)
        #expect(HCIStatus.connectionTerminatedDueToMICFailure.rawValue == 0x3D)
        #expect(ATTErrorCode.writeRequestRejected.rawValue == 0xFC)
        #expect(ATTErrorCode.outOfRange.rawValue == 0xFF)
        #expect(ATTOpcode.signedWriteCommand.rawValue == 0xD2)
        #expect(PairingReason.dhKeyCheckFailed.rawValue == 0x0B)
        #expect(SMPCode.pairingDHKeyCheck.rawValue == 0x0D)
        #expect(L2CAPRejectReason.invalidCIDInRequest.rawValue == 2)
        #expect(L2CAPSignallingCode.leCreditBasedConnectionRequest.rawValue == 0x14)
        #expect(HCIEventCode.encryptionChangeV2.rawValue == 0x59)
        #expect(LESubeventCode.leExtendedAdvertisingReport.rawValue == 0x0D)
        #expect(MonitorOpcode.isoDataRX.rawValue == 19)
        #expect(ManagementEvent.commandStatus.rawValue == 2)
        #expect(LEPHY.leCoded.rawValue == 3)
    }

    @Test func `a bit has the place that the table gives its name`() {
        #expect(LEFeatures.leEncryption.rawValue == 1)
        #expect(LEFeatures.leExtendedAdvertising.rawValue == 1 << 12)
        #expect(LEFeatures.llExtendedFeatureSet.rawValue == 1 << 63)
        #expect(LEPHYs.leCoded.rawValue == 4)
        #expect(GATTCharacteristicProperties.extendedProperties.rawValue == 0x80)
        #expect(GATTClientConfiguration.indication.rawValue == 2)
        #expect(ADFlags.brEDRNotSupported.rawValue == 4)
    }

    @Test func `a code has its name, and an unassigned one has none`() {
        #expect(HCIStatus.pinOrKeyMissing.name == "PIN or Key Missing")
        #expect(SMPCode.pairingDHKeyCheck.name == "Pairing DHKey Check")
        #expect(PairingReason(rawValue: 0).name == nil)
        #expect(SMPCode(rawValue: 0xEE).name == nil)
    }
}
