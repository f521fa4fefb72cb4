/// The cryptographic functions of pairing. All values are most significant byte first.
///
/// Source: Core Specification, Vol 3, Part H, 2.2.
public enum PairingFunctions {
    /// An address as input of the functions: 7 bytes, the first of which is 1 for a random address.
    public typealias Address = [UInt8]

    /// Returns c1, the confirm value of legacy pairing, 16 bytes.
    ///
    /// - Parameters:
    ///   - key: the temporary key, 16 bytes.
    ///   - random: the random number that is confirmed, 16 bytes.
    ///   - request: the Pairing Request, 7 bytes.
    ///   - response: the Pairing Response, 7 bytes.
    ///   - initiator: the initiator's address.
    ///   - responder: the responder's address.
    public static func c1(
        key: [UInt8], random: [UInt8], request: [UInt8], response: [UInt8], initiator: Address,
        responder: Address
    ) throws(CryptoError) -> [UInt8] {
        let cipher = try AESBlockCipher(key: key)
        let first = response + request + responder.prefix(1) + initiator.prefix(1)
        let second = [0, 0, 0, 0] + initiator.dropFirst() + responder.dropFirst()
        return try cipher.encrypt(exclusiveOr(try cipher.encrypt(exclusiveOr(random, first)), second))
    }

    /// Returns s1, the short term key of legacy pairing, 16 bytes.
    ///
    /// Its inputs are the responder's and the initiator's random numbers, 16 bytes each.
    public static func s1(
        key: [UInt8], responder: [UInt8], initiator: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try AESBlockCipher(key: key).encrypt(Array(responder.suffix(8) + initiator.suffix(8)))
    }

    /// Returns f4, the confirm value of LE Secure Connections, 16 bytes.
    ///
    /// Its inputs are the x coordinates of both public keys (32 bytes each), a random number (16) and one
    /// byte.
    public static func f4(
        u: [UInt8], v: [UInt8], random: [UInt8], z: UInt8
    ) throws(CryptoError) -> [UInt8] {
        try MessageAuthentication.cmac(key: random, u + v + [z])
    }

    /// Returns f5, the check key and the long term key of LE Secure Connections, 16 bytes each.
    ///
    /// Its inputs are the shared secret (32 bytes), both random numbers (16 each) and both addresses, the
    /// initiator's first.
    public static func f5(
        secret: [UInt8], initiator: (random: [UInt8], address: Address),
        responder: (random: [UInt8], address: Address)
    ) throws(CryptoError) -> (check: [UInt8], longTerm: [UInt8]) {
        let salt: [UInt8] = [
            0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83, 0xBE,
        ]
        let key = try MessageAuthentication.cmac(key: salt, secret)
        // "btle", and the length of the two keys in bits.
        let rest =
            [0x62, 0x74, 0x6C, 0x65] + initiator.random + responder.random + initiator.address
            + responder.address + [0x01, 0x00]
        return (
            try MessageAuthentication.cmac(key: key, [0] + rest),
            try MessageAuthentication.cmac(key: key, [1] + rest)
        )
    }

    /// Returns f6, the sender's check value of LE Secure Connections, 16 bytes.
    ///
    /// Its inputs are the key, both random numbers, the passkey or other value (16 bytes), the sender's
    /// capabilities (3) and both addresses.
    public static func f6(
        key: [UInt8], sender: (random: [UInt8], address: Address),
        receiver: (random: [UInt8], address: Address), value: [UInt8], capabilities: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try MessageAuthentication.cmac(
            key: key,
            sender.random + receiver.random + value + capabilities + sender.address + receiver.address)
    }

    /// Returns g2, the six-digit number that the users compare.
    ///
    /// Its inputs are the x coordinates of both public keys and both random numbers, the initiator's first.
    public static func g2(
        u: [UInt8], v: [UInt8], initiator: [UInt8], responder: [UInt8]
    ) throws(CryptoError) -> UInt32 {
        let code = try MessageAuthentication.cmac(key: initiator, u + v + responder)
        return code.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } % 1_000_000
    }

    private static func exclusiveOr(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }
}
