public import WireBytes

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
