import Crypto

/// A confirm value of legacy pairing with everything that led to it, but for the temporary key.
///
/// Source: Core Specification, Vol 3, Part H, 2.2.3.
struct Confirmation: Sendable {
    private let confirm: AESKeyTrial.Block
    /// The inputs of the two encryptions in c1.
    private let first: AESKeyTrial.Block
    private let second: AESKeyTrial.Block

    /// Inputs are most significant byte first.
    init(
        confirm: [UInt8], random: [UInt8], request: [UInt8], response: [UInt8],
        initiator: PairingFunctions.Address, responder: PairingFunctions.Address
    ) {
        self.confirm = .init(bytes: confirm)
        first =
            .init(bytes: random)
            ^ .init(bytes: response + request + responder.prefix(1) + initiator.prefix(1))
        second = .init(bytes: [0, 0, 0, 0] + initiator.dropFirst() + responder.dropFirst())
    }

    /// Whether `key` leads to the confirm value.
    func isMade(by key: AESKeyTrial.Block, _ trial: inout AESKeyTrial) throws(CryptoError) -> Bool {
        try trial.setKey(key)
        return try trial.encrypt(try trial.encrypt(first) ^ second) == confirm
    }
}

/// Finds the passkey of a legacy pairing among all million.
enum TemporaryKeySearch {
    static let passkeys: Range<UInt32> = 0..<1_000_000

    /// The temporary key that a passkey stands for.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.3.5.3.
    static func key(_ passkey: UInt32) -> AESKeyTrial.Block {
        var block = AESKeyTrial.Block()
        block[12] = UInt8(truncatingIfNeeded: passkey >> 24)
        block[13] = UInt8(truncatingIfNeeded: passkey >> 16)
        block[14] = UInt8(truncatingIfNeeded: passkey >> 8)
        block[15] = UInt8(truncatingIfNeeded: passkey)
        return block
    }

    /// Returns the passkey that leads to a confirm value.
    static func passkey(for confirmation: Confirmation) throws(CryptoError) -> UInt32? {
        var trial = try AESKeyTrial()
        for passkey in passkeys where try confirmation.isMade(by: key(passkey), &trial) { return passkey }
        return nil
    }

    /// Returns the passkey whose Short Term Key opens the first encrypted packet of a side, an
    /// LL_START_ENC_RSP, if that is what `packet` is.
    ///
    /// - Parameters:
    ///   - input: the plaintext of s1.
    ///   - mask: the bits of the key that the size agreed leaves.
    ///   - diversifier: the SKD of the session.
    static func passkey(
        input: AESKeyTrial.Block, mask: AESKeyTrial.Block, diversifier: AESKeyTrial.Block,
        packet: EncryptedPacket, iv: [UInt8]
    ) throws(CryptoError) -> UInt32? {
        guard packet.mayBeStartResponse else { return nil }
        var trial = try AESKeyTrial()
        let counter = packet.firstCounterBlock(iv)
        for passkey in passkeys {
            try trial.setKey(key(passkey))
            let shortTermKey = try trial.encrypt(input) & mask
            try trial.setKey(shortTermKey)
            let sessionKey = try trial.encrypt(diversifier)
            try trial.setKey(sessionKey)
            // Of the wrong keys, 255 of 256 give another opcode.
            guard try trial.encrypt(counter)[0] ^ packet.ciphertext[0] == EncryptedPacket.startResponse,
                try packet.plaintext(SessionCipher(sessionKey.bytes), iv, counter: 0) != nil
            else { continue }
            return passkey
        }
        return nil
    }
}
