public import WireBytes

/// The attribute types that the Generic Attribute Profile gives a meaning, and the characteristics of the
/// services that each device has.
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

    /// Whether an attribute of this type holds a value with a structure known here.
    public var hasAttributeFields: Bool {
        switch assigned16 ?? 0 {
        case 0x2800...0x2803, 0x2900...0x2905, 0x2A00, 0x2A01, 0x2A04, 0x2A05, 0x2AA6, 0x2B29, 0x2B2A, 0x2B3A:
            true
        default: false
        }
    }

    /// Hands the fields of the value of an attribute of this type to `coder`, whose end is the value's;
    /// payloads are ranges of what it reads.
    ///
    /// - Returns: whether the type is known; else nothing is handed over.
    @discardableResult
    public func walkAttributeValue<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) -> Bool {
        switch assigned16 ?? 0 {
        case 0x2800, 0x2801: try coder.pdu(GATTServiceDeclaration.self)
        case 0x2802: try coder.pdu(GATTIncludeDeclaration.self)
        case 0x2803: try coder.pdu(GATTCharacteristicDeclaration.self)
        case 0x2900: try coder.pdu(GATTExtendedProperties.self)
        case 0x2901, 0x2A00: try coder.pdu(GATTText<BorrowedOctets>.self)
        case 0x2902: try coder.pdu(GATTClientCharacteristicConfiguration.self)
        case 0x2903: try coder.pdu(GATTServerCharacteristicConfiguration.self)
        case 0x2904: try coder.pdu(GATTPresentationFormat.self)
        case 0x2905: try coder.pdu(GATTAggregateFormat<BorrowedOctets>.self)
        case 0x2A01: try coder.pdu(ADAppearance.self)
        case 0x2A04: try coder.pdu(GAPPreferredConnectionParameters.self)
        case 0x2A05: try coder.pdu(GATTServiceChanged.self)
        case 0x2AA6: try coder.pdu(GAPCentralAddressResolution.self)
        case 0x2B29: try coder.pdu(GATTClientFeatures.self)
        case 0x2B2A: try coder.pdu(GATTDatabaseHash<BorrowedOctets>.self)
        case 0x2B3A: try coder.pdu(GATTServerFeatures.self)
        default: return false
        }
        return true
    }
}
