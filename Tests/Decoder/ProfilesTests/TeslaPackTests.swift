import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Messages of cars, as the maker's description lists them or composed of its numbers, and what the profile
/// shows.
@Suite struct TeslaPackTests {
    static let service = "00000211-b2d1-43f0-9b88-960cebf8b91e"
    static let write = "\(service)/00000212-b2d1-43f0-9b88-960cebf8b91e"
    static let indicate = "\(service)/00000213-b2d1-43f0-9b88-960cebf8b91e"

    static let address = "2c907bd76c640d360b3027dc7404efde"
    static let uuid = "1588d5a30eabc6f8fc9a951b11f6fd11"
    static let clientKey =
        "04b2b6bc68c2da0665ce656815594996c62394edd8bea905fe781a754fe6a845a7"
        + "14330902f225e9269d466e05b349981fda9d85cc23c6fb444aa73b629105dc6e"
    static let vehicleKey =
        "04c7a1f47138486aa4729971494878d33b1a24e39571f748a6e16c5955b3d877d3"
        + "a6aaa0e955166474af5d32c410f439a2234137ad1bb085fd4e8813c958f11d97"
    static let epoch = "4c463f9cc0d3d26906e982ed224adde6"

    /// A value of bytes, with its number and length.
    static func member(_ number: Int, _ hex: String) -> String {
        varint(number << 3 | 2) + varint(hex.utf8.count / 2) + hex
    }

    static func member(_ number: Int, _ value: Int) -> String { varint(number << 3) + varint(value) }

    private static func varint(_ value: Int) -> String {
        let octets = value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128), UInt8(value >> 7)]
        return Hex.text(octets)
    }

    /// A message after its length.
    static func frame(_ message: String) -> String {
        let count = message.utf8.count / 2
        return Hex.text([UInt8(count >> 8), UInt8(count & 0xFF)]) + message
    }

    static func toDomain(_ domain: Int) -> String {
        member(6, member(1, domain)) + member(7, member(2, address))
    }

    static func fromDomain(_ domain: Int) -> String {
        member(6, member(2, address)) + member(7, member(1, domain))
    }

    static func fields(_ annotation: ProfileAnnotation) throws -> [DecodedField] {
        guard case .group(let fields)? = annotation.value("message") else {
            Issue.record("no message")
            return []
        }
        return fields
    }

    @Test func `a request for the list of keys is named in clear, unasked`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let request = try link.one(
            Self.frame(
                "320208023a1212100a7962c10d38b61dd2a7722780a4f0969a031005514f57616bcc81a8ce0f9d7b483229"
                    + "52040a020805"), .write, of: Self.write)
        #expect(request.profile == "tesla" && request.message == "request" && request.problems.isEmpty)
        let fields = try Self.fields(request)
        #expect(fields.text("to-destination.domain") == "vehicle security")
        #expect(fields.text("from-destination.routing-address") == "0a7962c10d38b61dd2a7722780a4f096")
        #expect(fields.text("uuid") == "05514f57616bcc81a8ce0f9d7b483229")
        #expect(fields.text("command.information-request.information-request-type") == "whitelist info")
    }

    @Test func `the car asks a phone to authenticate, with a level and reasons`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let token = String(repeating: "5a", count: 20)
        let request = Self.member(
            3, Self.member(2, Self.member(1, token)) + Self.member(3, 2) + Self.member(4, "0108"))
        let asked = try link.one(
            Self.frame(
                Self.member(6, Self.member(1, 0)) + Self.member(7, Self.member(1, 2))
                    + Self.member(10, request)),
            .notify, of: Self.indicate)
        #expect(asked.problems.isEmpty)
        let fields = try Self.fields(asked)
        #expect(fields.text("answer.authentication-request.requested-level") == "drive")
        #expect(fields.text("answer.authentication-request.token.token") == token)
    }

    @Test(arguments: [true, false])
    func `an answer that crosses the end of a long request answers it`(isSame: Bool) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let uuid = Self.member(50, Self.uuid)
        let other = Self.member(6, Self.member(2, String(repeating: "77", count: 16)))
        let to = isSame ? Self.member(6, Self.member(2, Self.address)) : other
        _ = try link.one(
            Self.frame(to + Self.member(7, Self.member(1, 2)) + uuid), .notify, of: Self.indicate)
        let request =
            Self.toDomain(2) + Self.member(51, Self.uuid) + Self.member(14, Self.member(1, Self.clientKey))
        _ = try link.one(Self.frame(request), .write, of: Self.write)
        #expect(link.tracker.waitingSince.isEmpty == isSame)
        #expect(link.tracker.close(at: link.time).isEmpty == isSame)
    }

    @Test func `a session is asked for and told in values of twenty bytes`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let asked = try link.one(
            Self.frame(
                Self.toDomain(3) + Self.member(51, Self.uuid)
                    + Self.member(14, Self.member(1, Self.clientKey))),
            .write, of: Self.write)
        #expect(try Self.fields(asked).text("session-info-request.public-key") == Self.clientKey)
        let info =
            Self.member(1, 6) + Self.member(2, Self.vehicleKey) + Self.member(3, Self.epoch) + "255a0a0000"
        let tag = "996c1fe38331be138f8039c194b14db2198846ed7d8251e6749284d7b32ea002"
        let whole = Self.frame(
            Self.fromDomain(3) + Self.member(13, Self.member(6, Self.member(1, tag)))
                + Self.member(15, info) + Self.member(50, Self.uuid))
        var rest = whole[...]
        var told: [ProfileAnnotation] = []
        while !rest.isEmpty {
            told = try link.send(String(rest.prefix(40)), .notify, of: Self.indicate)
            rest = rest.dropFirst(40)
        }
        let answer = try #require(told.first)
        #expect(answer.message == "response" && answer.problems.isEmpty && answer.requestFrame == 1)
        let fields = try Self.fields(answer)
        #expect(
            fields.text("session-info.counter") == "6" && fields.text("session-info.clock-time") == "2650")
        #expect(fields.text("session-info.epoch") == Self.epoch)
        #expect(fields.text("signature-data.session-info-tag.tag") == tag)
    }

    @Test func `a sealed command shows its signature and stays bytes`() throws {
        var link = try ProfileHarness(shipped: "tesla")
        let signature =
            Self.member(1, Self.member(1, Self.clientKey))
            + Self.member(
                5,
                Self.member(1, Self.epoch) + Self.member(2, "dbf79447fa156674dae1caed") + Self.member(3, 7)
                    + "255f0a0000" + Self.member(5, "8e128da165f162f4d7d2c8da866cf82a"))
        for (domain, name) in [(2, "command"), (3, "action"), (0, "payload")] {
            let sent = try link.one(
                Self.frame(
                    Self.toDomain(domain) + Self.member(51, "58406580528b6a5301391800b4fe9b99")
                        + Self.member(52, 2) + Self.member(10, "38038e8c0f2e") + Self.member(13, signature)),
                .write, of: Self.write)
            #expect(sent.problems.isEmpty)
            let fields = try Self.fields(sent)
            #expect(fields.text("\(name).state") == "encrypted; no key for this device: --keys")
            #expect(fields.text("\(name).bytes") == "38038e8c0f2e")
            #expect(fields.first { $0.name == "flags" }?.value == .flags(2, ["encrypt response"]))
            guard case .group(let signed)? = fields.first(where: { $0.name == "signature-data" })?.value,
                case .group(let data)? = signed.last?.value
            else {
                Issue.record("no signature")
                return
            }
            #expect(data.map(\.name) == ["epoch", "nonce", "counter", "expires-at", "tag"])
            #expect(data.map(\.isVolatile) == [true, true, true, true, true])
            #expect(data.text("counter") == "7" && data.text("expires-at") == "2655")
        }
    }

    @Test(arguments: [
        (3, "unknown key ID"), (6, "invalid token or counter"), (28, "requires response encryption"),
    ])
    func `a fault is a refusal of the request`(code: Int, name: String) throws {
        var link = try ProfileHarness(shipped: "tesla")
        let answer = try link.one(
            Self.frame(Self.fromDomain(3) + Self.member(12, Self.member(1, 2) + Self.member(2, code))),
            .notify, of: Self.indicate)
        #expect(answer.codes == ["profile.refused"] && answer.refusal == "error, \(name)")
        let busy = try link.one(
            Self.frame(Self.fromDomain(3) + Self.member(12, Self.member(1, 1))), .notify, of: Self.indicate)
        #expect(busy.problems.isEmpty)
        #expect(try Self.fields(busy).text("signed-message-status.operation-status") == "wait")
    }

    @Test func `the state of the car and the end of a command are named in clear`() throws {
        var link = try ProfileHarness(shipped: "tesla")
        let state =
            Self.member(1, Self.member(1, 1) + Self.member(5, 2)) + Self.member(2, 1) + Self.member(4, 2)
        let told = try link.one(
            Self.frame(
                Self.member(6, Self.member(1, 0)) + Self.member(7, Self.member(1, 2))
                    + Self.member(10, Self.member(1, state))), .notify, of: Self.indicate)
        let fields = try Self.fields(told)
        #expect(fields.text("to-destination.domain") == "broadcast")
        #expect(fields.text("answer.vehicle-status.closure-statuses.front-driver-door") == "open")
        #expect(fields.text("answer.vehicle-status.closure-statuses.rear-trunk") == "ajar")
        #expect(fields.text("answer.vehicle-status.vehicle-lock-state") == "locked")
        #expect(fields.text("answer.vehicle-status.user-presence") == "present")
        let status = Self.member(4, Self.member(1, 2) + Self.member(3, Self.member(1, 4)))
        let refused = try link.one(
            Self.frame(Self.fromDomain(2) + Self.member(10, status)), .notify, of: Self.indicate)
        #expect(refused.refusal == "error, whitelist full")
    }

    @Test func `an action that is only signed is named, and so is its failure`() throws {
        var link = try ProfileHarness(shipped: "tesla")
        let sent = try link.one(
            Self.frame(
                Self.toDomain(3) + Self.member(10, "120452020801")
                    + Self.member(13, Self.member(8, Self.member(2, 7)))), .write, of: Self.write)
        #expect(sent.problems.isEmpty)
        #expect(try Self.fields(sent).text("action.vehicle-action.hvac-auto") == "0801")
        let status = Self.member(1, 1) + Self.member(2, Self.member(1, Hex.text(Array("no".utf8))))
        let told = try link.one(
            Self.frame(Self.fromDomain(3) + Self.member(10, Self.member(1, status))), .notify,
            of: Self.indicate)
        #expect(told.refusal == "error" && told.requestFrame == 1)
        let fields = try Self.fields(told)
        guard case .group(let result)? = fields.first(where: { $0.name == "result" })?.value else {
            Issue.record("no result")
            return
        }
        #expect(result.text("action-status.reason.text") == "no")
    }

    @Test func `a key is added by a message without an envelope`() throws {
        var link = try ProfileHarness(shipped: "tesla")
        let operation =
            Self.member(5, Self.member(1, Self.member(1, Self.clientKey)) + Self.member(4, 3))
            + Self.member(6, Self.member(1, 7))
        let sent = try link.one(
            Self.frame(Self.member(1, Self.member(2, Self.member(16, operation)) + Self.member(3, 2))),
            .write, of: Self.write)
        #expect(sent.message == "to-vcsec" && sent.problems.isEmpty)
        let fields = try Self.fields(sent)
        let place = "signed-message.command.whitelist-operation"
        #expect(fields.text("\(place).add-key-to-whitelist-and-add-permissions.key-role") == "driver")
        #expect(fields.text("\(place).metadata-for-key.key-form-factor") == "Android device")
        #expect(fields.text("signed-message.signature-type") == "present key")
        let told = try link.one(Self.frame(Self.member(4, Self.member(1, 1))), .notify, of: Self.indicate)
        #expect(told.message == "from-vcsec" && told.problems.isEmpty)
        #expect(try Self.fields(told).text("command-status.operation-status") == "wait")
    }
}
