import PayloadFormat
import Profiles
import TestSupport
import Testing
import WireBytes

@Suite struct ProfileHostileInputTests {
    private static func everything() throws -> [UInt8] {
        try PackageFile.octets("Tests/Decoder/ProfilesTests/everything.json")
    }

    @Test(arguments: [UInt64(11), 12, 13])
    func `any values of a link are annotated to its end`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var link = ProfileHarness(
            [try Profile(json: try Self.everything())] + ProfileSource.shipped.map(\.profile))
        let frames = [
            "567b0629", "1b9901", "aa031272020001723055", "a50009fe0100aabb00000d0a", "5a31beef3412",
            "5a3a0000", "020801080112021a021a022001", "5a39beef3412123456010203000000000000",
            "02010009020100020001020304", "030100020183", "01a0bf20010201657461736b73a1616da1617024ff",
            "0b00001100010801a163657272a26567726f75700162726309",
        ]
        let labels = [
            "FD10/FD11", "FD10/FD17", "FD10/FD18",
            "8d53dc1d-1db7-4cd3-868b-8a527460aa84/da2e7828-fbce-4e01-ae9e-261174997c48", "FEE0/FF01",
            "FFE0/FFE1", nil,
        ]
        _ = try link.send("0080", .read, of: "FFF5/D3B5A130-9E23-4B3A-8BE4-6B1EE5F980A3")
        for step in 0..<1_500 {
            guard let hex = frames.randomElement(using: &random),
                let label = labels.randomElement(using: &random),
                let operation = ProfileOperation.allCases.randomElement(using: &random)
            else { return }
            let octets = step % 4 == 0 ? try Hex.octets(hex) : random.mutated(try Hex.octets(hex))
            link.time &+= Int64.random(in: -2_000_000_000...2_000_000_000, using: &random)
            let handle = UInt16.random(in: 0x28...0x3A, using: &random)
            for annotation in try link.send(Hex.text(octets), operation, of: label, handle: handle) {
                // What is said to fit has no misfit, and the other way round.
                #expect(annotation.misfits.isEmpty || annotation.opaque != nil)
            }
            for annotation in try link.send(Hex.text(octets), operation, psm: 0x80, cid: handle) {
                #expect(annotation.misfits.isEmpty || annotation.opaque != nil)
            }
        }
        #expect(link.tracker.close(at: link.time).count <= 64)
    }

    @Test func `mutated profiles are read or refused`() throws {
        var random = SeededRandom(seed: 21)
        let text = try Self.everything()
        var refused = 0
        for _ in 0..<300 where !Profile.check(random.mutated(text)).isEmpty { refused += 1 }
        #expect(refused > 100)
    }

    @Test func `nested lists that are too long for any message have no width`() throws {
        let bytes = (0..<400).map { #"{"name": "b\#($0)", "type": "bytes", "length": 4096}"# }
        let inner = #"{"name": "y", "type": "array", "count": 4096, "items": "L"}"#
        let middle = #"{"name": "x", "type": "array", "count": 4096, "items": [\#(inner)]}"#
        let outer = (0..<100).map {
            #"{"name": "a\#($0)", "type": "array", "count": 4096, "items": [\#(middle)]}"#
        }
        let json = #"""
            {"name": "t", "fields": {"L": [\#(bytes.joined(separator: ", "))]}, "channels": [{
                "name": "c", "advertising": [{"company": "0xFFFF"}],
                "messages": [{"name": "m", "fields": [\#(outer.joined(separator: ", "))]}]}]}
            """#
        let profile = try Profile(json: Array(json.utf8))
        #expect(profile.channels[0].messages[0].layout.fixedWidth == nil)
    }

    @Test func `what a message's fields read, they write again`() throws {
        var random = SeededRandom(seed: 31)
        let profiles = [try Profile(json: try Self.everything())] + ProfileSource.shipped.map(\.profile)
        var fitting = 0
        for message in profiles.flatMap(\.channels).flatMap(\.messages) {
            for _ in 0..<400 {
                var octets = random.octets(Int.random(in: 0...40, using: &random))
                for (place, octet) in message.layout.constantPrefix.enumerated() where place < octets.count {
                    octets[place] = octet
                }
                let decoded = message.layout.decode(octets)
                // A field that was opened can't be encrypted again.
                guard decoded.misfit == nil, !message.layout.isOpened(decoded.fields) else { continue }
                fitting += 1
                let written = try message.layout.encode(decoded.fields)
                if message.layout.fields.contains(where: \.isMessage) {
                    // Values without a member are written first.
                    let again = message.layout.decode(written)
                    #expect(try again.misfit == nil && message.layout.encode(again.fields) == written)
                } else if message.layout.fields.contains(where: \.hasManyForms) {
                    // As text, since NaN is not equal to itself.
                    let again = message.layout.decode(written).fields.map(\.value)
                    #expect("\(again)" == "\(decoded.fields.map(\.value))")
                } else {
                    #expect(written == octets)
                }
            }
        }
        #expect(fitting > 100)
    }
}

extension Layout {
    /// The octets of the constants that it starts with.
    fileprivate var constantPrefix: [UInt8] {
        fields.prefix { $0.constant != nil }.flatMap { $0.constant ?? [] }
    }

    /// Whether the profile's own key opened one of the fields.
    fileprivate func isOpened(_ decoded: [DecodedField]) -> Bool {
        decoded.contains { one in
            guard case .group(let inside) = one.value, inside.first?.name != "state" else { return false }
            return fields.contains { field in
                guard case .encrypted(_, let cipher, _) = field.shape else { return false }
                return cipher.encrypts && field.name == one.name
            }
        }
    }
}

extension FieldLayout {
    fileprivate var isMessage: Bool { if case .message = shape { true } else { false } }

    /// Whether several byte sequences show the same: text with padding, floating-point numbers.
    fileprivate var hasManyForms: Bool {
        switch shape {
        case .text, .medicalFloat, .float: true
        case .group(_, let fields), .list(_, let fields): fields.contains(where: \.hasManyForms)
        case .choice(_, _, let cases, let otherwise):
            cases.values.joined().contains(where: \.hasManyForms)
                || otherwise?.contains(where: \.hasManyForms) ?? false
        default: false
        }
    }
}
