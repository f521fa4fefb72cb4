import BluetoothCore
import Foundation
import PayloadFormat
import TestSupport
import Testing

@testable import UQDK

@Suite struct KeyStoreTests {
    @Test func `a file of keys is read in the order of the specification`() throws {
        let keys = try KeyStore(json: try PackageFile.octets("Tests/Decoder/DocumentTests/keys.json"))
        #expect(keys.isTest && keys.uqdk.count == 1 && keys.peers.count == 2)
        let key = try #require(keys.key([1, 2][...]))
        #expect(key.key == Array(0..<16) && key.pairingCode == Array("000000".utf8))
        #expect(keys.key([1, 3][...]) == nil)
        let peer = keys.peers[0]
        #expect(peer.address == DeviceAddress("C0:11:22:33:44:55", kind: .random))
        #expect(peer.ltk?.first == 0x00 && peer.irk?.first == 0xFF)
        #expect(peer.ediv == 0x1234 && peer.rand == 0x0011_2233_4455_6677)
        #expect(peer.passkey == 12_345 && peer.oob?.first == 0x0F)
        #expect(keys.privateKeys.map(\.first) == [0x3F])
        #expect(keys.peers[1].address.kind == .public && keys.peers[1].ltk == nil)
    }

    @Test func `the examples of the pages are files of keys`() throws {
        for (page, count) in [("docs/keys.md", 2)] {
            let parts = try PackageFile.text(page).components(separatedBy: "```json")
            let examples = parts.dropFirst().compactMap { $0.components(separatedBy: "```").first }
            #expect(examples.count == count)
            for example in examples {
                let keys = try KeyStore(json: Array(example.utf8))
                #expect(keys.uqdk.first?.keyID == [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88])
                #expect(keys.uqdk.first?.key == Array(0..<16))
            }
        }
    }

    @Test(arguments: [
        ("{\"uqdk\": [{\"keyId\": \"01\"}]}", "$.uqdk[0]"),
        ("{\"uqdk\": [{\"keyId\": \"0\", \"key\": \"00\"}]}", "$.uqdk[0].keyId"),
        ("{\"peers\": [{\"address\": \"C0:11:22:33:44:55\"}]}", "$.peers[0]"),
        ("{\"peers\": [{\"address\": \"C0:11\", \"addressType\": \"public\"}]}", "$.peers[0].address"),
        (
            #"{"peers": [{"address": "C0:11:22:33:44:55", "addressType": "public", "ltk": "00"}]}"#,
            "$.peers[0].ltk"
        ),
        (
            #"{"peers": [{"address": "C0:11:22:33:44:55", "addressType": "public", "passkey": "12345"}]}"#,
            "$.peers[0].passkey"
        ),
        (#"{"privateKeys": ["3F49"]}"#, "$.privateKeys[0]"),
        ("{\"key\": 1}", "$"), ("{\"test\": 1}", "$.test"), ("[]", "$"),
    ])
    func `what is wrong is told by its place`(text: String, path: String) throws {
        let error = #expect(throws: KeyStoreError.self) { try KeyStore(json: Array(text.utf8)) }
        guard case .content(let problems)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problems.contains { $0.path == path }, "\(problems)")
    }

    @Test(arguments: [
        (#""keyId": "11223344""#, "", "$.uqdk[0].keyId: 4 bytes; expected 8 bytes"),
        (
            #""keyId": "1122334455667788""#, #""pairingCode": "31415""#,
            "$.uqdk[0].pairingCode: another text; expected 6 digits"
        ),
    ])
    func `what the dialect has no room for is refused`(id: String, code: String, told: String) throws {
        let key = #""key": "\#(String(repeating: "0f", count: 16))""#
        let members = [id, key, code].filter { !$0.isEmpty }.joined(separator: ", ")
        let text = #"{"uqdk": [{\#(members)}]}"#
        let error = #expect(throws: KeyStoreError.self) {
            try KeyStore(json: Array(text.utf8), fit: KeyFit([.reference1]))
        }
        #expect(error?.description == "line 1: " + told)
    }

    @Test func `a key of a length that no dialect has is refused by its entry`() throws {
        let whole = String(repeating: "0f", count: 16)
        func text(_ key: String) -> [UInt8] {
            Array(
                """
                {"uqdk": [
                {"keyId": "01", "key": "\(whole)"},
                {"keyId": "02", "key": "\(key)"}]}
                """.utf8)
        }
        #expect(try KeyStore(json: text(whole)).uqdk.count == 2)
        for length in [1, 15, 17, 24] {
            let key = String(repeating: "a5", count: length)
            let error = #expect(throws: KeyStoreError.self) { try KeyStore(json: text(key)) }
            let found = length == 1 ? "1 byte" : "\(length) bytes"
            #expect(error?.description == "line 3: $.uqdk[1].key: \(found); expected 16 bytes")
        }
        let other = String(repeating: "a5", count: 24)
        #expect(try KeyStore(json: text(other), fit: KeyFit(keyOctets: [16, 24])).uqdk.last?.key.count == 24)
        let error = #expect(throws: KeyStoreError.self) {
            try KeyStore(json: text(String(repeating: "a5", count: 20)), fit: KeyFit(keyOctets: [16, 24]))
        }
        #expect(error?.description.hasSuffix("20 bytes; expected 16 or 24 bytes") == true)
    }

    @Test func `keys are in no description and no dump`() throws {
        let key = KeyStore.DigitalKey(keyID: [1], key: [0xA5, 0x5A, 0xC3], pairingCode: [0x39, 0x38])
        var store = KeyStore()
        store.uqdk = [key]
        let knowledge = UQDKKnowledge(dialects: [], keys: store)
        var dumped = ""
        dump(knowledge, to: &dumped)
        for text in ["\(key)", "\(store)", "\(knowledge)", String(reflecting: store), dumped] {
            for octet in ["165", "90", "195", "57", "0xA5"] { #expect(!text.contains(octet), "\(text)") }
        }
    }
}
