import Crypto
import TestSupport
import Testing
import WireBytes

/// Ciphers by name, with published samples; each names its source.
@Suite struct NamedCipherTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let source: String
        let cipher: NamedCipher
        let key: String
        var nonce = ""
        var additional = ""
        let plain: String
        let sealed: String
        var tag = ""

        var testDescription: String { "\(cipher.rawValue) of \(source)" }
        var inputs: CipherInputs {
            get throws {
                CipherInputs(nonce: try Hex.octets(nonce), additionalData: try Hex.octets(additional))
            }
        }
    }

    static let key = "2b7e151628aed2a6abf7158809cf4f3c"

    static let samples: [Sample] = [
        Sample(
            source: "RFC 3610, packet vector 1", cipher: .aesCCM, key: "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf",
            nonce: "00000003020100a0a1a2a3a4a5", additional: "0001020304050607",
            plain: "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
            sealed: "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384", tag: "17e8d12cfdf926e0"),
        Sample(
            source: "NIST SP 800-38C, example 1", cipher: .aesCCM, key: "404142434445464748494a4b4c4d4e4f",
            nonce: "10111213141516", additional: "0001020304050607", plain: "20212223", sealed: "7162015b",
            tag: "4dac255d"),
        Sample(
            source: "GCM's specification, test case 4", cipher: .aesGCM,
            key: "feffe9928665731c6d6a8f9467308308", nonce: "cafebabefacedbaddecaf888",
            additional: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plain: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            sealed: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
            tag: "5bc94fbc3221a5db94fae95ae7121a47"),
        Sample(
            source: "NIST SP 800-38A, F.5.1", cipher: .aesCTR, key: key,
            nonce: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", plain: CryptoVectorsTests.plain,
            sealed: "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                + "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"),
        Sample(
            source: "NIST SP 800-38A, F.1.1", cipher: .aesECB, key: key, plain: CryptoVectorsTests.plain,
            sealed: "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
                + "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"),
        Sample(
            source: "NIST SP 800-38A, F.2.1", cipher: .aesCBC, key: key,
            nonce: "000102030405060708090a0b0c0d0e0f", plain: CryptoVectorsTests.plain,
            sealed: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"),
        Sample(
            source: "RFC 4493, example 3", cipher: .aesCMAC, key: key,
            additional: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
            plain: "30c81c46a35ce411", sealed: "30c81c46a35ce411", tag: "dfa66747de9ae63030ca32611497c827"),
        Sample(
            source: "RFC 4231, test case 2", cipher: .hmacSHA256, key: "4a656665",
            additional: "7768617420646f2079612077616e7420",
            plain: "666f72206e6f7468696e673f", sealed: "666f72206e6f7468696e673f",
            tag: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Sample(source: "itself", cipher: .xor, key: "0f10", plain: "0102030405", sealed: "0e120c140a"),
    ]

    @Test(arguments: samples)
    func `a cipher gives its published sample in both directions`(sample: Sample) throws {
        let key = try Hex.octets(sample.key)
        let tag = try Hex.octets(sample.tag)
        let (plain, ciphertext) = (try Hex.octets(sample.plain), try Hex.octets(sample.sealed))
        let sealed = try sample.cipher.seal(plain, tagOctets: tag.count, try sample.inputs, key: key)
        #expect(Hex.text(sealed.ciphertext) == sample.sealed && Hex.text(sealed.tag) == sample.tag)
        #expect(try sample.cipher.open(ciphertext, tag: tag, try sample.inputs, key: key) == plain)
    }

    @Test(arguments: NamedCipher.allCases)
    func `what a cipher seals it opens, and with a tag no flipped bit opens`(cipher: NamedCipher) throws {
        var random = SeededRandom(seed: 41)
        for _ in 0..<200 {
            let keyOctets = [16, 24, 32].filter(cipher.takes(keyOctets:)).randomElement(using: &random)
            let key = random.octets(keyOctets ?? 16)
            let lengths = cipher.nonceLengths
            var inputs = CipherInputs(nonce: random.octets(Int.random(in: lengths, using: &random)))
            let tagOctets = (0...32).filter(cipher.takes(tagOctets:)).randomElement(using: &random) ?? 0
            let isBlocks = cipher == .aesECB || cipher == .aesCBC
            if cipher.authenticates {
                inputs.additionalData = random.octets(Int.random(in: 0...40, using: &random))
            }
            inputs.isPadded = isBlocks && Bool.random(using: &random)
            inputs.countsFromFirst = cipher == .aesCTR && Bool.random(using: &random)
            let count = Int.random(in: 0...70, using: &random)
            let plain = random.octets(isBlocks && !inputs.isPadded ? count / 16 * 16 : count)
            let sealed = try cipher.seal(plain, tagOctets: tagOctets, inputs, key: key)
            #expect(try cipher.open(sealed.ciphertext, tag: sealed.tag, inputs, key: key) == plain)
            guard cipher.authenticates else { continue }
            for part in 0..<5 {
                var (text, tag, wrong, other) = (sealed.ciphertext, sealed.tag, inputs, key)
                switch part {
                case 0: random.flip(&text)
                case 1: random.flip(&tag)
                case 2: random.flip(&wrong.nonce)
                case 3: random.flip(&wrong.additionalData)
                default: random.flip(&other)
                }
                // Nothing was flipped in an empty part.
                guard text != sealed.ciphertext || tag != sealed.tag || wrong != inputs || other != key else {
                    continue
                }
                #expect(throws: CryptoError.notAuthentic) {
                    try cipher.open(text, tag: tag, wrong, key: other)
                }
            }
        }
    }

    @Test func `a counter that counts from the first byte carries into the next`() throws {
        let key = try Hex.octets(Self.key)
        var inputs = CipherInputs(nonce: [0xFF] + [UInt8](repeating: 0, count: 15))
        inputs.countsFromFirst = true
        let whole = try NamedCipher.aesCTR.seal([UInt8](repeating: 0, count: 32), inputs, key: key)
        let next = CipherInputs(nonce: [0, 1] + [UInt8](repeating: 0, count: 14))
        let second = try NamedCipher.aesCTR.seal([UInt8](repeating: 0, count: 16), next, key: key)
        #expect(Array(whole.ciphertext.suffix(16)) == second.ciphertext)
    }

    @Test(arguments: NamedCipher.allCases)
    func `lengths that a cipher does not take are refused`(cipher: NamedCipher) {
        let nonce = [UInt8](repeating: 0, count: cipher.nonceLengths.lowerBound)
        let tag = [UInt8](repeating: 0, count: cipher.authenticates ? 4 : 0)
        let inputs = CipherInputs(nonce: nonce)
        #expect(throws: CryptoError.keyLength(0)) { try cipher.open([], tag: tag, inputs, key: []) }
        let key = [UInt8](repeating: 1, count: 16)
        #expect(throws: CryptoError.inputLength(17)) {
            try cipher.open([], tag: tag, CipherInputs(nonce: [UInt8](repeating: 0, count: 17)), key: key)
        }
        #expect(throws: CryptoError.inputLength(3)) {
            try cipher.open([], tag: [1, 2, 3], inputs, key: key)
        }
        #expect(throws: CryptoError.inputLength(65_536)) {
            try cipher.open([UInt8](repeating: 0, count: 65_536), tag: tag, inputs, key: key)
        }
        if cipher == .aesECB || cipher == .aesCBC {
            #expect(throws: CryptoError.inputLength(15)) {
                try cipher.open([UInt8](repeating: 0, count: 15), inputs, key: key)
            }
        }
    }
}

extension SeededRandom {
    /// Flips one bit; none of an empty array.
    fileprivate mutating func flip(_ octets: inout [UInt8]) {
        guard let place = octets.indices.randomElement(using: &self) else { return }
        octets[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    }
}
