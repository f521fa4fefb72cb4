public import WireBytes

/// A PDU of the Security Manager Protocol, with its parameters.
///
/// Source: Core Specification, Vol 3, Part H, 3.3 to 3.6.
public enum SMPPDU<Payload: PDUPayload & Hashable>: Hashable, Sendable {
    case pairingRequest(SMPPairingRequest)
    case pairingResponse(SMPPairingResponse)
    case pairingConfirm(SMPPairingConfirm<Payload>)
    case pairingRandom(SMPPairingRandom<Payload>)
    case pairingFailed(SMPPairingFailed)
    case encryptionInformation(SMPEncryptionInformation<Payload>)
    case centralIdentification(SMPCentralIdentification)
    case identityInformation(SMPIdentityInformation<Payload>)
    case identityAddressInformation(SMPIdentityAddressInformation)
    case signingInformation(SMPSigningInformation<Payload>)
    case securityRequest(SMPSecurityRequest)
    case publicKey(SMPPublicKey<Payload>)
    case dhKeyCheck(SMPDHKeyCheck<Payload>)
    case keypressNotification(SMPKeypressNotification)
    /// A code that is not assigned, and all octets after it.
    case unknown(SMPCode, Payload)

    /// The PDU of this code, with every field at its zero value.
    public init(_ code: SMPCode) {
        switch code {
        case .pairingRequest: self = .pairingRequest(SMPPairingRequest())
        case .pairingResponse: self = .pairingResponse(SMPPairingResponse())
        case .pairingConfirm: self = .pairingConfirm(SMPPairingConfirm())
        case .pairingRandom: self = .pairingRandom(SMPPairingRandom())
        case .pairingFailed: self = .pairingFailed(SMPPairingFailed())
        case .encryptionInformation: self = .encryptionInformation(SMPEncryptionInformation())
        case .centralIdentification: self = .centralIdentification(SMPCentralIdentification())
        case .identityInformation: self = .identityInformation(SMPIdentityInformation())
        case .identityAddressInformation: self = .identityAddressInformation(SMPIdentityAddressInformation())
        case .signingInformation: self = .signingInformation(SMPSigningInformation())
        case .securityRequest: self = .securityRequest(SMPSecurityRequest())
        case .publicKey: self = .publicKey(SMPPublicKey())
        case .dhKeyCheck: self = .dhKeyCheck(SMPDHKeyCheck())
        case .keypressNotification: self = .keypressNotification(SMPKeypressNotification())
        default: self = .unknown(code, Payload())
        }
    }

    /// Reads the code and the parameters. Octets after the last parameter are left in the reader; payloads
    /// are ranges from the start of its span.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        var coder = FieldReader(reader.wholeSpan, from: reader.offset)
        var code = SMPCode(rawValue: 0)
        try coder.code("Code", &code, width: 1, SMPCode.meaning)
        self.init(code)
        try self.code(&coder)
        try reader.skip(coder.offset &- reader.offset)
    }

    /// Reads a PDU from the start of `octets`.
    public init(decoding octets: RawSpan) throws(DecodeError) {
        var reader = ByteReader(octets)
        try self.init(decoding: &reader)
    }

    /// What the PDU is.
    public var smpCode: SMPCode {
        switch self {
        case .pairingRequest: .pairingRequest
        case .pairingResponse: .pairingResponse
        case .pairingConfirm: .pairingConfirm
        case .pairingRandom: .pairingRandom
        case .pairingFailed: .pairingFailed
        case .encryptionInformation: .encryptionInformation
        case .centralIdentification: .centralIdentification
        case .identityInformation: .identityInformation
        case .identityAddressInformation: .identityAddressInformation
        case .signingInformation: .signingInformation
        case .securityRequest: .securityRequest
        case .publicKey: .publicKey
        case .dhKeyCheck: .dhKeyCheck
        case .keypressNotification: .keypressNotification
        case .unknown(let code, _): code
        }
    }

    /// Appends the code and the parameters.
    public func encode(into writer: inout ByteWriter) {
        writer.u8(smpCode.rawValue)
        var copy = self
        var coder = FieldWriter(writer)
        // A writer has no end and refuses nothing, so no field can fail.
        try? copy.code(&coder)
        writer = coder.writer
    }

    /// The PDU as octets.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.octets
    }

    /// Hands every parameter, in wire order, to `coder`: the code has been dealt with before.
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        switch self {
        case .pairingRequest(var pdu):
            try pdu.code(&coder)
            self = .pairingRequest(pdu)
        case .pairingResponse(var pdu):
            try pdu.code(&coder)
            self = .pairingResponse(pdu)
        case .pairingConfirm(var pdu):
            try pdu.code(&coder)
            self = .pairingConfirm(pdu)
        case .pairingRandom(var pdu):
            try pdu.code(&coder)
            self = .pairingRandom(pdu)
        case .pairingFailed(var pdu):
            try pdu.code(&coder)
            self = .pairingFailed(pdu)
        case .encryptionInformation(var pdu):
            try pdu.code(&coder)
            self = .encryptionInformation(pdu)
        case .centralIdentification(var pdu):
            try pdu.code(&coder)
            self = .centralIdentification(pdu)
        case .identityInformation(var pdu):
            try pdu.code(&coder)
            self = .identityInformation(pdu)
        case .identityAddressInformation(var pdu):
            try pdu.code(&coder)
            self = .identityAddressInformation(pdu)
        case .signingInformation(var pdu):
            try pdu.code(&coder)
            self = .signingInformation(pdu)
        case .securityRequest(var pdu):
            try pdu.code(&coder)
            self = .securityRequest(pdu)
        case .publicKey(var pdu):
            try pdu.code(&coder)
            self = .publicKey(pdu)
        case .dhKeyCheck(var pdu):
            try pdu.code(&coder)
            self = .dhKeyCheck(pdu)
        case .keypressNotification(var pdu):
            try pdu.code(&coder)
            self = .keypressNotification(pdu)
        case .unknown(let code, var octets):
            try coder.octets("Parameters", &octets)
            self = .unknown(code, octets)
        }
    }
}
