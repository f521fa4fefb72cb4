public import WireBytes

/// The code of a signalling command: its first byte.
///
/// Source: Core Specification, Vol 3, Part A, 4.
@frozen
public struct L2CAPSignallingCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var commandReject: Self { .init(rawValue: 0x01) }
    @inlinable public static var connectionRequest: Self { .init(rawValue: 0x02) }
    @inlinable public static var connectionResponse: Self { .init(rawValue: 0x03) }
    @inlinable public static var disconnectionRequest: Self { .init(rawValue: 0x06) }
    @inlinable public static var disconnectionResponse: Self { .init(rawValue: 0x07) }
    @inlinable public static var connectionParameterUpdateRequest: Self { .init(rawValue: 0x12) }
    @inlinable public static var connectionParameterUpdateResponse: Self { .init(rawValue: 0x13) }
    @inlinable public static var leCreditBasedConnectionRequest: Self { .init(rawValue: 0x14) }
    @inlinable public static var leCreditBasedConnectionResponse: Self { .init(rawValue: 0x15) }
    @inlinable public static var flowControlCredit: Self { .init(rawValue: 0x16) }
    @inlinable public static var creditBasedConnectionRequest: Self { .init(rawValue: 0x17) }
    @inlinable public static var creditBasedConnectionResponse: Self { .init(rawValue: 0x18) }

    /// The name of the command; nil if the code is not assigned.
    public var name: StaticText? { L2CAPTable.commands.name(of: UInt16(rawValue)) }
}

/// Reason why a signalling command was rejected.
///
/// Source: Core Specification, Vol 3, Part A, 4.1.
@frozen
public struct L2CAPRejectReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var commandNotUnderstood: Self { .init(rawValue: 0x0000) }
    @inlinable public static var signallingMTUExceeded: Self { .init(rawValue: 0x0001) }
    @inlinable public static var invalidCID: Self { .init(rawValue: 0x0002) }
}

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
