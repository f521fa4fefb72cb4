public import WireBytes

/// The opcode of an HCI command: six bits of group (OGF) and ten of command (OCF).
///
/// Source: Vol 4, Part E, 5.4.1.
@frozen
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The group: 1 link control, 2 link policy, 3 controller and baseband, 4 informational, 5 status,
    /// 6 testing, 8 LE controller, 63 vendor.
    @inlinable public var ogf: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 10) }
    /// Whether the controller's vendor defines it.
    @inlinable public var isVendor: Bool { ogf == 0x3F }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCICommandTable.rows(of: self)?.name(of: rawValue) }

    /// The LE Read Supported States command (7.8.27) has no parameters; it returns a status and eight bytes.
    @inlinable public static var leReadSupportedStates: Self { Self(rawValue: 0x201C) }
    @inlinable public static var noOperation: Self { Self(rawValue: 0x0000) }
    @inlinable public static var hostNumberOfCompletedPackets: Self { Self(rawValue: 0x0C35) }
}

extension HCIOpcode: CustomStringConvertible {
    public var description: String {
        name.map { $0.description } ?? "0x" + String(rawValue, radix: 16)
    }
}

extension HCIStatus: Error, CustomStringConvertible {
    /// Whether a host may give it as the reason of a disconnection, which its peer then reports.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.1.6.
    public var isDisconnectReason: Bool { [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(rawValue) }

    public var description: String {
        name.map { $0.description } ?? "0x" + String(rawValue, radix: 16)
    }
}
