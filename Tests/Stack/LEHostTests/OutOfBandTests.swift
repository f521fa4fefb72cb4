import BluetoothCore
import Crypto
import Runtime
import Testing

@testable import LEHost

/// LE Secure Connections with data that came by other means.
@Suite struct OutOfBandTests {
    /// Whether the initiator, and whether the responder, was given data of the other.
    static let ways = [(true, true), (true, false), (false, true)]

    static func own(_ seed: UInt64) throws -> OwnOutOfBandData {
        try OwnOutOfBandData(SeededEntropy(seed: seed))
    }

    static func policies(
        _ initiatorHas: Bool, _ responderHas: Bool, _ change: (inout [OutOfBand]) -> Void = { _ in }
    ) throws -> [SecurityPolicy] {
        let own = [try Self.own(41), try Self.own(42)]
        var data = [
            OutOfBand(own: own[0], peer: initiatorHas ? own[1].data : nil),
            OutOfBand(own: own[1], peer: responderHas ? own[0].data : nil),
        ]
        change(&data)
        return data.map { data in
            HostPairingTests.policy {
                $0.outOfBand = data
                $0.needsProtection = true
            }
        }
    }

    @Test(arguments: ways) func `data given one way or both make an authenticated bond without a person`(
        initiator: Bool, responder: Bool
    ) throws {
        var bench = try PairingBench(try Self.policies(initiator, responder))
        var codes: [SMPCode] = []
        bench.change = { _, pdu in
            codes.append(SMPCode(rawValue: pdu[0]))
            return pdu
        }
        bench.run()
        let own = try #require(bench.bonds[0])
        let peer = try #require(bench.bonds[1])
        #expect(own.asCentral == peer.asPeripheral && own.asCentral != nil)
        #expect(own.security == peer.security)
        #expect(own.security.isAuthenticated && own.security.isSecureConnections)
        #expect(bench.questions == [[], []])
        #expect(
            codes.prefix(8) == [
                .pairingRequest, .pairingResponse, .pairingPublicKey, .pairingPublicKey, .pairingRandom,
                .pairingRandom, .pairingDHKeyCheck, .pairingDHKeyCheck,
            ])
    }

    @Test(arguments: ways) func `out-of-band data of another device end the pairing without a key`(
        initiator: Bool, responder: Bool
    ) throws {
        for isRandom in [true, false] {
            let stranger = try Self.own(99).data
            var bench = try PairingBench(
                try Self.policies(initiator, responder) { data in
                    for side in 0..<2 where data[side].peer != nil {
                        if isRandom {
                            data[side].peer?.random = stranger.random
                        } else {
                            data[side].peer?.confirm = stranger.confirm
                        }
                    }
                })
            bench.run()
            #expect(bench.bonds == [nil, nil])
            // Whoever finds out first says so; both may.
            let failures: [PairingFailure?] = [.ended(.confirmValueFailed), .refused(.confirmValueFailed)]
            #expect(bench.failures.allSatisfy { failures.contains($0) })
        }
    }

    @Test func `one who was given data can't be met by one who has forgotten them`() throws {
        var bench = try PairingBench(try Self.policies(true, false) { $0[1].own = nil })
        bench.run()
        #expect(bench.failures == [.refused(.oobNotAvailable), .ended(.oobNotAvailable)])
        // New data belong to another key.
        let other = try Self.own(43)
        bench = try PairingBench(try Self.policies(true, false) { $0[1].own = other })
        bench.run()
        #expect(bench.failures == [.ended(.confirmValueFailed), .refused(.confirmValueFailed)])
    }

    @Test func `who only says that it has the data does not get past the check`() throws {
        // Someone in the middle has no data, and sets the flag for both sides.
        var bench = try PairingBench(try Self.policies(false, false))
        bench.change = { side, pdu in
            guard [.pairingRequest, .pairingResponse].contains(SMPCode(rawValue: pdu[0])) else { return pdu }
            var pdu = pdu
            pdu[2] = 1
            return pdu
        }
        bench.run()
        #expect(bench.bonds == [nil, nil])
        #expect(bench.failures.allSatisfy { $0 != nil })
    }

    @Test func `one changed byte in one PDU never leads to a bond`() throws {
        for place in 0..<160 {
            var bench = try PairingBench(try Self.policies(place % 2 == 0, place % 2 == 1 || place % 3 == 0))
            var left = place % 8
            bench.change = { _, pdu in
                left -= 1
                guard left == -1 else { return pdu }
                var pdu = pdu
                pdu[place * 7 % pdu.count] ^= UInt8(1 << (place / 8 % 8))
                return pdu
            }
            bench.run()
            guard let own = bench.bonds[0], let peer = bench.bonds[1] else { continue }
            // Only what no check covers may differ: how long a key may be, or who gives which keys.
            #expect(own.asCentral == peer.asPeripheral && own.security.isAuthenticated)
        }
    }

    /// Source: Core Specification, Vol 3, Part H, 2.3.5.1, tables 2.6 and 2.7.
    @Test func `one side's data are enough for LE Secure Connections, legacy pairing needs both`() throws {
        for flags in 0..<4 {
            for secure in [true, false] {
                let auth: UInt8 = secure ? 0x0D : 0x05
                let features = try #require(
                    PairingFeatures(
                        request: [1, 3, UInt8(flags & 1), auth, 16, 0, 0],
                        response: [2, 3, UInt8(flags >> 1), auth, 16, 0, 0]))
                let isOutOfBand = secure ? flags != 0 : flags == 3
                #expect((features.method == .outOfBand) == isOutOfBand)
            }
        }
    }

    @Test func `what is given out is made of the key and shows nothing`() throws {
        let own = try Self.own(41)
        let key = try P256.publicKey(of: own.privateKey.octets).x
        #expect(try own.data.fits(key))
        #expect(try Self.own(41) == own && Self.own(42) != own)
        var text = ""
        dump(own, to: &text)
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains("secret octets") || $0.contains("OutOfBandData") })
    }
}
