import BluetoothCore
import Runtime

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
