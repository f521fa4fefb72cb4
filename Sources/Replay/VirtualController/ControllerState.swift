import BluetoothCore
import Runtime

/// What one controller on the air keeps.
struct ControllerState: Sendable {
    struct Advertising: Sendable {
        var isEnabled = false
        var parameters = LESetAdvertisingParameters {
            $0.advertisingIntervalMin = 0x800
            $0.advertisingIntervalMax = 0x800
            $0.advertisingChannelMap = 7
        }
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        /// Grows each time advertising begins, so that events of an earlier time are known.
        var generation = 0

        /// Undirected or directed, with a connection in mind.
        var isConnectable: Bool { [0, 1, 4].contains(parameters.advertisingType) }
        var isDirected: Bool { [1, 4].contains(parameters.advertisingType) }
        var isScannable: Bool { [0, 2].contains(parameters.advertisingType) }
        var target: DeviceAddress {
            DeviceAddress(
                parameters.peerAddress.value, parameters.peerAddressType & 1 == 0 ? .public : .random)
        }
    }

    struct Scanning: Sendable {
        struct Seen: Hashable, Sendable {
            var address: DeviceAddress
            var isScanResponse: Bool
        }

        var isEnabled = false
        var parameters = LESetScanParameters {
            $0.leScanInterval = 0x10
            $0.leScanWindow = 0x10
        }
        var filtersDuplicates = false
        var start = Instant.zero
        var seen: Set<Seen> = []
    }

    let configuration: ControllerConfiguration
    var randomAddress: DeviceAddress?
    var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
    var leEventMask: UInt64 = 0x1F
    var advertising = Advertising()
    var scanning = Scanning()
    /// What it connects with; nil where it waits for no one.
    var initiating: LECreateConnection?
    var acceptList: [DeviceAddress] = []
    var resolving = ResolvingList()
    var suggestedOctets: UInt16 = 27
    var suggestedTime: UInt16 = 328
    var nextHandle: UInt16 = 0x40
    /// ACL packets that it holds for its host.
    var held = 0

    init(_ configuration: ControllerConfiguration) { self.configuration = configuration }

    /// The address for an Own_Address_Type parameter; nil where it has none.
    func ownAddress(_ type: UInt8) -> DeviceAddress? {
        if type & 1 == 1 { return randomAddress }
        let address = configuration.publicAddress
        return address.value == 0 ? nil : DeviceAddress(address.value, .public)
    }

    /// Whether the scanner listens at a time.
    func isListening(at now: Instant) -> Bool {
        guard scanning.isEnabled else { return false }
        let interval = Int64(scanning.parameters.leScanInterval) * 625_000
        let window = Int64(scanning.parameters.leScanWindow) * 625_000
        return (now.nanoseconds - scanning.start.nanoseconds) % interval < window
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
    /// Whether the ends don't hear each other.
    var isSeparated = false

    /// The end of a controller: 0 the central, 1 the peripheral.
    func side(of controller: Int, handle: UInt16) -> Int? {
        ends.firstIndex { $0.controller == controller && $0.handle == handle && !$0.isGone }
    }
}
