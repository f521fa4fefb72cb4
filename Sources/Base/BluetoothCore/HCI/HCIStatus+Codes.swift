// The error codes by name (Vol 1, Part F, 1.3).

extension HCIStatus {
    @inlinable public static var success: Self { Self(rawValue: 0x00) }
    @inlinable public static var unknownHCICommand: Self { Self(rawValue: 0x01) }
    @inlinable public static var unknownConnectionIdentifier: Self { Self(rawValue: 0x02) }
    @inlinable public static var hardwareFailure: Self { Self(rawValue: 0x03) }
    @inlinable public static var pageTimeout: Self { Self(rawValue: 0x04) }
    @inlinable public static var authenticationFailure: Self { Self(rawValue: 0x05) }
    @inlinable public static var pinOrKeyMissing: Self { Self(rawValue: 0x06) }
    @inlinable public static var memoryCapacityExceeded: Self { Self(rawValue: 0x07) }
    @inlinable public static var connectionTimeout: Self { Self(rawValue: 0x08) }
    @inlinable public static var connectionLimitExceeded: Self { Self(rawValue: 0x09) }
    @inlinable public static var synchronousConnectionLimitToADeviceExceeded: Self { Self(rawValue: 0x0A) }
    @inlinable public static var connectionAlreadyExists: Self { Self(rawValue: 0x0B) }
    @inlinable public static var commandDisallowed: Self { Self(rawValue: 0x0C) }
    @inlinable public static var connectionRejectedDueToLimitedResources: Self { Self(rawValue: 0x0D) }
    @inlinable public static var connectionRejectedDueToSecurityReasons: Self { Self(rawValue: 0x0E) }
    @inlinable public static var connectionRejectedDueToUnacceptableBDADDR: Self { Self(rawValue: 0x0F) }
    @inlinable public static var connectionAcceptTimeoutExceeded: Self { Self(rawValue: 0x10) }
    @inlinable public static var unsupportedFeatureOrParameterValue: Self { Self(rawValue: 0x11) }
    @inlinable public static var invalidHCICommandParameters: Self { Self(rawValue: 0x12) }
    @inlinable public static var remoteUserTerminatedConnection: Self { Self(rawValue: 0x13) }
    @inlinable public static var remoteDeviceTerminatedConnectionDueToLowResources: Self {
        Self(rawValue: 0x14)
    }
    @inlinable public static var remoteDeviceTerminatedConnectionDueToPowerOff: Self { Self(rawValue: 0x15) }
    @inlinable public static var connectionTerminatedByLocalHost: Self { Self(rawValue: 0x16) }
    @inlinable public static var repeatedAttempts: Self { Self(rawValue: 0x17) }
    @inlinable public static var pairingNotAllowed: Self { Self(rawValue: 0x18) }
    @inlinable public static var unknownLMPPDU: Self { Self(rawValue: 0x19) }
    @inlinable public static var unsupportedRemoteFeature: Self { Self(rawValue: 0x1A) }
    @inlinable public static var scoOffsetRejected: Self { Self(rawValue: 0x1B) }
    @inlinable public static var scoIntervalRejected: Self { Self(rawValue: 0x1C) }
    @inlinable public static var scoAirModeRejected: Self { Self(rawValue: 0x1D) }
    @inlinable public static var invalidLMPParametersOrLLParameters: Self { Self(rawValue: 0x1E) }
    @inlinable public static var unspecifiedError: Self { Self(rawValue: 0x1F) }
    @inlinable public static var unsupportedLMPParameterValueOrLLParameterValue: Self { Self(rawValue: 0x20) }
    @inlinable public static var roleChangeNotAllowed: Self { Self(rawValue: 0x21) }
    @inlinable public static var lmpResponseTimeoutOrLLResponseTimeout: Self { Self(rawValue: 0x22) }
    @inlinable public static var lmpErrorTransactionCollisionOrLLProcedureCollision: Self {
        Self(rawValue: 0x23)
    }
    @inlinable public static var lmpPDUNotAllowed: Self { Self(rawValue: 0x24) }
    @inlinable public static var encryptionModeNotAcceptable: Self { Self(rawValue: 0x25) }
    @inlinable public static var linkKeyCannotBeChanged: Self { Self(rawValue: 0x26) }
    @inlinable public static var requestedQoSNotSupported: Self { Self(rawValue: 0x27) }
    @inlinable public static var instantPassed: Self { Self(rawValue: 0x28) }
    @inlinable public static var pairingWithUnitKeyNotSupported: Self { Self(rawValue: 0x29) }
    @inlinable public static var differentTransactionCollision: Self { Self(rawValue: 0x2A) }
    @inlinable public static var qosUnacceptableParameter: Self { Self(rawValue: 0x2C) }
    @inlinable public static var qosRejected: Self { Self(rawValue: 0x2D) }
    @inlinable public static var channelClassificationNotSupported: Self { Self(rawValue: 0x2E) }
    @inlinable public static var insufficientSecurity: Self { Self(rawValue: 0x2F) }
    @inlinable public static var parameterOutOfMandatoryRange: Self { Self(rawValue: 0x30) }
    @inlinable public static var roleSwitchPending: Self { Self(rawValue: 0x32) }
    @inlinable public static var reservedSlotViolation: Self { Self(rawValue: 0x34) }
    @inlinable public static var roleSwitchFailed: Self { Self(rawValue: 0x35) }
    @inlinable public static var extendedInquiryResponseTooLarge: Self { Self(rawValue: 0x36) }
    @inlinable public static var secureSimplePairingNotSupportedByHost: Self { Self(rawValue: 0x37) }
    @inlinable public static var hostBusyPairing: Self { Self(rawValue: 0x38) }
    @inlinable public static var connectionRejectedDueToNoSuitableChannelFound: Self { Self(rawValue: 0x39) }
    @inlinable public static var controllerBusy: Self { Self(rawValue: 0x3A) }
    @inlinable public static var unacceptableConnectionParameters: Self { Self(rawValue: 0x3B) }
    @inlinable public static var advertisingTimeout: Self { Self(rawValue: 0x3C) }
    @inlinable public static var connectionTerminatedDueToMICFailure: Self { Self(rawValue: 0x3D) }
    @inlinable public static var connectionFailedToBeEstablishedOrSynchronizationTimeout: Self {
        Self(rawValue: 0x3E)
    }
    @inlinable public static var macConnectionFailed: Self { Self(rawValue: 0x3F) }
    @inlinable public static var coarseClockAdjustmentRejectedButWillTryToAdjustUsingClockDragging: Self {
        Self(rawValue: 0x40)
    }
    @inlinable public static var type0SubmapNotDefined: Self { Self(rawValue: 0x41) }
    @inlinable public static var unknownAdvertisingIdentifier: Self { Self(rawValue: 0x42) }
    @inlinable public static var limitReached: Self { Self(rawValue: 0x43) }
    @inlinable public static var operationCancelledByHost: Self { Self(rawValue: 0x44) }
    @inlinable public static var packetTooLong: Self { Self(rawValue: 0x45) }
    @inlinable public static var tooLate: Self { Self(rawValue: 0x46) }
    @inlinable public static var tooEarly: Self { Self(rawValue: 0x47) }
    @inlinable public static var insufficientChannels: Self { Self(rawValue: 0x48) }
}
