import Crypto
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Encrypted and signed commands, answers and sessions of cars: the maker's published keys, session and
/// command, and answers made with the same key.
@Suite struct TeslaSealedTests {
    typealias Pack = TeslaPackTests

    private static let client = "2538cdc29a97c19c1e99a637d6cf4f8c970c118b56ede1e6323e6d162c4b30db"
    private static let shared = "1b2fce19967b79db696f909cff89ea9a"
    private static let vin = "5YJ30123456789ABC"
    private static let uuid = "58406580528b6a5301391800b4fe9b99"
    private static let tag = "8e128da165f162f4d7d2c8da866cf82a"

    private static func link(_ values: [String: String] = ["vin": Hex.text(Array(vin.utf8))]) throws
        -> ProfileHarness
    {
        let key = FieldKey(
            profile: "tesla", key: SecretKey(try Hex.octets(client)),
            values: try values.mapValues { SecretKey(try Hex.octets($0)) })
        let profile = try #require(Profile.shipped(named: "tesla"))
        return ProfileHarness([profile], keys: [key])
    }

    /// The car's answer to a request for a session; the tag is the published one.
    private static func session(_ domain: Int, tag: String? = nil, uuid: String? = Pack.uuid) -> String {
        let info =
            Pack.member(1, 6) + Pack.member(2, Pack.vehicleKey) + Pack.member(3, Pack.epoch) + "255a0a0000"
        let signature = tag.map { Pack.member(13, Pack.member(6, Pack.member(1, $0))) } ?? ""
        return Pack.frame(
            Pack.fromDomain(domain) + signature + Pack.member(15, info)
                + (uuid.map { Pack.member(50, $0) } ?? ""))
    }

    /// The published command.
    private static func command(epoch: Bool = true) -> String {
        let signature =
            Pack.member(1, Pack.member(1, Pack.clientKey))
            + Pack.member(
                5,
                (epoch ? Pack.member(1, Pack.epoch) : "") + Pack.member(2, "dbf79447fa156674dae1caed")
                    + Pack.member(3, 7) + "255f0a0000" + Pack.member(5, tag))
        return Pack.frame(
            Pack.toDomain(3) + Pack.member(10, "38038e8c0f2e") + Pack.member(13, signature)
                + Pack.member(51, uuid))
    }

    /// An answer of a car, sealed with the published key.
    private static func answer(
        _ plaintext: String, _ domain: Int, flags: Int, fault: Int, request: String, uuid: String?
    ) throws -> String {
        let number = { (value: Int) in "0000000" + String(value, radix: 16) }
        let metadata =
            "0001090101" + "0\(domain)" + "0211" + Hex.text(Array(vin.utf8)) + "0504" + number(9) + "0704"
            + number(flags) + "08" + Hex.text([UInt8(request.utf8.count / 2)]) + request + "0904"
            + number(fault) + "ff"
        let nonce = "000102030405060708090a0b"
        let data = try SHA256.hash(of: try Hex.octets(metadata))
        let sealed = try NamedCipher.aesGCM.seal(
            try Hex.octets(plaintext), tagOctets: 16,
            CipherInputs(nonce: try Hex.octets(nonce), additionalData: data), key: try Hex.octets(shared))
        let signature = Pack.member(1, nonce) + Pack.member(2, 9) + Pack.member(3, Hex.text(sealed.tag))
        return Pack.frame(
            Pack.fromDomain(domain) + Pack.member(10, Hex.text(sealed.ciphertext))
                + (fault == 0 ? "" : Pack.member(12, Pack.member(2, fault)))
                + Pack.member(13, Pack.member(9, signature)) + (uuid.map { Pack.member(50, $0) } ?? "")
                + (flags == 0 ? "" : Pack.member(52, flags)))
    }

    private static func action(_ shown: ProfileAnnotation) throws -> String? {
        try Pack.fields(shown).text("action.vehicle-action.hvac-auto")
    }

    /// A command in clear, signed with the published key; it asks for the list of keys, or unlocks.
    private static func signed(
        _ command: String, _ domain: Int, flags: Int = 0, epoch: Bool = true
    ) throws -> (frame: String, tag: String) {
        let metadata =
            "0001080101" + "0\(domain)" + "0211" + Hex.text(Array(vin.utf8)) + "0310" + Pack.epoch
            + "040400000a5f" + "050400000007" + (flags == 0 ? "" : "07040000000\(flags)") + "ff"
        let key = try MessageAuthentication.hmacSHA256(
            key: try Hex.octets(shared), Array("authenticated command".utf8))
        let tag = Hex.text(
            try MessageAuthentication.hmacSHA256(key: key, try Hex.octets(metadata + command)))
        let data =
            (epoch ? Pack.member(1, Pack.epoch) : "") + Pack.member(2, 7) + "1d5f0a0000" + Pack.member(4, tag)
        let signature = Pack.member(1, Pack.member(1, Pack.clientKey)) + Pack.member(8, data)
        let frame = Pack.frame(
            Pack.toDomain(domain) + Pack.member(10, command) + Pack.member(13, signature)
                + Pack.member(51, uuid) + (flags == 0 ? "" : Pack.member(52, flags)))
        return (frame, tag)
    }

    /// The tag of the published session.
    private static let sessionTag = "996c1fe38331be138f8039c194b14db2198846ed7d8251e6749284d7b32ea002"

    @Test func `the published session's tag is right, and no other`() throws {
        var link = try Self.link()
        let whole = Self.session(3, tag: Self.sessionTag)
        let shown = try link.one(whole, .notify, of: Pack.indicate)
        #expect(shown.problems.isEmpty)
        #expect(try Pack.fields(shown).text("session-info.authenticity") == "right")
        #expect(try Pack.fields(shown).text("session-info.counter") == "6")
        // The challenge is the uuid of the request: from the answer, or else from the request before it.
        let asked = Pack.frame(
            Pack.toDomain(3) + Pack.member(14, Pack.member(1, Pack.clientKey)) + Pack.member(51, Pack.uuid))
        _ = try link.one(asked, .write, of: Pack.write)
        let bare = Self.session(3, tag: Self.sessionTag, uuid: nil)
        let answer = try link.one(bare, .notify, of: Pack.indicate)
        #expect(try Pack.fields(answer).text("session-info.authenticity") == "right")
        var tried = 0
        for part in ["0806", Pack.vehicleKey, Pack.epoch, "255a0a0000", Self.sessionTag, Pack.uuid] {
            let start = try #require(whole.firstRange(of: part)).lowerBound
            let place = whole.distance(from: whole.startIndex, to: start) / 2
            for bit in stride(from: 8 * place, to: 8 * place + 4 * part.utf8.count, by: 3) {
                var changed = try Hex.octets(whole)
                changed[bit / 8] ^= 1 << (bit % 8)
                let shown = try link.one(Hex.text(changed), .notify, of: Pack.indicate)
                let result =
                    try shown.misfits.isEmpty
                    ? Pack.fields(shown).text("session-info.authenticity") : "misfit"
                #expect(result != "right", "bit \(bit)")
                tried += 1
            }
        }
        #expect(tried > 300)
    }

    @Test(arguments: [true, false])
    func `a wrong tag is named, its values shown but not used`(isAsked: Bool) throws {
        let vin = SecretKey(Array(Self.vin.utf8))
        let key = FieldKey(
            profile: "tesla", key: SecretKey(try Hex.octets(Self.client)), values: ["vin": vin])
        var link =
            isAsked ? try Self.link() : ProfileHarness([], tried: ProfileSource.shipped, keys: [key])
        let other = "00" + Self.sessionTag.dropFirst(2)
        let shown = try link.one(Self.session(3, tag: other), .notify, of: Pack.indicate)
        let fields = try Pack.fields(shown)
        #expect(shown.codes == ["profile.tag"] && shown.misfits.isEmpty)
        #expect(
            fields.text("session-info.authenticity")
                == "not right; wrong key, or changed bytes: the tag does not fit")
        #expect(fields.text("session-info.epoch") == Pack.epoch)
        let command = try link.one(Self.command(), .write, of: Pack.write)
        #expect(
            try Pack.fields(command).text("action.state")
                == "encrypted; key.car-key is missing or too short")
        let short = try link.one(
            Self.session(3, tag: String(Self.sessionTag.prefix(8))), .notify, of: Pack.indicate)
        #expect(
            try Pack.fields(short).text("session-info.authenticity")
                == "not right; a tag of 4 bytes instead of 32")
    }

    @Test func `without the keys a tag is not checked, and nothing is wrong`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let shown = try link.one(Self.session(3, tag: Self.sessionTag), .notify, of: Pack.indicate)
        #expect(shown.problems.isEmpty)
        #expect(
            try Pack.fields(shown).text("session-info.authenticity")
                == "not checked; no key for this device: --keys")
        // Without a tag there is nothing to check.
        let bare = try link.one(Self.session(3), .notify, of: Pack.indicate)
        #expect(try Pack.fields(bare).text("session-info.authenticity") == nil)
    }

    @Test(arguments: [0, 2])
    func `a command that is only signed is checked, with its flags`(flags: Int) throws {
        var link = try Self.link()
        _ = try link.one(Self.session(2, tag: Self.sessionTag), .notify, of: Pack.indicate)
        for epoch in [true, false] {
            let (frame, _) = try Self.signed("0a020805", 2, flags: flags, epoch: epoch)
            let shown = try link.one(frame, .write, of: Pack.write)
            let fields = try Pack.fields(shown)
            #expect(shown.problems.isEmpty && fields.text("command.authenticity") == "right")
            #expect(fields.text("command.information-request.information-request-type") == "whitelist info")
        }
        let (frame, _) = try Self.signed("0a020805", 2, flags: flags)
        let changed = frame.replacing("0a020805", with: "0a020806")
        let shown = try link.one(changed, .write, of: Pack.write)
        #expect(shown.codes == ["profile.tag"])
        #expect(
            try Pack.fields(shown).text("command.information-request.information-request-type")
                == "whitelist entry info")
        #expect("\(shown.problems)".contains("message.command"))
    }

    @Test func `answers to a signed command open, of the domain that shortens its tag too`() throws {
        var link = try Self.link()
        for domain in [2, 3] {
            _ = try link.one(Self.session(domain, tag: Self.sessionTag), .notify, of: Pack.indicate)
            let (frame, tag) = try Self.signed("0a020805", domain)
            _ = try link.one(frame, .write, of: Pack.write)
            let request = "08" + (domain == 2 ? String(tag.prefix(32)) : tag)
            let answer = try link.one(
                try Self.answer("0a021001", domain, flags: 0, fault: 0, request: request, uuid: Self.uuid),
                .notify, of: Pack.indicate)
            let fields = try Pack.fields(answer)
            let state = fields.text("answer.state") ?? fields.text("result.state")
            #expect(state == nil && answer.problems.isEmpty, "\(domain): \(state ?? "")")
        }
    }

    @Test(arguments: [true, false])
    func `the published command opens after its session, with or without its epoch`(epoch: Bool) throws {
        var link = try Self.link()
        _ = try link.send(Self.session(3), .notify, of: Pack.indicate)
        let shown = try link.one(Self.command(epoch: epoch), .write, of: Pack.write)
        #expect(try Self.action(shown) == "0801" && shown.problems.isEmpty)
        let text = "\(shown)".lowercased()
        #expect(
            !text.contains(Self.client) && !text.contains(Self.shared)
                && !text.contains(Self.vin.lowercased()))
    }

    @Test func `without the session the car's key may come from the keys file`() throws {
        let vin = Hex.text(Array(Self.vin.utf8))
        for (values, isOpen) in [
            (["vin": vin, "car-key": Pack.vehicleKey], true),
            (["vin": vin, "car-key": Pack.clientKey], false),
            (["vin": vin], false), (["car-key": Pack.vehicleKey], false),
            (["vin": Hex.text(Array("5YJ30123456789ABD".utf8)), "car-key": Pack.vehicleKey], false),
        ] {
            var link = try Self.link(values)
            let shown = try link.one(Self.command(), .write, of: Pack.write)
            #expect(try (Self.action(shown) == "0801") == isOpen)
            #expect(try (Pack.fields(shown).text("action.state") == nil) == isOpen)
        }
        // The session of another domain is no help.
        var link = try Self.link()
        _ = try link.send(Self.session(2), .notify, of: Pack.indicate)
        let shown = try link.one(Self.command(), .write, of: Pack.write)
        #expect(
            try Pack.fields(shown).text("action.state") == "encrypted; key.car-key is missing or too short")
    }

    @Test func `a changed bit of what the tag covers opens nothing`() throws {
        var link = try Self.link()
        _ = try link.send(Self.session(3), .notify, of: Pack.indicate)
        let whole = Self.command()
        var tried = 0
        let signed = Pack.epoch + "120cdbf79447fa156674dae1caed" + "1807" + "255f0a0000" + "2a10" + Self.tag
        for part in ["32020803", "38038e8c0f2e", signed] {
            let start = try #require(whole.firstRange(of: part)).lowerBound
            let place = whole.distance(from: whole.startIndex, to: start) / 2
            for bit in 8 * place..<8 * place + 4 * part.utf8.count {
                var changed = try Hex.octets(whole)
                changed[bit / 8] ^= 1 << (bit % 8)
                let shown = try link.one(Hex.text(changed), .write, of: Pack.write)
                #expect(try shown.misfits.isEmpty == false || Self.action(shown) != "0801", "bit \(bit)")
                tried += 1
            }
        }
        #expect(tried == 8 * (4 + 6 + 16 + 14 + 2 + 5 + 18))
        #expect(try Self.action(link.one(whole, .write, of: Pack.write)) == "0801")
    }

    @Test func `answers open by the request's tag, found by its uuid or by the address`() throws {
        var link = try Self.link()
        _ = try link.send(Self.session(2), .notify, of: Pack.indicate)
        _ = try link.send(Self.session(3), .notify, of: Pack.indicate)
        _ = try link.send(Self.command(), .write, of: Pack.write)
        let done = try link.one(
            try Self.answer("0a020800", 3, flags: 2, fault: 0, request: "05" + Self.tag, uuid: Self.uuid),
            .notify, of: Pack.indicate)
        #expect(try Pack.fields(done).text("result.action-status.result") == "OK" && done.problems.isEmpty)
        let state = try link.one(
            try Self.answer("0a021001", 2, flags: 0, fault: 0, request: "05" + Self.tag, uuid: nil), .notify,
            of: Pack.indicate)
        #expect(try Pack.fields(state).text("answer.vehicle-status.vehicle-lock-state") == "locked")
        let fault = try link.one(
            try Self.answer("0a020801", 3, flags: 2, fault: 4, request: "05" + Self.tag, uuid: Self.uuid),
            .notify, of: Pack.indicate)
        #expect(fault.refusal == "inactive key, error")
        for uuid in [Self.uuid, Pack.uuid] {
            let other = try link.one(
                try Self.answer("0a020800", 3, flags: 2, fault: 0, request: "08" + Self.tag, uuid: uuid),
                .notify, of: Pack.indicate)
            #expect(try Pack.fields(other).text("result.state")?.contains("the tag does not fit") == true)
        }
    }
}
