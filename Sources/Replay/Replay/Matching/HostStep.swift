public import BluetoothCore
public import Runtime

/// One thing that the recorded host did on a connection, as its peer saw it: one PDU, or several that make
/// one whole.
public struct HostStep: Hashable, Sendable {
    /// What it did.
    public enum Action: Hashable, Sendable {
        /// Read a value, in one piece or in several.
        case read(handle: UInt16)
        /// Wrote a value, in one piece or in prepared ones.
        case write(handle: UInt16, value: [UInt8], withResponse: Bool)
        /// Wrote a Client Characteristic Configuration.
        case configure(handle: UInt16, value: [UInt8])
        /// Sent another PDU of a client, compared octet for octet.
        case request([UInt8])
        /// Confirmed an indication.
        case confirm
        /// Sent a PDU of its own server.
        case serve([UInt8])
        /// Sent an L2CAP command.
        case signal([UInt8])
        /// Sent a PDU of the Security Manager.
        case security([UInt8])
        /// Began to pair, with this Pairing Request.
        case pair([UInt8])
        /// Had the link encrypted, with the key of a bond or of a pairing.
        case encrypt
        /// Ended the connection.
        case disconnect(HCIStatus)
    }

    /// What is in order among itself: each lane is, and says nothing about the others.
    enum Lane: Int, CaseIterable, Hashable, Sendable {
        case client, confirmation, server, signalling, security
    }

    /// Its place among the steps of its connection.
    public var index: Int
    public var action: Action
    /// The number of the record with its (first) PDU.
    public var frame: Int
    /// When that was.
    public var time: Instant
    /// When its last PDU was sent.
    public var lastTime: Instant
    /// Its PDUs, by their places in the connection.
    public var pdus: [Int]
    /// The normalization that lets it be missing; nil where it must be seen.
    public var mayBeMissing: Normalization?

    /// Whether the server refused it for lack of security, and the host repeated it: no application is told.
    var isHeld = false
    /// Whether it is that repetition, which no application asks for.
    var isRepetition = false

    /// Whether it must be seen.
    public var isRequired: Bool { mayBeMissing == nil }

    /// The attribute that it is about.
    public var handle: UInt16? {
        switch action {
        case .read(let handle), .write(let handle, _, _), .configure(let handle, _): handle
        default: nil
        }
    }

    var lane: Lane {
        switch action {
        case .read, .write, .configure, .request, .pair, .encrypt, .disconnect: .client
        case .confirm: .confirmation
        case .serve: .server
        case .signal: .signalling
        case .security: .security
        }
    }

    /// Whether it answers a request of the peer's client.
    var isResponse: Bool {
        if case .serve(let octets) = action {
            return ATTOpcode(rawValue: octets.first ?? 0).kind == .response
        }
        return false
    }

    /// Whether the host, as the peripheral, asks its central for security.
    var isSecurityRequest: Bool {
        if case .security(let octets) = action { return octets.first == SMPCode.securityRequest.rawValue }
        return false
    }

    var isConfiguration: Bool {
        if case .configure = action { return true }
        return false
    }

    var isRead: Bool {
        if case .read = action { return true }
        return false
    }

    /// The step as one PDU; nil where it is not a PDU.
    var octets: [UInt8]? {
        switch action {
        case .read(let handle): ATTReadRequest(handle: handle).pdu
        case .write(let handle, let value, let withResponse):
            withResponse
                ? ATTWriteRequest(handle: handle, value: value).pdu
                : ATTWriteCommand(handle: handle, value: value).pdu
        case .configure(let handle, let value):
            ATTWriteRequest(handle: handle, value: value).pdu
        case .request(let octets), .serve(let octets), .signal(let octets), .security(let octets),
            .pair(let octets):
            octets
        case .confirm: ATTHandleValueConfirmation().pdu
        case .encrypt, .disconnect: nil
        }
    }

    /// The channel of its PDU.
    var channel: L2CAPChannelID {
        if case .pair = action { return .securityManager }
        return switch lane {
        case .client, .confirmation, .server: .attribute
        case .signalling: .leSignalling
        case .security: .securityManager
        }
    }
}

extension RecordedConnection {
    /// What the host did, in order; discovery and the exchange of the MTU are not among it.
    public var steps: [HostStep] { HostScript.steps(of: self) }
}
