import BluetoothCore
import Runtime

/// The state of a controller on the air.
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
        /// 0 for no filter, 1 for duplicates since scanning began, 2 for duplicates within a period.
        var filterDuplicates: UInt8 = 0
        var start = Instant.zero
        /// Steps of 10 ms; 0 for no end.
        var duration: UInt16 = 0
        /// Steps of 1.28 s; 0 to scan once.
        var period: UInt16 = 0
        var seen: Set<Seen> = []
        /// The number of the period that `seen` belongs to.
        var seenPeriod: Int64 = 0
    }

    /// Whether a host uses the legacy or the extended commands, which can't be mixed.
    enum CommandSet: Sendable {
        case legacy
        case extended
    }

    var core: ControllerCore
    /// Legacy advertising, followed by the advertising sets.
    var sets = [AdvertisingSet()]
    /// Incremented each time advertising begins or ends, to discard events of earlier advertising.
    var advertisingGeneration = 0
    var scanning = Scanning()
    /// The pending connection attempt; nil for none.
    var initiating: LEExtendedCreateConnection?
    /// The commands that the host has used since the last reset; nil for neither kind.
    var commandSet: CommandSet?
    var resolving = ResolvingList()
    /// The PHYs that new links may use, for sending and receiving.
    var defaultPHYs = PHYPreference.all
    var nextHandle: UInt16 = 0x40
    /// Time at which the last packet reaches the host.
    var lastHanded = Instant.zero
    /// Number of the host's ACL packets in the buffers.
    var held = 0

    init(_ configuration: ControllerConfiguration) { core = ControllerCore(configuration) }

    var configuration: ControllerConfiguration { core.configuration }

    /// Whether the random address, or the filter accept list, is in use. Advertising sets have their own
    /// addresses.
    var inUse: (address: Bool, acceptList: Bool) {
        (
            sets[0].isEnabled || scanning.isEnabled || initiating != nil,
            initiating?.initiatorFilterPolicy == 1
                || scanning.isEnabled && scanning.parameters.scanningFilterPolicy & 1 == 1
                || sets.contains { $0.isEnabled && $0.parameters.advertisingFilterPolicy != 0 }
        )
    }

    /// Returns the address for an Own_Address_Type parameter; nil for none.
    func ownAddress(_ type: UInt8) -> DeviceAddress? {
        if type & 1 == 1 { return core.randomAddress }
        let address = configuration.publicAddress
        return address.value == 0 ? nil : DeviceAddress(address.value, .public)
    }

    /// Maximum PDU payload that the host suggests for new links, in octets.
    var suggestedLength: UInt16 {
        guard configuration.features.contains(.dataPacketLengthExtension) else { return 27 }
        return LESetDataLength.octets(core.suggested.octets, time: core.suggested.time)
    }

    /// Returns the address of a set; nil for none.
    func ownAddress(of set: AdvertisingSet) -> DeviceAddress? {
        let type = set.parameters.ownAddressType
        return type & 1 == 1 && !set.isLegacy ? set.randomAddress : ownAddress(type)
    }

    /// Returns the scan parameters of a primary channel at a time; nil if the scanner does not listen.
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

/// A link on the air, with the pending PDUs of its two ends.
struct AirLink: Sendable {
    /// A Link Layer PDU with a host's data.
    struct DataPDU: Sendable {
        var isStart: Bool
        var octets: [UInt8]
        /// Whether it is the last PDU of the host's packet.
        var endsPacket: Bool
    }

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
        /// The key from the peripheral's host.
        case encryptionStart([UInt8])
        case encryptionReject(HCIStatus)
    }

    struct End: Sendable {
        var controller: Int
        var handle: UInt16
        var address: DeviceAddress
        var data: [DataPDU] = []
        var control: [Control] = []
        /// Maximum PDU payload that it sends, in octets.
        var txOctets: UInt16 = 27
        /// The PHY for sending.
        var txPHY = LEPHY.le1M
        /// The PHYs that the host permits on this link.
        var phys = PHYPreference.all
        /// Steps of 10 ms (Vol 4, Part E, 7.3.94).
        var payloadTimeout: UInt16 = 3000
        /// Time of the last received packet with a message integrity check.
        var authenticated = Instant.zero
        /// Number of the host's packets in the buffers for this link.
        var held = 0
        /// Whether the host was informed of the end of the link, or the controller was reset.
        var isGone = false
        /// The reason with which it ends the link; nil if it does not.
        var terminating: HCIStatus?

        var isPending: Bool { !data.isEmpty || !control.isEmpty }
    }

    let id: UInt32
    /// The central, then the peripheral.
    var ends: [End]
    var parameters: LinkParameters
    /// Time of connection event 0.
    var anchor: Instant
    var scheduled: (event: EventID, at: Instant)?
    var supervision: EventID?
    /// The central's key until both ends encrypt. No data is sent meanwhile.
    var encrypting: [UInt8]?
    var isEncrypted = false
    var encryptionAttempt = 0
    /// Whether the peripheral received the packet that makes the connection, which can be lost.
    var isEstablished = true
    /// Whether the ends can't hear each other.
    var isSeparated = false
    /// Incremented each time the ends lose each other.
    var separation = 0
    /// Time since when all connection events were lost; nil if the last one was received.
    var lostSince: Instant?

    /// Records that both ends hear each other.
    mutating func heard(at now: Instant) {
        lostSince = nil
        for side in ends.indices where isEncrypted { ends[side].authenticated = now }
    }

    /// Returns the end of a controller: 0 for the central, 1 for the peripheral.
    func side(of controller: Int, handle: UInt16) -> Int? {
        ends.firstIndex { $0.controller == controller && $0.handle == handle && !$0.isGone }
    }
}
