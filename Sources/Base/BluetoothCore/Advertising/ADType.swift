/// What an AD structure holds: the octet after its length.
///
/// Source: Assigned Numbers, 2.3.
@frozen
public struct ADType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var flags: Self { .init(rawValue: 0x01) }
    @inlinable public static var incomplete16: Self { .init(rawValue: 0x02) }
    @inlinable public static var complete16: Self { .init(rawValue: 0x03) }
    @inlinable public static var incomplete32: Self { .init(rawValue: 0x04) }
    @inlinable public static var complete32: Self { .init(rawValue: 0x05) }
    @inlinable public static var incomplete128: Self { .init(rawValue: 0x06) }
    @inlinable public static var complete128: Self { .init(rawValue: 0x07) }
    @inlinable public static var shortenedName: Self { .init(rawValue: 0x08) }
    @inlinable public static var completeName: Self { .init(rawValue: 0x09) }
    @inlinable public static var txPower: Self { .init(rawValue: 0x0A) }
    @inlinable public static var classOfDevice: Self { .init(rawValue: 0x0D) }
    @inlinable public static var simplePairingHash192: Self { .init(rawValue: 0x0E) }
    @inlinable public static var simplePairingRandomizer192: Self { .init(rawValue: 0x0F) }
    @inlinable public static var deviceIDOrTK: Self { .init(rawValue: 0x10) }
    @inlinable public static var securityManagerFlags: Self { .init(rawValue: 0x11) }
    @inlinable public static var connectionIntervalRange: Self { .init(rawValue: 0x12) }
    @inlinable public static var solicitation16: Self { .init(rawValue: 0x14) }
    @inlinable public static var solicitation128: Self { .init(rawValue: 0x15) }
    @inlinable public static var serviceData16: Self { .init(rawValue: 0x16) }
    @inlinable public static var publicTargetAddress: Self { .init(rawValue: 0x17) }
    @inlinable public static var randomTargetAddress: Self { .init(rawValue: 0x18) }
    @inlinable public static var appearance: Self { .init(rawValue: 0x19) }
    @inlinable public static var advertisingInterval: Self { .init(rawValue: 0x1A) }
    @inlinable public static var leAddress: Self { .init(rawValue: 0x1B) }
    @inlinable public static var leRole: Self { .init(rawValue: 0x1C) }
    @inlinable public static var simplePairingHash256: Self { .init(rawValue: 0x1D) }
    @inlinable public static var simplePairingRandomizer256: Self { .init(rawValue: 0x1E) }
    @inlinable public static var solicitation32: Self { .init(rawValue: 0x1F) }
    @inlinable public static var serviceData32: Self { .init(rawValue: 0x20) }
    @inlinable public static var serviceData128: Self { .init(rawValue: 0x21) }
    @inlinable public static var secureConnectionsConfirm: Self { .init(rawValue: 0x22) }
    @inlinable public static var secureConnectionsRandom: Self { .init(rawValue: 0x23) }
    @inlinable public static var uri: Self { .init(rawValue: 0x24) }
    @inlinable public static var indoorPositioning: Self { .init(rawValue: 0x25) }
    @inlinable public static var transportDiscovery: Self { .init(rawValue: 0x26) }
    @inlinable public static var leFeatures: Self { .init(rawValue: 0x27) }
    @inlinable public static var channelMapUpdate: Self { .init(rawValue: 0x28) }
    @inlinable public static var pbADV: Self { .init(rawValue: 0x29) }
    @inlinable public static var meshMessage: Self { .init(rawValue: 0x2A) }
    @inlinable public static var meshBeacon: Self { .init(rawValue: 0x2B) }
    @inlinable public static var bigInfo: Self { .init(rawValue: 0x2C) }
    @inlinable public static var broadcastCode: Self { .init(rawValue: 0x2D) }
    @inlinable public static var resolvableSetIdentifier: Self { .init(rawValue: 0x2E) }
    @inlinable public static var advertisingIntervalLong: Self { .init(rawValue: 0x2F) }
    @inlinable public static var broadcastName: Self { .init(rawValue: 0x30) }
    @inlinable public static var encryptedData: Self { .init(rawValue: 0x31) }
    @inlinable public static var periodicResponseTiming: Self { .init(rawValue: 0x32) }
    @inlinable public static var electronicShelfLabel: Self { .init(rawValue: 0x34) }
    @inlinable public static var information3D: Self { .init(rawValue: 0x3D) }
    @inlinable public static var manufacturerData: Self { .init(rawValue: 0xFF) }

    /// The name of the type; nil where it is not assigned.
    public var name: StaticString? { rawValue < 0x1A ? lowName : highName }

    private var lowName: StaticString? {
        switch rawValue {
        case 0x01: "Flags"
        case 0x02: "Incomplete List of 16-bit Service UUIDs"
        case 0x03: "Complete List of 16-bit Service UUIDs"
        case 0x04: "Incomplete List of 32-bit Service UUIDs"
        case 0x05: "Complete List of 32-bit Service UUIDs"
        case 0x06: "Incomplete List of 128-bit Service UUIDs"
        case 0x07: "Complete List of 128-bit Service UUIDs"
        case 0x08: "Shortened Local Name"
        case 0x09: "Complete Local Name"
        case 0x0A: "Tx Power Level"
        case 0x0D: "Class of Device"
        case 0x0E: "Simple Pairing Hash C-192"
        case 0x0F: "Simple Pairing Randomizer R-192"
        case 0x10: "Device ID or Security Manager TK Value"
        case 0x11: "Security Manager Out of Band Flags"
        case 0x12: "Peripheral Connection Interval Range"
        case 0x14: "List of 16-bit Service Solicitation UUIDs"
        case 0x15: "List of 128-bit Service Solicitation UUIDs"
        case 0x16: "Service Data - 16-bit UUID"
        case 0x17: "Public Target Address"
        case 0x18: "Random Target Address"
        case 0x19: "Appearance"
        default: nil
        }
    }

    private var highName: StaticString? {
        switch rawValue {
        case 0x1A: "Advertising Interval"
        case 0x1B: "LE Bluetooth Device Address"
        case 0x1C: "LE Role"
        case 0x1D: "Simple Pairing Hash C-256"
        case 0x1E: "Simple Pairing Randomizer R-256"
        case 0x1F: "List of 32-bit Service Solicitation UUIDs"
        case 0x20: "Service Data - 32-bit UUID"
        case 0x21: "Service Data - 128-bit UUID"
        case 0x22: "LE Secure Connections Confirmation Value"
        case 0x23: "LE Secure Connections Random Value"
        case 0x24: "URI"
        case 0x25: "Indoor Positioning"
        case 0x26: "Transport Discovery Data"
        case 0x27: "LE Supported Features"
        case 0x28: "Channel Map Update Indication"
        case 0x29: "PB-ADV"
        case 0x2A: "Mesh Message"
        case 0x2B: "Mesh Beacon"
        case 0x2C: "BIGInfo"
        case 0x2D: "Broadcast_Code"
        case 0x2E: "Resolvable Set Identifier"
        case 0x2F: "Advertising Interval - long"
        case 0x30: "Broadcast_Name"
        case 0x31: "Encrypted Advertising Data"
        case 0x32: "Periodic Advertising Response Timing Information"
        case 0x34: "Electronic Shelf Label"
        case 0x3D: "3D Information Data"
        case 0xFF: "Manufacturer Specific Data"
        default: nil
        }
    }
}
