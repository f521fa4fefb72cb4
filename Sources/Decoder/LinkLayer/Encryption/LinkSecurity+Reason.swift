extension LinkSecurity.Reason: CustomStringConvertible {
    /// The missing fact, as a part of a sentence.
    public var description: String {
        switch self {
        case .noKey: "its key is not known"
        case .noEncryptionRequest: "the start of its encryption was not heard"
        case .noPrivateKey: "neither private key of its pairing is known"
        case .noTemporaryKey: "the out-of-band data of its pairing is not known"
        case .incompletePairing: "a part of its pairing was not heard"
        case .gap: "too many packets before it were missed"
        case .wrongMIC: "its integrity code is wrong"
        case .repeated: "it was opened before"
        }
    }
}
