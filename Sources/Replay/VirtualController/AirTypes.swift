public import BluetoothCore
import Runtime

/// A controller on a virtual air.
public struct ControllerID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The index of the controller, in the order in which they were added.
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The properties of a virtual controller.
public struct ControllerConfiguration: Hashable, Sendable {
    /// The public address; all zeros for none.
    public var publicAddress: DeviceAddress
    /// Maximum number of data octets in an ACL packet from the host (27 to 65535).
    public var aclPacketLength: UInt16 = 27
    /// Number of ACL packets that it buffers (1 to 255).
    public var aclPacketCount: UInt8 = 4
    /// Maximum number of links.
    public var linkLimit = 8
    /// Size of the filter accept list.
    public var acceptListSize: UInt8 = 8
    /// Size of the resolving list; 0 for a controller without private addresses.
    public var resolvingListSize: UInt8 = 0
    /// Maximum number of Link Layer PDUs that it sends in one connection event.
    public var pdusPerEvent = 6
    /// Maximum Link Layer PDU payload that it sends and receives, in octets (27 to 251).
    public var maxDataOctets: UInt16 = 251
    /// Signal strength at which others receive it, in dBm.
    public var rssi: Int8 = -60
    /// The manufacturer's company identifier.
    public var company: UInt16 = 0xFFFF
    /// The version of the specification that it reports (Assigned Numbers, 2.1).
    public var version = Version.v50.rawValue
    /// The Link Layer's features. Commands that need other features are unknown to it.
    public var features: LEFeatures = [
        .leEncryption, .connectionParametersRequestProcedure, .leDataPacketLengthExtension,
    ]
    /// Maximum number of advertising sets.
    public var advertisingSetLimit: UInt8 = 4
    /// Maximum amount of data in an advertising set, in octets (31 to 1650).
    public var maxAdvertisingDataLength: UInt16 = 1650
    /// Maximum time that a packet takes to its host; the seed determines the time of each one.
    public var hostLatency = Duration.zero

    /// Creates a controller of version 5.0 with few optional features.
    public init(publicAddress: DeviceAddress) { self.publicAddress = publicAddress }

    /// Creates a controller with the usual features of a version.
    public init(publicAddress: DeviceAddress, version: Version) {
        self.publicAddress = publicAddress
        self.version = version.rawValue
        features = version.features
        if features.contains(.leDataPacketLengthExtension) { aclPacketLength = 251 }
    }

    /// The Link Layer's features, including private addresses.
    var supported: LEFeatures {
        resolvingListSize > 0 ? features.union(.llPrivacy) : features.subtracting(.llPrivacy)
    }

    var phys: LEPHYs {
        var phys = LEPHYs.le1M
        if features.contains(.le2MPHY) { phys.insert(.le2M) }
        if features.contains(.leCodedPHY) { phys.insert(.leCoded) }
        return phys
    }

    /// Versions of the Core Specification, with the number that a controller reports.
    public enum Version: UInt8, CaseIterable, Sendable {
        case v40 = 6
        case v42 = 8
        case v50 = 9
        case v53 = 12

        /// The usual features of controllers of this version.
        public var features: LEFeatures {
            switch self {
            case .v40: .leEncryption
            case .v42:
                [
                    .leEncryption, .connectionParametersRequestProcedure, .extendedRejectIndication,
                    .peripheralInitiatedFeaturesExchange, .lePing, .leDataPacketLengthExtension,
                ]
            case .v50, .v53: [Self.v42.features, .le2MPHY, .leCodedPHY, .leExtendedAdvertising]
            }
        }
    }
}

/// A packet from a controller to its host.
public struct AirEffect: Hashable, Sendable {
    public var controller: ControllerID
    public var packet: HCIPacket
}

enum AirEvent: Sendable {
    case advertise(Int, set: UInt8, generation: Int)
    /// The end of high duty cycle directed advertising, or of a set's duration.
    case advertisingTimeout(Int, set: UInt8, generation: Int)
    case scanTimeout(Int, start: Instant)
    case link(UInt32, AirLink.Event)
    /// A delayed packet reaches its host.
    case hand(AirEffect)
}

struct LinkParameters: Hashable, Sendable {
    /// Connection interval, in steps of 1.25 ms.
    var interval: UInt16
    /// Connection events that the peripheral may skip.
    var latency: UInt16
    /// Supervision timeout, in steps of 10 ms.
    var timeout: UInt16

    var intervalNanoseconds: Int64 { Int64(interval) * 1_250_000 }
    var timeoutNanoseconds: Int64 { Int64(timeout) * 10_000_000 }

    /// Whether a command's parameters are allowed.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.12 and 7.8.18.
    static func areAllowed(min: UInt16, max: UInt16, latency: UInt16, timeout: UInt16) -> Bool {
        (6...3200).contains(min) && (min...3200).contains(max) && latency <= 499
            && (10...3200).contains(timeout)
            && UInt32(timeout) * 4 > (UInt32(latency) + 1) * UInt32(max)
    }
}
