/// The attribute types of the Generic Attribute Profile, and the characteristics of the services that every
/// device has.
///
/// Source: Core Specification, Vol 3, Part G, 3.4 and 7, and Part C, 12; Assigned Numbers, 3.6 to 3.8.
extension BluetoothUUID {
    @inlinable public static var primaryService: Self { .init(UInt16(0x2800)) }
    @inlinable public static var secondaryService: Self { .init(UInt16(0x2801)) }
    @inlinable public static var includeDeclaration: Self { .init(UInt16(0x2802)) }
    @inlinable public static var characteristicDeclaration: Self { .init(UInt16(0x2803)) }
    @inlinable public static var characteristicUserDescription: Self { .init(UInt16(0x2901)) }
    @inlinable public static var clientCharacteristicConfiguration: Self { .init(UInt16(0x2902)) }
    @inlinable public static var genericAccessService: Self { .init(UInt16(0x1800)) }
    @inlinable public static var genericAttributeService: Self { .init(UInt16(0x1801)) }
    @inlinable public static var deviceName: Self { .init(UInt16(0x2A00)) }
    @inlinable public static var appearance: Self { .init(UInt16(0x2A01)) }
    @inlinable public static var preferredConnectionParameters: Self { .init(UInt16(0x2A04)) }
    @inlinable public static var serviceChanged: Self { .init(UInt16(0x2A05)) }
    @inlinable public static var centralAddressResolution: Self { .init(UInt16(0x2AA6)) }
    @inlinable public static var clientSupportedFeatures: Self { .init(UInt16(0x2B29)) }
    @inlinable public static var databaseHash: Self { .init(UInt16(0x2B2A)) }
    @inlinable public static var serverSupportedFeatures: Self { .init(UInt16(0x2B3A)) }

    /// Whether operating systems handle this attribute type or service themselves: the Generic Access and
    /// Generic Attribute services, and the PnP ID.
    public var isHousekeeping: Bool {
        switch self {
        case .genericAccessService, .genericAttributeService, .deviceName, .appearance,
            .preferredConnectionParameters, .serviceChanged, .centralAddressResolution,
            .clientSupportedFeatures, .databaseHash, .serverSupportedFeatures,
            BluetoothUUID(UInt16(0x2A50)):
            true
        default: false
        }
    }
}
