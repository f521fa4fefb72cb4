import BluetoothCore
import PayloadFormat

/// Something that is wrong, or looks wrong, at one frame.
public struct Problem: Sendable {
    /// What kind of problem it is.
    public var code: Code
    /// Numbers that its message needs; what they are depends on the code.
    public var first: Int64 = 0
    /// See `first`.
    public var second: Int64 = 0
    /// A text made by an annotator above ATT; nil where code and numbers say all.
    public var text: String?
    /// The annotator's own code for it; nil where `code` says all.
    public var name: String?
    /// The number of the connection it is about, where that is not its frame's own; else 0.
    public var connection = 0
    /// What it is about, where its text does not say so and its frame would: the name of a message.
    public var subject: String?
    /// The connection that was asked for, of a problem with one.
    public var attempt: ConnectAttempt?
    /// The side that did it, or that did not answer, where that is not a matter of its code alone.
    var reportedSide: Party?
    /// Why the connection ended on which a response was missing, as its end's event says.
    var endReason: UInt8?
    /// Whether it is about an indication, and not about a request.
    private var isOfIndication = false
    /// Whether the log can't show what came of it: it holds one direction alone.
    var isUnsure = false
    /// Whether it weighs what it does by how it came about, and not by its code or name alone.
    var isOfOwnWeight: Bool { isUnsure || endReason != nil }
    /// Whether the same request was taken later.
    public internal(set) var isOvercome = false
    /// The index of the file of the frame that it is told at: its sentence names frames of other files with
    /// these.
    public internal(set) var file = 0
    /// Whether nothing worked after it, so that it weighs as a failure.
    public internal(set) var isFinal = false
    /// Whether it was told before of the same value of the same connection: it counts, and text has no line
    /// for it.
    public var isToldBefore = false

    public init(
        _ code: Code, _ first: Int64 = 0, _ second: Int64 = 0, name: String? = nil, text: String? = nil
    ) {
        self.code = code
        self.first = first
        self.second = second
        self.text = text
        self.name = name
    }

    /// A problem about another frame, which is its first number.
    init(_ code: Code, at place: FramePlace, _ second: Int64, text: String? = nil) {
        self.code = code
        first = Int64(bitPattern: place.bits)
        self.second = second
        self.text = text
    }

    /// A problem of a request that has waited for so many nanoseconds.
    init(_ code: Code, of request: PendingRequest, from sender: Side, _ waited: Int64) {
        self.init(code, at: request.frame, waited, text: request.opcode.name.map { "\($0)" })
        reportedSide = Party(sender.other)
        isOfIndication = request.opcode == .handleValueIndication
    }

    /// Who takes part in a connection, and who shows it.
    public enum Party: String, Sendable {
        /// The device whose bus was recorded.
        case host
        /// The device at the other end.
        case peer
        /// The host's own Bluetooth controller.
        case controller
        /// The radio link: nothing was heard any more.
        case link

        init(_ side: Side) { self = side == .host ? .host : .peer }
    }

    /// The frame that its first number is, of a problem about another one.
    public var about: FramePlace { FramePlace(bits: UInt64(bitPattern: first)) }

    /// The side that did it, or that did not answer; nil where the log does not tell.
    public var side: Party? {
        if let reportedSide { return reportedSide }
        switch (code, first) {
        case (.abnormalDisconnection, 0x08), (.abnormalDisconnection, 0x22), (.abnormalDisconnection, 0x3E),
            (.connectionFailed, 0x04), (.connectionFailed, 0x3E), (.connectionGivenUp, _):
            return .link
        case (.encryptionFailed, 0x06): return .peer
        case (.commandUnanswered, _), (.commandFailed, _), (.hardwareError, _), (.dataBufferOverflow, _):
            return .controller
        case (.notEnabled, _): return .host
        default: return nil
        }
    }

    /// Who ended the connection on which a response was missing: the link, where it was lost.
    public var endedBy: Party? {
        switch endReason {
        case nil: nil
        case 0x16: .host
        case 0x13, 0x14, 0x15: .peer
        default: .link
        }
    }

    /// The handle of the attribute that an ATT error is about; nil for other problems and for handle 0.
    public var attributeHandle: UInt16? {
        let handle = UInt16(truncatingIfNeeded: second >> 8)
        return code == .attError && handle > 0 ? handle : nil
    }

    /// As the second number of a malformed packet: its fields end too early or contradict each other where
    /// the first number says, in octets from the start of its parameters.
    public static let atOffset: Int64 = -1
    /// As the second number of a malformed packet: the octets, as many as the first number says, are no whole
    /// header.
    public static let noHeader: Int64 = -2

    /// The second number of a refused channel: the service that was asked for, and the command that answered.
    static func channel(psm: UInt16?, response: UInt8) -> Int64 {
        Int64(response) << 16 | Int64(psm ?? 0)
    }

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
        case encryptionFailed = "encryption-failed"
        case procedureFailed = "procedure-failed"
        case hardwareError = "hardware-error"
        case dataBufferOverflow = "data-buffer-overflow"
        case authenticatedPayloadTimeout = "authenticated-payload-timeout"
        case vendorACL = "vendor-acl"
        case unknownConnection = "unknown-connection"
        case connectionReplaced = "connection-replaced"
        // L2CAP
        case malformedL2CAP = "malformed-l2cap"
        case fragmentWithoutStart = "fragment-without-start"
        case fragmentsLost = "fragments-lost"
        case fragmentsTooLong = "fragments-too-long"
        case commandRejected = "l2cap-command-rejected"
        case parameterUpdateRejected = "parameter-update-rejected"
        case channelRefused = "l2cap-channel-refused"
        case signalUnanswered = "l2cap-no-response"
        // ATT
        case malformedATT = "malformed-att"
        case attError = "att-error"
        case attTimeout = "att-timeout"
        case noResponse = "no-response"
        case unexpectedResponse = "unexpected-response"
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
        // Above
        case uqdk = "uqdk"
        case profile = "profile"
        // Limits of the analysis itself
        case tableFull = "table-full"
    }

    /// How much a problem weighs when the verdict names the first wrong thing.
    public enum Severity: Int, Sendable, Comparable {
        /// Worth knowing: it does not keep a session from working.
        case note
        /// Something is missing or odd.
        case warning
        /// Something failed.
        case error
        /// What was asked for got no answer at all.
        case unanswered

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}

extension Problem {
    /// How much it weighs: of a protocol above ATT by the annotator's own code.
    public var severity: Severity {
        if isFinal { return .error }
        if isOvercome || isUnsure { return .warning }
        if let endedBy, unansweredSeverity(endedBy) < .error || code == .noResponse {
            return unansweredSeverity(endedBy)
        }
        if code == .procedureFailed { return procedureSeverity }
        if code == .channelRefused { return channelSeverity }
        guard let name else { return code.severity }
        switch code {
        case .uqdk: return Self.keyProtocolSeverity(name)
        case .profile:
            // A profile that says what the values are and a value that is none of them: one of the two is
            // wrong.
            return name.hasPrefix("profile.misfit") || name.hasPrefix("profile.request") ? .error : .warning
        default: return code.severity
        }
    }

    /// Of a request without a response on a connection that ended: where the link was lost, that is what
    /// failed; who ended it itself did not care any more for what it had just asked.
    private func unansweredSeverity(_ endedBy: Party) -> Severity {
        guard endedBy != .link else { return .warning }
        return endedBy != side && second < OpenRequest.shortestWait ? .note : .error
    }

    /// Of a procedure that an event says has failed: one that the other side does not have, that met another
    /// of the same kind or the end of its link is part of sessions that work.
    private var procedureSeverity: Severity {
        let event = second >> 8
        // Authentication and Simple Pairing, of BR/EDR.
        if event == 0x06 || event == 0x36 { return .error }
        switch first {
        case 0x02, 0x08, 0x11, 0x13, 0x14, 0x15, 0x16, 0x1A, 0x20, 0x23, 0x2A, 0x3A, 0x3E: return .note
        default: return .warning
        }
    }

    /// Of a refused channel: enhanced ATT bearers are asked for on the off chance.
    private var channelSeverity: Severity {
        let isEnhancedATT = second & 0xFFFF == Int64(Channel.enhancedATTPSM)
        return isEnhancedATT && (first == 2 || first == 4) ? .note : .warning
    }

    private static func keyProtocolSeverity(_ name: String) -> Severity {
        switch name {
        case "uqdk.request.unanswered", "uqdk.request.timeout": .unanswered
        // What a phone sends in clear before it authenticates, and what a car says to that, is part of many
        // sessions that work.
        case "uqdk.session.unsecured-request", "uqdk.session.unsecured-event",
            "uqdk.status.authentication-required", "uqdk.response.unexpected", "uqdk.request.id-reused",
            "uqdk.message.interleaved", "uqdk.fragment.cut", "uqdk.info.cut":
            .warning
        default: .error
        }
    }

    /// Whether it is a request that got no response, whichever it was.
    public var isUnanswered: Bool {
        switch code {
        case .attTimeout, .noResponse: true
        case .uqdk: name?.hasPrefix("uqdk.request.") == true && severity == .unanswered
        default: false
        }
    }

    /// Whether it keeps a session from its purpose: no connection, a lost one, no pairing or encryption, a
    /// dead ATT bearer, a refusal by a protocol above ATT. A refused request alone does not: clients often
    /// try what they may not do; nor does an indication without its confirmation, after which connections
    /// go on for hours.
    public var isDecisive: Bool {
        if isFinal { return true }
        switch code {
        case .attTimeout: return severity >= .error && !isOfIndication
        case .connectionFailed, .abnormalDisconnection, .encryptionFailed, .pairingFailed, .pairingUnanswered,
            .pairingUnfinished, .hardwareError, .commandUnanswered, .notEnabled, .uqdk, .profile:
            return severity >= .error
        default: return false
        }
    }

    /// Whether it is about a whole connection, and not about something on it.
    public var isOfConnection: Bool {
        switch code {
        case .connectionFailed, .abnormalDisconnection: true
        default: false
        }
    }

    /// Whether another problem is the same thing again, on the same connection where it is about something
    /// there.
    func repeats(_ other: Problem) -> Bool {
        guard code == other.code, name == other.name else { return false }
        switch code {
        case .uqdk, .profile:
            return text == other.text && subject == other.subject || isUnanswered && other.isUnanswered
        case .attTimeout: return isOfIndication == other.isOfIndication
        case .notEnabled: return text == other.text
        case .commandUnanswered, .signalUnanswered: return text == other.text
        case .attError, .procedureFailed, .channelRefused:
            return first == other.first && second == other.second
        case .commandFailed:
            return first == other.first && second == other.second && attempt?.peer == other.attempt?.peer
        case .connectionFailed, .connectionGivenUp:
            return first == other.first && attempt?.peer == other.attempt?.peer
        case .abnormalDisconnection, .encryptionFailed, .hardwareError, .pairingFailed:
            return first == other.first
        default: return true
        }
    }
}

extension Problem.Code {
    /// How much it weighs.
    public var severity: Problem.Severity {
        switch self {
        case .attTimeout, .notEnabled, .pairingUnanswered: .unanswered
        case .connectionFailed, .abnormalDisconnection, .encryptionFailed, .hardwareError,
            .commandUnanswered, .attError,
            .noResponse, .pairingFailed, .pairingUnfinished, .uqdk:
            .error
        case .recordCut, .vendorACL, .unknownConnection, .emptyRecord, .clockJump, .mtuRepeated:
            .note
        default: .warning
        }
    }
}
