public import WireBytes

/// The code of an event that the kernel sends to a program.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementEvent: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var commandComplete: Self { Self(rawValue: 1) }
    @inlinable public static var commandStatus: Self { Self(rawValue: 2) }

    /// The name of the event; nil if none is assigned.
    public var name: StaticText? { ManagementTable.events.name(of: rawValue) }
}
