/// The result of opening an LE credit-based channel.
///
/// Source: Core Specification, Vol 3, Part A, 4.23.
@frozen
public struct L2CAPCreditBasedResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var success: Self { .init(rawValue: 0x0000) }
    @inlinable public static var spsmNotSupported: Self { .init(rawValue: 0x0002) }
    @inlinable public static var noResources: Self { .init(rawValue: 0x0004) }
    @inlinable public static var insufficientAuthentication: Self { .init(rawValue: 0x0005) }
    @inlinable public static var insufficientAuthorization: Self { .init(rawValue: 0x0006) }
    @inlinable public static var insufficientKeySize: Self { .init(rawValue: 0x0007) }
    @inlinable public static var insufficientEncryption: Self { .init(rawValue: 0x0008) }
    @inlinable public static var invalidSourceCID: Self { .init(rawValue: 0x0009) }
    @inlinable public static var sourceCIDAllocated: Self { .init(rawValue: 0x000A) }
    @inlinable public static var unacceptableParameters: Self { .init(rawValue: 0x000B) }
}
