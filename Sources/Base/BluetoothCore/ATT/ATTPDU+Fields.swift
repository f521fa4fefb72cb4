public import WireBytes

extension ATTPDU {
    /// What the PDU is.
    @inlinable public var opcode: ATTOpcode {
        switch self {
        case .errorResponse: .errorResponse
        case .exchangeMTURequest: .exchangeMTURequest
        case .exchangeMTUResponse: .exchangeMTUResponse
        case .findInformationRequest: .findInformationRequest
        case .findInformationResponse: .findInformationResponse
        case .findByTypeValueRequest: .findByTypeValueRequest
        case .findByTypeValueResponse: .findByTypeValueResponse
        case .readByTypeRequest: .readByTypeRequest
        case .readByTypeResponse: .readByTypeResponse
        case .readRequest: .readRequest
        case .readResponse: .readResponse
        case .readBlobRequest: .readBlobRequest
        case .readBlobResponse: .readBlobResponse
        case .readMultipleRequest: .readMultipleRequest
        case .readMultipleResponse: .readMultipleResponse
        case .readByGroupTypeRequest: .readByGroupTypeRequest
        case .readByGroupTypeResponse: .readByGroupTypeResponse
        case .writeRequest: .writeRequest
        case .writeResponse: .writeResponse
        case .prepareWriteRequest: .prepareWriteRequest
        case .prepareWriteResponse: .prepareWriteResponse
        case .executeWriteRequest: .executeWriteRequest
        case .executeWriteResponse: .executeWriteResponse
        case .handleValueNotification: .handleValueNotification
        case .handleValueIndication: .handleValueIndication
        case .handleValueConfirmation: .handleValueConfirmation
        case .readMultipleVariableRequest: .readMultipleVariableRequest
        case .readMultipleVariableResponse: .readMultipleVariableResponse
        case .multipleHandleValueNotification: .multipleHandleValueNotification
        case .writeCommand: .writeCommand
        case .signedWriteCommand: .signedWriteCommand
        case .unknown(let opcode, _): opcode
        }
    }

    /// Hands every parameter, in wire order, to `coder`: the opcode has been dealt with before.
    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .handleValueNotification(var pdu):
            try pdu.code(&coder)
            self = .handleValueNotification(pdu)
        case .writeRequest(var pdu):
            try pdu.code(&coder)
            self = .writeRequest(pdu)
        case .writeCommand(var pdu):
            try pdu.code(&coder)
            self = .writeCommand(pdu)
        default:
            if opcode.isSentByClient == true {
                try codeFromClient(&coder)
            } else {
                try codeFromServer(&coder)
            }
        }
    }

    @inlinable
    mutating func codeFromClient<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .exchangeMTURequest(var pdu):
            try pdu.code(&coder)
            self = .exchangeMTURequest(pdu)
        case .findInformationRequest(var pdu):
            try pdu.code(&coder)
            self = .findInformationRequest(pdu)
        case .findByTypeValueRequest(var pdu):
            try pdu.code(&coder)
            self = .findByTypeValueRequest(pdu)
        case .readByTypeRequest(var pdu):
            try pdu.code(&coder)
            self = .readByTypeRequest(pdu)
        case .readRequest(var pdu):
            try pdu.code(&coder)
            self = .readRequest(pdu)
        case .readBlobRequest(var pdu):
            try pdu.code(&coder)
            self = .readBlobRequest(pdu)
        case .readMultipleRequest(var pdu):
            try pdu.code(&coder)
            self = .readMultipleRequest(pdu)
        case .readByGroupTypeRequest(var pdu):
            try pdu.code(&coder)
            self = .readByGroupTypeRequest(pdu)
        case .prepareWriteRequest(var pdu):
            try pdu.code(&coder)
            self = .prepareWriteRequest(pdu)
        case .executeWriteRequest(var pdu):
            try pdu.code(&coder)
            self = .executeWriteRequest(pdu)
        case .handleValueConfirmation(var pdu):
            try pdu.code(&coder)
            self = .handleValueConfirmation(pdu)
        case .readMultipleVariableRequest(var pdu):
            try pdu.code(&coder)
            self = .readMultipleVariableRequest(pdu)
        case .signedWriteCommand(var pdu):
            try pdu.code(&coder)
            self = .signedWriteCommand(pdu)
        case .unknown(let opcode, var octets):
            try coder.octets("Parameters", &octets)
            self = .unknown(opcode, octets)
        default: break
        }
    }

    @inlinable
    mutating func codeFromServer<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .errorResponse(var pdu):
            try pdu.code(&coder)
            self = .errorResponse(pdu)
        case .exchangeMTUResponse(var pdu):
            try pdu.code(&coder)
            self = .exchangeMTUResponse(pdu)
        case .findInformationResponse(var pdu):
            try pdu.code(&coder)
            self = .findInformationResponse(pdu)
        case .findByTypeValueResponse(var pdu):
            try pdu.code(&coder)
            self = .findByTypeValueResponse(pdu)
        case .readByTypeResponse(var pdu):
            try pdu.code(&coder)
            self = .readByTypeResponse(pdu)
        case .readResponse(var pdu):
            try pdu.code(&coder)
            self = .readResponse(pdu)
        case .readBlobResponse(var pdu):
            try pdu.code(&coder)
            self = .readBlobResponse(pdu)
        case .readMultipleResponse(var pdu):
            try pdu.code(&coder)
            self = .readMultipleResponse(pdu)
        case .readByGroupTypeResponse(var pdu):
            try pdu.code(&coder)
            self = .readByGroupTypeResponse(pdu)
        case .writeResponse(var pdu):
            try pdu.code(&coder)
            self = .writeResponse(pdu)
        case .prepareWriteResponse(var pdu):
            try pdu.code(&coder)
            self = .prepareWriteResponse(pdu)
        case .executeWriteResponse(var pdu):
            try pdu.code(&coder)
            self = .executeWriteResponse(pdu)
        case .handleValueIndication(var pdu):
            try pdu.code(&coder)
            self = .handleValueIndication(pdu)
        case .readMultipleVariableResponse(var pdu):
            try pdu.code(&coder)
            self = .readMultipleVariableResponse(pdu)
        case .multipleHandleValueNotification(var pdu):
            try pdu.code(&coder)
            self = .multipleHandleValueNotification(pdu)
        case .unknown(let opcode, var octets):
            try coder.octets("Parameters", &octets)
            self = .unknown(opcode, octets)
        default: break
        }
    }
}
