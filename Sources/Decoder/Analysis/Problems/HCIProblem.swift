public import BluetoothCore
import CaptureFile
public import PayloadFormat

/// A problem between host and controller: packets, commands, connections.
public enum HCIProblem: LayerProblem {
    case malformed(PacketFault)
    case malformedAdvertising(at: Int)
    /// The controller refused a command; the attempt is that of a refused connection. The conflict is nil
    /// unless the log shows that the controller had to refuse.
    case commandFailed(HCIOpcode, HCIStatus, ConnectAttempt?, CommandConflict?)
    /// The controller refused to stop an activity that was not running.
    case stopRefused(HCIOpcode, HCIStatus)
    /// The controller did not answer the command of this frame for this many nanoseconds.
    case commandUnanswered(HCIOpcode, FramePlace, waited: Int64)
    /// A requested connection was not established.
    case connectionFailed(HCIStatus, ConnectAttempt?)
    /// The host withdrew its request for a connection.
    case connectionGivenUp(HCIStatus, ConnectAttempt)
    /// A connection ended although neither side intended it, or before the peer confirmed the host's
    /// disconnection, with the frame of that command.
    indirect case abnormalDisconnection(HCIStatus, LinkConditions?, asked: FramePlace?)
    /// The host reset or closed the adapter, or it was removed, while an exchange on the connection was
    /// unfinished.
    case adapterEnded(LinkEnd)
    /// The peer ended a connection before it served its purpose. `atOnce` is the duration of an unused
    /// connection, in nanoseconds.
    case endedByPeer(HCIStatus, atOnce: Int64?)
    /// The peer ended a connection after a write, and had ended an earlier one after the same write.
    case endedAfterWrite(HCIStatus, EndingWrite)
    /// A side requests connection parameters that the specification forbids.
    case illegalParameters(ConnectionParameterRange)
    case encryptionFailed(HCIStatus)
    /// An event reports a failure: its code, and the subevent code of an LE event.
    case procedureFailed(HCIStatus, HCIEventCode, LESubeventCode?)
    /// The host declined a pairing of BR/EDR, with the command of this frame.
    case pairingDeclined(HCIStatus, HCIEventCode, FramePlace)
    /// The controller reports an internal error, by a vendor's code.
    case hardwareError(UInt8)
    case dataBufferOverflow
    /// A CONNECT_IND on the air violates the specification, as these words say.
    case invalidConnectRequest(String)
    /// A data channel PDU on the air violates the specification, as these words say.
    case invalidLinkPDU(String)
    /// The host takes ACL data for ISO data: the handle belongs to an ACL connection.
    case aclDataAsISO(UInt16)
    /// The controller has held all of its buffers (their number) since this frame, for this many nanoseconds.
    case buffersHeld(Int, FramePlace, waited: Int64)
    case authenticatedPayloadTimeout
    /// A control PDU on the air has an opcode that no version of the specification defines.
    case reservedControl(UInt8)
    /// Debug data on a handle that is not a connection.
    case vendorACL
    /// No event opened the connection. `after` is the frame that ended the last connection on the handle.
    case unknownConnection(after: FramePlace?)
    /// The connection ended at this frame, before the packet came.
    case latePacket(FramePlace)
    /// The host sent a packet on this handle, whose connection had ended at this frame, this many nanoseconds
    /// earlier.
    case endedConnection(UInt16, FramePlace, waited: Int64)
    /// The end of the connection with this number, which had the handle before, is missing.
    case connectionReplaced(Int)

    var attempt: ConnectAttempt? {
        switch self {
        case .commandFailed(_, _, let attempt, _), .connectionFailed(_, let attempt): attempt
        case .connectionGivenUp(_, let attempt): attempt
        default: nil
        }
    }

    /// Longest time before a host knows of a connection's end, in nanoseconds.
    private static let longestCrossing: Int64 = 50_000_000

    func row(by side: Problem.Party?) -> Problem.Row {
        switch self {
        case .malformed(let fault): Self.adapter(.malformedHCI) { "malformed HCI packet\(fault)" }
        case .malformedAdvertising(let at):
            Self.adapter(.malformedAdvertising) { "malformed structure at +\(at) of advertising data" }
        case .commandFailed(let opcode, let status, let attempt, let conflict):
            commandFailed(opcode, status, attempt, conflict)
        case .stopRefused(let opcode, let status): stopRefused(opcode, status)
        case .commandUnanswered(let opcode, let place, let waited): commandUnanswered(opcode, place, waited)
        case .connectionFailed(let status, let attempt): connectionFailed(status, attempt)
        case .connectionGivenUp(_, let attempt):
            Problem.Row(
                .connectionGivenUp, .named("connecting"), side: attempt.mistake == nil ? .link : .host,
                frame: attempt.place
            ) { attempt.givenUp }
        case .abnormalDisconnection(let reason, let conditions, let asked):
            abnormalDisconnection(reason, conditions, asked)
        case .reservedControl(let opcode): reservedControl(opcode)
        case .adapterEnded(let end):
            Problem.Row(.adapterEnded, .reached, side: end == .removed ? nil : .host) {
                "\(end.text) while \(Side.peer)'s answer was awaited"
            }
        case .endedByPeer(let reason, let waited): endedByPeer(reason, waited)
        case .endedAfterWrite(let reason, let write): endedAfterWrite(reason, write)
        case .illegalParameters(let parameters):
            Problem.Row(.illegalParameters, .reached) {
                let asker: Sentence =
                    side == .host ? "\(Side.host)" : side == .peer ? "\(Side.peer)" : "the other side"
                return "\(asker) asked for \(parameters.fault ?? "connection parameters")"
            }
        case .encryptionFailed(let status): encryptionFailed(status)
        case .procedureFailed(let status, let event, let subevent):
            procedureFailed(status, event, subevent)
        case .pairingDeclined(let status, let event, let declined):
            pairingDeclined(status, event, declined)
        case .hardwareError(let code):
            Self.adapter(.hardwareError, side: .controller) {
                "the controller reports hardware error \(ProblemText.hex(code))"
            }
        case .aclDataAsISO(let handle): aclDataAsISO(handle)
        case .invalidConnectRequest(let fault): Self.adapter(.invalidConnect) { "CONNECT_IND \(fault)" }
        case .invalidLinkPDU(let fault): Self.adapter(.invalidLinkPDU) { "\(fault)" }
        case .dataBufferOverflow: dataBufferOverflow
        case .buffersHeld(let count, let place, let waited): buffersHeld(count, place, waited)
        case .authenticatedPayloadTimeout:
            Problem.Row(.authenticatedPayloadTimeout, .reached, side: .link) {
                "no authenticated packet arrived within the authenticated payload timeout"
            }
        case .vendorACL:
            Self.adapter(.vendorACL) {
                "controller debug data on a handle that is not a connection; repeats hidden"
            }
        case .latePacket(let end):
            Self.adapter(.latePacket, frame: end) {
                "a late packet: the connection ended at frame \(end)"
            }
        case .endedConnection(let handle, let end, let waited): endedConnection(handle, end, waited)
        case .unknownConnection(nil):
            Self.adapter(.unknownConnection) { "no event before this opened the connection" }
        case .unknownConnection(let end?):
            Self.adapter(.unknownConnection) {
                "the connection on this handle ended at frame \(end), and no event since then "
                    + "opened another"
            }
        case .connectionReplaced(let number):
            Self.adapter(.connectionReplaced) {
                "connection \(number) was on this handle and its end is missing"
            }
        }
    }

    private static func adapter(
        _ code: Problem.Code, severity: Problem.Severity? = nil, side: Problem.Party? = nil,
        frame: FramePlace? = nil, sentence: @escaping @Sendable () -> Sentence
    ) -> Problem.Row {
        Problem.Row(code, .named("adapter"), severity: severity, side: side, frame: frame, sentence: sentence)
    }

    private func reservedControl(_ opcode: UInt8) -> Problem.Row {
        Self.adapter(.reservedControl) {
            "reserved LL control opcode \(ProblemText.hex(opcode)): LL_UNKNOWN_RSP is the only answer"
        }
    }

    private func commandFailed(
        _ opcode: HCIOpcode, _ status: HCIStatus, _ attempt: ConnectAttempt?, _ conflict: CommandConflict?
    ) -> Problem.Row {
        let isHostFault = conflict != nil || status.isHostFault
        return Problem.Row(
            .commandFailed, .named(attempt == nil ? "adapter" : "connecting"),
            severity: conflict?.isCrossing == true ? .note : nil,
            side: conflict?.isCrossing == true ? nil : isHostFault ? .host : .controller,
            traits: opcode.isNeededToAdvertise ? .keepsFromAdvertising : [], status: .hci(status),
            frame: attempt?.place
        ) {
            let place = attempt?.peer.map { " to \($0)" } ?? ""
            let why: Sentence = conflict.map { ", \($0.text)" } ?? ""
            return "the controller refused \(Self.name(opcode))\(place): \(Self.text(status))\(why)"
        }
    }

    private func commandUnanswered(_ opcode: HCIOpcode, _ place: FramePlace, _ waited: Int64) -> Problem.Row {
        Self.adapter(.commandUnanswered, side: .controller, frame: place) {
            let name = opcode.name.map { "\($0)" } ?? "a command"
            return "the controller did not answer \(name) of frame "
                + "\(place) for \(TextDuration.text(waited))"
        }
    }

    private func stopRefused(_ opcode: HCIOpcode, _ status: HCIStatus) -> Problem.Row {
        Self.adapter(.commandFailed, severity: .note, side: .controller) {
            "the controller refused \(Self.name(opcode)), which stops what was not running: "
                + "\(Self.text(status))"
        }
    }

    private func endedAfterWrite(_ reason: HCIStatus, _ write: EndingWrite) -> Problem.Row {
        Problem.Row(.endedByPeer, .reached, side: .peer, status: .hci(reason), frame: write.frame) {
            "\(Side.peer) ended the connection \(TextDuration.text(write.waited)) after the write of frame "
                + "\(write.frame): \(Self.text(reason))"
        }
    }

    private func encryptionFailed(_ status: HCIStatus) -> Problem.Row {
        // If the connection was lost meanwhile, that is the failure.
        let wasLost = [0x08, 0x14, 0x22, 0x3D, 0x3E].contains(status.rawValue)
        return Problem.Row(
            .encryptionFailed, .named("encryption"), severity: wasLost ? .warning : nil,
            side: status.rawValue == 0x06 ? .peer : nil, traits: .mayFollowInsecurity,
            status: .hci(status), setback: wasLost ? nil : .encryption
        ) { "encryption failed: \(Self.text(status))" }
    }

    private func buffersHeld(_ count: Int, _ place: FramePlace, _ waited: Int64) -> Problem.Row {
        Self.adapter(.buffersHeld, side: .controller, frame: place) {
            "the controller returned none of its \(count) buffers in \(TextDuration.text(waited)), "
                + "the last sent at frame \(place)"
        }
    }

    private func endedConnection(_ handle: UInt16, _ end: FramePlace, _ waited: Int64) -> Problem.Row {
        // The packet and the event of the disconnection may have crossed.
        Self.adapter(
            .endedConnection, severity: waited < Self.longestCrossing ? .note : nil, side: .host, frame: end
        ) {
            "sent on handle \(ProblemText.hex(handle)), whose connection ended at frame "
                + "\(end), \(TextDuration.text(waited)) before: nothing will answer"
        }
    }

    private var dataBufferOverflow: Problem.Row {
        Self.adapter(.dataBufferOverflow, side: .controller) {
            "\(Side.host) overran the controller's data buffers"
        }
    }

    private func aclDataAsISO(_ handle: UInt16) -> Problem.Row {
        Self.adapter(.aclDataAsISO, side: .host) {
            "\(Side.host) takes ACL data of connection handle \(ProblemText.hex(handle)) for ISO data: it "
                + "never reaches L2CAP"
        }
    }

    private func connectionFailed(_ status: HCIStatus, _ attempt: ConnectAttempt?) -> Problem.Row {
        // After an accept timeout, the side that was asked to accept the connection is at fault.
        let asked: Problem.Party = attempt?.isIncoming == false ? .peer : .host
        let accepting = status == .connectionAcceptTimeoutExceeded ? asked : nil
        // A request that no device can answer is the host's fault.
        let side = attempt?.mistake != nil ? .host : accepting
        let hadNoAnswer = [0x04, 0x08, 0x3E].contains(status.rawValue)
        return Problem.Row(
            .connectionFailed, .named("connecting"), side: side ?? (hadNoAnswer ? .link : nil),
            status: .hci(status), frame: attempt?.place, setback: .connecting
        ) {
            guard let attempt else { return "no connection: \(Self.text(status))" }
            let isIgnored = attempt.isIncoming && status == .connectionAcceptTimeoutExceeded
            let reaction: Sentence = isIgnored ? ", which \(Side.host) never answered" : ""
            let waited = attempt.waited > 0 ? " after \(TextDuration.text(attempt.waited))" : ""
            let end = "\(Self.text(status))\(waited)\(attempt.mistakeInWords)"
            return "no connection\(attempt.text)\(reaction): \(end)"
        }
    }

    private func abnormalDisconnection(
        _ reason: HCIStatus, _ conditions: LinkConditions?, _ asked: FramePlace?
    ) -> Problem.Row {
        let isInsecure = [0x05, 0x06, 0x18, 0x29, 0x3D].contains(reason.rawValue)
        let wasEstablished = reason != .connectionFailedToBeEstablishedOrSynchronizationTimeout
        if let asked {
            // Advertising after the disconnect request is no evidence against the peer: it may have received
            // the request.
            let isDropped = conditions?.dropped.map { $0.frame.bits < asked.bits } ?? false
            return Problem.Row(
                .abnormalDisconnection, .reached, severity: .warning, side: isDropped ? .peer : .link,
                status: .hci(reason), frame: asked
            ) {
                "\(Side.peer) did not confirm \(Side.host)'s disconnection of frame "
                    + "\(asked): \(Self.text(reason))"
            }
        }
        if let write = conditions?.restart { return Self.restarted(reason, write) }
        let isByPeer = reason.ender == .peer
        return Problem.Row(
            .abnormalDisconnection, .reached, side: conditions?.dropped == nil ? reason.ender : .peer,
            traits: isInsecure ? .mayFollowInsecurity : [], status: .hci(reason),
            setback: wasEstablished ? nil : .connecting
        ) {
            (isByPeer
                ? "\(Side.peer) ended the connection: "
                : wasEstablished ? "connection lost: " : "the connection was not established: ")
                + "\(conditions?.lastPacket != nil ? reason.inferred(Self.text(reason)) : Self.text(reason))"
        }
    }

    private func endedByPeer(_ reason: HCIStatus, _ waited: Int64?) -> Problem.Row {
        Problem.Row(
            .endedByPeer, .reached, side: .peer, status: .hci(reason),
            setback: waited == nil ? nil : .connecting
        ) {
            guard let waited else { return "\(Side.peer) ended the connection: \(Self.text(reason))" }
            return "\(Side.peer) ended the connection \(TextDuration.text(waited)) after it began, before "
                + "anything was read, written or notified: \(Self.text(reason))"
        }
    }

    private func pairingDeclined(
        _ status: HCIStatus, _ event: HCIEventCode, _ declined: FramePlace
    ) -> Problem.Row {
        Problem.Row(
            .procedureFailed, .reached, severity: .error, side: .host, traits: .mayFollowInsecurity,
            status: .hci(status), cause: .named("declined"), frame: declined, setback: .encryption
        ) {
            "\(Self.procedure(event, nil)) failed, because \(Side.host) declined it at frame "
                + "\(declined): \(Self.text(status))"
        }
    }

    private func procedureFailed(
        _ status: HCIStatus, _ event: HCIEventCode, _ subevent: LESubeventCode?
    ) -> Problem.Row {
        // Authentication and Simple Pairing, of BR/EDR.
        let isAboutSecurity = event.rawValue == 0x06 || event.rawValue == 0x36
        var severity = Problem.Severity.error
        if !isAboutSecurity {
            // Features that the other side lacks, collisions with the same procedure, and the end of the link
            // occur in sessions that work.
            switch status.rawValue {
            case 0x02, 0x08, 0x11, 0x13, 0x14, 0x15, 0x16, 0x1A, 0x20, 0x23, 0x2A, 0x3A, 0x3E, 0x43, 0x44:
                severity = .note
            default: severity = .warning
            }
        }
        return Problem.Row(
            .procedureFailed, .reached, severity: severity,
            traits: isAboutSecurity ? .mayFollowInsecurity : [], status: .hci(status),
            setback: isAboutSecurity ? .encryption : nil
        ) {
            let text = Self.text(status)
            if status.rawValue == 0x3C { return "advertising ended, and nobody connected: \(text)" }
            if subevent?.rawValue == 0x12 { return "advertising ended: \(text)" }
            return "\(Self.procedure(event, subevent)) failed: \(text)"
        }
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (
            .commandFailed(let opcode, let status, _, let conflict),
            .commandFailed(let asked, let before, _, let earlier)
        ):
            opcode == asked && status == before && conflict == earlier && attempt?.peer == other.attempt?.peer
        case (.stopRefused(let opcode, _), .stopRefused(let asked, _)): opcode == asked
        case (.commandFailed, .stopRefused), (.stopRefused, .commandFailed): false
        case (.commandUnanswered(let opcode, _, _), .commandUnanswered(let asked, _, _)):
            opcode.name == asked.name
        case (.connectionFailed(let status, _), .connectionFailed(let before, _)),
            (.connectionGivenUp(let status, _), .connectionGivenUp(let before, _)):
            status == before && attempt?.peer == other.attempt?.peer
        case (.abnormalDisconnection(let status, _, _), .abnormalDisconnection(let before, _, _)),
            (.encryptionFailed(let status), .encryptionFailed(let before)):
            status == before
        case (.adapterEnded(let end), .adapterEnded(let before)): end == before
        case (.endedByPeer(let reason, let early), .endedByPeer(let before, let wasEarly)):
            reason == before && (early == nil) == (wasEarly == nil)
        case (.endedAfterWrite(_, let write), .endedAfterWrite(_, let before)):
            write.content == before.content
        case (.endedByPeer, .endedAfterWrite), (.endedAfterWrite, .endedByPeer): false
        case (.illegalParameters(let parameters), .illegalParameters(let before)): parameters == before
        case (.invalidConnectRequest(let fault), .invalidConnectRequest(let before)),
            (.invalidLinkPDU(let fault), .invalidLinkPDU(let before)):
            fault == before
        case (.hardwareError(let code), .hardwareError(let before)): code == before
        case (.reservedControl(let opcode), .reservedControl(let before)): opcode == before
        case (.pairingDeclined(let status, let event, _), .pairingDeclined(let was, let last, _)):
            status == was && event == last
        case (.pairingDeclined, .procedureFailed), (.procedureFailed, .pairingDeclined): false
        case (.procedureFailed(let status, let event, let sub), .procedureFailed(let was, let last, let of)):
            status == was && event == last && sub == of
        default: true
        }
    }

    static func text(_ status: HCIStatus) -> String {
        ProblemText.named(status.name, status.rawValue)
    }

    private static func name(_ opcode: HCIOpcode) -> String {
        opcode.name.map { "\($0)" } ?? "command \(ProblemText.hex(opcode.rawValue))"
    }

    /// Returns the name of the procedure whose end an event reports: the event's name without "Complete".
    private static func procedure(_ event: HCIEventCode, _ subevent: LESubeventCode?) -> String {
        guard let name = subevent.map(\.name) ?? event.name else { return "a procedure" }
        return "\(name)".split(separator: " ").filter { $0 != "Complete" }.joined(separator: " ")
    }
}

extension Problem.Code {
    public static let malformedHCI = Self(.hci, "malformed-hci", .warning, .malformed)
    public static let malformedAdvertising = Self(.hci, "malformed-advertising", .warning, .malformed)
    public static let commandFailed = Self(.hci, "command-failed")
    public static let commandUnanswered = Self(.hci, "command-unanswered", .error, .decisive)
    public static let connectionFailed = Self(.hci, "connection-failed", .error, .decisive)
    public static let connectionGivenUp = Self(.hci, "connection-given-up")
    public static let abnormalDisconnection = Self(
        .hci, "abnormal-disconnection", .error, [.decisive, .endsConnection])
    public static let adapterEnded = Self(.hci, "adapter-ended", .error, [.decisive, .endsConnection])
    public static let endedByPeer = Self(.hci, "ended-by-peer", .error, [.decisive, .endsConnection])
    public static let illegalParameters = Self(.hci, "illegal-parameters")
    public static let encryptionFailed = Self(.hci, "encryption-failed", .error, .decisive)
    public static let procedureFailed = Self(.hci, "procedure-failed")
    public static let hardwareError = Self(.hci, "hardware-error", .error, .decisive)
    public static let buffersHeld = Self(.hci, "buffers-held", .error, .decisive)
    public static let dataBufferOverflow = Self(.hci, "data-buffer-overflow")
    public static let invalidConnect = Self(.hci, "invalid-connect-request", .warning, .malformed)
    public static let invalidLinkPDU = Self(.hci, "invalid-ll-pdu", .warning, .malformed)
    public static let aclDataAsISO = Self(.hci, "stream-of-connection", .error, .decisive)
    public static let authenticatedPayloadTimeout = Self(.hci, "authenticated-payload-timeout")
    public static let vendorACL = Self(.hci, "vendor-acl", .note)
    public static let unknownConnection = Self(.hci, "unknown-connection", .note)
    public static let connectionReplaced = Self(.hci, "connection-replaced")
    public static let latePacket = Self(.hci, "late-packet", .note)
    public static let reservedControl = Self(.hci, "reserved-ll-opcode", .note, .malformed)
    public static let endedConnection = Self(.hci, "ended-connection")
}

extension HCIOpcode {
    /// LE Set Advertising Parameters and Enable, their extended forms, and version 2 of the extended
    /// parameters.
    var isNeededToAdvertise: Bool {
        [0x2006, 0x200A, 0x2036, 0x2039, 0x207F].contains(rawValue)
    }
}

/// The state in which a controller has to refuse a command: then the host is at fault, which could have known
/// it.
public enum CommandConflict: Sendable {
    /// Another connection was being made (Core Specification, Vol 4, Part E, 7.8.12).
    case connecting
    /// A connection by the accept list was being made, which locks the list (7.8.15 to 7.8.17).
    case acceptList
    /// A scan ran, which fixes its parameters (7.8.10, 7.8.64).
    case scanning
    /// A scan or a connection attempt ran, which fixes addresses (7.8.4, 7.8.44).
    case active
    /// The connection had ended.
    case ended
    /// The host had asked for the connection's end.
    case ending
    /// The connection ended while the command was on its way: nobody's fault.
    case crossed
    /// The mode of the connection changed while the command was on its way.
    case modeCrossed
    /// The lengths or fields of the command are malformed.
    case malformed

    /// Whether an event and the command were on their way at the same time.
    var isCrossing: Bool { self == .crossed || self == .modeCrossed }

    /// The reason as the end of a sentence.
    var text: Sentence {
        switch self {
        case .connecting: "since another connection was being made"
        case .acceptList: "since a connection by the accept list was being made"
        case .scanning: "since a scan ran"
        case .active: "since a scan or a connection attempt ran"
        case .ended: "since the connection had ended"
        case .ending: "since \(Side.host) had asked for the connection's end"
        case .crossed: "since the connection ended meanwhile"
        case .modeCrossed: "since the connection's mode changed meanwhile"
        case .malformed: "since the command is malformed"
        }
    }
}

extension HCIStatus {
    /// The party that ended a connection with this reason: the link, if it was lost; nil if the reason does
    /// not tell.
    ///
    /// A reason that HCI Disconnect accepts came from the peer: a disconnection by the host itself is
    /// reported as 0x16 (Core Specification, Vol 1, Part F, 2). Authentication Failure shows no side, since
    /// BR/EDR controllers also use it on their own.
    public var ender: Problem.Party? {
        switch self {
        case .connectionTerminatedByLocalHost: .host
        case .connectionTimeout, .lmpResponseTimeoutOrLLResponseTimeout,
            .connectionFailedToBeEstablishedOrSynchronizationTimeout:
            .link
        case .authenticationFailure: nil
        default: isDisconnectReason ? .peer : nil
        }
    }

    /// Whether only the host can cause this status of a command: a connection that exists, parameters, an
    /// unknown advertising handle, too long data.
    var isHostFault: Bool { [0x0B, 0x12, 0x42, 0x45].contains(rawValue) }

    /// Returns the text of a reason that only silence on the air shows: some are certain then, others only
    /// what the last packets make probable.
    package func inferred(_ text: String) -> String {
        [.instantPassed, .connectionTerminatedDueToMICFailure].contains(self)
            ? "silence, probably \(text)" : "\(text), inferred from silence"
    }
}
