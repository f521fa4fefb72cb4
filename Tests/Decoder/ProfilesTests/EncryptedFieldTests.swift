import BluetoothCore
import Crypto
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Fields that a cipher opens with a key of the keys file.
@Suite struct EncryptedFieldTests {
    /// The key of BTHome's published example, and its device.
    static let key = "231d39c1d7cc1ab1aee224cd096db932"
    static let device: UInt64 = 0x5448_E68F_80A5
    static let sealed = "41a47266c95f730011223378237214"

    private static func explain(
        _ hex: String, of profile: String = "bthome", from device: UInt64? = device,
        _ keys: [(profile: String, address: UInt64?, key: String)]
    ) throws -> ProfileAnnotation {
        var set = ProfileSet([], tried: ProfileSource.shipped)
        set.keys = try keys.map {
            FieldKey(profile: $0.profile, address: $0.address, key: SecretKey(try Hex.octets($0.key)))
        }
        let owner = try #require(AdvertisingPacksTests.owners[profile])
        let value = try Hex.octets(hex)
        let address = device.map { DeviceAddress($0) }
        return try #require(value.withReader { set.explain($0.takeRest(), of: owner, from: address) })
    }

    private static func state(_ shown: ProfileAnnotation) -> String? { shown.fields.text("data.state") }

    @Test func `a field opens with the key of its device, or with one for any device`() throws {
        for address in [Self.device, nil] {
            let shown = try Self.explain(Self.sealed, [("bthome", address, Self.key)])
            #expect(shown.fields.text("data.objects.0.value.temperature") == "25.06")
            #expect(shown.fields.text("data.objects.1.value.humidity") == "50.55")
            #expect(Self.state(shown) == nil && shown.problems.isEmpty)
        }
    }

    @Test func `without a key the bytes stay, and the output names the option`() throws {
        let others: [[(profile: String, address: UInt64?, key: String)]] = [
            [], [("bthome", 1, Self.key)], [("mibeacon", Self.device, Self.key)],
        ]
        for keys in others {
            let shown = try Self.explain(Self.sealed, keys)
            #expect(Self.state(shown) == "encrypted; no key for this device: --keys")
            #expect(shown.fields.text("data.bytes") == "a47266c95f73" && shown.misfits.isEmpty)
        }
    }

    @Test func `a wrong key, or a changed bit, opens nothing`() throws {
        let wrong = "encrypted; wrong key, or changed bytes: the tag does not fit"
        let other = String(Self.key.reversed())
        let shown = try Self.explain(Self.sealed, [("bthome", Self.device, other)])
        #expect(Self.state(shown) == wrong && shown.fields.text("data.objects.0.object") == nil)
        let value = try Hex.octets(Self.sealed)
        for bit in 8..<8 * value.count {
            var changed = value
            changed[bit / 8] ^= 1 << (bit % 8)
            let shown = try Self.explain(Hex.text(changed), [("bthome", nil, Self.key)])
            #expect(Self.state(shown) == wrong)
            #expect(shown.fields.text("data.objects.0.object") == nil)
        }
        // The address is part of the nonce.
        #expect(Self.state(try Self.explain(Self.sealed, from: 1, [("bthome", nil, Self.key)])) == wrong)
        let unknown = try Self.explain(Self.sealed, from: nil, [("bthome", nil, Self.key)])
        #expect(Self.state(unknown) == "encrypted; deviceAddress is missing or too short")
    }

    @Test func `the right one of several keys is found, and none is ever shown`() throws {
        let keys: [(profile: String, address: UInt64?, key: String)] = [
            ("bthome", nil, "00112233445566778899aabbccddeeff"), ("bthome", Self.device, "0f0e0d"),
            ("bthome", nil, Self.key),
        ]
        let shown = try Self.explain(Self.sealed, keys)
        #expect(shown.fields.text("data.objects.0.value.temperature") == "25.06")
        let short = try Self.explain(Self.sealed, [keys[1]])
        #expect(Self.state(short) == "encrypted; aes-ccm takes no key of 3 bytes")
        for text in ["\(shown)", "\(short)"] {
            for key in keys { #expect(!text.lowercased().contains(key.key)) }
        }
    }

    @Test func `a plaintext that the profile does not describe is shown as bytes if the tag fits`() throws {
        let nonce = try Hex.octets("5448e68f80a5d2fc41") + [1, 2, 3, 4]
        let sealed = try NamedCipher.aesCCM.seal(
            [0xFE, 1, 2], tagOctets: 4, CipherInputs(nonce: nonce), key: try Hex.octets(Self.key))
        let value = "41" + Hex.text(sealed.ciphertext) + "01020304" + Hex.text(sealed.tag)
        let shown = try Self.explain(value, [("bthome", nil, Self.key)])
        #expect(shown.fields.text("data.opened") == "fe0102")
        #expect(shown.fields.text("data.does-not-fit")?.contains("data.objects[0].value") == true)
    }

    @Test func `an encrypted field that is cut off does not fit, whatever is left`() throws {
        let value = try Hex.octets(Self.sealed)
        let profile = try #require(Profile.shipped(named: "bthome"))
        let message = try #require(profile.channels.flatMap(\.messages).first { $0.name.hasPrefix("enc") })
        let keys = FieldKeys(
            profile: "bthome", device: Self.device,
            [FieldKey(profile: "bthome", key: SecretKey(try Hex.octets(Self.key)))])
        for count in 0..<value.count {
            let decoded = message.layout.decode(value[..<count], keys: keys)
            #expect(decoded.misfit != nil || decoded.fields.text("data.state") != nil)
        }
        #expect(message.layout.decode(value[...], keys: keys).misfit == nil)
    }

    // MARK: The language

    private static func profile(_ fields: String) -> [UInt8] {
        Array(
            """
            {"name": "x", "channels": [{"name": "c", "advertising": [{"company": 1}],
             "messages": [{"name": "m", "fields": [{"name": "number", "type": "u16"},
            \(fields)
            {"name": "mic", "type": "bytes", "length": 4}]}]}]}
            """.utf8)
    }

    private static func cipher(_ members: String) -> [UInt8] {
        profile(
            "{\"name\": \"data\", \"type\": \"encrypted\", \"cipher\": {\(members)},\n"
                + "\"fields\": [{\"name\": \"plain\", \"type\": \"bytes\"}]},")
    }

    private static let thirteen = "{\"use\": \"number\"}, {\"hex\": \"0102030405060708090a0b\"}"

    static let faults: [(String, String, String)] = [
        (
            "\"algorithm\": \"rot13\"", "\"rot13\"",
            "one of aes-ccm, aes-gcm, aes-ctr, aes-ecb, aes-cbc, xor, aes-cmac, hmac-sha-256"
        ),
        ("\"algorithm\": \"aes-ccm\", \"tag\": \"mic\"", "a nonce of 0 bytes", "7 to 13 for aes-ccm"),
        (
            "\"algorithm\": \"aes-ccm\", \"nonce\": [\(thirteen)]", "no tag",
            "a field of 4 to 16 bytes for aes-ccm, an even number"
        ),
        (
            "\"algorithm\": \"aes-ccm\", \"nonce\": [\(thirteen)], \"tag\": \"tac\"", "\"tac\"",
            "the name of a field beside this one"
        ),
        (
            "\"algorithm\": \"aes-ctr\", \"nonce\": [\(thirteen)]", "a nonce of 13 bytes", "16 for aes-ctr"
        ),
        ("\"algorithm\": \"aes-ecb\", \"tag\": \"mic\"", "a tag of 4 bytes", "no tag for aes-ecb"),
        (
            "\"algorithm\": \"aes-ecb\", \"key\": [{\"hex\": \"0102\"}]", "a key of 2 bytes",
            "16, 24 or 32 for aes-ecb"
        ),
        ("\"algorithm\": \"xor\", \"padding\": \"pkcs7\"", "padding", "no such member for xor"),
        (
            "\"algorithm\": \"aes-ccm\", \"nonce\": [{\"use\": \"counter\"}], \"tag\": \"mic\"",
            "the value \"counter\"", "one of data, deviceAddress, mic, number"
        ),
        (
            // A key is no part of a nonce.
            "\"algorithm\": \"aes-ccm\", \"nonce\": [{\"use\": \"key\"}], \"tag\": \"mic\"",
            "the value \"key\"", "one of data, deviceAddress, mic, number"
        ),
    ]

    @Test(arguments: faults)
    func `a cipher that contradicts itself is named with its line and path`(
        members: String, found: String, expected: String
    ) throws {
        let problems = Profile.check(Self.cipher(members))
        let problem = try #require(problems.first { $0.found == found }, "\(problems)")
        #expect(problem.expected == expected && problem.line == 3)
        #expect(problem.path.hasPrefix("$.channels[0].messages[0].fields[1].cipher"))
    }

    @Test func `a named list of fields stands for its fields, and only a known name does`() throws {
        let use = #"{"name": "a", "type": "array", "items": "NAME"}"#
        let text =
            #"{"name": "x", "fields": {"point": [{"name": "x", "type": "u8"}]}, "channels": [{"name": "c", "#
            + #""advertising": [{"company": 1}], "messages": [{"name": "m", "fields": [\#(use)]}]}]}"#
        let right = text.replacing("NAME", with: "point")
        #expect(Profile.check(Array(right.utf8)).isEmpty)
        let problems = Profile.check(Array(text.utf8))
        #expect(problems.map(\.expected) == ["the name of a list in \"fields\""])
    }

    @Test func `signed bits are numbers in two's complement, and are written again`() throws {
        let text =
            #"{"name": "x", "channels": [{"name": "c", "advertising": [{"company": 1}], "messages": ["#
            + #"{"name": "m", "fields": [{"name": "n", "type": "u16", "bits": ["#
            + #"{"name": "a", "at": 0, "width": 5, "signed": true, "enum": {"0x0F": "none"}}, "#
            + #"{"name": "b", "at": 5, "width": 11, "signed": true, "scale": 0.5}]}]}]}]}"#
        let profile = try Profile(json: Array(text.utf8))
        let layout = profile.channels[0].messages[0].layout
        let samples: [([UInt8], String, String)] = [
            ([0xFF, 0xFF], "-1", "-0.5"), ([0x80, 0x10], "-16", "-512"), ([0x7F, 0xEF], "none", "511.5"),
        ]
        for (octets, a, b) in samples {
            let decoded = layout.decode(octets)
            #expect(decoded.fields.text("n.a") == a && decoded.fields.text("n.b") == b)
            #expect(try layout.encode(decoded.fields) == octets)
        }
    }
}
