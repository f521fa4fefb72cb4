public import WireBytes

/// A PDU of the Attribute Protocol as a value, for code that makes one or uses what is in it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.
public protocol ATTPDU: PDUFields, Hashable {
    /// What the PDU is.
    static var opcode: ATTOpcode { get }
}

extension ATTPDU {
    /// What the PDU is.
    public var opcode: ATTOpcode { Self.opcode }

    /// The opcode and the parameters.
    public var pdu: [UInt8] { [Self.opcode.rawValue] + encoded }

    /// Reads the PDU that fills `octets`, opcode first, which must be this type's.
    public init(pdu octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            guard try reader.u8() == Self.opcode.rawValue else { throw DecodeError(.invalidValue, at: 0) }
            let pdu = try Self(decoding: &reader)
            try reader.expectEnd()
            return pdu
        }
    }
}

extension ATTTable {
    /// The types of PDUs: all but Signed Write Command, which nothing here sends or obeys.
    static let types: [any ATTPDU.Type] = [
        ATTErrorResponse.self, ATTExchangeMTURequest.self, ATTExchangeMTUResponse.self,
        ATTFindInformationRequest.self, ATTFindInformationResponse.self, ATTFindByTypeValueRequest.self,
        ATTFindByTypeValueResponse.self, ATTReadByTypeRequest.self, ATTReadByTypeResponse.self,
        ATTReadRequest.self, ATTReadResponse.self, ATTReadBlobRequest.self, ATTReadBlobResponse.self,
        ATTReadMultipleRequest.self, ATTReadMultipleResponse.self, ATTReadByGroupTypeRequest.self,
        ATTReadByGroupTypeResponse.self, ATTWriteRequest.self, ATTWriteResponse.self,
        ATTPrepareWriteRequest.self, ATTPrepareWriteResponse.self, ATTExecuteWriteRequest.self,
        ATTExecuteWriteResponse.self, ATTHandleValueNotification.self, ATTHandleValueIndication.self,
        ATTHandleValueConfirmation.self, ATTReadMultipleVariableRequest.self,
        ATTReadMultipleVariableResponse.self, ATTMultipleHandleValueNotification.self,
        ATTWriteCommand.self,
    ]

    /// The PDU that fills `octets`, opcode first; nil for an opcode that no type has.
    public static func decode(_ octets: [UInt8]) throws(DecodeError) -> (any ATTPDU)? {
        guard let opcode = octets.first else { throw DecodeError(.truncated(need: 1, have: 0), at: 0) }
        return try types.first { $0.opcode.rawValue == opcode }?.init(pdu: octets)
    }
}
