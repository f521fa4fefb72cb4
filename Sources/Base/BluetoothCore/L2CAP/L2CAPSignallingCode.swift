/// What a signalling command is: its first octet.
///
/// Source: Core Specification, Vol 3, Part A, 4.
@frozen
public struct L2CAPSignallingCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var commandReject: Self { .init(rawValue: 0x01) }
    @inlinable public static var connectionRequest: Self { .init(rawValue: 0x02) }
    @inlinable public static var connectionResponse: Self { .init(rawValue: 0x03) }
    @inlinable public static var configurationRequest: Self { .init(rawValue: 0x04) }
    @inlinable public static var configurationResponse: Self { .init(rawValue: 0x05) }
    @inlinable public static var disconnectionRequest: Self { .init(rawValue: 0x06) }
    @inlinable public static var disconnectionResponse: Self { .init(rawValue: 0x07) }
    @inlinable public static var echoRequest: Self { .init(rawValue: 0x08) }
    @inlinable public static var echoResponse: Self { .init(rawValue: 0x09) }
    @inlinable public static var informationRequest: Self { .init(rawValue: 0x0A) }
    @inlinable public static var informationResponse: Self { .init(rawValue: 0x0B) }
    @inlinable public static var connectionParameterUpdateRequest: Self { .init(rawValue: 0x12) }
    @inlinable public static var connectionParameterUpdateResponse: Self { .init(rawValue: 0x13) }
    @inlinable public static var leCreditBasedConnectionRequest: Self { .init(rawValue: 0x14) }
    @inlinable public static var leCreditBasedConnectionResponse: Self { .init(rawValue: 0x15) }
    @inlinable public static var flowControlCredit: Self { .init(rawValue: 0x16) }
    @inlinable public static var creditBasedConnectionRequest: Self { .init(rawValue: 0x17) }
    @inlinable public static var creditBasedConnectionResponse: Self { .init(rawValue: 0x18) }
    @inlinable public static var creditBasedReconfigureRequest: Self { .init(rawValue: 0x19) }
    @inlinable public static var creditBasedReconfigureResponse: Self { .init(rawValue: 0x1A) }

    /// The name of the command; nil where the code is not assigned.
    public var name: StaticString? {
        switch rawValue {
        case 0x01: "Command Reject"
        case 0x02: "Connection Request"
        case 0x03: "Connection Response"
        case 0x04: "Configuration Request"
        case 0x05: "Configuration Response"
        case 0x06: "Disconnection Request"
        case 0x07: "Disconnection Response"
        case 0x08: "Echo Request"
        case 0x09: "Echo Response"
        case 0x0A: "Information Request"
        case 0x0B: "Information Response"
        case 0x0C: "Create Channel Request"
        case 0x0D: "Create Channel Response"
        case 0x0E: "Move Channel Request"
        case 0x0F: "Move Channel Response"
        case 0x10: "Move Channel Confirmation Request"
        case 0x11: "Move Channel Confirmation Response"
        case 0x12: "Connection Parameter Update Request"
        case 0x13: "Connection Parameter Update Response"
        case 0x14: "LE Credit Based Connection Request"
        case 0x15: "LE Credit Based Connection Response"
        case 0x16: "Flow Control Credit"
        case 0x17: "Credit Based Connection Request"
        case 0x18: "Credit Based Connection Response"
        case 0x19: "Credit Based Reconfigure Request"
        case 0x1A: "Credit Based Reconfigure Response"
        default: nil
        }
    }

    /// Shows a code field by the command's name.
    @inlinable public static var meaning: FieldMeaning {
        .code { L2CAPSignallingCode(rawValue: UInt8(truncatingIfNeeded: $0)).name }
    }
}
