import Crypto
import Testing
import WireBytes

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the samples of FIPS 180 come out`(message: String, expected: String) throws {
        #expect(Hex.text(try SHA256.hash(of: Array(message.utf8))) == expected)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ])
    func `the samples of SHA-1 come out`(message: String, expected: String) throws {
        #expect(Hex.text(try SHA1.hash(of: Array(message.utf8))) == expected)
    }
}
