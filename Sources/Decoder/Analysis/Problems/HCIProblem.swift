public import BluetoothCore
public import PayloadFormat

/// A problem at the interface of host and controller: packets, commands, connections.
public enum HCIProblem: LayerProblem {
    case malformed(PacketFault)
    case malformedAdvertising(PacketFault)
    /// The controller refused a command, which may have requested a connection.
    case commandFailed(HCIOpcode, HCIStatus, ConnectAttempt?)
    /// The controller refused to stop something that was not running.
    case stopRefused(HCIOpcode, HCIStatus)
    /// The controller did not answer the command of a frame for this many nanoseconds.
    case commandUnanswered(HCIOpcode, FramePlace, waited: Int64)
    /// A requested connection was not established.
    case connectionFailed(HCIStatus, ConnectAttempt?)
    /// The host withdrew its request for a connection.
    case connectionGivenUp(HCIStatus, ConnectAttempt)
    /// A connection ended, and neither side intended that.
    indirect case abnormalDisconnection(HCIStatus, LinkConditions?)
    /// The host reset or closed the adapter, or it was removed, while an exchange on the connection was
    /// unfinished.
    case adapterEnded(LinkEnd)
    /// The peer ended a connection before it served its purpose. If nothing was done on it, `atOnce` is the
    /// time since its beginning, in nanoseconds.
    case endedByPeer(HCIStatus, atOnce: Int64?)
    /// The peer ended a connection after a write, as it had ended the one before.
    case endedAfterWrite(HCIStatus, EndingWrite)
    /// A side requests connection parameters that the specification forbids.
    case illegalParameters(ConnectionParameters)
    case encryptionFailed(HCIStatus)
    /// An event reports a failure: its code, and for an LE event the subevent's code.
    case procedureFailed(HCIStatus, HCIEventCode, LESubeventCode?)
    /// The controller reports an error of its own, by a vendor's code.
    case hardwareError(UInt8)
    case dataBufferOverflow
    /// The controller has held all of its buffers, this many, since a frame, for this many nanoseconds.
    case buffersHeld(Int, FramePlace, waited: Int64)
    case authenticatedPayloadTimeout
    /// Data on a handle without a connection.
    case vendorACL
    /// No event opened the connection; the last one on its handle ended at this frame.
    case unknownConnection(after: FramePlace?)
    /// The connection ended at this frame, before the packet came.
    case latePacket(FramePlace)
    /// The host sent a packet on this handle; its connection had ended at a frame, this many nanoseconds
    /// before.
    case endedConnection(UInt16, FramePlace, waited: Int64)
    /// The connection with this number was on the handle, and its end is missing.
    case connectionReplaced(Int)

    var code: Problem.Code {
        switch self {
        case .malformed: .malformedHCI
        case .malformedAdvertising: .malformedAdvertising
        case .commandFailed, .stopRefused: .commandFailed
        case .commandUnanswered: .commandUnanswered
        case .connectionFailed: .connectionFailed
        case .connectionGivenUp: .connectionGivenUp
        case .abnormalDisconnection: .abnormalDisconnection
        case .adapterEnded: .adapterEnded
        case .endedByPeer, .endedAfterWrite: .endedByPeer
        case .illegalParameters: .illegalParameters
        case .encryptionFailed: .encryptionFailed
        case .procedureFailed: .procedureFailed
        case .hardwareError: .hardwareError
        case .dataBufferOverflow: .dataBufferOverflow
        case .buffersHeld: .buffersHeld
        case .authenticatedPayloadTimeout: .authenticatedPayloadTimeout
        case .vendorACL: .vendorACL
        case .unknownConnection: .unknownConnection
        case .connectionReplaced: .connectionReplaced
        case .latePacket: .latePacket
        case .endedConnection: .endedConnection
        }
    }

    var attempt: ConnectAttempt? {
        switch self {
        case .commandFailed(_, _, let attempt), .connectionFailed(_, let attempt): attempt
        case .connectionGivenUp(_, let attempt): attempt
        default: nil
        }
    }

    var severity: Problem.Severity {
        // The disconnection and the packet may have crossed.
        if case .endedConnection(_, _, let waited) = self, waited < Self.crossing { return .note }
        if case .stopRefused = self { return .note }
        guard case .procedureFailed(let status, let event, _) = self else { return code.severity }
        // Authentication and Simple Pairing, of BR/EDR.
        if event.rawValue == 0x06 || event.rawValue == 0x36 { return .error }
        // Features that the other side lacks, collisions with a procedure of the same kind, and the end of
        // the link are part of sessions that work.
        switch status.rawValue {
        case 0x02, 0x08, 0x11, 0x13, 0x14, 0x15, 0x16, 0x1A, 0x20, 0x23, 0x2A, 0x3A, 0x3E, 0x43, 0x44:
            return .note
        default: return .warning
        }
    }

    /// Longest time that a host may not know of a connection's end, in nanoseconds.
    private static let crossing: Int64 = 50_000_000

    var side: Problem.Party? {
        switch self {
        case .endedConnection: .host
        case .abnormalDisconnection(let reason, _):
            [0x08, 0x22, 0x3E].contains(reason.rawValue) ? .link : nil
        case .adapterEnded(let end): end == .removed ? nil : .host
        case .endedByPeer, .endedAfterWrite: .peer
        case .authenticatedPayloadTimeout: .link
        // No device has an address of the wrong kind.
        case .connectionFailed(_, .some(let attempt)) where attempt.advertisedAs != nil: .host
        case .connectionFailed(let status, _): [0x04, 0x3E].contains(status.rawValue) ? .link : nil
        case .connectionGivenUp(_, let attempt): attempt.advertisedAs == nil ? .link : .host
        case .encryptionFailed(let status): status.rawValue == 0x06 ? .peer : nil
        case .commandUnanswered, .commandFailed, .stopRefused, .hardwareError, .dataBufferOverflow,
            .buffersHeld:
            .controller
        default: nil
        }
    }

    /// Whether it refuses a command that advertising needs to start.
    var refusesAdvertising: Bool {
        guard case .commandFailed(let opcode, _, _) = self else { return false }
        return [0x2006, 0x200A, 0x2036, 0x2039, 0x207F].contains(opcode.rawValue)
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.commandFailed(let opcode, let status, _), .commandFailed(let asked, let before, _)):
            opcode == asked && status == before && attempt?.peer == other.attempt?.peer
        case (.stopRefused(let opcode, _), .stopRefused(let asked, _)): opcode == asked
        case (.commandFailed, .stopRefused), (.stopRefused, .commandFailed): false
        case (.commandUnanswered(let opcode, _, _), .commandUnanswered(let asked, _, _)):
            opcode.name == asked.name
        case (.connectionFailed(let status, _), .connectionFailed(let before, _)),
            (.connectionGivenUp(let status, _), .connectionGivenUp(let before, _)):
            status == before && attempt?.peer == other.attempt?.peer
        case (.abnormalDisconnection(let status, _), .abnormalDisconnection(let before, _)),
            (.encryptionFailed(let status), .encryptionFailed(let before)):
            status == before
        case (.adapterEnded(let end), .adapterEnded(let before)): end == before
        case (.endedByPeer(let reason, let early), .endedByPeer(let before, let wasEarly)):
            reason == before && (early == nil) == (wasEarly == nil)
        case (.endedAfterWrite(_, let write), .endedAfterWrite(_, let before)):
            write.content == before.content
        case (.endedByPeer, .endedAfterWrite), (.endedAfterWrite, .endedByPeer): false
        case (.illegalParameters(let parameters), .illegalParameters(let before)): parameters == before
        case (.hardwareError(let code), .hardwareError(let before)): code == before
        case (.procedureFailed(let status, let event, let sub), .procedureFailed(let was, let last, let of)):
            status == was && event == last && sub == of
        default: true
        }
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String {
        switch self {
        case .stopRefused(let opcode, let status):
            "the controller refused \(Self.name(opcode)), which stops what was not running: "
                + Self.text(status)
        case .malformed(let fault): "malformed HCI packet\(fault)"
        case .malformedAdvertising(let fault): "malformed advertising data\(fault)"
        case .commandFailed(let opcode, let status, let attempt):
            "the controller refused \(Self.name(opcode))\(attempt?.peer.map { " to \($0)" } ?? ""): "
                + Self.text(status)
        case .commandUnanswered(let opcode, let place, let waited):
            "the controller did not answer \(opcode.name.map { "\($0)" } ?? "a command") of frame "
                + "\(place.text(from: file)) for \(TextDuration.text(waited))"
        case .connectionFailed(let status, let attempt):
            if let attempt {
                "no connection\(attempt.text(" to ", from: file)): \(Self.text(status)) after "
                    + TextDuration.text(attempt.waited) + attempt.wrongKind
            } else {
                "no connection: \(Self.text(status))"
            }
        case .connectionGivenUp(_, let attempt): attempt.givenUp(from: file)
        case .abnormalDisconnection(let reason, _):
            (reason.rawValue == 0x3E ? "the connection was not established: " : "connection lost: ")
                + Self.text(reason)
        case .adapterEnded(let end): "\(end.text) while the peer's answer was awaited"
        case .endedByPeer(let reason, nil): "the peer ended the connection: \(Self.text(reason))"
        case .endedByPeer(let reason, let waited?):
            "the peer ended the connection \(TextDuration.text(waited)) after it began, before anything was "
                + "read, written or notified: \(Self.text(reason))"
        case .endedAfterWrite(let reason, let write):
            "the peer ended the connection \(TextDuration.text(write.waited)) after the write of frame "
                + "\(write.frame.text(from: file)): \(Self.text(reason))"
        case .illegalParameters(let parameters):
            "the \(side?.rawValue ?? "other side") asked for \(parameters.fault ?? "connection parameters")"
        case .encryptionFailed(let status): "encryption failed: \(Self.text(status))"
        case .procedureFailed(let status, _, _) where status.rawValue == 0x3C:
            "advertising ended, and nobody connected: \(Self.text(status))"
        case .procedureFailed(let status, _, let subevent) where subevent?.rawValue == 0x12:
            "advertising ended: \(Self.text(status))"
        case .procedureFailed(let status, let event, let subevent):
            "\(Self.procedure(event, subevent)) failed: \(Self.text(status))"
        case .hardwareError(let code): "the controller reports hardware error \(ProblemText.hex(code))"
        case .dataBufferOverflow: "the host overran the controller's data buffers"
        case .buffersHeld(let count, let place, let waited):
            "the controller returned none of its \(count) buffers in \(TextDuration.text(waited)), "
                + "the last sent at frame \(place.text(from: file))"
        case .authenticatedPayloadTimeout:
            "no authenticated packet arrived within the authenticated payload timeout"
        case .vendorACL: "controller debug data on a handle that is not a connection; repeats hidden"
        case .latePacket(let end):
            "a late packet: the connection ended at frame \(end.text(from: file))"
        case .endedConnection(let handle, let end, let waited):
            "sent on handle \(ProblemText.hex(handle)), whose connection ended at frame "
                + "\(end.text(from: file)), \(TextDuration.text(waited)) before: nothing will answer"
        case .unknownConnection(nil): "no event before this opened the connection"
        case .unknownConnection(let end?):
            "the connection on this handle ended at frame \(end.text(from: file)), and no event since then "
                + "opened another"
        case .connectionReplaced(let number):
            "connection \(number) was on this handle and its end is missing"
        }
    }

    static func text(_ status: HCIStatus) -> String {
        ProblemText.named(status.name, status.rawValue)
    }

    private static func name(_ opcode: HCIOpcode) -> String {
        opcode.name.map { "\($0)" } ?? "command \(ProblemText.hex(opcode.rawValue))"
    }

    /// Returns the name of the procedure whose status an event reports: the event's name without "Complete".
    private static func procedure(_ event: HCIEventCode, _ subevent: LESubeventCode?) -> String {
        guard let name = subevent.map(\.name) ?? event.name else { return "a procedure" }
        return "\(name)".split(separator: " ").filter { $0 != "Complete" }.joined(separator: " ")
    }
}

extension ConnectAttempt {
    /// Returns the requested connection with its frame: `before`, then the device.
    ///
    /// - Parameter file: the index of the file that the text is about; with nil, the frame's number always
    ///   follows its file's number.
    func text(_ before: String, from file: Int?) -> String {
        (peer.map { "\(before)\($0)" } ?? "") + (isByAcceptList ? " by the accept list" : "")
            + " (frame \(place.text(from: file)))"
    }

    /// Returns the text about a connection that the host requested and gave up, or still waits for.
    public func givenUp(from file: Int?) -> String {
        "connect" + text(" to ", from: file) + (isOpen ? " still waiting after " : " given up after ")
            + TextDuration.text(waited) + wrongKind
    }

    /// The text that the device was requested with another kind of address than it has.
    fileprivate var wrongKind: String {
        guard let peer, let advertisedAs else { return "" }
        let asked = peer.isRandom ? "random" : "public"
        let heard = advertisedAs == .random ? "random" : "public"
        return "; asked for as \(asked), but it advertises as \(heard)"
    }
}

extension LinkEnd {
    fileprivate var text: String {
        switch self {
        case .reset: "the host reset its adapter"
        case .closed: "the host switched its adapter off"
        case .removed: "the adapter was removed"
        case .unheard: "the sniffer did not hear it end"
        }
    }
}
