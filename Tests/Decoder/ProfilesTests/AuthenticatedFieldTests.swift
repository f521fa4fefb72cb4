import Crypto
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Fields and members in clear whose tag a key checks, and encrypted members of CBOR.
@Suite struct AuthenticatedFieldTests {
    private static let text = #"""
        {"name": "x",
         "ciphers": {
          "seal": {"algorithm": "hmac-sha-256", "tag": "tag", "additionalData": [{"use": "count", "from": 7, "to": 8}]},
          "box": {"algorithm": "aes-gcm", "tag": "head.tag", "nonce": [{"use": "head.nonce"}],
           "additionalData": [{"use": "cover"}]}},
         "cbor": {
          "Inner": [{"key": "level", "type": "enum", "enum": {"1": "yes", "2": {"name": "no", "refusal": true}}}],
          "Sealed": [{"key": 1, "name": "count", "type": "uint32"},
           {"key": 2, "name": "data", "type": "bytes", "cipher": "seal", "message": "Inner"},
           {"key": 3, "name": "tag", "type": "bytes"}],
          "Boxed": [{"key": 1, "name": "data", "type": "bytes", "cipher": "box", "message": "Inner"},
           {"key": 2, "name": "head", "type": "message",
            "members": [{"key": "n", "name": "nonce", "type": "bytes"}, {"key": "t", "name": "tag", "type": "bytes"}]},
           {"key": 3, "name": "cover", "type": "message", "members": [{"key": "a", "type": "uint32"}]}],
          "Held": [{"key": 1, "name": "data", "type": "bytes", "message": "Inner"}]},
         "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}], "select": {"at": 0}, "messages": [
          {"name": "plain", "value": 1, "fields": [{"name": "kind", "type": "u8"},
            {"name": "order", "type": "authenticated", "length": 2,
             "cipher": {"algorithm": "aes-cmac", "tag": "tag", "tagLength": 8, "additionalData": [{"use": "kind"}]},
             "fields": [{"name": "what", "type": "u8"}, {"name": "level", "type": "u8"}]},
            {"name": "tag", "type": "bytes", "length": 8}]},
          {"name": "sealed", "value": 2, "fields": [{"name": "kind", "type": "u8"},
            {"name": "map", "type": "cbor", "message": "Sealed"}]},
          {"name": "boxed", "value": 3, "fields": [{"name": "kind", "type": "u8"},
            {"name": "map", "type": "cbor", "message": "Boxed"}]},
          {"name": "held", "value": 4, "fields": [{"name": "kind", "type": "u8"},
            {"name": "map", "type": "cbor", "message": "Held"}]}]}]}
        """#

    private static let secret = [UInt8](1...16)

    private static func link(_ key: [UInt8]? = secret) throws -> ProfileHarness {
        ProfileHarness(
            [try Profile(json: Array(text.utf8))],
            keys: key.map { [FieldKey(profile: "x", key: SecretKey($0))] } ?? [])
    }

    private static func layout(_ link: ProfileHarness, _ message: Int) -> Layout {
        link.profiles[0].channels[0].messages[message].layout
    }

    /// A byte string of CBOR of at most 255 bytes.
    private static func bytes(_ octets: [UInt8]) -> String {
        Hex.text((octets.count < 24 ? [0x40 | UInt8(octets.count)] : [0x58, UInt8(octets.count)]) + octets)
    }

    @Test func `a field in clear shows its values and the result of its tag`() throws {
        let tag = try MessageAuthentication.cmac(key: Self.secret, [1, 7, 9]).prefix(8)
        let right = "010709" + Hex.text(Array(tag))
        let wrong = "010708" + Hex.text(Array(tag))
        var link = try Self.link()
        let shown = try link.one(right, .write, of: "FD10/FD11")
        #expect(shown.problems.isEmpty && shown.fields.text("order.authenticity") == "right")
        #expect(shown.fields.text("order.what") == "7" && shown.fields.text("order.level") == "9")
        #expect(Hex.text(try Self.layout(link, 0).encode(shown.fields)) == right)
        let changed = try link.one(wrong, .write, of: "FD10/FD11")
        #expect(changed.codes == ["profile.tag"] && changed.fields.text("order.level") == "8")
        #expect(
            changed.fields.text("order.authenticity")
                == "not right; wrong key, or changed bytes: the tag does not fit")
        var bare = try Self.link(nil)
        let unknown = try bare.one(wrong, .write, of: "FD10/FD11")
        #expect(unknown.problems.isEmpty)
        #expect(
            unknown.fields.text("order.authenticity") == "not checked; no key for this device: --keys")
        // A typed message needs no result.
        let typed = try Self.layout(link, 0).encode(typed: [
            "kind": "1", "order.what": "7", "order.level": "9",
        ])
        #expect(Hex.text(typed) == "010709" + String(repeating: "0", count: 16))
    }

    @Test func `a member of a map in clear is checked by its tag, and without one only shown`() throws {
        var link = try Self.link()
        let inner = try Hex.octets("a1656c6576656c01")
        let whole = try MessageAuthentication.hmacSHA256(key: Self.secret, [5] + inner)
        let right = "02a3" + "0105" + "02" + Self.bytes(inner) + "03" + Self.bytes(whole)
        let shown = try link.one(right, .write, of: "FD10/FD11")
        #expect(shown.problems.isEmpty && shown.fields.text("map.data.authenticity") == "right")
        #expect(shown.fields.text("map.data.level") == "yes")
        #expect(Hex.text(try Self.layout(link, 1).encode(shown.fields)) == right)
        let changed = try link.one(right.replacing("02a30105", with: "02a30106"), .write, of: "FD10/FD11")
        #expect(changed.codes == ["profile.tag"] && changed.fields.text("map.data.level") == "yes")
        let untagged = try link.one("02a2010502" + Self.bytes(inner), .write, of: "FD10/FD11")
        #expect(untagged.problems.isEmpty && untagged.fields.text("map.data.level") == "yes")
        #expect(untagged.fields.text("map.data.authenticity") == nil)
        // Bytes that are no such map stay bytes, and their tag is checked.
        let other = try MessageAuthentication.hmacSHA256(key: Self.secret, [5, 0xFF, 0])
        let opaque = "02a3" + "0105" + "0242ff00" + "03" + Self.bytes(other)
        let kept = try link.one(opaque, .write, of: "FD10/FD11")
        #expect(kept.fields.text("map.data.authenticity") == "right")
        #expect(kept.fields.text("map.data.bytes") == "ff00")
        #expect(Hex.text(try Self.layout(link, 1).encode(kept.fields)) == opaque)
    }

    /// A map with an encrypted member, its cipher's values after it: the tag covers a map as it is sent.
    private static func boxed(_ plaintext: String, cover: String = "a1616101") throws -> String {
        let nonce = [UInt8](0..<12)
        let inputs = CipherInputs(nonce: nonce, additionalData: [0xA1, 0x61, 0x61, 1])
        let sealed = try NamedCipher.aesGCM.seal(
            try Hex.octets(plaintext), tagOctets: 16, inputs, key: secret)
        return "03a3" + "01" + bytes(sealed.ciphertext) + "02a2616e" + bytes(nonce) + "6174"
            + bytes(sealed.tag) + "03" + cover
    }

    @Test func `an encrypted member of a map opens, and its refusals count`() throws {
        var link = try Self.link()
        let message = try Self.boxed("a1656c6576656c02")
        let shown = try link.one(message, .write, of: "FD10/FD11")
        #expect(shown.fields.text("map.data.level") == "no" && shown.codes == ["profile.refused"])
        #expect(throws: LayoutError.encrypted("map.data")) {
            try Self.layout(link, 2).encode(shown.fields)
        }
        let unfit = try link.one(try Self.boxed("ff"), .write, of: "FD10/FD11")
        #expect(unfit.fields.text("map.data.opened") == "ff" && unfit.misfits.isEmpty)
        let changed = try link.one(
            try Self.boxed("a1656c6576656c02", cover: "a1616102"), .write, of: "FD10/FD11")
        #expect(
            changed.fields.text("map.data.state")
                == "encrypted; wrong key, or changed bytes: the tag does not fit")
        var bare = try Self.link(nil)
        let closed = try bare.one(message, .write, of: "FD10/FD11")
        #expect(closed.fields.text("map.data.state") == "encrypted; no key for this device: --keys")
        #expect(Hex.text(try Self.layout(link, 2).encode(closed.fields)) == message)
        let clear = try link.one("03a101" + "48a1656c6576656c01", .write, of: "FD10/FD11")
        #expect(clear.fields.text("map.data.level") == "yes")
    }

    @Test func `bytes of a map may hold another map`() throws {
        var link = try Self.link()
        let shown = try link.one("04a10148a1656c6576656c02", .write, of: "FD10/FD11")
        #expect(shown.fields.text("map.data.level") == "no" && shown.refusal == "no")
        // Bytes in parts, a value without a name and one that no member describes stay bytes.
        for (hex, octets) in [
            ("04a1015f48a1656c6576656c02ff", "a1656c6576656c02"),
            ("04a10148a1656c6576656c03", "a1656c6576656c03"),
            ("04a10148a1656c6576656d02", "a1656c6576656d02"),
        ] {
            let shown = try link.one(hex, .write, of: "FD10/FD11")
            #expect(shown.problems.isEmpty && shown.value("map")?.octets("data") == octets)
        }
    }

    /// A part of the profile, its replacement, and the place, the finding and the expectation of the problem.
    static let faults: [(String, String, String, String, String)] = [
        (
            #""authenticated""#, #""encrypted""#, "fields[1]", "the type \"encrypted\" with aes-cmac",
            "authenticated"
        ),
        (
            #""aes-cmac", "#, #""aes-ecb", "#, "fields[1]", "the type \"authenticated\" with aes-ecb",
            "encrypted"
        ),
        (
            #""tagLength": 8"#, #""tagLength": 9"#, "fields[1].cipher.tag", "a tag of 8 bytes",
            "a field of 9 bytes"
        ),
        (
            #""tagLength": 8"#, #""tagLength": 17"#, "fields[1].cipher.tag", "a tag of 8 bytes",
            "a field of 16 bytes"
        ),
        (#", "tagLength": 8"#, "", "fields[1].cipher.tag", "a tag of 8 bytes", "a field of 16 bytes"),
        (
            #""aes-cmac", "tag": "tag", "#, #""aes-cmac", "#, "fields[1].cipher", "no tag",
            "a field of 8 bytes"
        ),
        (
            #""aes-gcm", "#, #""aes-gcm", "tagLength": 8, "#, "$.ciphers.box.tagLength", "tagLength",
            "no such member for aes-gcm"
        ),
        (
            #""key": "level", "type""#, #""key": "level", "name": "authenticity", "type""#,
            "$.cbor.Sealed[1]",
            "the name \"authenticity\"", "another"
        ),
        (
            #""what", "type""#, #""authenticity", "type""#, "fields[1]", "the name \"authenticity\"",
            "another"
        ),
        (
            #""cipher": "box""#, #""cipher": []"#, "$.cbor.Boxed[0].cipher", "no cipher",
            "ciphers that differ by their tags"
        ),
        (
            #""cipher": "box""#, #""cipher": [{"algorithm": "xor"}, "box"]"#, "$.cbor.Boxed[0].cipher",
            "a cipher after one without a tag", "ciphers that differ"
        ),
        (
            #"{"use": "count", "from": 7, "to": 8}"#, #"{"function": "hmac-sha-256", "of": [], "key": []}"#,
            "$.ciphers.seal.additionalData", "a key of 0 bytes", "1 byte or more for hmac-sha-256"
        ),
    ]

    @Test(arguments: faults)
    func `a mistake is named with its path`(
        part: String, replacement: String, path: String, found: String, expected: String
    ) throws {
        let problem = try Profile.problem(of: Self.text, replacing: part, with: replacement, found: found)
        #expect(problem.path.hasSuffix(path) && problem.expected.hasPrefix(expected) && problem.line > 1)
    }
}

extension AnnotationValue {
    /// The bytes of a field in a group, in hexadecimal.
    fileprivate func octets(_ name: String) -> String? {
        guard case .group(let fields) = self,
            case .octets(let octets)? = fields.first(where: { $0.name == name })?.value
        else { return nil }
        return Hex.text(octets)
    }
}
