import PayloadFormat
import TestSupport
import Testing
import UQDK
import WireBytes

/// Any octets, in any order, at any time: an answer, no end of the program, nothing unbounded.
@Suite struct UQDKHostileInputTests {
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `a link of mutated fragments is annotated to its end`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let dialects = [Dialect.reference1, try OtherDialect.dialect()]
        var keys = LinkHarness.keys
        keys.uqdk += OtherDialect.keys.uqdk
        var pool: [([UInt8], Sender)] = []
        for exchange in ReferenceVectors.all + OtherDialect.session {
            for value in exchange.values { pool.append((try Hex.octets(value), exchange.sender)) }
        }
        for round in 0..<12 {
            var link = LinkHarness(dialects, keys: keys, startSeen: round % 2 == 0)
            link.isLabelled = round % 3 != 0
            for step in 0..<250 {
                guard let (value, sender) = pool.randomElement(using: &random) else { return }
                let octets = step % 3 == 0 ? value : random.mutated(value)
                // The clock may stand, jump and run backwards.
                link.time &+= Int64.random(in: -3_000_000_000...3_000_000_000, using: &random)
                let cut = step % 11 == 0 ? octets.count + 5 : octets.count
                let annotation = link.send(
                    octets, Bool.random(using: &random) ? sender : .phone, originalLength: cut)
                if let annotation {
                    #expect(!WalkedLines.of(annotation).isEmpty && annotation.problems.count < 300)
                }
            }
            _ = link.tracker.close(at: link.time)
        }
    }

    @Test func `random octets are no message and do no harm`() throws {
        var random = SeededRandom(seed: 77)
        var link = LinkHarness()
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...40, using: &random)
            _ = link.send(random.octets(count), Bool.random(using: &random) ? .phone : .car)
        }
        #expect(link.tracker.close(at: link.time).count <= 128 + 2 * 128)
    }

    @Test func `messages that never end take little room, which can be had back`() throws {
        var link = LinkHarness()
        let message = [UInt8](repeating: 0, count: 500)
        var second: [UInt8] = []
        for id in UInt64(0)..<250 {
            let values = try link.dialects[0].values(of: message, id: id, valueOctets: 200)
            _ = link.send(values[0], .phone)
            second = values[1]
        }
        let most = Reassembler.maximumOpen * (2 * 200 + Reassembler.roomOfMessage + 32)
        let past = 2 * Reassembler.maximumOpen * Reassembler.roomOfMessage
        #expect(link.tracker.room > Reassembler.maximumOpen * 200 && link.tracker.room <= most + past)
        link.tracker.dropIncomplete()
        #expect(link.tracker.room < 1_000)
        let rest = try link.note(second, .phone)
        #expect(rest.problems.isEmpty && rest.fragment?.state == .dropped)
        link.isLabelled = false
        link.tracker = UQDKTracker(UQDKKnowledge(dialects: link.dialects))
        let beginning = try Hex.octets(ReferenceVectors.all[0].values[0])
        for _ in 0..<100 { _ = link.send(beginning, .phone) }
        link.tracker.dropIncomplete()
        #expect(link.tracker.room == 0)
    }

    @Test func `a message that was given up is no fault of its sender, and has its response`() throws {
        var link = LinkHarness()
        _ = try link.note(try Hex.octets(ReferenceVectors.begin.values[0]), .phone)
        link.tracker.dropIncomplete()
        for value in ReferenceVectors.begin.values.dropFirst() {
            #expect(try link.note(try Hex.octets(value), .phone).problems.isEmpty)
        }
        #expect(link.tracker.waiting.map(\.name) == ["AUTH_BEGIN"])
        _ = try link.note(try Hex.octets(ReferenceVectors.begun.values[0]), .car)
        link.tracker.dropIncomplete()
        for value in ReferenceVectors.begun.values.dropFirst() {
            #expect(try link.note(try Hex.octets(value), .car).problems.isEmpty)
        }
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `a file of more keys than are read is too large, and not no JSON`() {
        let key = #"{"keyId": "0102030405060708", "key": "00112233445566778899aabbccddeeff"}"#
        func error(_ count: Int) -> KeyStoreError? {
            let text = "{\"uqdk\": [" + Array(repeating: key, count: count).joined(separator: ",") + "]}"
            do throws(KeyStoreError) { _ = try KeyStore(json: Array(text.utf8)) } catch { return error }
            return nil
        }
        #expect(error(20_000) == .tooLarge("more than 1048576 bytes"))
        #expect(error(20_000)?.description == "too large: more than 1048576 bytes")
    }

    @Test func `keys never show in what is said`() throws {
        let secret = "00112233445566778899aabbccddee"
        for text in [
            "{\"uqdk\": [{\"keyId\": \"01\", \"key\": \"\(secret)zz\"}]}",
            "{\"uqdk\": [{\"keyId\": \"01\", \"key\": \"\(secret)\", \"\(secret)\": 1}]}",
            #"{"peers": [{"address": "\#(secret)", "addressType": "public", "irk": "\#(secret)"}]}"#,
            "{\"uqdk\": \"\(secret)\"", "{\"uqdk\": [\"\(secret)\"]}",
            "{\"uqdk\": [{\"keyId\": \"01\", \"key\": \"\(secret)ff\", \"pairingCode\": \"\(secret)\"}]}",
        ] {
            let error = #expect(throws: KeyStoreError.self) { try KeyStore(json: Array(text.utf8)) }
            #expect(error?.description.contains(secret.prefix(12)) == false, "\(String(describing: error))")
        }
    }

    @Test func `mutated files of dialects and keys are read or refused`() throws {
        var random = SeededRandom(seed: 5)
        let dialect = try PackageFile.octets("Tests/Decoder/UQDKTests/other-dialect.json")
        let keys = try PackageFile.octets("Tests/Decoder/DocumentTests/keys.json")
        var refused = 0
        for _ in 0..<300 {
            if !Dialect.check(random.mutated(dialect)).isEmpty { refused += 1 }
            _ = try? KeyStore(json: random.mutated(keys))
        }
        #expect(refused > 100)
    }
}
