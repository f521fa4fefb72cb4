/// The code of an event that the kernel sends to a program.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementEvent: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The name of the event; nil where none is assigned.
    public var name: StaticString? {
        switch rawValue {
        case 0x01: "Command Complete"
        case 0x02: "Command Status"
        case 0x03: "Controller Error"
        case 0x04: "Index Added"
        case 0x05: "Index Removed"
        case 0x06: "New Settings"
        case 0x07: "Class Of Device Changed"
        case 0x08: "Local Name Changed"
        case 0x09: "New Link Key"
        case 0x0A: "New Long Term Key"
        case 0x0B: "Device Connected"
        case 0x0C: "Device Disconnected"
        case 0x0D: "Connect Failed"
        case 0x0E: "PIN Code Request"
        case 0x0F: "User Confirmation Request"
        case 0x10: "User Passkey Request"
        case 0x11: "Authentication Failed"
        case 0x12: "Device Found"
        case 0x13: "Discovering"
        case 0x14: "Device Blocked"
        case 0x15: "Device Unblocked"
        case 0x16: "Device Unpaired"
        case 0x17: "Passkey Notify"
        case 0x18: "New Identity Resolving Key"
        case 0x19: "New Signature Resolving Key"
        case 0x1A: "Device Added"
        case 0x1B: "Device Removed"
        case 0x1C: "New Connection Parameter"
        case 0x1D: "Unconfigured Index Added"
        case 0x1E: "Unconfigured Index Removed"
        case 0x1F: "New Configuration Options"
        case 0x20: "Extended Index Added"
        case 0x21: "Extended Index Removed"
        case 0x22: "Local Out Of Band Extended Data Updated"
        case 0x23: "Advertising Added"
        case 0x24: "Advertising Removed"
        case 0x25: "Extended Controller Information Changed"
        case 0x26: "PHY Configuration Changed"
        case 0x27: "Experimental Feature Changed"
        case 0x28: "Default System Configuration Changed"
        case 0x29: "Default Runtime Configuration Changed"
        case 0x2A: "Device Flags Changed"
        case 0x2B: "Advertisement Monitor Added"
        case 0x2C: "Advertisement Monitor Removed"
        case 0x2D: "Controller Suspend"
        case 0x2E: "Controller Resume"
        case 0x2F: "Advertisement Monitor Device Found"
        case 0x30: "Advertisement Monitor Device Lost"
        case 0x31: "Mesh Packet Found"
        case 0x32: "Mesh Packet Transmission Complete"
        default: nil
        }
    }

    /// The name of a value; nil where none is assigned.
    @Sendable public static func name(of value: UInt64) -> StaticString? {
        UInt16(exactly: value).flatMap { ManagementEvent(rawValue: $0).name }
    }
}
