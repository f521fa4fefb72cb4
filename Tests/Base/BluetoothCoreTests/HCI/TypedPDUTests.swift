import BluetoothCore
import Testing
import WireBytes

/// The PDUs that the stack and the analysis use as values say what their rows say.
@Suite struct TypedPDUTests {
    static let commands: [any HCICommand.Type] = [
        HCIDisconnect.self, HCICreateConnection.self, HCIReadRemoteVersionInformation.self,
        HCISetEventMask.self, HCIReset.self, HCIWriteLEHostSupport.self,
        HCIReadLocalVersionInformation.self, HCIReadLocalSupportedCommands.self,
        HCIReadLocalSupportedFeatures.self, HCIReadBufferSize.self, HCIReadBDADDR.self, HCIReadRSSI.self,
        LESetEventMask.self, LEReadBufferSize.self, LEReadLocalSupportedFeatures.self,
        LESetRandomAddress.self, LEReadFilterAcceptListSize.self, LEClearFilterAcceptList.self,
        LEAddDeviceToFilterAcceptList.self, LERemoveDeviceFromFilterAcceptList.self,
        LEReadMaximumDataLength.self, LEReadSuggestedDefaultDataLength.self,
        LEWriteSuggestedDefaultDataLength.self, LESetAdvertisingParameters.self,
        LEReadAdvertisingPhysicalChannelTxPower.self, LESetAdvertisingData.self, LESetScanResponseData.self,
        LESetAdvertisingEnable.self, LESetScanParameters.self, LESetScanEnable.self,
        LESetExtendedScanEnable.self, LECreateConnection.self, LECreateConnectionCancel.self,
        LEConnectionUpdate.self, LEReadRemoteFeatures.self, LERemoteConnectionParameterRequestReply.self,
        LERemoteConnectionParameterRequestNegativeReply.self, LESetDataLength.self,
        LEExtendedCreateConnection.self, LEExtendedCreateConnectionV2.self, LERand.self,
        LEEnableEncryption.self, LELongTermKeyRequestReply.self,
        LELongTermKeyRequestNegativeReply.self, LEAddDeviceToResolvingList.self,
        LERemoveDeviceFromResolvingList.self, LEClearResolvingList.self, LEReadResolvingListSize.self,
        LEReadPeerResolvableAddress.self, LEReadLocalResolvableAddress.self,
        LESetAddressResolutionEnable.self, LESetResolvablePrivateAddressTimeout.self, LESetPrivacyMode.self,
        LESetAdvertisingSetRandomAddress.self, LESetExtendedAdvertisingParameters.self,
        LESetExtendedAdvertisingData.self, LESetExtendedScanResponseData.self,
        LESetExtendedAdvertisingEnable.self, LEReadMaximumAdvertisingDataLength.self,
        LEReadNumberOfSupportedAdvertisingSets.self, LERemoveAdvertisingSet.self,
        LEClearAdvertisingSets.self, LESetExtendedScanParameters.self, LEReadPHY.self,
        LESetDefaultPHY.self, LESetPHY.self, HCISetEventMaskPage2.self,
        HCIReadAuthenticatedPayloadTimeout.self, HCIWriteAuthenticatedPayloadTimeout.self,
    ]

    static let events: [any HCIEvent.Type] = [
        HCIConnectionComplete.self, HCIDisconnectionComplete.self,
        HCIReadRemoteVersionInformationComplete.self, HCICommandComplete.self, HCICommandStatus.self,
        HCINumberOfCompletedPackets.self, HCIDataBufferOverflow.self, HCIHardwareError.self,
        HCIEncryptionChange.self, HCIEncryptionKeyRefreshComplete.self,
        HCIAuthenticatedPayloadTimeoutExpired.self,
    ]

    static let leEvents: [any LEEvent.Type] = [
        LEConnectionComplete.self, LEAdvertisingReport.self, LEConnectionUpdateComplete.self,
        LEReadRemoteFeaturesComplete.self, LERemoteConnectionParameterRequest.self, LEDataLengthChange.self,
        LEEnhancedConnectionComplete.self, LEPHYUpdateComplete.self, LEExtendedAdvertisingReport.self,
        LEScanTimeout.self, LEAdvertisingSetTerminated.self, LEScanRequestReceived.self,
    ]

    /// The names and widths of fields in `octets`, and how many bytes they leave over.
    static func fields(
        _ octets: [UInt8], _ walk: (inout MeaningSpy) throws(DecodeError) -> Void
    ) throws(DecodeError) -> (names: [String], widths: [Int], left: Int) {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            var spy = MeaningSpy(reader.takeRest())
            try walk(&spy)
            return (spy.names, spy.widths, spy.remaining)
        }
    }

    /// Compares a type's fields with those of its row over PDUs of random values, and reads and writes them.
    static func compare<Fields: PDUFields>(_ type: Fields.Type, _ layout: PDULayout) throws {
        for seed in 0..<UInt64(20) {
            var random = RandomCoder(random: SeededOctets(seed: seed))
            random.succeeds = seed % 4 != 0
            try layout.code(&random)
            let octets = random.writer.octets
            let row = try fields(octets) { (spy) throws(DecodeError) in try layout.code(&spy) }
            let typed = try fields(octets) { (spy) throws(DecodeError) in
                var value = Fields()
                try value.code(&spy)
            }
            #expect(row == typed, "\(type)")
            let value = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
                try Fields(decoding: &reader)
            }
            #expect(value.encoded == octets, "\(type)")
        }
    }

    @Test func `commands and what is returned for them`() throws {
        func compareBoth<Command: HCICommand>(_ type: Command.Type) throws {
            let row = try #require(HCICommandTable.layout(Command.opcode, .parameters), "\(type)")
            try Self.compare(type, row)
            let returned = try #require(HCICommandTable.layout(Command.opcode, .returnParameters), "\(type)")
            try Self.compare(Command.ReturnParameters.self, returned)
        }
        for type in Self.commands { try compareBoth(type) }
    }

    @Test func `events`() throws {
        func compare<Event: HCIEvent>(_ type: Event.Type) throws {
            try Self.compare(type, try #require(HCIEventTable.layout(Event.eventCode), "\(type)"))
        }
        for type in Self.events { try compare(type) }
    }

    @Test func `events in LE Meta`() throws {
        func compare<Event: LEEvent>(_ type: Event.Type) throws {
            try Self.compare(type, try #require(HCIEventTable.layoutLE(Event.subeventCode), "\(type)"))
        }
        for type in Self.leEvents { try compare(type) }
    }

    @Test func `ATT PDUs`() throws {
        for golden in ATTPDUTests.discovery + ATTPDUTests.values {
            let pdu = octets(golden.hex)
            let layout = try #require(ATTTable.layout(golden.pdu.opcode))
            // A type has the elements of a list as one field, so that lengths in them are not checked.
            let hasLengths = [.readMultipleVariableResponse, .multipleHandleValueNotification]
                .contains(golden.pdu.opcode)
            for count in 1...pdu.count where !hasLengths {
                let part = Array(pdu.prefix(count))
                var refusal: DecodeError?
                do throws(DecodeError) { _ = try ATTTable.decode(part) } catch { refusal = error }
                #expect(refusal == ATTTable.fault(in: part.borrowedOctets), "\(golden.hex) cut to \(count)")
            }
            let row = try Self.fields(Array(pdu.dropFirst())) { (spy) throws(DecodeError) in
                try layout.code(&spy)
            }
            let typed = try Self.fields(Array(pdu.dropFirst())) { (spy) throws(DecodeError) in
                var copy = golden.pdu
                try copy.code(&spy)
            }
            #expect(Array(row.names.prefix(typed.names.count)) == typed.names, "\(golden.hex)")
            #expect(row.left == 0 && typed.left == 0)
        }
    }
}
