import Crypto
import Testing
import WireBytes

/// Published samples; each names its source.
@Suite struct CryptoVectorsTests {
    static let plain =
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

    @Test(arguments: [
        (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
        (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
    ])
    func `AES-CMAC gives the samples of RFC 4493`(length: Int, expected: String) throws {
        let key = try Hex.octets("2b7e151628aed2a6abf7158809cf4f3c")
        let message = Array(try Hex.octets(Self.plain).prefix(length))
        #expect(Hex.text(try MessageAuthentication.cmac(key: key, message)) == expected)
    }

    @Test func `one block of AES gives the sample of FIPS 197`() throws {
        let cipher = try AESBlockCipher(key: try Hex.octets("000102030405060708090a0b0c0d0e0f"))
        let block = try Hex.octets("00112233445566778899aabbccddeeff")
        for _ in 0..<3 {
            #expect(Hex.text(try cipher.encrypt(block)) == "69c4e0d86a7b0430d8cdb78070b4c55a")
        }
        #expect(throws: CryptoError.inputLength(15)) { try cipher.encrypt(Array(block.dropLast())) }
        #expect(throws: CryptoError.keyLength(3)) { try AESBlockCipher(key: [1, 2, 3]) }
    }

    @Test(arguments: [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
    ])
    func `HMAC-SHA-256 gives the samples of RFC 4231`(key: String, message: String, code: String) throws {
        let result = try MessageAuthentication.hmacSHA256(
            key: try Hex.octets(key), try Hex.octets(message))
        #expect(Hex.text(result) == code)
    }

    @Test(arguments: [
        ("10111213141516", "0001020304050607", "20212223", "7162015b", "4dac255d"),
        (
            "1011121314151617", "000102030405060708090a0b0c0d0e0f", "202122232425262728292a2b2c2d2e2f",
            "d2a1f0e051ea5f62081a7792073d593d", "1fc64fbfaccd"
        ),
    ])
    func `AES-CCM gives the examples of NIST SP 800-38C`(
        nonce: String, additional: String, plain: String, cipher: String, tag: String
    ) throws {
        let key = try Hex.octets("404142434445464748494a4b4c4d4e4f")
        let (nonce, additional) = (try Hex.octets(nonce), try Hex.octets(additional))
        let sealed = try AESCCM.seal(
            key: key, nonce: nonce, additionalData: additional, plaintext: try Hex.octets(plain),
            tagLength: tag.count / 2)
        #expect(Hex.text(sealed.ciphertext) == cipher)
        #expect(Hex.text(sealed.tag) == tag)
        let opened = try AESCCM.open(
            key: key, nonce: nonce, additionalData: additional, ciphertext: sealed.ciphertext,
            tag: sealed.tag)
        #expect(Hex.text(opened) == plain)
        for bit in 0..<8 * sealed.tag.count {
            var wrong = sealed.tag
            wrong[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError.notAuthentic) {
                try AESCCM.open(
                    key: key, nonce: nonce, additionalData: additional, ciphertext: sealed.ciphertext,
                    tag: wrong)
            }
        }
    }

    @Test func `AES-CCM takes an empty message and refuses lengths it has none of`() throws {
        let key = [UInt8](repeating: 7, count: 16)
        let nonce = [UInt8](repeating: 1, count: 13)
        let sealed = try AESCCM.seal(key: key, nonce: nonce, additionalData: [], plaintext: [], tagLength: 8)
        #expect(sealed.ciphertext.isEmpty && sealed.tag.count == 8)
        let opened = try AESCCM.open(
            key: key, nonce: nonce, additionalData: [], ciphertext: [], tag: sealed.tag)
        #expect(opened.isEmpty)
        #expect(throws: CryptoError.notAuthentic) {
            try AESCCM.open(key: key, nonce: nonce, additionalData: [1], ciphertext: [], tag: sealed.tag)
        }
        #expect(throws: CryptoError.inputLength(6)) {
            try AESCCM.open(key: key, nonce: [1, 2, 3, 4, 5, 6], additionalData: [], ciphertext: [], tag: [])
        }
        #expect(throws: CryptoError.inputLength(5)) {
            try AESCCM.seal(key: key, nonce: nonce, additionalData: [], plaintext: [], tagLength: 5)
        }
    }

    // Core Specification, Vol 2, Part G, 7.1.2, data set 1.
    static let privateA = "3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd"
    static let privateB = "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd"
    static let publicAX = "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6"
    static let publicAY = "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"
    static let publicBX = "1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190"
    static let publicBY = "4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a"
    static let shared = "ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"

    @Test func `P-256 gives the sample keys and their shared secret from both sides`() throws {
        let (a, b) = (try Hex.octets(Self.privateA), try Hex.octets(Self.privateB))
        let (publicA, publicB) = (try P256.publicKey(of: a), try P256.publicKey(of: b))
        #expect(Hex.text(publicA.x) == Self.publicAX && Hex.text(publicA.y) == Self.publicAY)
        #expect(Hex.text(publicB.x) == Self.publicBX && Hex.text(publicB.y) == Self.publicBY)
        #expect(
            Hex.text(try P256.sharedSecret(privateKey: a, x: publicB.x, y: publicB.y)) == Self.shared)
        #expect(
            Hex.text(try P256.sharedSecret(privateKey: b, x: publicA.x, y: publicA.y)) == Self.shared)
    }

    @Test func `P-256 refuses points off the curve and keys out of range`() throws {
        let a = try Hex.octets(Self.privateA)
        let x = try Hex.octets(Self.publicBX)
        var y = try Hex.octets(Self.publicBY)
        y[31] ^= 1
        #expect(throws: CryptoError.invalidKey) { try P256.sharedSecret(privateKey: a, x: x, y: y) }
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(throws: CryptoError.invalidKey) { try P256.sharedSecret(privateKey: a, x: zero, y: zero) }
        #expect(throws: CryptoError.invalidKey) { try P256.publicKey(of: zero) }
        let ones = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: CryptoError.invalidKey) { try P256.publicKey(of: ones) }
        #expect(throws: CryptoError.keyLength(31)) { try P256.publicKey(of: Array(ones.dropLast())) }
    }

    @Test func `the random address hash gives the sample of the Core Specification`() throws {
        let key = try Hex.octets("ec0234a357c8ad05341010a60a397d9b")
        #expect(try PrivateAddressResolver.hash(key: key, prand: 0x708194) == 0x0DFBAA)
        // Of the random bits, two are fixed, and the others are neither all 0 nor all 1.
        #expect(try PrivateAddressResolver.address(key: key, random: 0xF08194) == 0x7081_940D_FBAA)
        for random in [UInt32(0), 0xFFFF_FFFF] {
            let address = try PrivateAddressResolver.address(key: key, random: random)
            #expect(address >> 46 == 0b01 && (1..<0x3F_FFFF).contains(address >> 24 & 0x3F_FFFF))
        }
    }

    @Test func `a private address is given to the identity that made it and to no other`() throws {
        var resolver = PrivateAddressResolver()
        for seed in UInt8(0)..<20 {
            let number = try resolver.add(identityResolvingKey: [UInt8](repeating: seed, count: 16))
            #expect(number == Int(seed))
        }
        _ = try resolver.add(identityResolvingKey: try Hex.octets("ec0234a357c8ad05341010a60a397d9b"))
        #expect(resolver.resolve(0x7081_940D_FBAA) == 20)
        #expect(resolver.resolve(0x7081_940D_FBAB) == nil)
        #expect(resolver.resolve(0xF081_940D_FBAA) == nil)
    }

    @Test func `octets are equal in constant time only where every one is`() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
    }
}
