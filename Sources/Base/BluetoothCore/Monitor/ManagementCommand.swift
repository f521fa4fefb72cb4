public import WireBytes

/// The opcode of a command that a program gives to the kernel.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementCommand: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The name of the command; nil if none is assigned.
    public var name: StaticText? { ManagementTable.commands.name(of: rawValue) }
}
