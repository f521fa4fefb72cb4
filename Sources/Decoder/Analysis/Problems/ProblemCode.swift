extension Problem {
    /// The kinds of problems; the raw value is the name in NDJSON.
    public enum Code: String, Sendable, CaseIterable {
        // The record
        case recordCut = "record-cut"
        case impossibleOriginalLength = "impossible-original-length"
        case impossibleTimeFraction = "impossible-time-fraction"
        case emptyRecord = "empty-record"
        case clockBackwards = "clock-backwards"
        case clockJump = "clock-jump"
        case drops = "recorder-drops"
        case behindDamage = "behind-damage"
        case unknownPacketType = "unknown-packet-type"
        case malformedMonitor = "malformed-monitor"
        // HCI
        case malformedHCI = "malformed-hci"
        case malformedAdvertising = "malformed-advertising"
        case commandFailed = "command-failed"
        case commandUnanswered = "command-unanswered"
        case connectionFailed = "connection-failed"
        case connectionGivenUp = "connection-given-up"
        case abnormalDisconnection = "abnormal-disconnection"
        case adapterEnded = "adapter-ended"
        case endedByPeer = "ended-by-peer"
        case illegalParameters = "illegal-parameters"
        case encryptionFailed = "encryption-failed"
        case procedureFailed = "procedure-failed"
        case hardwareError = "hardware-error"
        case buffersHeld = "buffers-held"
        case dataBufferOverflow = "data-buffer-overflow"
        case authenticatedPayloadTimeout = "authenticated-payload-timeout"
        case vendorACL = "vendor-acl"
        case unknownConnection = "unknown-connection"
        case connectionReplaced = "connection-replaced"
        case latePacket = "late-packet"
        case endedConnection = "ended-connection"
        // L2CAP
        case malformedL2CAP = "malformed-l2cap"
        case fragmentWithoutStart = "fragment-without-start"
        case fragmentsLost = "fragments-lost"
        case fragmentsTooLong = "fragments-too-long"
        case commandRejected = "l2cap-command-rejected"
        case parameterUpdateRejected = "parameter-update-rejected"
        case channelRefused = "l2cap-channel-refused"
        case creditsSpent = "l2cap-credits-spent"
        case signalUnanswered = "l2cap-no-response"
        // ATT
        case malformedATT = "malformed-att"
        case attError = "att-error"
        case attTimeout = "att-timeout"
        case noResponse = "no-response"
        case unexpectedResponse = "unexpected-response"
        case askedAgain = "request-repeated"
        case controlRefused = "control-point-refused"
        case requestWhilePending = "request-while-pending"
        case notSubscribed = "notification-without-subscription"
        case mtuExceeded = "att-mtu-exceeded"
        case mtuTooSmall = "att-mtu-too-small"
        case mtuRepeated = "att-mtu-repeated"
        case notEnabled = "notifications-not-enabled"
        case unknownATT = "unknown-att-opcode"
        // SMP
        case malformedSMP = "malformed-smp"
        case pairingFailed = "pairing-failed"
        case pairingUnanswered = "pairing-unanswered"
        case pairingUnfinished = "pairing-unfinished"
        // Above ATT
        case uqdk = "uqdk"
        case profile = "profile"
        // Limits of the analysis itself
        case tableFull = "table-full"
    }
}

extension Problem.Code {
    /// The weight of problems with this code.
    public var severity: Problem.Severity {
        switch self {
        case .attTimeout, .notEnabled, .pairingUnanswered: .unanswered
        case .connectionFailed, .abnormalDisconnection, .adapterEnded, .endedByPeer, .encryptionFailed,
            .hardwareError, .commandUnanswered, .buffersHeld, .creditsSpent, .attError, .askedAgain,
            .controlRefused, .noResponse, .pairingFailed, .pairingUnfinished, .uqdk:
            .error
        case .recordCut, .vendorACL, .unknownConnection, .latePacket, .emptyRecord, .clockBackwards,
            .clockJump, .behindDamage, .mtuRepeated:
            .note
        default: .warning
        }
    }
}
