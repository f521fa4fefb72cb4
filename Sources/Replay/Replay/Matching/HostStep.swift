public import BluetoothCore
public import Runtime

/// One action of the recorded host on a connection, as its peer noticed it: a PDU, or several that belong
/// together.
public struct HostStep: Hashable, Sendable {
    /// The kind of a step.
    public enum Action: Hashable, Sendable {
        /// Read a value, in one or several parts.
        case read(handle: UInt16)
        /// Wrote a value, whole or in prepared parts.
        case write(handle: UInt16, value: [UInt8], withResponse: Bool)
        /// Wrote a Client Characteristic Configuration; the handle is its own, not that of the value.
        case configure(handle: UInt16, value: [UInt8])
        /// Sent another PDU of a client, which is compared byte for byte.
        case request([UInt8])
        /// Confirmed an indication.
        case confirm
        /// Sent a PDU of the host's own server.
        case serve([UInt8])
        /// Sent an L2CAP signalling packet.
        case signal([UInt8])
        /// Sent a PDU of the Security Manager.
        case security([UInt8])
        /// Started pairing with this Pairing Request.
        case pair([UInt8])
        /// Started encryption, with the key of a bond or of a pairing.
        case encrypt
        /// Ended the connection.
        case disconnect(HCIStatus)
    }

    /// A group of steps with an order of its own, independent of the other lanes.
    enum Lane: Int, CaseIterable, Hashable, Sendable {
        case client, confirmation, server, signalling, security
    }

    /// The step's index among those of the connection.
    public var index: Int
    public var action: Action
    /// The number of the record with the first PDU.
    public var frame: Int
    /// Time of that record.
    public var time: Instant
    /// Time of the last PDU.
    public var lastTime: Instant
    /// The indices of the step's PDUs in the connection.
    public var pdus: [Int]
    /// The normalization that allows the step to be missing; nil if the step is required.
    public var mayBeMissing: Normalization?

    /// Whether the server refused the step for lack of security and the host repeated it: the application
    /// gets no callback for it.
    var isHeld = false
    /// Whether the step repeats a step that was refused for lack of security; the application requested only
    /// the first one.
    var isRepetition = false

    /// Whether the host must perform the step.
    public var isRequired: Bool { mayBeMissing == nil }

    /// The handle of the attribute concerned.
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

    /// Whether the step is a response to a request of the peer's client.
    var isResponse: Bool {
        if case .serve(let octets) = action {
            return ATTOpcode(rawValue: octets.first ?? 0).kind == .response
        }
        return false
    }

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

    /// The step's PDU; nil if the step is not a PDU.
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
    /// The host's steps in order, without discovery and the MTU exchange.
    public var steps: [HostStep] { HostScript.steps(of: self, HostScript.responses(self)) }
}
