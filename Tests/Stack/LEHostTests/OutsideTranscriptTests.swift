import BluetoothCore
import Crypto
import Foundation
import Runtime
import Testing

@testable import LEHost

/// Pairings of LE Secure Connections that another stack uses in its own tests, with the private key of one
/// side: Apache NimBLE's `nimble/host/test/src/ble_sm_sc_test.c`. Its text is not part of this repository.
///
/// Left out where the file is not in `.cache/outside`; docs/conformance.md says where it comes from.
@Suite struct OutsideTranscriptTests {
    static let file = BumbleTests.root.appending(path: ".cache/outside/ble_sm_sc_test.c")
    static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// A pairing: its name, and the octets or words at each place, such as `confirm_req.0.value`.
    struct Transcript: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var octets: [String: [UInt8]] = [:]
        var words: [String: String] = [:]

        subscript(_ place: String) -> [UInt8] { octets[place] ?? [] }

        /// Whether the side whose private key is known begins.
        var isInitiator: Bool { testDescription.contains("_us_") }

        func features(_ side: String) -> [UInt8] {
            let names = [
                "io_cap", "oob_data_flag", "authreq", "max_enc_key_size", "init_key_dist", "resp_key_dist",
            ]
            return names.flatMap { self["pair_\(side).\($0)"] }
        }

        /// What a side sends, in order.
        func pdus(_ side: String) -> [[UInt8]] {
            let key = [0x0C] + self["public_key_\(side).x"] + self["public_key_\(side).y"]
            var all = [[side == "req" ? 1 : 2] + features(side), key]
            for round in 0..<Pairing.rounds {
                for (code, name) in [(3, "confirm"), (4, "random")] as [(UInt8, String)] {
                    let value = self["\(name)_\(side).\(round).value"]
                    if !value.isEmpty { all.append([code] + value) }
                }
            }
            return all + [[0x0D] + self["dhkey_check_\(side).value"]]
        }

        /// The address of a side on the link. NimBLE's tests compute with type 0 for private addresses, too:
        /// on the air it would be 1.
        func address(_ name: String) -> DeviceAddress {
            let random = self["\(name)_rpa"]
            let octets = random.isEmpty ? self["\(name)_id_addr"] : random
            return DeviceAddress(octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }, .public)
        }
    }

    static let all: [Transcript] = {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.components(separatedBy: "TEST_CASE_SELF(").dropFirst().map(transcript)
    }()

    /// Reads the initializer that a test of NimBLE begins with: names and braces, and numbers between them.
    static func transcript(_ text: String) -> Transcript {
        var found = Transcript(testDescription: String(text.prefix { $0 != ")" }))
        var path: [String] = []
        var name = ""
        let body = text.components(separatedBy: "(struct ble_sm_test_params)").dropFirst().first ?? ""
        let spaced = body.prefix { $0 != ";" }
            .replacing("{", with: " { ").replacing("}", with: " } ").replacing(",", with: " ")
        for token in spaced.split(whereSeparator: \.isWhitespace) {
            switch token {
            case "{":
                path.append(name)
                name = ""
            case "}": if !path.isEmpty { path.removeLast() }
            case "=": break
            case _ where token.hasPrefix("."):
                name = String(token.dropFirst()).replacing("[", with: ".").replacing("]", with: "")
            default:
                let place = (path + [name]).filter { !$0.isEmpty }.joined(separator: ".")
                if token.hasPrefix("0x"), let octet = UInt8(token.dropFirst(2), radix: 16) {
                    found.octets[place, default: []].append(octet)
                } else {
                    found.words[place] = String(token)
                }
            }
        }
        return found
    }

    @Test(.enabled(if: isThere, ".cache/outside/ble_sm_sc_test.c is not there"))
    func `there are fifteen of them`() {
        #expect(Self.all.count == 15 && Self.all.count { $0.isInitiator } == 8)
    }

    @Test(.enabled(if: isThere, ".cache/outside/ble_sm_sc_test.c is not there"), arguments: all)
    func `a pairing of NimBLE comes out octet by octet`(known: Transcript) throws {
        let mine = known.isInitiator ? "req" : "rsp"
        let theirs = known.isInitiator ? "rsp" : "req"
        var randomness = try PairingRandomness(SeededEntropy(seed: 1))
        var key = known["our_priv_key"]
        let publicKey = Array(known["public_key_\(mine).x"].reversed())
        if try P256.publicKey(of: key).x != publicKey { key.reverse() }
        #expect(try P256.publicKey(of: key).x == publicKey)
        randomness.privateKey = SecretKey(key)
        for round in 0..<Pairing.rounds {
            let nonce = known["random_\(mine).\(round).value"]
            if !nonce.isEmpty { randomness.nonces[round] = SecretKey(nonce.reversed()) }
        }
        let passkey = known.words["passkey_info.passkey.passkey"].flatMap { UInt32($0) }
        if let passkey { randomness.passkey = passkey }
        var policy = SecurityPolicy()
        policy.features = known.features(mine)
        var own = Pairing(
            isInitiator: known.isInitiator, policy, randomness,
            own: known.address(known.isInitiator ? "init" : "resp"),
            peer: known.address(known.isInitiator ? "resp" : "init"))
        if !known.isInitiator { own.expected = [.pairingRequest] }

        let expected = known.pdus(mine)
        var said: [[UInt8]] = []
        var failure: PairingFailure?
        var outputs = known.isInitiator ? own.begin(at: .zero) : []
        // What the other side sends, in order, whenever it is its turn.
        var waiting = known.pdus(theirs)
        while true {
            while !outputs.isEmpty {
                switch outputs.removeFirst() {
                case .send(let pdu): said.append(pdu)
                case .ask(.compare(let number)):
                    #expect(known.words["passkey_info.exp_numcmp"] == "\(number)")
                    outputs += own.answer(.yes, at: .zero)
                case .ask(.enter): outputs += own.answer(.passkey(try #require(passkey)), at: .zero)
                case .finished(.failure(let why)): failure = why
                default: break
                }
            }
            guard failure == nil, !waiting.isEmpty else { break }
            outputs = own.receive(waiting.removeFirst(), at: .zero)
        }
        if known.testDescription.hasSuffix("peer_same_pk") {
            #expect(failure == .ended(.dhKeyCheckFailed))
            return
        }
        #expect(failure == nil)
        // NimBLE gives a key to sign with, too: that field of the features is another.
        let checked = said.prefix(expected.count).map { $0.count == 7 ? Array($0[..<5]) : $0 }
        #expect(checked == expected.map { $0.count == 7 ? Array($0[..<5]) : $0 })
        #expect(own.key?.key.octets == Array(known["ltk"].reversed()))
    }
}
