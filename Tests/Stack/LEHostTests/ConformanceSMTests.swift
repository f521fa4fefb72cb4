import BluetoothCore
import Crypto
import Runtime
import Testing

@testable import LEHost

/// What the SIG's test suite of the Security Manager asks for; docs/stack.md has the ids.
@Suite struct ConformanceSMTests {
    /// A pairing of the implementation with a tester, which is the same code, told what to say.
    struct Way: Sendable, CustomTestStringConvertible {
        /// 0 where the implementation is the central, 1 where it is the peripheral.
        var own: Int
        var isSecure: Bool
        /// The implementation shows a passkey; else nothing is shown or entered.
        var hasPasskey: Bool
        var tester: Int { 1 - own }
        var testDescription: String {
            (own == 0 ? "central" : "peripheral") + (isSecure ? " secure" : " legacy")
                + (hasPasskey ? " passkey" : "")
        }

        static let all = [0, 1].flatMap { own in
            [false, true].flatMap { secure in
                [false, true].map { Way(own: own, isSecure: secure, hasPasskey: $0) }
            }
        }

        /// What the tester says of itself: input or output, out of band, requirements, size of keys, keys.
        var features: [UInt8] {
            [
                hasPasskey ? IOCapability.keyboardOnly.rawValue : IOCapability.noInputNoOutput.rawValue, 0,
                1 | (hasPasskey ? 4 : 0) | (isSecure ? 8 : 0), 16, 3, 3,
            ]
        }

        func bench(
            _ features: [UInt8]? = nil, seed: UInt64 = 1,
            own change: (inout SecurityPolicy) -> Void = { _ in },
            tester changeTester: (inout SecurityPolicy) -> Void = { _ in }
        ) throws -> PairingBench {
            var policies = [SecurityPolicy(), SecurityPolicy()]
            for index in 0..<2 {
                policies[index].offersSecureConnections = isSecure
                policies[index].identityKey = SecretKey([UInt8](repeating: UInt8(index + 1), count: 16))
            }
            if hasPasskey {
                policies[own].ioCapability = .displayOnly
                policies[tester].ioCapability = .keyboardOnly
            }
            policies[tester].minimumKeySize = 7
            policies[tester].features = features ?? self.features
            change(&policies[own])
            changeTester(&policies[tester])
            return try PairingBench(policies, seed: seed)
        }
    }

    static func codes(_ pdus: [[UInt8]]) -> [UInt8] { pdus.map { $0[0] } }

    @Test(arguments: Way.all)
    func `reserved bits of the tester are passed over, and none are sent`(way: Way) throws {
        var features = way.features
        features[2] |= 0xC0
        var bench = try way.bench(features)
        bench.run()
        let bonds = try bench.bonds.map { try #require($0) }
        #expect(bonds[0].asCentral == bonds[1].asPeripheral)
        #expect(bonds[way.own].security.isAuthenticated == (way.hasPasskey && way.isSecure))
        #expect(bonds[way.own].security.isSecureConnections == way.isSecure)
        #expect(bench.sent[way.tester][0][3] & 0xC0 == 0xC0 && bench.sent[way.own][0][3] & 0xC0 == 0)
    }

    /// Passkey Entry Failed, Authentication Requirements, Pairing Not Supported, Unspecified Reason, Repeated
    /// Attempts, Numeric Comparison Failed, Key Rejected and Busy.
    static let reasons: [UInt8] = [0x01, 0x03, 0x05, 0x08, 0x09, 0x0C, 0x0F, 0x10]

    @Test(arguments: Way.all, reasons)
    func `the tester may end it at any moment, and its reason is told`(way: Way, reason: UInt8) throws {
        var whole = try way.bench()
        whole.run()
        let count = whole.sent[way.tester].count
        for moment in (way.own == 0 ? 0 : 1)..<count {
            var bench = try way.bench()
            var left = moment
            var after = 0
            bench.change = { side, pdu in
                if side == way.own {
                    if left < 0 { after += 1 }
                    return pdu
                }
                left -= 1
                if left < -1 { return nil }
                return left == -1 ? [SMPCode.pairingFailed.rawValue, reason] : pdu
            }
            bench.run()
            #expect(bench.failures[way.own] == .refused(PairingReason(rawValue: reason)), "\(moment)")
            #expect(after == 0)
        }
    }

    @Test(arguments: Way.all)
    func `a confirm value that is wrong ends it`(way: Way) throws {
        // Without a passkey the initiator of LE Secure Connections confirms nothing.
        guard way.own == 0 || !way.isSecure || way.hasPasskey else { return }
        var bench = try way.bench()
        bench.change = { side, pdu in
            guard side == way.tester, pdu[0] == SMPCode.pairingConfirm.rawValue else { return pdu }
            return pdu.dropLast() + [pdu[16] ^ 1]
        }
        bench.run()
        #expect(bench.failures[way.own] == .ended(.confirmValueFailed))
        #expect(bench.sent[way.own].last == [0x05, 0x04] && bench.bonds == [nil, nil])
    }

    @Test(arguments: Way.all)
    func `values of one's own that come back end it`(way: Way) throws {
        guard way.own == 0 else { return }
        var bench = try way.bench()
        var own: [UInt8: [UInt8]] = [:]
        bench.change = { side, pdu in
            let isMeant = [SMPCode.pairingConfirm.rawValue, SMPCode.pairingRandom.rawValue].contains(pdu[0])
            guard isMeant else { return pdu }
            if side == way.own { own[pdu[0]] = pdu }
            return own[pdu[0]] ?? pdu
        }
        bench.run()
        #expect(bench.failures[way.own] == .ended(.confirmValueFailed))
    }

    @Test(arguments: Way.all)
    func `whatever is changed in what both sides say of themselves, there is no key`(way: Way) throws {
        // Someone in the middle changes input and output, out of band and requirements, bit by bit: among
        // them the bit of LE Secure Connections.
        for side in 0..<2 {
            for bit in 0..<24 {
                var bench = try way.bench()
                bench.change = { sender, pdu in
                    guard sender == side, pdu[0] <= 2 else { return pdu }
                    var pdu = pdu
                    pdu[1 + bit / 8] ^= 1 << (bit % 8)
                    return pdu
                }
                bench.run()
                #expect(bench.bonds == [nil, nil], "side \(side), bit \(bit)")
            }
        }
    }

    @Test(arguments: Way.all, [7, 10, 16] as [UInt8])
    func `the shortest key that is accepted is used, a shorter one refused`(way: Way, size: UInt8) throws {
        var features = way.features
        features[3] = size
        var bench = try way.bench(features, own: { $0.minimumKeySize = size })
        bench.run()
        let bond = try #require(bench.bonds[way.own])
        #expect(bond.security.keySize == size)
        for key in [bond.asCentral, bond.asPeripheral] {
            let octets = try #require(key?.key.octets)
            #expect(octets.prefix { $0 == 0 }.count >= 16 - Int(size))
            #expect(octets.suffix(7).contains { $0 != 0 })
        }

        bench = try way.bench(own: { $0.minimumKeySize = size })
        bench.change = { side, pdu in
            guard side == way.tester, pdu[0] <= 2 else { return pdu }
            var pdu = pdu
            pdu[4] = size - 1
            return pdu
        }
        bench.run()
        let reason: PairingReason = size == 7 ? .invalidParameters : .encryptionKeySize
        #expect(bench.failures[way.own] == .ended(reason))
    }

    @Test(arguments: Way.all)
    func `LE Secure Connections and protection are had where they must be, or nothing is`(way: Way) throws {
        var bench = try way.bench(own: {
            $0.offersSecureConnections = true
            $0.needsSecureConnections = true
            $0.needsProtection = true
        })
        bench.run()
        guard way.isSecure, way.hasPasskey else {
            #expect(bench.failures[way.own] == .ended(.authenticationRequirements))
            #expect(bench.sent[way.own].last == [0x05, 0x03] && bench.bonds == [nil, nil])
            return
        }
        let security = try #require(bench.bonds[way.own]?.security)
        #expect(security.isAuthenticated && security.isSecureConnections && security.keySize == 16)
    }

    @Test(arguments: Way.all, [true, false])
    func `where one side keeps nothing, neither does the other`(way: Way, isOwn: Bool) throws {
        var features = way.features
        if !isOwn { features[2] &= 0xFC }
        var bench = try way.bench(features, own: { $0.bonds = !isOwn })
        bench.run()
        // The link is encrypted all the same, and nothing is kept.
        #expect(bench.results.allSatisfy { if case .success(nil)? = $0 { true } else { false } })
        #expect(bench.sides[way.own].key != nil)
        let bondings = bench.sent.map { $0[0][3] & 3 }
        #expect(bondings[way.own] == (isOwn || way.own == 1 ? 0 : 1))
    }

    @Test(arguments: Way.all, [1, 2, 4, 7] as [UInt8])
    func `the keys that the tester asks for are given, and no others`(way: Way, keys: UInt8) throws {
        var features = way.features
        features[4] = way.own == 0 ? keys : 0
        features[5] = way.own == 0 ? 0 : keys
        var bench = try way.bench(features)
        bench.run()
        #expect(bench.failures == [nil, nil])
        // The key of LE Secure Connections is not given, and there is no key to sign with.
        let given = keys & (way.isSecure ? 2 : 3)
        let distribution: [UInt8] = (given & 1 != 0 ? [6, 7] : []) + (given & 2 != 0 ? [8, 9] : [])
        let known: [UInt8] = [6, 7, 8, 9, 10]
        #expect(Self.codes(bench.sent[way.own]).filter { known.contains($0) } == distribution)
        if given & 2 != 0 {
            let address = try #require(bench.sent[way.own].last)
            #expect(address[1] == (way.own == 0 ? 1 : 0))
        }
        #expect(bench.sent[way.own][0][way.own == 0 ? 5 : 6] & 4 == 0)
    }

    /// What the tester makes of its public key.
    static let publicKeys: [@Sendable ([UInt8], [UInt8]) -> [UInt8]] = [
        { key, _ in Array(key[..<33]) + [UInt8](repeating: 0, count: 32) },
        { key, _ in Array(key[..<64]) + [key[64] ^ 1] },
        { key, _ in Array(key[..<1]) + [UInt8](repeating: 0, count: 64) },
        { key, own in own.isEmpty ? Array(key[..<64]) + [key[64] ^ 0x80] : own },
        { key, own in own.isEmpty ? Array(key[..<64]) + [key[64] ^ 0x80] : Array(own[..<33] + key[33...]) },
    ]

    @Test(arguments: Way.all, publicKeys.indices)
    func `a public key that is no point, or one's own, ends it`(way: Way, key: Int) throws {
        guard way.isSecure else { return }
        var bench = try way.bench()
        var own: [UInt8] = []
        bench.change = { side, pdu in
            guard pdu[0] == SMPCode.pairingPublicKey.rawValue else { return pdu }
            if side == way.own { own = pdu }
            return side == way.tester ? Self.publicKeys[key](pdu, own) : pdu
        }
        bench.run()
        #expect(bench.failures[way.own] == .ended(.dhKeyCheckFailed))
        #expect(bench.sent[way.own].last == [0x05, 0x0B] && bench.bonds == [nil, nil])
    }

    @Test(arguments: Way.all)
    func `who is silent for 30 s is not answered any more`(way: Way) throws {
        var whole = try way.bench()
        whole.run()
        for moment in (way.own == 0 ? 0 : 1)..<whole.sent[way.tester].count {
            var bench = try way.bench()
            var left = moment
            var late: [UInt8] = []
            bench.change = { side, pdu in
                guard side == way.tester else { return pdu }
                left -= 1
                guard left == -1 else { return left >= 0 ? pdu : nil }
                late = pdu
                return nil
            }
            bench.run()
            let end = Instant.zero.advanced(by: .seconds(30))
            #expect(bench.sides[way.own].deadline == end)
            #expect(bench.sides[way.own].timeReached(end) == [.finished(.failure(.timedOut))])
            #expect(bench.sides[way.own].receive(late, at: end).isEmpty && !late.isEmpty)
        }
    }

    /// Data that were given by other means: of the central, of the peripheral.
    static let outOfBand: [[UInt8?]] = [[1, 1], [1, 2], [1, nil], [nil, 1]]

    @Test(arguments: Way.all, outOfBand)
    func `data that were given by other means are used where both sides have them`(
        way: Way, data: [UInt8?]
    ) throws {
        guard !way.isSecure else { return }
        let keys = data.map { $0.map { SecretKey([UInt8](repeating: $0, count: 16)) } }
        var features = way.features
        features[1] = keys[way.tester] == nil ? 0 : 1
        var bench = try way.bench(
            features, own: { $0.outOfBandKey = keys[way.own] },
            tester: { $0.outOfBandKey = keys[way.tester] })
        bench.run()
        #expect(bench.sent[way.own][0][2] == (keys[way.own] == nil ? 0 : 1))
        guard data != [1, 2] else {
            #expect(bench.bonds == [nil, nil] && bench.failures[way.own] != nil)
            #expect([.ended(.confirmValueFailed), .refused(.confirmValueFailed)].contains(bench.failures[1]))
            return
        }
        let bond = try #require(bench.bonds[way.own])
        // Else what both can show and enter decides.
        #expect(bond.security.isAuthenticated == (data == [1, 1]))
        #expect(bench.questions.allSatisfy(\.isEmpty) == (data == [1, 1] || !way.hasPasskey))
    }

    @Test func `passkeys, nonces and public keys are other ones each time`() throws {
        let entropy = SeededEntropy(seed: 5)
        var seen: Set<[UInt8]> = []
        var passkeys: Set<UInt32> = []
        for _ in 0..<50 {
            let randomness = try PairingRandomness(entropy)
            #expect(passkeys.insert(randomness.passkey).inserted && randomness.passkey < 1_000_000)
            for secret in randomness.nonces + [randomness.privateKey, randomness.longTermKey] {
                #expect(seen.insert(secret.octets).inserted)
            }
        }
        var bench = try Way(own: 0, isSecure: true, hasPasskey: true).bench()
        bench.run()
        let nonces = bench.sent[0].filter { $0[0] == SMPCode.pairingRandom.rawValue }
        #expect(nonces.count == Pairing.rounds && Set(nonces).count == nonces.count)
    }

    @Test func `a security request that comes after the pairing request is passed over`() throws {
        for secure in [false, true] {
            var bench = try Way(own: 0, isSecure: secure, hasPasskey: false).bench()
            _ = bench.sides[0].begin(at: .zero)
            #expect(bench.sides[0].receive([SMPCode.securityRequest.rawValue, 5], at: .zero).isEmpty)
            bench.run()
            #expect(bench.bonds.allSatisfy { $0 != nil })
        }
    }
}
