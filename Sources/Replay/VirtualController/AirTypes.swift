public import BluetoothCore
import Runtime

/// One of the controllers on a virtual air.
public struct ControllerID: RawRepresentable, Hashable, Comparable, Sendable {
    /// Its place among the controllers, in the order in which they were added.
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a virtual controller is.
public struct ControllerConfiguration: Hashable, Sendable {
    /// Its public address; all zeros for one that has none.
    public var publicAddress: DeviceAddress
    /// Octets of data that one ACL packet from the host may have (27 to 65535).
    public var aclPacketLength: UInt16 = 27
    /// ACL packets that it holds at once (1 to 255).
    public var aclPacketCount: UInt8 = 4
    /// Links that it can have at once.
    public var linkLimit = 8
    /// Devices that its filter accept list can hold.
    public var acceptListSize: UInt8 = 8
    /// Devices that its resolving list can hold; 0 for a controller without private addresses.
    public var resolvingListSize: UInt8 = 0
    /// Link Layer PDUs that it sends in one connection event.
    public var pdusPerEvent = 6
    /// Octets of the longest Link Layer PDU payload that it sends and receives (27 to 251).
    public var maxDataOctets: UInt16 = 251
    /// Signal strength with which others receive it, in dBm.
    public var rssi: Int8 = -60
    /// The company that made it.
    public var company: UInt16 = 0xFFFF
    /// The version of the specification that it reports (Assigned Numbers, 2.1).
    public var version = Version.v50.rawValue
    /// What its Link Layer has; commands that belong to other features are unknown to it.
    public var features: LEFeatures = [.encryption, .connectionParametersRequest, .dataPacketLengthExtension]
    /// Advertising sets that it can have at once.
    public var advertisingSetLimit: UInt8 = 4
    /// Octets of data that an advertising set can have (31 to 1650).
    public var maxAdvertisingDataLength: UInt16 = 1650
    /// The longest time that a packet may take to its host; the seed says how long each takes.
    public var hostLatency = Duration.zero

    /// A controller of version 5.0 with little that is optional.
    public init(publicAddress: DeviceAddress) { self.publicAddress = publicAddress }

    /// A controller with what is usual in a version.
    public init(publicAddress: DeviceAddress, version: Version) {
        self.publicAddress = publicAddress
        self.version = version.rawValue
        features = version.features
        if features.contains(.dataPacketLengthExtension) { aclPacketLength = 251 }
    }

    /// What its Link Layer has, private addresses included.
    var supported: LEFeatures {
        resolvingListSize > 0 ? features.union(.privacy) : features.subtracting(.privacy)
    }

    /// The PHYs that it has.
    var phys: LEPHYs {
        var phys = LEPHYs.le1M
        if features.contains(.le2MPHY) { phys.insert(.le2M) }
        if features.contains(.leCodedPHY) { phys.insert(.leCoded) }
        return phys
    }

    /// Versions of the Core Specification by the number that a controller reports.
    public enum Version: UInt8, CaseIterable, Sendable {
        case v40 = 6
        case v42 = 8
        case v50 = 9
        case v53 = 12

        /// The features that controllers of this version usually have.
        public var features: LEFeatures {
            switch self {
            case .v40: .encryption
            case .v42:
                [
                    .encryption, .connectionParametersRequest, .extendedRejectIndication,
                    .peripheralInitiatedFeaturesExchange, .ping, .dataPacketLengthExtension,
                ]
            case .v50, .v53: [Self.v42.features, .le2MPHY, .leCodedPHY, .extendedAdvertising]
            }
        }
    }
}

/// A packet from a controller to its host.
public struct AirEffect: Hashable, Sendable {
    public var controller: ControllerID
    public var packet: HCIPacket

    public init(controller: ControllerID, packet: HCIPacket) {
        self.controller = controller
        self.packet = packet
    }
}

/// What is to happen on the air.
enum AirEvent: Sendable {
    case advertise(Int, set: UInt8, generation: Int)
    /// The end of high duty cycle directed advertising, or of a set's duration.
    case advertisingTimeout(Int, set: UInt8, generation: Int)
    case scanTimeout(Int, start: Instant)
    case connectionEvent(UInt32)
    case applyParameters(UInt32, LinkParameters)
    case supervisionTimeout(UInt32)
    /// A host that was asked for a key has let 40 s pass.
    case encryptionTimeout(UInt32, attempt: Int)
    case applyPHYs(UInt32, PHYChange)
    /// One end of a link that is lost has had no authenticated packet for its timeout.
    case payloadTimeout(UInt32, side: Int, separation: Int)
    /// A packet that took its time reaches its host.
    case hand(AirEffect)
}

/// The parameters of a link.
struct LinkParameters: Hashable, Sendable {
    /// Steps of 1.25 ms.
    var interval: UInt16
    /// Connection events that the peripheral may skip.
    var latency: UInt16
    /// Steps of 10 ms.
    var timeout: UInt16

    var intervalNanoseconds: Int64 { Int64(interval) * 1_250_000 }
    var timeoutNanoseconds: Int64 { Int64(timeout) * 10_000_000 }

    /// Whether the parameters of a command are allowed.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.12 and 7.8.18.
    static func areAllowed(min: UInt16, max: UInt16, latency: UInt16, timeout: UInt16) -> Bool {
        (6...3200).contains(min) && (min...3200).contains(max) && latency <= 499
            && (10...3200).contains(timeout)
            && UInt32(timeout) * 4 > (UInt32(latency) + 1) * UInt32(max)
    }
}
