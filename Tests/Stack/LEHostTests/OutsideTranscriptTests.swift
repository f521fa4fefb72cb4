import BluetoothCore
import Crypto
import Foundation
import Runtime
import Testing
import WireBytes

@testable import LEHost

/// Pairings of LE Secure Connections whose numbers come from another stack: those that Apache NimBLE tests
/// itself with, in `SecureConnectionsPairings.json`, with the private key of one side.
@Suite struct OutsideTranscriptTests {
    struct Transcript: Decodable, Sendable, CustomTestStringConvertible {
        let isInitiator: Bool
        /// Addresses, most significant byte first. NimBLE's tests compute with type 0 for private addresses,
        /// too: on the air it would be 1.
        let initiator: String
        let responder: String
        /// In the order in which NimBLE keeps it, which is not the same in all its tests.
        let privateKey: String
        /// What each side sends, in order, as it is on the air.
        let own: [String]
        let peer: [String]
        /// As it is on the air: least significant byte first.
        let longTermKey: String
        let passkey: UInt32?
        let compared: UInt32?
        /// Whether the peer sends our own public key back, so that the pairing must fail.
        let reflectsKey: Bool?

        var testDescription: String {
            let means = passkey.map { "passkey \($0)" } ?? compared.map { "comparison \($0)" } ?? "Just Works"
            return (isInitiator ? "initiator " : "responder ") + initiator + " " + means
        }
    }

    private struct File: Decodable { let pairings: [Transcript] }

    private static func all() throws -> [Transcript] {
        let file = BumbleTests.root.appending(
            path: "Tests/Stack/LEHostTests/SecureConnectionsPairings.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).pairings
    }

    private static func address(_ text: String) throws -> DeviceAddress {
        DeviceAddress(try Hex.octets(text).reduce(0) { $0 << 8 | UInt64($1) }, .public)
    }

    /// The host's side of a pairing before it begins: its key and its nonces are the recorded ones.
    private static func pairing(_ known: Transcript, own: [[UInt8]]) throws -> Pairing {
        var randomness = try PairingRandomness(SeededEntropy(seed: 1))
        let publicKey = own.first { $0[0] == SMPCode.pairingPublicKey.rawValue }
        let x = Array(try #require(publicKey)[1...32].reversed())
        var key = try Hex.octets(known.privateKey)
        if try P256.publicKey(of: key).x != x { key.reverse() }
        #expect(try P256.publicKey(of: key).x == x)
        randomness.privateKey = SecretKey(key)
        let nonces = own.filter { $0[0] == SMPCode.pairingRandom.rawValue }
        for (round, nonce) in nonces.enumerated() {
            randomness.nonces[round] = SecretKey(nonce.dropFirst().reversed())
        }
        if let passkey = known.passkey { randomness.passkey = passkey }
        var policy = SecurityPolicy()
        policy.features = Array(own[0].dropFirst())
        let addresses = try [address(known.initiator), address(known.responder)]
        var pairing = Pairing(
            isInitiator: known.isInitiator, policy, randomness, own: addresses[known.isInitiator ? 0 : 1],
            peer: addresses[known.isInitiator ? 1 : 0])
        if !known.isInitiator { pairing.expected = [.pairingRequest] }
        return pairing
    }

    @Test func `fifteen pairings of NimBLE come out byte by byte, and one that reflects our key fails`()
        throws
    {
        let all = try Self.all()
        #expect(all.count == 15 && all.count { $0.isInitiator } == 8)
        #expect(all.count { $0.reflectsKey == true } == 1)
        for known in all { try Self.check(known) }
    }

    private static func check(_ known: Transcript) throws {
        let expected = try known.own.map { try Hex.octets($0) }
        // What the other side sends, in order, whenever it is its turn.
        var waiting = try known.peer.map { try Hex.octets($0) }
        var own = try pairing(known, own: expected)
        var said: [[UInt8]] = []
        var failure: PairingFailure?
        var outputs = known.isInitiator ? own.begin(at: .zero) : []
        while true {
            while !outputs.isEmpty {
                switch outputs.removeFirst() {
                case .send(let pdu): said.append(pdu)
                case .ask(.compare(let number)):
                    #expect(known.compared == number)
                    outputs += own.answer(.yes, at: .zero)
                case .ask(.enter):
                    outputs += own.answer(.passkey(try #require(known.passkey)), at: .zero)
                case .finished(.failure(let why)): failure = why
                default: break
                }
            }
            guard failure == nil, !waiting.isEmpty else { break }
            outputs = own.receive(waiting.removeFirst(), at: .zero)
        }
        guard known.reflectsKey != true else {
            #expect(failure == .ended(.dhKeyCheckFailed))
            return
        }
        #expect(failure == nil, "\(known.testDescription)")
        // NimBLE gives a key to sign with, too: that field of the features is another.
        let checked = said.prefix(expected.count).map { $0.count == 7 ? Array($0[..<5]) : $0 }
        #expect(
            checked == expected.map { $0.count == 7 ? Array($0[..<5]) : $0 }, "\(known.testDescription)")
        #expect(own.key?.key.octets == Array(try Hex.octets(known.longTermKey).reversed()))
    }
}
