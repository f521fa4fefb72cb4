import Crypto
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Members of Protocol Buffers that a cipher opens, with values of their message and of earlier ones.
@Suite struct EncryptedMemberTests {
    private static let text = #"""
        {"name": "x",
         "ciphers": {"box": {"algorithm": "aes-gcm", "tag": "head.tag", "nonce": [{"use": "head.nonce"}],
          "key": [{"function": "sha-1", "of": [{"use": "key"}, {"use": "earlier.salt"}], "to": 16}],
          "additionalData": [{"use": "key.owner"}, {"use": "head.count", "from": 6, "to": 8, "or": {"hex": "0000"}}]}},
         "protobuf": {
          "Head": [{"number": 1, "name": "nonce", "type": "bytes"}, {"number": 2, "name": "tag", "type": "bytes"},
           {"number": 3, "name": "count", "type": "uint32"}],
          "Box": [{"number": 1, "name": "data", "type": "bytes", "cipher": "box",
            "members": [{"number": 1, "name": "level", "type": "enum", "enum": {"2": {"name": "no", "refusal": true}}}]},
           {"number": 2, "name": "head", "type": "message", "message": "Head"},
           {"number": 3, "name": "plain", "type": "bytes", "cipher": "box"}]},
         "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}], "select": {"at": 0}, "messages": [
          {"name": "begin", "value": 1, "fields": [{"name": "kind", "type": "u8"},
            {"name": "salt", "type": "bytes", "length": 2}], "remember": {"salt": {"value": [{"use": "salt"}]}}},
          {"name": "boxed", "value": 2, "fields": [{"name": "kind", "type": "u8"},
            {"name": "box", "type": "protobuf", "message": "Box"}]}]}]}
        """#

    private static let secret: [UInt8] = [9, 8, 7]

    private static func link(values: [String: SecretKey] = ["owner": SecretKey([5])]) throws -> ProfileHarness
    {
        ProfileHarness(
            [try Profile(json: Array(text.utf8))],
            keys: [FieldKey(profile: "x", key: SecretKey(secret), values: values)])
    }

    /// A message with a sealed member, its cipher's values after it.
    private static func boxed(_ plaintext: [UInt8], salt: [UInt8], number: Int = 1) throws -> String {
        let nonce = [UInt8](0..<12)
        let key = Array(try SHA1.hash(of: secret + salt).prefix(16))
        let sealed = try NamedCipher.aesGCM.seal(
            plaintext, tagOctets: 16, CipherInputs(nonce: nonce, additionalData: [5, 1, 3]), key: key)
        let head = [0x0A, 12] + nonce + [0x12, 16] + sealed.tag + [0x18, 0x83, 2]
        let data = [UInt8(number << 3 | 2), UInt8(plaintext.count)] + sealed.ciphertext
        return Hex.text([2] + data + [0x12, UInt8(head.count)] + head)
    }

    @Test func `a member opens with later values of its message and an earlier message's`() throws {
        var link = try Self.link()
        #expect(try link.one("01aabb", .write, of: "FD10/FD11").problems.isEmpty)
        let opened = try link.one(try Self.boxed([8, 1], salt: [0xAA, 0xBB]), .write, of: "FD10/FD11")
        #expect(opened.problems.isEmpty && opened.fields.text("box.data.level") == "1")
        #expect(opened.fields.text("box.head.count") == "259")
        let refused = try link.one(try Self.boxed([8, 2], salt: [0xAA, 0xBB]), .write, of: "FD10/FD11")
        #expect(refused.refusal == "no" && refused.codes == ["profile.refused"])
        let plain = try link.one(
            try Self.boxed([1, 2, 3], salt: [0xAA, 0xBB], number: 3), .write, of: "FD10/FD11")
        #expect(plain.fields.text("box.plain.opened") == "010203")
        let other = try link.one(try Self.boxed([0x0F], salt: [0xAA, 0xBB]), .write, of: "FD10/FD11")
        #expect(other.fields.text("box.data.opened") == "0f" && other.misfits.isEmpty)
        #expect(other.fields.text("box.data.does-not-fit") != nil)
    }

    @Test func `a member without its tag is in clear, and is written again`() throws {
        var link = try Self.link()
        let clear = try link.one("020a020802", .write, of: "FD10/FD11")
        #expect(clear.fields.text("box.data.level") == "no")
        let layout = link.profiles[0].channels[0].messages[1].layout
        #expect(try layout.encode(clear.fields) == [2, 0x0A, 2, 8, 2])
    }

    @Test func `what is missing is named, and nothing is opened`() throws {
        let message = try Self.boxed([8, 1], salt: [0xAA, 0xBB])
        var links = [
            (try Self.link(), "01aabc", "wrong key, or changed bytes: the tag does not fit"),
            (try Self.link(), "020a020802", "earlier.salt is missing or too short"),
            (try Self.link(values: [:]), "01aabb", "key.owner is missing or too short"),
            (
                ProfileHarness([try Profile(json: Array(Self.text.utf8))]), "01aabb",
                "no key for this device: --keys"
            ),
        ]
        for index in links.indices {
            _ = try links[index].0.one(links[index].1, .write, of: "FD10/FD11")
            let shown = try links[index].0.one(message, .write, of: "FD10/FD11")
            #expect(shown.fields.text("box.data.state") == "encrypted; \(links[index].2)")
            #expect(shown.fields.text("box.data.level") == nil && shown.problems.isEmpty)
        }
        // A new link has no earlier messages.
        _ = links[0].0.tracker.close(at: 0)
        let shown = try links[0].0.one(message, .write, of: "FD10/FD11")
        #expect(shown.fields.text("box.data.state") == "encrypted; earlier.salt is missing or too short")
    }

    @Test func `bytes that were not opened are written again, but no opened field is`() throws {
        var link = try Self.link()
        let message = try Self.boxed([8, 1], salt: [0xAA, 0xBB])
        let layout = link.profiles[0].channels[0].messages[1].layout
        let closed = try link.one(message, .write, of: "FD10/FD11")
        #expect(Hex.text(try layout.encode(closed.fields)) == message)
        _ = try link.one("01aabb", .write, of: "FD10/FD11")
        let opened = try link.one(message, .write, of: "FD10/FD11")
        #expect(throws: LayoutError.encrypted("box.data")) { try layout.encode(opened.fields) }
        #expect("\(LayoutError.encrypted("box.data"))".contains("can't write it"))
    }

    /// A part of the profile, its replacement, and the place, the finding and the expectation of the problem.
    static let faults: [(String, String, String, String, String)] = [
        (#""cipher": "box","#, #""cipher": "bag","#, "$.protobuf.Box[0].cipher", "\"bag\"", "one of box"),
        (
            "head.nonce", "head.none", "$.ciphers.box.nonce", "the value \"head.none\"",
            "one of data, deviceAddress, earlier.salt, head, head.count"
        ),
        ("head.tag", "tag", "$.ciphers.box.tag", "\"tag\"", "the name of a field beside this one"),
        ("earlier.salt", "earlier.pepper", "$.ciphers.box.key", "the value \"earlier.pepper\"", "one of"),
        (#", "to": 16"#, "", "$.ciphers.box.key", "a key of 20 bytes", "16, 24 or 32"),
        (#""to": 16"#, #""to": 21"#, "$.ciphers.box.key", "bytes up to 21 of a term", "20"),
        (#""to": 8"#, #""to": 9"#, "$.ciphers.box.additionalData", "bytes up to 9 of head.count", "8"),
        ("sha-1", "md5", "$.ciphers.box.key[0].function", "\"md5\"", "one of sha-1, sha-256,"),
        (
            #""function": "sha-1","#, #""function": "ecdh-p256","#, "$.ciphers.box.key", "a key of 0 bytes",
            "32 bytes"
        ),
        (
            #""function": "sha-1","#, #""key": [{"hex": "00"}],"#, "$.ciphers.box.key[0]", "a key",
            "a function"
        ),
        (
            #""function": "sha-1", "of""#, #""key": [{"use": "key"}], "function": "sha-1", "of""#,
            "$.ciphers.box.key", "a key", "no key for sha-1"
        ),
        (
            #"{"use": "key.owner"}"#, #"{"text": "a", "function": "sha-1"}"#,
            "$.ciphers.box.additionalData[0]", "a function", "\"of\""
        ),
        (
            #"{"use": "key.owner"}"#, #"{"use": "key.owner", "by": []}"#, "$.ciphers.box.additionalData[0]",
            "by", "it beside"
        ),
        (
            #"{"use": "key.owner"}"#, #"{"use": "key"}"#, "$.ciphers.box.additionalData", "the value \"key\"",
            "one of"
        ),
        (
            #""cipher": "box"}"#, #""cipher": "box", "repeated": true}"#, "$.protobuf.Box[2]",
            "encrypted and repeated", "one of them"
        ),
        (
            #"{"use": "salt"}"#, #"{"use": "pepper"}"#, "$.channels[0].messages[0].remember.salt",
            "the value \"pepper\"", "one of kind, salt"
        ),
        (
            #""value": [{"use": "salt"}]"#, "", "$.channels[0].messages[0].remember.salt",
            "no member \"value\"", "one"
        ),
    ]

    @Test(arguments: faults)
    func `a mistake is named with its path`(
        part: String, replacement: String, path: String, found: String, expected: String
    ) throws {
        let problem = try Profile.problem(of: Self.text, replacing: part, with: replacement, found: found)
        #expect(problem.path == path && problem.expected.hasPrefix(expected) && problem.line > 1)
    }
}
