public import WireBytes

/// A PDU of the Attribute Protocol, with its parameters.
///
/// The payloads are owned in the host (`[UInt8]`) and ranges into the record while analysing
/// (``BorrowedOctets``). Source: Core Specification, Vol 3, Part F, 3.4.
public enum ATTPDU<Payload: PDUPayload & Hashable>: Hashable, Sendable {
    case errorResponse(ATTErrorResponse)
    case exchangeMTURequest(ATTExchangeMTURequest)
    case exchangeMTUResponse(ATTExchangeMTUResponse)
    case findInformationRequest(ATTFindInformationRequest)
    case findInformationResponse(ATTFindInformationResponse<Payload>)
    case findByTypeValueRequest(ATTFindByTypeValueRequest<Payload>)
    case findByTypeValueResponse(ATTFindByTypeValueResponse<Payload>)
    case readByTypeRequest(ATTReadByTypeRequest)
    case readByTypeResponse(ATTReadByTypeResponse<Payload>)
    case readRequest(ATTReadRequest)
    case readResponse(ATTReadResponse<Payload>)
    case readBlobRequest(ATTReadBlobRequest)
    case readBlobResponse(ATTReadBlobResponse<Payload>)
    case readMultipleRequest(ATTReadMultipleRequest<Payload>)
    case readMultipleResponse(ATTReadMultipleResponse<Payload>)
    case readByGroupTypeRequest(ATTReadByGroupTypeRequest)
    case readByGroupTypeResponse(ATTReadByGroupTypeResponse<Payload>)
    case writeRequest(ATTWriteRequest<Payload>)
    case writeResponse(ATTWriteResponse)
    case prepareWriteRequest(ATTPrepareWriteRequest<Payload>)
    case prepareWriteResponse(ATTPrepareWriteResponse<Payload>)
    case executeWriteRequest(ATTExecuteWriteRequest)
    case executeWriteResponse(ATTExecuteWriteResponse)
    case handleValueNotification(ATTHandleValueNotification<Payload>)
    case handleValueIndication(ATTHandleValueIndication<Payload>)
    case handleValueConfirmation(ATTHandleValueConfirmation)
    case readMultipleVariableRequest(ATTReadMultipleVariableRequest<Payload>)
    case readMultipleVariableResponse(ATTReadMultipleVariableResponse<Payload>)
    case multipleHandleValueNotification(ATTMultipleHandleValueNotification<Payload>)
    case writeCommand(ATTWriteCommand<Payload>)
    case signedWriteCommand(ATTSignedWriteCommand<Payload>)
    /// An opcode that is not assigned, and all octets after it.
    case unknown(ATTOpcode, Payload)

    /// The PDU of this opcode, with every field at its zero value.
    @inlinable
    public init(_ opcode: ATTOpcode) {
        switch opcode {
        case .errorResponse: self = .errorResponse(ATTErrorResponse())
        case .exchangeMTURequest: self = .exchangeMTURequest(ATTExchangeMTURequest())
        case .exchangeMTUResponse: self = .exchangeMTUResponse(ATTExchangeMTUResponse())
        case .findInformationRequest: self = .findInformationRequest(ATTFindInformationRequest())
        case .findInformationResponse: self = .findInformationResponse(ATTFindInformationResponse())
        case .findByTypeValueRequest: self = .findByTypeValueRequest(ATTFindByTypeValueRequest())
        case .findByTypeValueResponse: self = .findByTypeValueResponse(ATTFindByTypeValueResponse())
        case .readByTypeRequest: self = .readByTypeRequest(ATTReadByTypeRequest())
        case .readByTypeResponse: self = .readByTypeResponse(ATTReadByTypeResponse())
        case .readRequest: self = .readRequest(ATTReadRequest())
        case .readResponse: self = .readResponse(ATTReadResponse())
        case .readBlobRequest: self = .readBlobRequest(ATTReadBlobRequest())
        case .readBlobResponse: self = .readBlobResponse(ATTReadBlobResponse())
        case .readMultipleRequest: self = .readMultipleRequest(ATTReadMultipleRequest())
        case .readMultipleResponse: self = .readMultipleResponse(ATTReadMultipleResponse())
        case .readByGroupTypeRequest: self = .readByGroupTypeRequest(ATTReadByGroupTypeRequest())
        case .readByGroupTypeResponse: self = .readByGroupTypeResponse(ATTReadByGroupTypeResponse())
        case .writeRequest: self = .writeRequest(ATTWriteRequest())
        case .writeResponse: self = .writeResponse(ATTWriteResponse())
        case .prepareWriteRequest: self = .prepareWriteRequest(ATTPrepareWriteRequest())
        case .prepareWriteResponse: self = .prepareWriteResponse(ATTPrepareWriteResponse())
        case .executeWriteRequest: self = .executeWriteRequest(ATTExecuteWriteRequest())
        case .executeWriteResponse: self = .executeWriteResponse(ATTExecuteWriteResponse())
        case .handleValueNotification: self = .handleValueNotification(ATTHandleValueNotification())
        case .handleValueIndication: self = .handleValueIndication(ATTHandleValueIndication())
        case .handleValueConfirmation: self = .handleValueConfirmation(ATTHandleValueConfirmation())
        case .readMultipleVariableRequest:
            self = .readMultipleVariableRequest(ATTReadMultipleVariableRequest())
        case .readMultipleVariableResponse:
            self = .readMultipleVariableResponse(ATTReadMultipleVariableResponse())
        case .multipleHandleValueNotification:
            self = .multipleHandleValueNotification(ATTMultipleHandleValueNotification())
        case .writeCommand: self = .writeCommand(ATTWriteCommand())
        case .signedWriteCommand: self = .signedWriteCommand(ATTSignedWriteCommand())
        default: self = .unknown(opcode, Payload())
        }
    }

    /// Reads the opcode and its parameters. Octets after the last parameter are left in the reader.
    @inlinable
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        let start = reader.offset
        var coder = FieldReader(reader.peekRest())
        do throws(DecodeError) {
            try self.init(&coder)
        } catch {
            throw DecodeError(error.reason, at: error.offset &+ start)
        }
        try reader.skip(coder.offset)
    }

    /// Reads a PDU from the start of `octets`; the payloads are ranges of `octets`.
    @inlinable
    public init(decoding octets: RawSpan) throws(DecodeError) {
        var coder = FieldReader(octets)
        try self.init(&coder)
    }

    @inlinable
    init(_ coder: inout FieldReader) throws(DecodeError) {
        var opcode = ATTOpcode(rawValue: 0)
        try coder.code("Opcode", &opcode, width: 1, ATTOpcode.meaning)
        self.init(opcode)
        try code(&coder)
    }

    /// Appends the opcode and its parameters.
    @inlinable
    public func encode(into writer: inout ByteWriter) {
        writer.u8(opcode.rawValue)
        var copy = self
        var coder = FieldWriter(writer)
        // A writer has no end and refuses nothing, so no field can fail.
        try? copy.code(&coder)
        writer = coder.writer
    }

    /// The PDU as octets.
    @inlinable public var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.octets
    }
}
