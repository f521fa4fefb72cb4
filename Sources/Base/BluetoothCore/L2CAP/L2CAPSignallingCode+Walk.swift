public import WireBytes

extension L2CAPSignallingCode {
    /// Hands the parameters of the command with this code to `coder`, which stands after the header, with
    /// payloads as ranges of what it reads; octets that no definition covers are handed over as one field.
    ///
    /// - Returns: whether the code is known.
    @inlinable
    @discardableResult
    public func walk<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) -> Bool {
        switch self {
        case .commandReject: try coder.pdu(L2CAPCommandReject<BorrowedOctets>.self)
        case .connectionRequest: try coder.pdu(L2CAPConnectionRequest.self)
        case .connectionResponse: try coder.pdu(L2CAPConnectionResponse.self)
        case .configurationRequest: try coder.pdu(L2CAPConfigurationRequest<BorrowedOctets>.self)
        case .configurationResponse: try coder.pdu(L2CAPConfigurationResponse<BorrowedOctets>.self)
        case .disconnectionRequest: try coder.pdu(L2CAPDisconnectionRequest.self)
        case .disconnectionResponse: try coder.pdu(L2CAPDisconnectionResponse.self)
        case .echoRequest: try coder.pdu(L2CAPEchoRequest<BorrowedOctets>.self)
        case .echoResponse: try coder.pdu(L2CAPEchoResponse<BorrowedOctets>.self)
        case .informationRequest: try coder.pdu(L2CAPInformationRequest.self)
        case .informationResponse: try coder.pdu(L2CAPInformationResponse<BorrowedOctets>.self)
        case .connectionParameterUpdateRequest: try coder.pdu(L2CAPConnectionParameterUpdateRequest.self)
        case .connectionParameterUpdateResponse: try coder.pdu(L2CAPConnectionParameterUpdateResponse.self)
        case .leCreditBasedConnectionRequest: try coder.pdu(L2CAPLECreditBasedConnectionRequest.self)
        case .leCreditBasedConnectionResponse: try coder.pdu(L2CAPLECreditBasedConnectionResponse.self)
        case .flowControlCredit: try coder.pdu(L2CAPFlowControlCredit.self)
        case .creditBasedConnectionRequest:
            try coder.pdu(L2CAPCreditBasedConnectionRequest<BorrowedOctets>.self)
        case .creditBasedConnectionResponse:
            try coder.pdu(L2CAPCreditBasedConnectionResponse<BorrowedOctets>.self)
        case .creditBasedReconfigureRequest:
            try coder.pdu(L2CAPCreditBasedReconfigureRequest<BorrowedOctets>.self)
        case .creditBasedReconfigureResponse: try coder.pdu(L2CAPCreditBasedReconfigureResponse.self)
        default:
            var rest = BorrowedOctets()
            try coder.octets("Parameters", &rest)
            return false
        }
        return true
    }
}
