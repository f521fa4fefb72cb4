// The LE Meta events by name.

extension LESubeventCode {
    @inlinable public static var leConnectionComplete: Self { Self(rawValue: 0x01) }
    @inlinable public static var leAdvertisingReport: Self { Self(rawValue: 0x02) }
    @inlinable public static var leConnectionUpdateComplete: Self { Self(rawValue: 0x03) }
    @inlinable public static var leReadRemoteFeaturesPage0Complete: Self { Self(rawValue: 0x04) }
    @inlinable public static var leLongTermKeyRequest: Self { Self(rawValue: 0x05) }
    @inlinable public static var leRemoteConnectionParameterRequest: Self { Self(rawValue: 0x06) }
    @inlinable public static var leDataLengthChange: Self { Self(rawValue: 0x07) }
    @inlinable public static var leReadLocalP256PublicKeyComplete: Self { Self(rawValue: 0x08) }
    @inlinable public static var leGenerateDHKeyComplete: Self { Self(rawValue: 0x09) }
    @inlinable public static var leEnhancedConnectionCompleteV1: Self { Self(rawValue: 0x0A) }
    @inlinable public static var leDirectedAdvertisingReport: Self { Self(rawValue: 0x0B) }
    @inlinable public static var lephyUpdateComplete: Self { Self(rawValue: 0x0C) }
    @inlinable public static var leExtendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
    @inlinable public static var lePeriodicAdvertisingSyncEstablishedV1: Self { Self(rawValue: 0x0E) }
    @inlinable public static var lePeriodicAdvertisingReportV1: Self { Self(rawValue: 0x0F) }
    @inlinable public static var lePeriodicAdvertisingSyncLost: Self { Self(rawValue: 0x10) }
    @inlinable public static var leScanTimeout: Self { Self(rawValue: 0x11) }
    @inlinable public static var leAdvertisingSetTerminated: Self { Self(rawValue: 0x12) }
    @inlinable public static var leScanRequestReceived: Self { Self(rawValue: 0x13) }
    @inlinable public static var leChannelSelectionAlgorithm: Self { Self(rawValue: 0x14) }
    @inlinable public static var lePeriodicAdvertisingSyncTransferReceivedV1: Self { Self(rawValue: 0x18) }
    @inlinable public static var leRequestPeerSCAComplete: Self { Self(rawValue: 0x1F) }
    @inlinable public static var lePathLossThreshold: Self { Self(rawValue: 0x20) }
    @inlinable public static var leTransmitPowerReporting: Self { Self(rawValue: 0x21) }
    @inlinable public static var leSubrateChange: Self { Self(rawValue: 0x23) }
    @inlinable public static var lePeriodicAdvertisingSyncEstablishedV2: Self { Self(rawValue: 0x24) }
    @inlinable public static var lePeriodicAdvertisingReportV2: Self { Self(rawValue: 0x25) }
    @inlinable public static var lePeriodicAdvertisingSyncTransferReceivedV2: Self { Self(rawValue: 0x26) }
    @inlinable public static var lePeriodicAdvertisingSubeventDataRequest: Self { Self(rawValue: 0x27) }
    @inlinable public static var lePeriodicAdvertisingResponseReport: Self { Self(rawValue: 0x28) }
    @inlinable public static var leEnhancedConnectionCompleteV2: Self { Self(rawValue: 0x29) }
    @inlinable public static var leReadAllRemoteFeaturesComplete: Self { Self(rawValue: 0x2B) }
    @inlinable public static var leMonitoredAdvertisersReport: Self { Self(rawValue: 0x34) }
    @inlinable public static var leFrameSpaceUpdateComplete: Self { Self(rawValue: 0x35) }
    @inlinable public static var leConnectionRateChange: Self { Self(rawValue: 0x37) }
}
