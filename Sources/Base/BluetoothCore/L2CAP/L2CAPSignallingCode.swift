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
