public import WireBytes

/// The parameters of a signalling command, by what it is.
///
/// Source: Core Specification, Vol 3, Part A, 4.
public enum L2CAPSignalParameters<Payload: PDUPayload & Hashable>: Hashable, Sendable {
    case commandReject(L2CAPCommandReject<Payload>)
    case connectionRequest(L2CAPConnectionRequest)
    case connectionResponse(L2CAPConnectionResponse)
    case configurationRequest(L2CAPConfigurationRequest<Payload>)
    case configurationResponse(L2CAPConfigurationResponse<Payload>)
    case disconnectionRequest(L2CAPDisconnectionRequest)
    case disconnectionResponse(L2CAPDisconnectionResponse)
    case echoRequest(L2CAPEchoRequest<Payload>)
    case echoResponse(L2CAPEchoResponse<Payload>)
    case informationRequest(L2CAPInformationRequest)
    case informationResponse(L2CAPInformationResponse<Payload>)
    case connectionParameterUpdateRequest(L2CAPConnectionParameterUpdateRequest)
    case connectionParameterUpdateResponse(L2CAPConnectionParameterUpdateResponse)
    case leCreditBasedConnectionRequest(L2CAPLECreditBasedConnectionRequest)
    case leCreditBasedConnectionResponse(L2CAPLECreditBasedConnectionResponse)
    case flowControlCredit(L2CAPFlowControlCredit)
    case creditBasedConnectionRequest(L2CAPCreditBasedConnectionRequest<Payload>)
    case creditBasedConnectionResponse(L2CAPCreditBasedConnectionResponse<Payload>)
    case creditBasedReconfigureRequest(L2CAPCreditBasedReconfigureRequest<Payload>)
    case creditBasedReconfigureResponse(L2CAPCreditBasedReconfigureResponse)
    /// A code without parameters known here, and its octets.
    case unknown(L2CAPSignallingCode, Payload)

    /// The parameters of this command, with every field at its zero value.
    public init(_ code: L2CAPSignallingCode) {
        switch code {
        case .commandReject: self = .commandReject(L2CAPCommandReject())
        case .connectionRequest: self = .connectionRequest(L2CAPConnectionRequest())
        case .connectionResponse: self = .connectionResponse(L2CAPConnectionResponse())
        case .configurationRequest: self = .configurationRequest(L2CAPConfigurationRequest())
        case .configurationResponse: self = .configurationResponse(L2CAPConfigurationResponse())
        case .disconnectionRequest: self = .disconnectionRequest(L2CAPDisconnectionRequest())
        case .disconnectionResponse: self = .disconnectionResponse(L2CAPDisconnectionResponse())
        case .echoRequest: self = .echoRequest(L2CAPEchoRequest())
        case .echoResponse: self = .echoResponse(L2CAPEchoResponse())
        case .informationRequest: self = .informationRequest(L2CAPInformationRequest())
        case .informationResponse: self = .informationResponse(L2CAPInformationResponse())
        case .connectionParameterUpdateRequest:
            self = .connectionParameterUpdateRequest(L2CAPConnectionParameterUpdateRequest())
        case .connectionParameterUpdateResponse:
            self = .connectionParameterUpdateResponse(L2CAPConnectionParameterUpdateResponse())
        case .leCreditBasedConnectionRequest:
            self = .leCreditBasedConnectionRequest(L2CAPLECreditBasedConnectionRequest())
        case .leCreditBasedConnectionResponse:
            self = .leCreditBasedConnectionResponse(L2CAPLECreditBasedConnectionResponse())
        case .flowControlCredit: self = .flowControlCredit(L2CAPFlowControlCredit())
        case .creditBasedConnectionRequest:
            self = .creditBasedConnectionRequest(L2CAPCreditBasedConnectionRequest())
        case .creditBasedConnectionResponse:
            self = .creditBasedConnectionResponse(L2CAPCreditBasedConnectionResponse())
        case .creditBasedReconfigureRequest:
            self = .creditBasedReconfigureRequest(L2CAPCreditBasedReconfigureRequest())
        case .creditBasedReconfigureResponse:
            self = .creditBasedReconfigureResponse(L2CAPCreditBasedReconfigureResponse())
        default: self = .unknown(code, Payload())
        }
    }

    /// What the command is.
    public var signallingCode: L2CAPSignallingCode {
        switch self {
        case .commandReject: .commandReject
        case .connectionRequest: .connectionRequest
        case .connectionResponse: .connectionResponse
        case .configurationRequest: .configurationRequest
        case .configurationResponse: .configurationResponse
        case .disconnectionRequest: .disconnectionRequest
        case .disconnectionResponse: .disconnectionResponse
        case .echoRequest: .echoRequest
        case .echoResponse: .echoResponse
        case .informationRequest: .informationRequest
        case .informationResponse: .informationResponse
        case .connectionParameterUpdateRequest: .connectionParameterUpdateRequest
        case .connectionParameterUpdateResponse: .connectionParameterUpdateResponse
        case .leCreditBasedConnectionRequest: .leCreditBasedConnectionRequest
        case .leCreditBasedConnectionResponse: .leCreditBasedConnectionResponse
        case .flowControlCredit: .flowControlCredit
        case .creditBasedConnectionRequest: .creditBasedConnectionRequest
        case .creditBasedConnectionResponse: .creditBasedConnectionResponse
        case .creditBasedReconfigureRequest: .creditBasedReconfigureRequest
        case .creditBasedReconfigureResponse: .creditBasedReconfigureResponse
        case .unknown(let code, _): code
        }
    }

    /// Hands every parameter, in wire order, to `coder`.
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .commandReject(var command):
            try command.code(&coder)
            self = .commandReject(command)
        case .connectionRequest(var command):
            try command.code(&coder)
            self = .connectionRequest(command)
        case .connectionResponse(var command):
            try command.code(&coder)
            self = .connectionResponse(command)
        case .configurationRequest(var command):
            try command.code(&coder)
            self = .configurationRequest(command)
        case .configurationResponse(var command):
            try command.code(&coder)
            self = .configurationResponse(command)
        case .disconnectionRequest(var command):
            try command.code(&coder)
            self = .disconnectionRequest(command)
        case .disconnectionResponse(var command):
            try command.code(&coder)
            self = .disconnectionResponse(command)
        case .echoRequest(var command):
            try command.code(&coder)
            self = .echoRequest(command)
        case .echoResponse(var command):
            try command.code(&coder)
            self = .echoResponse(command)
        case .informationRequest(var command):
            try command.code(&coder)
            self = .informationRequest(command)
        case .informationResponse(var command):
            try command.code(&coder)
            self = .informationResponse(command)
        default: try codeLE(&coder)
        }
    }

    private mutating func codeLE<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .connectionParameterUpdateRequest(var command):
            try command.code(&coder)
            self = .connectionParameterUpdateRequest(command)
        case .connectionParameterUpdateResponse(var command):
            try command.code(&coder)
            self = .connectionParameterUpdateResponse(command)
        case .leCreditBasedConnectionRequest(var command):
            try command.code(&coder)
            self = .leCreditBasedConnectionRequest(command)
        case .leCreditBasedConnectionResponse(var command):
            try command.code(&coder)
            self = .leCreditBasedConnectionResponse(command)
        case .flowControlCredit(var command):
            try command.code(&coder)
            self = .flowControlCredit(command)
        case .creditBasedConnectionRequest(var command):
            try command.code(&coder)
            self = .creditBasedConnectionRequest(command)
        case .creditBasedConnectionResponse(var command):
            try command.code(&coder)
            self = .creditBasedConnectionResponse(command)
        case .creditBasedReconfigureRequest(var command):
            try command.code(&coder)
            self = .creditBasedReconfigureRequest(command)
        case .creditBasedReconfigureResponse(var command):
            try command.code(&coder)
            self = .creditBasedReconfigureResponse(command)
        case .unknown(let code, var octets):
            try coder.octets("Data", &octets)
            self = .unknown(code, octets)
        default: break
        }
    }
}
