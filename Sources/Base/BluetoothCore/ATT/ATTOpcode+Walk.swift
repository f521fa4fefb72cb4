public import WireBytes

extension ATTOpcode {
    /// Hands the parameters of the PDU with this opcode to `coder`, which stands after the header, with
    /// payloads as ranges of what it reads; octets that no definition covers are handed over as one field.
    ///
    /// - Returns: whether the opcode is known.
    @inlinable
    @discardableResult
    public func walk<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) -> Bool {
        switch self {
        case .errorResponse: try coder.pdu(ATTErrorResponse.self)
        case .exchangeMTURequest: try coder.pdu(ATTExchangeMTURequest.self)
        case .exchangeMTUResponse: try coder.pdu(ATTExchangeMTUResponse.self)
        case .findInformationRequest: try coder.pdu(ATTFindInformationRequest.self)
        case .findInformationResponse: try coder.pdu(ATTFindInformationResponse<BorrowedOctets>.self)
        case .findByTypeValueRequest: try coder.pdu(ATTFindByTypeValueRequest<BorrowedOctets>.self)
        case .findByTypeValueResponse: try coder.pdu(ATTFindByTypeValueResponse<BorrowedOctets>.self)
        case .readByTypeRequest: try coder.pdu(ATTReadByTypeRequest.self)
        case .readByTypeResponse: try coder.pdu(ATTReadByTypeResponse<BorrowedOctets>.self)
        case .readRequest: try coder.pdu(ATTReadRequest.self)
        case .readResponse: try coder.pdu(ATTReadResponse<BorrowedOctets>.self)
        case .readBlobRequest: try coder.pdu(ATTReadBlobRequest.self)
        case .readBlobResponse: try coder.pdu(ATTReadBlobResponse<BorrowedOctets>.self)
        case .readMultipleRequest: try coder.pdu(ATTReadMultipleRequest<BorrowedOctets>.self)
        case .readMultipleResponse: try coder.pdu(ATTReadMultipleResponse<BorrowedOctets>.self)
        case .readByGroupTypeRequest: try coder.pdu(ATTReadByGroupTypeRequest.self)
        case .readByGroupTypeResponse: try coder.pdu(ATTReadByGroupTypeResponse<BorrowedOctets>.self)
        case .writeRequest: try coder.pdu(ATTWriteRequest<BorrowedOctets>.self)
        case .writeResponse: try coder.pdu(ATTWriteResponse.self)
        case .prepareWriteRequest: try coder.pdu(ATTPrepareWriteRequest<BorrowedOctets>.self)
        case .prepareWriteResponse: try coder.pdu(ATTPrepareWriteResponse<BorrowedOctets>.self)
        case .executeWriteRequest: try coder.pdu(ATTExecuteWriteRequest.self)
        case .executeWriteResponse: try coder.pdu(ATTExecuteWriteResponse.self)
        case .handleValueNotification: try coder.pdu(ATTHandleValueNotification<BorrowedOctets>.self)
        case .handleValueIndication: try coder.pdu(ATTHandleValueIndication<BorrowedOctets>.self)
        case .handleValueConfirmation: try coder.pdu(ATTHandleValueConfirmation.self)
        case .readMultipleVariableRequest: try coder.pdu(ATTReadMultipleVariableRequest<BorrowedOctets>.self)
        case .readMultipleVariableResponse:
            try coder.pdu(ATTReadMultipleVariableResponse<BorrowedOctets>.self)
        case .multipleHandleValueNotification:
            try coder.pdu(ATTMultipleHandleValueNotification<BorrowedOctets>.self)
        case .writeCommand: try coder.pdu(ATTWriteCommand<BorrowedOctets>.self)
        case .signedWriteCommand: try coder.pdu(ATTSignedWriteCommand<BorrowedOctets>.self)
        default:
            var rest = BorrowedOctets()
            try coder.octets("Parameters", &rest)
            return false
        }
        return true
    }
}
