import BluetoothCore
import Runtime

/// What one controller on the air keeps.
struct ControllerState: Sendable {
    struct Scanning: Sendable {
        struct Seen: Hashable, Sendable {
            var address: DeviceAddress
            var isScanResponse: Bool
            /// The advertising set and the version of its data; zeros for legacy PDUs.
            var set: UInt8 = 0
            var dataID = 0
        }

        var isEnabled = false
        var parameters = LESetExtendedScanParameters {
            $0.scanningPHYs = .le1M
            $0.phys = [
                LEScanningPHYParameters {
                    $0.scanInterval = 0x10
                    $0.scanWindow = 0x10
                }
            ]
        }
        /// 0 for none, 1 for duplicates since scanning began, 2 for those of a period.
        var filterDuplicates: UInt8 = 0
        var start = Instant.zero
        /// Steps of 10 ms; 0 for no end.
        var duration: UInt16 = 0
        /// Steps of 1.28 s; 0 where it scans once.
        var period: UInt16 = 0
        var seen: Set<Seen> = []
        /// The period in which `seen` was seen.
        var seenPeriod: Int64 = 0
    }

    /// Whether a host uses the legacy commands or the extended ones, which can't be mixed.
    enum CommandSet: Sendable {
        case legacy
        case extended
    }

    let configuration: ControllerConfiguration
    var randomAddress: DeviceAddress?
    var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
    var eventMaskPage2: UInt64 = 0
    var leEventMask: UInt64 = 0x1F
    /// How it is advertised: by legacy commands in the first, then the advertising sets.
    var sets = [AdvertisingSet()]
    /// Grows each time advertising begins or ends, so that events of an earlier time are known.
    var advertisingGeneration = 0
    var scanning = Scanning()
    /// What it connects with; nil where it waits for no one.
    var initiating: LEExtendedCreateConnection?
    /// What the host has used since it reset the controller; nil where it has used neither.
    var commandSet: CommandSet?
    var acceptList: [DeviceAddress] = []
    var resolving = ResolvingList()
    var suggestedOctets: UInt16 = 27
    var suggestedTime: UInt16 = 328
    /// The PHYs that new links may use, for sending and receiving.
    var defaultPHYs = PHYPreference.all
    var nextHandle: UInt16 = 0x40
    /// When the last packet reaches its host.
    var lastHanded = Instant.zero
    /// ACL packets that it holds for its host.
    var held = 0

    init(_ configuration: ControllerConfiguration) { self.configuration = configuration }

    /// The address for an Own_Address_Type parameter; nil where it has none.
    func ownAddress(_ type: UInt8) -> DeviceAddress? {
        if type & 1 == 1 { return randomAddress }
        let address = configuration.publicAddress
        return address.value == 0 ? nil : DeviceAddress(address.value, .public)
    }

    /// Octets of the longest PDU payload that its host suggests for new links.
    var suggestedLength: UInt16 {
        guard configuration.features.contains(.dataPacketLengthExtension) else { return 27 }
        return LESetDataLength.octets(suggestedOctets, time: suggestedTime)
    }

    /// The address that a set is advertised with; nil where it has none.
    func ownAddress(of set: AdvertisingSet) -> DeviceAddress? {
        let type = set.parameters.ownAddressType
        return type & 1 == 1 && !set.isLegacy ? set.randomAddress : ownAddress(type)
    }

    /// How the scanner scans a primary channel at a time; nil where it does not listen.
    func listens(at now: Instant, on phy: LEPHY) -> LEScanningPHYParameters? {
        guard scanning.isEnabled, let parameters = scanning.parameters.parameters(of: phy) else {
            return nil
        }
        let since = now.nanoseconds - scanning.start.nanoseconds
        if scanning.period > 0 {
            let period = Int64(scanning.period) * 1_280_000_000
            guard since % period < Int64(scanning.duration) * 10_000_000 else { return nil }
        }
        let interval = Int64(parameters.scanInterval) * 625_000
        return since % interval < Int64(parameters.scanWindow) * 625_000 ? parameters : nil
    }
}

/// A link on the air: two ends and what each has still to send.
struct AirLink: Sendable {
    /// A Link Layer PDU with data of a host.
    struct DataPDU: Sendable {
        var isStart: Bool
        var octets: [UInt8]
        /// Whether the host's packet is through with it.
        var endsPacket: Bool
    }

    /// A Link Layer control PDU.
    enum Control: Sendable {
        case terminate(HCIStatus)
        case update(LinkParameters)
        case parameterRequest(LERemoteConnectionParameterRequest)
        case parameterReject(HCIStatus)
        case featureRequest
        case featureResponse
        case versionRequest
        case versionResponse
        case length(UInt16)
        case phyRequest(PHYPreference)
        case phyReject
        case encryptionRequest(LEEnableEncryption)
        /// The key that the peripheral's host has given.
        case encryptionStart([UInt8])
        case encryptionReject(HCIStatus)
    }

    struct End: Sendable {
        var controller: Int
        var handle: UInt16
        var address: DeviceAddress
        var data: [DataPDU] = []
        var control: [Control] = []
        /// Octets of the longest PDU payload that it sends.
        var txOctets: UInt16 = 27
        /// The PHY on which it sends.
        var txPHY = LEPHY.le1M
        /// The PHYs that its host lets it use on this link.
        var phys = PHYPreference.all
        /// Steps of 10 ms (Vol 4, Part E, 7.3.94).
        var payloadTimeout: UInt16 = 3000
        /// When it last received a packet with a message integrity check.
        var authenticated = Instant.zero
        /// Packets of its host that it holds for this link.
        var held = 0
        /// Whether its host has been told that the link is gone, or its controller was reset.
        var isGone = false
        /// Why it wants the link ended.
        var terminating: HCIStatus?

        var isPending: Bool { !data.isEmpty || !control.isEmpty }
    }

    let id: UInt32
    /// The central, then the peripheral.
    var ends: [End]
    var parameters: LinkParameters
    /// When connection event 0 is.
    var anchor: Instant
    var scheduled: (event: EventID, at: Instant)?
    var supervision: EventID?
    /// The key that the central is to encrypt with, until both ends do: no data is sent meanwhile.
    var encrypting: [UInt8]?
    var isEncrypted = false
    /// Grows with each attempt to encrypt.
    var encryptionAttempt = 0
    /// Whether the peripheral took part in it: the packet that makes a connection can be lost.
    var isEstablished = true
    /// Whether the ends don't hear each other.
    var isSeparated = false
    /// Grows each time the ends lose each other.
    var separation = 0
    /// Since when every connection event was lost; nil where the last was heard.
    var lostSince: Instant?

    /// Notes that both ends hear each other.
    mutating func heard(at now: Instant) {
        lostSince = nil
        for side in ends.indices where isEncrypted { ends[side].authenticated = now }
    }

    /// The end of a controller: 0 the central, 1 the peripheral.
    func side(of controller: Int, handle: UInt16) -> Int? {
        ends.firstIndex { $0.controller == controller && $0.handle == handle && !$0.isGone }
    }
}
