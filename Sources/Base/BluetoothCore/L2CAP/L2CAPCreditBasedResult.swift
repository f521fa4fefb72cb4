public import WireBytes

/// Whether a credit based channel is granted.
///
/// Source: Core Specification, Vol 3, Part A, 4.23 and 4.26.
@frozen
public struct L2CAPCreditBasedResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var successful: Self { .init(rawValue: 0x0000) }
    @inlinable public static var someRefusedNoResources: Self { .init(rawValue: 0x0004) }
    @inlinable public static var insufficientAuthentication: Self { .init(rawValue: 0x0005) }
    @inlinable public static var insufficientAuthorization: Self { .init(rawValue: 0x0006) }
    @inlinable public static var insufficientEncryption: Self { .init(rawValue: 0x0008) }
    @inlinable public static var invalidSourceCID: Self { .init(rawValue: 0x0009) }
    @inlinable public static var sourceCIDAllocated: Self { .init(rawValue: 0x000A) }
    @inlinable public static var unacceptableParameters: Self { .init(rawValue: 0x000B) }
    @inlinable public static var invalidParameters: Self { .init(rawValue: 0x000C) }
    @inlinable public static var pending: Self { .init(rawValue: 0x000D) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.l2capCreditBasedResult.name(UInt64(rawValue)) }

    /// What it says of one channel, in an L2CAP_LE_CREDIT_BASED_CONNECTION_RSP (Vol 3, Part A, 4.23); nil
    /// where it is reserved there.
    public var nameOfOne: StaticText? { ValueSet.l2capCreditBasedResultOfOne.name(UInt64(rawValue)) }

    /// Shows the field by the name it has for one channel.
    @inlinable public static var meaningOfOne: FieldMeaning { .code(.l2capCreditBasedResultOfOne) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.l2capCreditBasedResult) }
}
