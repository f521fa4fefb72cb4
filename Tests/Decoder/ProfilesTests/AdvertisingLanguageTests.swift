import BluetoothCore
import PayloadFormat
import Profiles
import TestSupport
import Testing
import WireBytes

/// Advertising data in the language of profiles.
@Suite struct AdvertisingLanguageTests {
    private static func profile(
        _ name: String, prefix: String? = nil
    ) throws -> Profile {
        let prefix = prefix.map { #", "valuePrefix": "\#($0)""# } ?? ""
        let json = """
            {"name": "\(name)", "channels": [{"name": "advertising",
             "advertising": [{"company": "0x1234"\(prefix)}, {"serviceData": "FD10"}],
             "messages": [{"name": "state", "fields": [
               {"name": "kind", "type": "u8"}, {"name": "value", "type": "u8"}]}]}]}
            """
        return try Profile(json: Array(json.utf8))
    }

    private static func explain(
        _ set: ProfileSet, _ hex: String, _ owner: AdvertisingSelector.Owner = .company(0x1234)
    ) throws -> ProfileAnnotation? {
        let value = try Hex.octets(hex)
        return value.withReader { set.explain($0.takeRest(), of: owner) }
    }

    @Test func `values of a company and of service data are told apart from others`() throws {
        let set = ProfileSet([try Self.profile("one")])
        let made = try #require(try Self.explain(set, "0107"))
        #expect(made.profile == "one" && made.message == "state" && made.recognition == .company)
        let service = AdvertisingSelector.Owner.service(BluetoothUUID(0xFD10 as UInt16))
        #expect(try Self.explain(set, "0107", service)?.recognition == .serviceData)
        #expect(try Self.explain(set, "0107", .company(0x1235)) == nil)
    }

    @Test func `of several profiles that fit, the one with the longest prefix is shown`() throws {
        let set = ProfileSet([try Self.profile("any"), try Self.profile("exact", prefix: "01")])
        #expect(try Self.explain(set, "0107")?.profile == "exact")
        #expect(try Self.explain(set, "0207")?.profile == "any")
    }

    @Test func `a value that does not fit is shown as that only for a profile that the user named`() throws {
        let certain = ProfileSet([try Self.profile("one")])
        let made = try #require(try Self.explain(certain, "010203"))
        #expect(made.misfits.first?.check == "trailing" && made.opaque == [1, 2, 3])
        #expect(try Self.explain(ProfileSet([], tried: ProfileSource.shipped), "010203") == nil)
    }

    @Test func `text may hold digits, and bytes that stand for other text`() throws {
        let set = ProfileSet([
            try Profile(json: try PackageFile.octets("Tests/Decoder/ProfilesTests/everything.json"))
        ])
        let made = try #require(try Self.explain(set, "01" + "43366136" + "2d3132" + "670078"))
        #expect(made.misfits.isEmpty && made.refusal == "refused" && made.isChecksumRight == nil)
        #expect(made.fields.text("id") == "c6a6" && made.fields.text("level") == "-1.2")
        #expect(made.fields.text("url") == "g.com/x")
        for hex in ["01" + "43366147" + "303132", "01" + "43366136" + "303a32"] {
            #expect(try Self.explain(set, hex)?.misfits.first?.check == "digits")
        }
    }

    static let faults: [(String, String)] = [
        (#"[]"#, "an empty array"), (#"[{}]"#, "nothing that identifies its values"),
        (#"[{"company": 1, "serviceData": "FD10"}]"#, "a company and a UUID"),
        (#"[{"company": 65536}]"#, "another number"),
        (#"[{"company": 1, "handle": 3}]"#, "an unknown member"),
    ]

    @Test(arguments: faults)
    func `a wrong selector is reported`(list: String, found: String) {
        let json = """
            {"name": "x", "channels": [{"name": "c", "advertising": \(list),
             "messages": [{"name": "m", "fields": [{"name": "a", "type": "u8"}]}]}]}
            """
        let problems = Profile.check(Array(json.utf8))
        #expect(problems.contains { $0.description.contains(found) }, "\(problems)")
    }

    @Test func `frames over several values have no place in advertising data`() {
        let json = """
            {"name": "x", "channels": [{"name": "c", "advertising": [{"company": 1}],
             "framing": {"stream": {"size": 4}},
             "messages": [{"name": "m", "fields": [{"name": "a", "type": "bytes"}]}]}]}
            """
        #expect(
            Profile.check(Array(json.utf8)).contains { $0.description.contains("in advertising data") })
    }
}
