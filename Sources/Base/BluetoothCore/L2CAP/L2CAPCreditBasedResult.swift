/// Whether a credit based channel is granted.
///
/// Source: Core Specification, Vol 3, Part A, 4.23 and 4.26.
@frozen
public struct L2CAPCreditBasedResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var successful: Self { .init(rawValue: 0x0000) }
    @inlinable public static var spsmNotSupported: Self { .init(rawValue: 0x0002) }
    @inlinable public static var someRefusedNoResources: Self { .init(rawValue: 0x0004) }
    @inlinable public static var insufficientAuthentication: Self { .init(rawValue: 0x0005) }
    @inlinable public static var insufficientAuthorization: Self { .init(rawValue: 0x0006) }
    @inlinable public static var keySizeTooShort: Self { .init(rawValue: 0x0007) }
    @inlinable public static var insufficientEncryption: Self { .init(rawValue: 0x0008) }
    @inlinable public static var invalidSourceCID: Self { .init(rawValue: 0x0009) }
    @inlinable public static var sourceCIDAllocated: Self { .init(rawValue: 0x000A) }
    @inlinable public static var unacceptableParameters: Self { .init(rawValue: 0x000B) }
    @inlinable public static var invalidParameters: Self { .init(rawValue: 0x000C) }
    @inlinable public static var pending: Self { .init(rawValue: 0x000D) }
    @inlinable public static var pendingAuthentication: Self { .init(rawValue: 0x000E) }
    @inlinable public static var pendingAuthorization: Self { .init(rawValue: 0x000F) }

    /// What it says; nil where it is reserved.
    public var name: StaticString? {
        switch rawValue {
        case 0x0000: "All connections successful"
        case 0x0002: "All connections refused - SPSM not supported"
        case 0x0004: "Some connections refused - insufficient resources available"
        case 0x0005: "All connections refused - insufficient authentication"
        case 0x0006: "All connections refused - insufficient authorization"
        case 0x0007: "All connections refused - encryption key size too short"
        case 0x0008: "All connections refused - insufficient encryption"
        case 0x0009: "Some connections refused - invalid Source CID"
        case 0x000A: "Some connections refused - Source CID already allocated"
        case 0x000B: "All connections refused - unacceptable parameters"
        case 0x000C: "All connections refused - invalid parameters"
        case 0x000D: "All connections pending - no further information available"
        case 0x000E: "All connections pending - authentication pending"
        case 0x000F: "All connections pending - authorization pending"
        default: nil
        }
    }

    /// What it says of one channel, in an L2CAP_LE_CREDIT_BASED_CONNECTION_RSP (Vol 3, Part A, 4.23); nil
    /// where it is reserved there.
    public var nameOfOne: StaticString? {
        switch rawValue {
        case 0x0000: "Connection successful"
        case 0x0002: "Connection refused - SPSM not supported"
        case 0x0004: "Connection refused - no resources available"
        case 0x0005: "Connection refused - insufficient authentication"
        case 0x0006: "Connection refused - insufficient authorization"
        case 0x0007: "Connection refused - encryption key size too short"
        case 0x0008: "Connection refused - insufficient encryption"
        case 0x0009: "Connection refused - invalid Source CID"
        case 0x000A: "Connection refused - Source CID already allocated"
        case 0x000B: "Connection refused - unacceptable parameters"
        default: nil
        }
    }

    /// Shows the field by the name it has for one channel.
    @inlinable public static var meaningOfOne: FieldMeaning {
        .code { L2CAPCreditBasedResult(rawValue: UInt16(truncatingIfNeeded: $0)).nameOfOne }
    }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning {
        .code { L2CAPCreditBasedResult(rawValue: UInt16(truncatingIfNeeded: $0)).name }
    }
}
