public import WireBytes

extension SMPCode {
    /// Hands the parameters of the PDU with this code to `coder`, which stands after the code, with payloads
    /// as ranges of what it reads; octets that no definition covers are handed over as one field.
    ///
    /// - Returns: whether the code is known.
    @inlinable
    @discardableResult
    public func walk<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) -> Bool {
        switch self {
        case .pairingRequest: try coder.pdu(SMPPairingRequest.self)
        case .pairingResponse: try coder.pdu(SMPPairingResponse.self)
        case .pairingConfirm: try coder.pdu(SMPPairingConfirm<BorrowedOctets>.self)
        case .pairingRandom: try coder.pdu(SMPPairingRandom<BorrowedOctets>.self)
        case .pairingFailed: try coder.pdu(SMPPairingFailed.self)
        case .encryptionInformation: try coder.pdu(SMPEncryptionInformation<BorrowedOctets>.self)
        case .centralIdentification: try coder.pdu(SMPCentralIdentification.self)
        case .identityInformation: try coder.pdu(SMPIdentityInformation<BorrowedOctets>.self)
        case .identityAddressInformation: try coder.pdu(SMPIdentityAddressInformation.self)
        case .signingInformation: try coder.pdu(SMPSigningInformation<BorrowedOctets>.self)
        case .securityRequest: try coder.pdu(SMPSecurityRequest.self)
        case .publicKey: try coder.pdu(SMPPublicKey<BorrowedOctets>.self)
        case .dhKeyCheck: try coder.pdu(SMPDHKeyCheck<BorrowedOctets>.self)
        case .keypressNotification: try coder.pdu(SMPKeypressNotification.self)
        default:
            var rest = BorrowedOctets()
            try coder.octets("Parameters", &rest)
            return false
        }
        return true
    }
}
