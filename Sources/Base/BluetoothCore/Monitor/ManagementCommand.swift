/// The opcode of a command that a program gives to the kernel.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementCommand: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The name of the command; nil where none is assigned.
    public var name: StaticString? {
        switch rawValue {
        case 0x01: "Read Management Version Information"
        case 0x02: "Read Management Supported Commands"
        case 0x03: "Read Controller Index List"
        case 0x04: "Read Controller Information"
        case 0x05: "Set Powered"
        case 0x06: "Set Discoverable"
        case 0x07: "Set Connectable"
        case 0x08: "Set Fast Connectable"
        case 0x09: "Set Bondable"
        case 0x0A: "Set Link Security"
        case 0x0B: "Set Secure Simple Pairing"
        case 0x0C: "Set High Speed"
        case 0x0D: "Set Low Energy"
        case 0x0E: "Set Device Class"
        case 0x0F: "Set Local Name"
        case 0x10: "Add UUID"
        case 0x11: "Remove UUID"
        case 0x12: "Load Link Keys"
        case 0x13: "Load Long Term Keys"
        case 0x14: "Disconnect"
        case 0x15: "Get Connections"
        case 0x16: "PIN Code Reply"
        case 0x17: "PIN Code Negative Reply"
        case 0x18: "Set IO Capability"
        case 0x19: "Pair Device"
        case 0x1A: "Cancel Pair Device"
        case 0x1B: "Unpair Device"
        case 0x1C: "User Confirmation Reply"
        case 0x1D: "User Confirmation Negative Reply"
        case 0x1E: "User Passkey Reply"
        case 0x1F: "User Passkey Negative Reply"
        case 0x20: "Read Local Out Of Band Data"
        case 0x21: "Add Remote Out Of Band Data"
        case 0x22: "Remove Remote Out Of Band Data"
        case 0x23: "Start Discovery"
        case 0x24: "Stop Discovery"
        case 0x25: "Confirm Name"
        case 0x26: "Block Device"
        case 0x27: "Unblock Device"
        case 0x28: "Set Device ID"
        case 0x29: "Set Advertising"
        case 0x2A: "Set BR/EDR"
        case 0x2B: "Set Static Address"
        case 0x2C: "Set Scan Parameters"
        case 0x2D: "Set Secure Connections"
        default: name1
        }
    }

    var name1: StaticString? {
        switch rawValue {
        case 0x2E: "Set Debug Keys"
        case 0x2F: "Set Privacy"
        case 0x30: "Load Identity Resolving Keys"
        case 0x31: "Get Connection Information"
        case 0x32: "Get Clock Information"
        case 0x33: "Add Device"
        case 0x34: "Remove Device"
        case 0x35: "Load Connection Parameters"
        case 0x36: "Read Unconfigured Controller Index List"
        case 0x37: "Read Controller Configuration Information"
        case 0x38: "Set External Configuration"
        case 0x39: "Set Public Address"
        case 0x3A: "Start Service Discovery"
        case 0x3B: "Read Local Out Of Band Extended Data"
        case 0x3C: "Read Extended Controller Index List"
        case 0x3D: "Read Advertising Features"
        case 0x3E: "Add Advertising"
        case 0x3F: "Remove Advertising"
        case 0x40: "Get Advertising Size Information"
        case 0x41: "Start Limited Discovery"
        case 0x42: "Read Extended Controller Information"
        case 0x43: "Set Appearance"
        case 0x44: "Get PHY Configuration"
        case 0x45: "Set PHY Configuration"
        case 0x46: "Load Blocked Keys"
        case 0x47: "Set Wideband Speech"
        case 0x48: "Read Controller Capabilities"
        case 0x49: "Read Experimental Features Information"
        case 0x4A: "Set Experimental Feature"
        case 0x4B: "Read Default System Configuration"
        case 0x4C: "Set Default System Configuration"
        case 0x4D: "Read Default Runtime Configuration"
        case 0x4E: "Set Default Runtime Configuration"
        case 0x4F: "Get Device Flags"
        case 0x50: "Set Device Flags"
        case 0x51: "Read Advertisement Monitor Features"
        case 0x52: "Add Advertisement Patterns Monitor"
        case 0x53: "Remove Advertisement Monitors"
        case 0x54: "Add Extended Advertising Parameters"
        case 0x55: "Add Extended Advertising Data"
        case 0x56: "Add Advertisement Patterns Monitor With RSSI Threshold"
        case 0x57: "Set Mesh Receiver"
        case 0x58: "Read Mesh Features"
        case 0x59: "Transmit Mesh Packet"
        case 0x5A: "Cancel Transmit Mesh Packet"
        default: nil
        }
    }

    /// The name of a value; nil where none is assigned.
    @Sendable public static func name(of value: UInt64) -> StaticString? {
        UInt16(exactly: value).flatMap { ManagementCommand(rawValue: $0).name }
    }
}
