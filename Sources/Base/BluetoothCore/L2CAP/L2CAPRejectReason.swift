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
