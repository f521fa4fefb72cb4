public import WireBytes

/// A PDU of the Attribute Protocol as a value, for code that creates one or reads its fields.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.
public protocol ATTPDU: PDUFields, Hashable {
    /// The opcode of the PDU.
    static var opcode: ATTOpcode { get }
}

extension ATTPDU {
    /// The opcode of the PDU.
    public var opcode: ATTOpcode { Self.opcode }

    /// The opcode and the parameters.
    public var pdu: [UInt8] { [Self.opcode.rawValue] + encoded }

    /// Decodes a whole PDU, opcode first; the opcode must be this type's.
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
    /// Decodes a whole PDU, opcode first; nil for an opcode without a type.
    public static func decode(_ octets: [UInt8]) throws(DecodeError) -> (any ATTPDU)? {
        guard let opcode = octets.first else { throw DecodeError(.truncated(need: 1, have: 0), at: 0) }
        return try types.first { $0.opcode.rawValue == opcode }?.init(pdu: octets)
    }
}
