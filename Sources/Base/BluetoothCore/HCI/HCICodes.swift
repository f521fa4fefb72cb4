public import WireBytes

/// The code of an HCI event.
///
/// Source: Vol 4, Part E, 5.4.4 and 7.7.
@frozen
public struct HCIEventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCIEventTable.events.name(of: UInt16(rawValue)) }

    @inlinable public static var connectionComplete: Self { Self(rawValue: 0x03) }
    @inlinable public static var connectionRequest: Self { Self(rawValue: 0x04) }
    @inlinable public static var disconnectionComplete: Self { Self(rawValue: 0x05) }
    @inlinable public static var encryptionChangeV1: Self { Self(rawValue: 0x08) }
    @inlinable public static var commandComplete: Self { Self(rawValue: 0x0E) }
    @inlinable public static var commandStatus: Self { Self(rawValue: 0x0F) }
    @inlinable public static var hardwareError: Self { Self(rawValue: 0x10) }
    @inlinable public static var numberOfCompletedPackets: Self { Self(rawValue: 0x13) }
    @inlinable public static var dataBufferOverflow: Self { Self(rawValue: 0x1A) }
    @inlinable public static var encryptionKeyRefreshComplete: Self { Self(rawValue: 0x30) }
    @inlinable public static var keypressNotification: Self { Self(rawValue: 0x3C) }
    @inlinable public static var leMeta: Self { Self(rawValue: 0x3E) }
    @inlinable public static var encryptionChangeV2: Self { Self(rawValue: 0x59) }
}

/// The subevent code of an LE Meta event.
///
/// Source: Vol 4, Part E, 7.7.65.
@frozen
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCIEventTable.leEvents.name(of: UInt16(rawValue)) }

    @inlinable public static var leExtendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
}

/// The opcode of an HCI command: six bits of group (OGF) and ten of command (OCF).
///
/// Source: Vol 4, Part E, 5.4.1.
@frozen
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates an opcode from its group (0 to 63) and command (0 to 1023); higher bits are dropped.
    @inlinable
    public init(ogf: UInt8, ocf: UInt16) { rawValue = UInt16(ogf & 0x3F) &<< 10 | ocf & 0x3FF }

    /// The group: 1 link control, 2 link policy, 3 controller and baseband, 4 informational, 5 status,
    /// 6 testing, 8 LE controller, 63 vendor.
    @inlinable public var ogf: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 10) }
    /// The command within its group.
    @inlinable public var ocf: UInt16 { rawValue & 0x3FF }
    /// Whether the controller's vendor defines it.
    @inlinable public var isVendor: Bool { ogf == 0x3F }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCICommandTable.rows(of: self)?.name(of: rawValue) }

    /// The LE Read Supported States command (7.8.27) has no parameters; it returns a status and eight bytes.
    @inlinable public static var leReadSupportedStates: Self { Self(rawValue: 0x201C) }
    @inlinable public static var noOperation: Self { Self(rawValue: 0x0000) }
    @inlinable public static var createConnection: Self { Self(rawValue: 0x0405) }
    @inlinable public static var disconnect: Self { Self(rawValue: 0x0406) }
    @inlinable public static var setEventMask: Self { Self(rawValue: 0x0C01) }
    @inlinable public static var reset: Self { Self(rawValue: 0x0C03) }
    @inlinable public static var flush: Self { Self(rawValue: 0x0C08) }
    @inlinable public static var hostNumberOfCompletedPackets: Self { Self(rawValue: 0x0C35) }
    @inlinable public static var writeLEHostSupport: Self { Self(rawValue: 0x0C6D) }
    @inlinable public static var readBufferSize: Self { Self(rawValue: 0x1005) }
    @inlinable public static var readRSSI: Self { Self(rawValue: 0x1405) }
}

extension HCIOpcode: CustomStringConvertible {
    public var description: String {
        name.map { $0.description } ?? "0x" + String(rawValue, radix: 16)
    }
}

/// The outcome of a command or an event, or the reason for a disconnection: a controller error code.
///
/// Source: Vol 1, Part F, 1.3.
@frozen
public struct HCIStatus: RawRepresentable, Hashable, Sendable, Error {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var success: Self { Self(rawValue: 0x00) }
    @inlinable public static var unknownHCICommand: Self { Self(rawValue: 0x01) }
    @inlinable public static var unknownConnectionIdentifier: Self { Self(rawValue: 0x02) }
    @inlinable public static var hardwareFailure: Self { Self(rawValue: 0x03) }
    @inlinable public static var authenticationFailure: Self { Self(rawValue: 0x05) }
    @inlinable public static var pinOrKeyMissing: Self { Self(rawValue: 0x06) }
    @inlinable public static var memoryCapacityExceeded: Self { Self(rawValue: 0x07) }
    @inlinable public static var connectionTimeout: Self { Self(rawValue: 0x08) }
    @inlinable public static var connectionLimitExceeded: Self { Self(rawValue: 0x09) }
    @inlinable public static var connectionAlreadyExists: Self { Self(rawValue: 0x0B) }
    @inlinable public static var commandDisallowed: Self { Self(rawValue: 0x0C) }
    @inlinable public static var connectionAcceptTimeout: Self { Self(rawValue: 0x10) }
    @inlinable public static var unsupportedFeatureOrParameterValue: Self { Self(rawValue: 0x11) }
    @inlinable public static var invalidHCICommandParameters: Self { Self(rawValue: 0x12) }
    @inlinable public static var remoteUserTerminatedConnection: Self { Self(rawValue: 0x13) }
    @inlinable public static var remoteDeviceTerminatedConnectionDueToLowResources: Self {
        Self(rawValue: 0x14)
    }
    @inlinable public static var remoteDeviceTerminatedConnectionDueToPowerOff: Self { Self(rawValue: 0x15) }
    @inlinable public static var connectionTerminatedByLocalHost: Self { Self(rawValue: 0x16) }
    @inlinable public static var repeatedAttempts: Self { Self(rawValue: 0x17) }
    @inlinable public static var unsupportedRemoteFeature: Self { Self(rawValue: 0x1A) }
    @inlinable public static var unspecifiedError: Self { Self(rawValue: 0x1F) }
    @inlinable public static var linkLayerResponseTimeout: Self { Self(rawValue: 0x22) }
    @inlinable public static var unacceptableConnectionParameters: Self { Self(rawValue: 0x3B) }
    @inlinable public static var advertisingTimeout: Self { Self(rawValue: 0x3C) }
    @inlinable public static var micFailure: Self { Self(rawValue: 0x3D) }
    @inlinable public static var unknownAdvertisingIdentifier: Self { Self(rawValue: 0x42) }
    @inlinable public static var limitReached: Self { Self(rawValue: 0x43) }
    @inlinable public static var packetTooLong: Self { Self(rawValue: 0x45) }
    @inlinable public static var connectionFailedToBeEstablishedOrSynchronizationTimeout: Self {
        Self(rawValue: 0x3E)
    }

    /// Whether a host may give it as the reason of a disconnection, which its peer then reports.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.1.6.
    public var isDisconnectReason: Bool { [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(rawValue) }

    /// The name of the error code; nil if none is assigned.
    public var name: StaticText? { Self.names.name(UInt64(rawValue)) }

    private static let names: ValueSet = "error_code"
}

extension HCIStatus: CustomStringConvertible {
    public var description: String {
        name.map { $0.description } ?? "0x" + String(rawValue, radix: 16)
    }
}
