import PayloadFormat
import Testing

@testable import UQDK

/// Where the parts of payloads and the fields of bodies lie, without a copy of them.
@Suite struct PlacesTests {
    static let orders: [[SecuringFormat.Part]] = [
        [.counter, .body, .tag], [.counter, .tag, .body], [.body, .counter, .tag], [.body, .tag, .counter],
        [.tag, .counter, .body], [.tag, .body, .counter],
    ]

    @Test(arguments: orders)
    func `a secured payload is cut in every order of its parts`(parts: [SecuringFormat.Part]) throws {
        var format = try #require(Dialect.reference1.securing)
        format.parts = parts
        format.counterWidth = 3
        format.tagLength = 5
        for order in [OctetOrder.big, .little] {
            format.counterOrder = order
            for length in 0...3 {
                let body = Array([0xB0, 0xB1, 0xB2].prefix(length)) as [UInt8]
                let payload = SecuredPayload(counter: 0x01_02_03, body: body, tag: [1, 2, 3, 4, 5])
                let octets = payload.encoded(format)
                #expect(SecuredPayload(octets, format) == payload)
            }
            for length in 0..<8 {
                #expect(SecuredPayload([UInt8](repeating: 0, count: length), format) == nil)
            }
        }
        format.parts = [.counter, .body]
        #expect(SecuredPayload([UInt8](repeating: 0, count: 20), format) == nil)
    }

    /// Reference format 1 with a begin of the authentication whose body can't be told by its length alone.
    static func dialect(_ label: String) throws -> Dialect {
        let text = """
            {"name": "labels", "commands": [{"name": "AUTH_BEGIN", "request": [\(label)
             {"name": "keyId", "type": "bytes", "length": 8},
             {"name": "phoneNonce", "type": "bytes", "length": 16},
             {"name": "phoneProof", "type": "bytes", "length": 2},
             {"name": "authCounter", "type": "u16"}]}]}
            """
        return try Dialect(json: Array(text.utf8))
    }

    @Test(
        arguments: [
            ("", []), (#"{"name": "label", "type": "utf8", "length": 3},"#, Array("abc".utf8)),
            (#"{"name": "label", "type": "u16", "equals": 258},"#, [1, 2]),
            (#"{"name": "n", "type": "u8"}, {"name": "label", "type": "bytes", "length": "n"},"#, [2, 7, 8]),
        ] as [(String, [UInt8])])
    func `the fields of a body are found whatever stands before them`(label: String, octets: [UInt8]) throws {
        let dialect = try Self.dialect(label)
        let shared = SharedDialect(dialect)
        let index = try #require(shared.commandIndex(0x101))
        let nonce = Array(UInt8(0x40)..<0x50)
        let body = octets + ReferenceVectors.keyID + nonce + [0xA1, 0xA2, 1, 2]
        var link = LinkHarness([dialect], keys: KeyStore())
        let begin = Message(.request, command: 0x101, payload: body)
        let note = try #require(try link.send(begin, id: 1, .phone).message)
        #expect(note.keyID == ReferenceVectors.keyID && note.name == "AUTH_BEGIN" && note.frames.count > 1)
        #expect(note.body.octets("phoneNonce") == nonce && note.opaque == nil && note.bodyOctets == nil)

        var bodies = HandshakeBodies(shared)
        bodies.add(note.annotation.facts, command: index)
        #expect(bodies[.keyID].map { Array($0) } == ReferenceVectors.keyID)
        #expect(bodies.latest(.phoneProof).map { Array($0) } == [0xA1, 0xA2])
        #expect(bodies.latest(.authCounter).map { Array($0) } == [1, 2])
        #expect(bodies.latestNumber(.authCounter) == 0x0102)
        #expect(bodies[.proof] == nil && bodies.latestNumber(.keyID) == nil)
        #expect(bodies.variables["keyId"] == ReferenceVectors.keyID)
        #expect(bodies.variables["phoneNonce"] == nonce)

        // Of a body that ends too early the fields before the end are known.
        let short = try #require(
            try link.send(Message(.request, command: 0x101, payload: body.dropLast(1)), id: 2, .phone).message
        )
        #expect(short.keyID == ReferenceVectors.keyID && short.opaque == body.dropLast(1))
        bodies.add(short.annotation.facts, command: index)
        #expect(bodies.latest(.phoneProof).map { Array($0) } == [0xA1, 0xA2])
        #expect(bodies.latest(.authCounter) == nil && bodies.latestNumber(.authCounter) == nil)
        #expect(bodies[.authCounter].map { Array($0) } == [1, 2])
    }

    @Test func `an index near the largest integer ends a message, not the program`() throws {
        let text = """
            {"name": "wide index", "fragments": {"fields": [{"role": "messageId", "bits": 8},
             {"role": "index", "bits": 64}, {"role": "last", "bits": 1},
             {"role": "reserved", "bits": 7, "equals": 0}], "requestIds": [0, 127], "eventIds": [128, 255]}}
            """
        var link = LinkHarness([try Dialect(json: Array(text.utf8))])
        for (octet, code) in [(UInt8(0xFF), "uqdk.fragment.header"), (0xFE, "uqdk.fragment.gap")] {
            let value = [3, 0x7F] + [UInt8](repeating: 0xFF, count: 6) + [octet, 0x80, 1]
            let annotation = try link.note(value, .phone)
            #expect(annotation.codes == [code])
            #expect(annotation.summary.isEmpty == (annotation.fragment == nil))
        }
    }
}
