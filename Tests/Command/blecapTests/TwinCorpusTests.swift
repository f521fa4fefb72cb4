import Foundation
import TestSupport
import Testing

/// Sessions of strangers that exist twice: as the sniffer heard them, and decrypted by another program.
@Suite("Twins among strangers' captures")
struct TwinCorpusTests {
    /// Two captures of one session, and where the key is from.
    private struct Twins: CustomStringConvertible, Sendable {
        var encrypted: String
        var decrypted: String
        /// The keys file, as JSON.
        var keys: String?
        /// A capture whose pairing reveals the keys.
        var keySource: String?
        /// ATT PDUs of the session.
        var count: Int

        var description: String { encrypted }
    }

    private static func key(_ ltk: String, _ address: String) -> String {
        "{\"peers\": [{\"address\": \"\(address)\", \"addressType\": \"public\", \"ltk\": \"\(ltk)\"}]}"
    }

    private static let twins: [Twins] = [
        Twins(
            encrypted: "ubertooth-ppi-passkey-461140.pcap",
            decrypted: "ubertooth-ppi-passkey-461140-decrypted.pcap", count: 50),
        Twins(
            encrypted: "ubertooth-ppi-known-ltk.pcap", decrypted: "ubertooth-ppi-known-ltk-decrypted.pcap",
            keys: key("7f62c053f104a5bbe68b1d896a2ed49c", "78:C5:E5:6E:DD:E8"), count: 3),
        Twins(
            encrypted: "ubertooth-ppi-legacy-pairing.pcap",
            decrypted: "ubertooth-ppi-legacy-pairing-decrypted.pcap", count: 0),
        Twins(
            encrypted: "../corpus-2/whad-legacy-pairing.pcap",
            decrypted: "../corpus-2/whad-legacy-pairing-decrypted.pcap", count: 152),
        Twins(
            encrypted: "../corpus-2/whad-encrypted-session.pcap",
            decrypted: "../corpus-2/whad-encrypted-session-decrypted.pcap",
            keySource: "../corpus-2/whad-legacy-pairing.pcap", count: 6),
    ]

    /// The ATT PDUs of a capture: opcode, handle and value; equal ones in a row are one, because the other
    /// programs leave repetitions encrypted. The sender is left out: where the recorder errs, only the MIC
    /// tells it, which a decrypted capture has no more.
    private static func conversation(_ path: String, keys: String?) throws -> [String] {
        let options = keys.map { ["--keys", $0, "--insecure-keys"] } ?? []
        let run = try CommandRun(["annotate", "--only", "att", "--format", "ndjson"] + options + [path])
        var pdus: [String] = []
        for line in run.text.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let att = object?["att"] as? [String: Any] else { continue }
            let pdu = "\(att["opcode"] ?? "") \(att["handle"] ?? "") \(att["value"] ?? "")"
            if pdu != pdus.last { pdus.append(pdu) }
        }
        return pdus
    }

    @Test("A session opened here is the session that another program decrypted", .corpus, arguments: twins)
    private func agree(_ twins: Twins) throws {
        let folder = try TemporaryFolder()
        let (encrypted, decrypted) = (Corpus.path(twins.encrypted), Corpus.path(twins.decrypted))
        var keys: String?
        if let text = twins.keys {
            let path = folder.path("keys.json")
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            keys = path
        }
        if let source = twins.keySource {
            let path = folder.path("keys.json")
            #expect(try CommandRun(["annotate", "--save-keys", path, Corpus.path(source)]).status == 0)
            keys = path
        }
        let here = try Self.conversation(encrypted, keys: keys)
        #expect(here.count == twins.count)
        #expect(try here == Self.conversation(decrypted, keys: nil))
    }
}
