import BluetoothCore
import Crypto
import WireBytes

/// The session key of a link, ready to decrypt.
typealias SessionCipher = AESCCMOpener

extension AESCCMOpener {
    /// Creates the cipher of a link: nonces of 13 bytes, MICs of 4.
    convenience init(_ sessionKey: [UInt8]) throws(CryptoError) {
        try self.init(key: sessionKey, nonceLength: 13, tagLength: EncryptedPacket.micLength)
    }
}

/// A data PDU with a MIC.
///
/// Source: Core Specification, Vol 6, Part E, 2.
struct EncryptedPacket: Sendable {
    static let micLength = 4
    /// The opcode of LL_START_ENC_RSP, which has no more than that.
    static let startResponse = LLControlOpcode.startEncryptionResponse.rawValue
    /// The packet counter has 39 bits.
    static let counterLimit: UInt64 = 1 << 39

    let fromCentral: Bool
    /// The first byte of the header without NESN, SN and MD.
    private let additionalData: [UInt8]
    let ciphertext: [UInt8]
    private let mic: [UInt8]

    /// `payload` has more bytes than a MIC.
    init(header: UInt8, payload: RawSpan, fromCentral: Bool) {
        let length = max(payload.byteCount - Self.micLength, 0)
        self.fromCentral = fromCentral
        additionalData = [header & 0xE3]
        ciphertext = payload.clamped(0..<length).copied()
        mic = payload.dropping(length).copied()
    }

    /// Whether it has the kind and length of an encrypted LL_START_ENC_RSP.
    var mayBeStartResponse: Bool { additionalData[0] & 3 == 3 && ciphertext.count == 1 }

    private func nonce(_ iv: [UInt8], _ counter: UInt64) -> [UInt8] {
        var nonce = counter.littleOctets(5)
        if fromCentral { nonce[4] |= 0x80 }
        return nonce + iv
    }

    /// The block whose encryption covers the start of the plaintext if the packet is the first of its side.
    func firstCounterBlock(_ iv: [UInt8]) -> AESKeyTrial.Block {
        .init(bytes: [1] + nonce(iv, 0) + [0, 1])
    }

    /// Returns the plaintext if the packet has this counter; `iv` has 8 bytes, the central's first.
    func plaintext(
        _ cipher: SessionCipher, _ iv: [UInt8], counter: UInt64
    ) throws(CryptoError) -> [UInt8]? {
        try plaintext(cipher, iv, from: counter, count: 1)?.plaintext
    }

    /// Returns the first counter of `count` from `first` on with which the MIC is right, and the plaintext.
    func plaintext(
        _ cipher: SessionCipher, _ iv: [UInt8], from first: UInt64, count: UInt64
    ) throws(CryptoError) -> (counter: UInt64, plaintext: [UInt8])? {
        var nonce = nonce(iv, first)
        var plaintext: [UInt8] = []
        for counter in first..<min(first + count, Self.counterLimit) {
            for index in 0..<5 { nonce[index] = UInt8(truncatingIfNeeded: counter >> UInt64(8 * index)) }
            if fromCentral { nonce[4] |= 0x80 }
            if try cipher.open(
                nonce: nonce, additionalData: additionalData, ciphertext: ciphertext, tag: mic,
                into: &plaintext)
            {
                return (counter, plaintext)
            }
        }
        return nil
    }
}
