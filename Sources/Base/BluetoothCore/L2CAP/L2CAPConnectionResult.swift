/// Whether a channel on BR/EDR is granted.
///
/// Source: Core Specification, Vol 3, Part A, 4.3.
@frozen
public struct L2CAPConnectionResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var successful: Self { .init(rawValue: 0x0000) }
    @inlinable public static var pending: Self { .init(rawValue: 0x0001) }
    @inlinable public static var psmNotSupported: Self { .init(rawValue: 0x0002) }
    @inlinable public static var securityBlock: Self { .init(rawValue: 0x0003) }
    @inlinable public static var noResources: Self { .init(rawValue: 0x0004) }
    @inlinable public static var invalidSourceCID: Self { .init(rawValue: 0x0006) }
    @inlinable public static var sourceCIDAllocated: Self { .init(rawValue: 0x0007) }

    /// What it says; nil where it is reserved.
    public var name: StaticString? {
        switch rawValue {
        case 0x0000: "Connection successful"
        case 0x0001: "Connection pending"
        case 0x0002: "Connection refused - PSM not supported"
        case 0x0003: "Connection refused - security block"
        case 0x0004: "Connection refused - no resources available"
        case 0x0006: "Connection refused - invalid Source CID"
        case 0x0007: "Connection refused - Source CID already allocated"
        default: nil
        }
    }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning {
        .code { L2CAPConnectionResult(rawValue: UInt16(truncatingIfNeeded: $0)).name }
    }
}
