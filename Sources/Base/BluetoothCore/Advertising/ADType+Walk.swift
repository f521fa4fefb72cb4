public import WireBytes

extension ADType {
    /// Hands the fields of an AD structure of this type to `coder`, which stands after the type and whose end
    /// is the structure's; payloads are ranges of what it reads. Types whose structure another specification
    /// gives, and those that are not assigned, are handed over as one field.
    @inlinable
    public func walk<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .flags: try coder.pdu(ADFlagsField.self)
        case .incomplete16, .complete16, .solicitation16: try coder.pdu(ADUUIDList16<BorrowedOctets>.self)
        case .incomplete32, .complete32, .solicitation32: try coder.pdu(ADUUIDList32<BorrowedOctets>.self)
        case .incomplete128, .complete128, .solicitation128: try coder.pdu(ADUUIDList128<BorrowedOctets>.self)
        case .shortenedName, .completeName, .broadcastName: try coder.pdu(ADName<BorrowedOctets>.self)
        case .txPower: try coder.pdu(ADTxPower.self)
        case .classOfDevice: try coder.pdu(ADClassOfDevice.self)
        case .simplePairingHash192, .simplePairingRandomizer192, .simplePairingHash256,
            .simplePairingRandomizer256, .secureConnectionsConfirm, .secureConnectionsRandom:
            try coder.pdu(ADValue16<BorrowedOctets>.self)
        case .securityManagerFlags: try coder.pdu(ADSecurityManagerFlags.self)
        case .connectionIntervalRange: try coder.pdu(ADConnectionIntervalRange.self)
        case .serviceData16: try coder.pdu(ADServiceData16<BorrowedOctets>.self)
        case .publicTargetAddress, .randomTargetAddress: try coder.pdu(ADTargetAddresses<BorrowedOctets>.self)
        case .appearance: try coder.pdu(ADAppearance.self)
        case .advertisingInterval, .advertisingIntervalLong: try coder.pdu(ADAdvertisingInterval.self)
        case .leAddress: try coder.pdu(ADLEAddress.self)
        case .leRole: try coder.pdu(ADLERole.self)
        case .serviceData32: try coder.pdu(ADServiceData32<BorrowedOctets>.self)
        case .serviceData128: try coder.pdu(ADServiceData128<BorrowedOctets>.self)
        case .uri: try coder.pdu(ADURI<BorrowedOctets>.self)
        case .leFeatures: try coder.pdu(ADFeatures<BorrowedOctets>.self)
        case .channelMapUpdate: try coder.pdu(ADChannelMapUpdate<BorrowedOctets>.self)
        case .broadcastCode: try coder.pdu(ADSecret<BorrowedOctets>.self)
        case .encryptedData: try coder.pdu(ADEncryptedData<BorrowedOctets>.self)
        case .manufacturerData: try coder.pdu(ADManufacturerData<BorrowedOctets>.self)
        case .deviceIDOrTK where coder.remaining == 8: try coder.pdu(ADDeviceID.self)
        case .deviceIDOrTK: try coder.pdu(ADSecret<BorrowedOctets>.self)
        default: try coder.pdu(ADOctets<BorrowedOctets>.self)
        }
    }
}
