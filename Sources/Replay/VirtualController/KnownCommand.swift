import BluetoothCore

/// A command that the controllers support.
///
/// Source: Core Specification, Vol 4, Part E, 3.1 and 6.27.
struct KnownCommand: Sendable {
    var opcode: HCIOpcode
    /// The octet and bit in the supported commands; nil for a command without a bit.
    var bit: (octet: Int, bit: Int)?
    /// The features any of which provides the command; empty if every controller has it.
    var features: LEFeatures
    /// The set of commands that it belongs to. A host must use only one of them.
    var set: ControllerCore.CommandSet?
    var hasStatus: Bool

    init(
        _ opcode: HCIOpcode, bit: (octet: Int, bit: Int)? = nil, needs features: LEFeatures = [],
        set: ControllerCore.CommandSet? = nil, hasStatus: Bool = false
    ) {
        self.opcode = opcode
        self.bit = bit
        self.features = features
        self.set = set
        self.hasStatus = hasStatus
    }

    /// Returns the response with which the command is refused before it is decoded.
    func refusal(_ status: HCIStatus) -> CommandAnswer {
        hasStatus ? .status(status) : .complete(status)
    }

    private func isThere(with features: LEFeatures) -> Bool {
        self.features.isEmpty || !self.features.isDisjoint(with: features)
    }

    /// Returns the command with this opcode, if a controller with these features supports it.
    static func with(_ opcode: HCIOpcode, of features: LEFeatures) -> Self? {
        byOpcode[opcode].flatMap { $0.isThere(with: features) ? $0 : nil }
    }

    /// Returns the value of Read Local Supported Commands of a controller with these features.
    static func octets(of features: LEFeatures) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        for command in all where command.isThere(with: features) {
            if let bit = command.bit { octets[bit.octet] |= 1 << bit.bit }
        }
        return octets
    }

    /// A command of extended advertising, scanning or connecting.
    private static func extended(
        _ opcode: HCIOpcode, bit: (octet: Int, bit: Int), hasStatus: Bool = false
    ) -> Self {
        Self(opcode, bit: bit, needs: .leExtendedAdvertising, set: .extended, hasStatus: hasStatus)
    }

    static let byOpcode = Dictionary(uniqueKeysWithValues: all.map { ($0.opcode, $0) })

    private static let all: [Self] = [
        Self(HCIDisconnect.opcode, bit: (0, 5), hasStatus: true),
        Self(HCIReadRemoteVersionInformation.opcode, bit: (2, 7), hasStatus: true),
        Self(HCISetEventMask.opcode, bit: (5, 6)),
        Self(HCIReset.opcode, bit: (5, 7)),
        Self(HCISetEventMaskPage2.opcode, bit: (22, 2), needs: .lePing),
        Self(HCIReadAuthenticatedPayloadTimeout.opcode, bit: (32, 4), needs: .lePing),
        Self(HCIWriteAuthenticatedPayloadTimeout.opcode, bit: (32, 5), needs: .lePing),
        Self(HCIReadLocalVersionInformation.opcode, bit: (14, 3)),
        Self(HCIReadLocalSupportedCommands.opcode),
        Self(HCIReadLocalSupportedFeatures.opcode, bit: (14, 5)),
        Self(HCIReadBDADDR.opcode, bit: (15, 1)),
        Self(HCIReadRSSI.opcode, bit: (15, 5)),
        Self(LESetEventMask.opcode, bit: (25, 0)),
        Self(LEReadBufferSize.opcode, bit: (25, 1)),
        Self(LEReadLocalSupportedFeatures.opcode, bit: (25, 2)),
        Self(LESetRandomAddress.opcode, bit: (25, 4)),
        Self(LESetAdvertisingParameters.opcode, bit: (25, 5), set: .legacy),
        Self(LEReadAdvertisingPhysicalChannelTxPower.opcode, bit: (25, 6), set: .legacy),
        Self(LESetAdvertisingData.opcode, bit: (25, 7), set: .legacy),
        Self(LESetScanResponseData.opcode, bit: (26, 0), set: .legacy),
        Self(LESetAdvertisingEnable.opcode, bit: (26, 1), set: .legacy),
        Self(LESetScanParameters.opcode, bit: (26, 2), set: .legacy),
        Self(LESetScanEnable.opcode, bit: (26, 3), set: .legacy),
        Self(LECreateConnection.opcode, bit: (26, 4), set: .legacy, hasStatus: true),
        Self(LECreateConnectionCancel.opcode, bit: (26, 5)),
        Self(LEReadFilterAcceptListSize.opcode, bit: (26, 6)),
        Self(LEClearFilterAcceptList.opcode, bit: (26, 7)),
        Self(LEAddDeviceToFilterAcceptList.opcode, bit: (27, 0)),
        Self(LERemoveDeviceFromFilterAcceptList.opcode, bit: (27, 1)),
        Self(LEConnectionUpdate.opcode, bit: (27, 2), hasStatus: true),
        Self(LEReadRemoteFeatures.opcode, bit: (27, 5), hasStatus: true),
        Self(LERand.opcode, bit: (27, 7)),
        Self(LEEnableEncryption.opcode, bit: (28, 0), needs: .leEncryption, hasStatus: true),
        Self(LELongTermKeyRequestReply.opcode, bit: (28, 1), needs: .leEncryption),
        Self(LELongTermKeyRequestNegativeReply.opcode, bit: (28, 2), needs: .leEncryption),
        Self(.leReadSupportedStates, bit: (28, 3)),
        Self(
            LERemoteConnectionParameterRequestReply.opcode, bit: (33, 4),
            needs: .connectionParametersRequestProcedure),
        Self(
            LERemoteConnectionParameterRequestNegativeReply.opcode, bit: (33, 5),
            needs: .connectionParametersRequestProcedure),
        Self(LESetDataLength.opcode, bit: (33, 6), needs: .leDataPacketLengthExtension),
        Self(LEReadSuggestedDefaultDataLength.opcode, bit: (33, 7), needs: .leDataPacketLengthExtension),
        Self(LEWriteSuggestedDefaultDataLength.opcode, bit: (34, 0), needs: .leDataPacketLengthExtension),
        Self(LEReadMaximumDataLength.opcode, bit: (35, 3), needs: .leDataPacketLengthExtension),
        Self(LEReadPHY.opcode, bit: (35, 4), needs: [.le2MPHY, .leCodedPHY]),
        Self(LESetDefaultPHY.opcode, bit: (35, 5), needs: [.le2MPHY, .leCodedPHY]),
        Self(LESetPHY.opcode, bit: (35, 6), needs: [.le2MPHY, .leCodedPHY], hasStatus: true),
        extended(LESetAdvertisingSetRandomAddress.opcode, bit: (36, 1)),
        extended(LESetExtendedAdvertisingParameters.opcode, bit: (36, 2)),
        extended(LESetExtendedAdvertisingData.opcode, bit: (36, 3)),
        extended(LESetExtendedScanResponseData.opcode, bit: (36, 4)),
        extended(LESetExtendedAdvertisingEnable.opcode, bit: (36, 5)),
        extended(LEReadMaximumAdvertisingDataLength.opcode, bit: (36, 6)),
        extended(LEReadNumberOfSupportedAdvertisingSets.opcode, bit: (36, 7)),
        extended(LERemoveAdvertisingSet.opcode, bit: (37, 0)),
        extended(LEClearAdvertisingSets.opcode, bit: (37, 1)),
        extended(LESetExtendedScanParameters.opcode, bit: (37, 5)),
        extended(LESetExtendedScanEnable.opcode, bit: (37, 6)),
        extended(LEExtendedCreateConnection.opcode, bit: (37, 7), hasStatus: true),
        Self(LEAddDeviceToResolvingList.opcode, bit: (34, 3), needs: .llPrivacy),
        Self(LERemoveDeviceFromResolvingList.opcode, bit: (34, 4), needs: .llPrivacy),
        Self(LEClearResolvingList.opcode, bit: (34, 5), needs: .llPrivacy),
        Self(LEReadResolvingListSize.opcode, bit: (34, 6), needs: .llPrivacy),
        Self(LEReadPeerResolvableAddress.opcode, bit: (34, 7), needs: .llPrivacy),
        Self(LEReadLocalResolvableAddress.opcode, bit: (35, 0), needs: .llPrivacy),
        Self(LESetAddressResolutionEnable.opcode, bit: (35, 1), needs: .llPrivacy),
        Self(LESetResolvablePrivateAddressTimeout.opcode, bit: (35, 2), needs: .llPrivacy),
        Self(LESetPrivacyMode.opcode, bit: (39, 2), needs: .llPrivacy),
    ]
}
