/// The outcome of a management command.
///
/// Source: the management interface of the Linux kernel (mgmt-api).
@frozen
public struct ManagementStatus: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name of the outcome; nil where none is assigned.
    public var name: StaticString? {
        switch rawValue {
        case 0x00: "Success"
        case 0x01: "Unknown Command"
        case 0x02: "Not Connected"
        case 0x03: "Failed"
        case 0x04: "Connect Failed"
        case 0x05: "Authentication Failed"
        case 0x06: "Not Paired"
        case 0x07: "No Resources"
        case 0x08: "Timeout"
        case 0x09: "Already Connected"
        case 0x0A: "Busy"
        case 0x0B: "Rejected"
        case 0x0C: "Not Supported"
        case 0x0D: "Invalid Parameters"
        case 0x0E: "Disconnected"
        case 0x0F: "Not Powered"
        case 0x10: "Cancelled"
        case 0x11: "Invalid Index"
        case 0x12: "RFKilled"
        case 0x13: "Already Paired"
        case 0x14: "Permission Denied"
        default: nil
        }
    }

    /// The name of a value; nil where none is assigned.
    @Sendable public static func name(of value: UInt64) -> StaticString? {
        UInt8(exactly: value).flatMap { ManagementStatus(rawValue: $0).name }
    }
}
