import BluetoothCore
import Crypto
import Foundation
import Runtime
import Testing

@testable import LEHost

/// Two sides of a pairing, joined without a link.
struct PairingBench {
    var sides: [Pairing]
    var results: [Result<Bond?, PairingFailure>?] = [nil, nil]
    var questions: [[PairingQuestion]] = [[], []]
    /// Whether a side has reported legacy pairing, and whether it accepts it.
    var legacy: [Bool?] = [nil, nil]
    /// What each side has sent, as it came over.
    var sent: [[[UInt8]]] = [[], []]
    /// Changes what a side sends: its number and the PDU; nil drops it.
    var change: (Int, [UInt8]) -> [UInt8]? = { $1 }
    /// What the person of a side says.
    var person: (Int, PairingQuestion) -> PairingAnswer?
    private var shown: UInt32?

    static let addresses = [
        DeviceAddress(0xC000_0000_0001, .random), DeviceAddress(0x0000_0000_0002, .public),
    ]

    init(_ policies: [SecurityPolicy], seed: UInt64 = 1) throws {
        sides = try policies.enumerated().map { index, policy in
            Pairing(
                isInitiator: index == 0, policy,
                try PairingRandomness(SeededEntropy(seed: seed + UInt64(index))),
                own: Self.addresses[index], peer: Self.addresses[1 - index])
        }
        person = { _, question in question == .enter ? nil : .yes }
    }

    /// Lets one side show this number as its passkey.
    mutating func show(_ number: UInt32, at side: Int) {
        guard var randomness = try? PairingRandomness(SeededEntropy(seed: 99)) else { return }
        randomness.passkey = number
        sides[side] = Pairing(
            isInitiator: side == 0, sides[side].policy, randomness, own: sides[side].own,
            peer: sides[side].peer)
    }

    /// Runs to the end.
    mutating func run() {
        sides[1].expected = [.pairingRequest]
        var queue = sides[0].begin(at: .zero).map { (0, $0) }
        while !queue.isEmpty {
            let (side, output) = queue.removeFirst()
            switch output {
            case .send(let pdu):
                guard let changed = change(side, pdu) else { continue }
                sent[side].append(changed)
                queue += sides[1 - side].receive(changed, at: .zero).map { (1 - side, $0) }
            case .legacy(let isAccepted): legacy[side] = isAccepted
            case .ask(let question):
                // Who is to enter a number waits until one is shown.
                if question == .enter, person(side, question) == nil, shown == nil, !queue.isEmpty {
                    queue.append((side, output))
                    continue
                }
                questions[side].append(question)
                if case .display(let number) = question {
                    shown = number
                } else if let answer = person(side, question) ?? shown.map({ .passkey($0) }) {
                    queue += sides[side].answer(answer, at: .zero).map { (side, $0) }
                }
            case .encrypt(let key):
                // The link is encrypted only where both have the same key.
                guard sides[1].key == key else { continue }
                queue += sides[1].encrypted(at: .zero).map { (1, $0) }
                queue += sides[0].encrypted(at: .zero).map { (0, $0) }
            case .finished(let result): results[side] = result
            }
        }
    }

    var bonds: [Bond?] { results.map { (try? $0?.get()) ?? nil } }
    var failures: [PairingFailure?] {
        results.map { result in
            guard case .some(.failure(let failure)) = result else { return nil }
            return failure
        }
    }
}

@Suite struct HostPairingTests {
    static func policy(_ change: (inout SecurityPolicy) -> Void = { _ in }) -> SecurityPolicy {
        var policy = SecurityPolicy()
        change(&policy)
        return policy
    }

    @Test(arguments: IOCapability.allCases, IOCapability.allCases)
    func `both sides end with one bond, whatever they can show`(
        initiator: IOCapability, responder: IOCapability
    ) throws {
        for secure in [false, true] {
            let policies = [initiator, responder].map { capability in
                Self.policy {
                    $0.ioCapability = capability
                    $0.offersSecureConnections = secure
                    $0.acceptsLegacyPairing = true
                    $0.identityKey = SecretKey([UInt8](repeating: capability.rawValue + 1, count: 16))
                }
            }
            for needs in [false, true] {
                var bench = try PairingBench(needs ? policies.map { Self.protected($0) } : policies)
                if initiator == .keyboardOnly, responder == .keyboardOnly { bench.person = Self.sameNumber }
                bench.run()
                let isJustWorks = bench.questions.allSatisfy(\.isEmpty)
                if needs, isJustWorks {
                    #expect(bench.failures.contains(.ended(.authenticationRequirements)))
                    continue
                }
                #expect((bench.legacy == [true, true]) == (needs && !secure))
                let own = try #require(bench.bonds[0])
                let peer = try #require(bench.bonds[1])
                #expect(own.asCentral == peer.asPeripheral && own.asPeripheral == peer.asCentral)
                #expect(own.asCentral != nil && own.security == peer.security)
                #expect(own.security.isSecureConnections == secure)
                #expect(own.security.isAuthenticated == (secure && !isJustWorks))
                #expect(own.identityKey == policies[1].identityKey)
                #expect(peer.identityKey == policies[0].identityKey)
                #expect(own.peer == PairingBench.addresses[1] && peer.peer == PairingBench.addresses[0])
            }
        }
    }

    static func sameNumber(_ side: Int, _ question: PairingQuestion) -> PairingAnswer? {
        question == .enter ? .passkey(271_828) : .yes
    }

    static func protected(_ policy: SecurityPolicy) -> SecurityPolicy {
        var policy = policy
        policy.needsProtection = true
        return policy
    }

    /// Pairings that must ask for a number: passkeys of both kinds, and numbers to compare.
    static let asking: [(IOCapability, IOCapability, Bool)] = [
        (.displayOnly, .keyboardOnly, false), (.keyboardOnly, .displayOnly, true),
        (.displayYesNo, .displayYesNo, true), (.keyboardDisplay, .keyboardOnly, true),
    ]

    @Test(arguments: asking)
    func `a wrong number ends it on both sides, and leaves no key`(
        initiator: IOCapability, responder: IOCapability, secure: Bool
    ) throws {
        var bench = try PairingBench(
            [initiator, responder].map { capability in
                Self.policy {
                    $0.ioCapability = capability
                    $0.offersSecureConnections = secure
                    $0.acceptsLegacyPairing = true
                    $0.needsProtection = true
                }
            })
        bench.person = { _, question in question == .enter ? .passkey(1) : .no }
        bench.run()
        #expect(bench.bonds == [nil, nil])
        #expect(bench.failures.allSatisfy { $0 != nil })
    }

    @Test(arguments: [0, 1], [false, true])
    func `who asks for protection refuses legacy pairing, and reports it at once`(
        side: Int, needs: Bool
    ) throws {
        for capability in IOCapability.allCases {
            var policies = [SecurityPolicy(), SecurityPolicy()]
            policies[1 - side].offersSecureConnections = false
            policies[1 - side].ioCapability = .keyboardDisplay
            policies[side].ioCapability = capability
            policies[side].needsProtection = needs
            policies[side].asksForProtection = !needs
            var bench = try PairingBench(policies)
            bench.run()
            #expect(bench.failures[side] == .ended(.authenticationRequirements))
            #expect(bench.legacy[side] == false && bench.bonds == [nil, nil])
            #expect(bench.questions[side].isEmpty)
        }
    }

    @Test func `a bond of a legacy passkey is not authenticated, also in an older file`() throws {
        var bond = Bond(peer: DeviceAddress(0xC1, .public))
        bond.security.isAuthenticated = true
        bond.security.keySize = 16
        for isSecure in [false, true] {
            bond.security.isSecureConnections = isSecure
            let kept = try JSONDecoder().decode(Bond.self, from: try JSONEncoder().encode(bond))
            #expect(kept.security.isAuthenticated == isSecure)
            #expect(kept.security.isSecureConnections == isSecure)
        }
    }

    @Test func `a key of too few octets, and a debug key, are refused`() throws {
        var bench = try PairingBench([Self.policy(), Self.policy()])
        bench.change = { side, pdu in
            var pdu = pdu
            if side == 1, pdu[0] == SMPCode.pairingResponse.rawValue { pdu[4] = 7 }
            return pdu
        }
        bench.run()
        #expect(bench.failures == [.ended(.encryptionKeySize), .refused(.encryptionKeySize)])
    }

    @Test func `a public key that is reflected, or lies beside the curve, ends it`() throws {
        for reflects in [true, false] {
            var own: [UInt8] = []
            var bench = try PairingBench([Self.policy(), Self.policy()])
            bench.change = { side, pdu in
                guard pdu[0] == SMPCode.pairingPublicKey.rawValue else { return pdu }
                if side == 0 { own = pdu }
                if side == 0 { return pdu }
                return reflects ? own : pdu.dropLast() + [pdu[64] ^ 1]
            }
            bench.run()
            #expect(bench.failures == [.ended(.dhKeyCheckFailed), .refused(.dhKeyCheckFailed)])
        }
    }

    @Test func `one changed byte in one PDU never leads to a pairing with two keys`() throws {
        var generator = SplitMix(state: 7)
        for round in 0..<400 {
            let secure = round % 2 == 0
            let capability: IOCapability = round % 4 < 2 ? .noInputNoOutput : .keyboardDisplay
            var bench = try PairingBench(
                [0, 1].map { _ in
                    Self.policy {
                        $0.offersSecureConnections = secure
                        $0.acceptsLegacyPairing = true
                        $0.ioCapability = capability
                        $0.needsProtection = capability != .noInputNoOutput
                        $0.identityKey = SecretKey([UInt8](repeating: 3, count: 16))
                    }
                }, seed: UInt64(round))
            var left = generator.next(below: 14)
            let place = generator.next()
            bench.change = { _, pdu in
                left -= 1
                guard left == -1 else { return pdu }
                var pdu = pdu
                switch place % 4 {
                case 0: return nil
                case 1: pdu.removeLast()
                default: pdu[Int(place >> 8) % pdu.count] ^= UInt8(1 << (place >> 40) % 8)
                }
                return pdu
            }
            bench.run()
            guard let own = bench.bonds[0], let peer = bench.bonds[1], own.security.isSecureConnections else {
                continue
            }
            #expect(own.asCentral == peer.asPeripheral)
        }
    }

    @Test func `an identity that a better bond has is not taken over by a pairing`() {
        var better = Bond(peer: DeviceAddress(0xC1, .public))
        better.security.keySize = 16
        better.security.isAuthenticated = true
        for change: (inout LinkSecurity) -> Void in [
            { $0.isAuthenticated = false }, { $0.keySize = 7 }, { $0.isSecureConnections = false },
        ] {
            better.security.isSecureConnections = true
            var worse = Bond(peer: DeviceAddress(0xC1, .publicIdentity), security: better.security)
            change(&worse.security)
            var host = LEHost()
            let isKept = [host.context.keep(worse), host.context.keep(better), host.context.keep(worse)]
            #expect(isKept == [true, true, false])
            #expect(host.bonds == [better])
        }
    }

    // Someone in the middle compares numbers with one device, and has the number that it shows entered at the
    // other one as a passkey.
    @Test(arguments: [false, true], [false, true])
    func `method confusion works on a device that takes passkeys, and on none that compares alone`(
        isPhoneAsked: Bool, needsComparison: Bool
    ) throws {
        let screen = Self.protected(Self.policy { $0.ioCapability = .displayYesNo })
        let victim = Self.protected(
            Self.policy {
                $0.ioCapability = .keyboardDisplay
                $0.needsComparison = needsComparison
            })
        var compared = try PairingBench([victim, screen])
        compared.run()
        guard case .compare(let number) = compared.questions[0].first else {
            Issue.record("no number was shown: \(compared.questions)")
            return
        }
        #expect(compared.bonds[0] != nil, "the one that compares learns nothing of it")

        let display = Self.protected(Self.policy { $0.ioCapability = .displayOnly })
        var entered = try PairingBench(isPhoneAsked ? [victim, display] : [display, victim], seed: 7)
        entered.show(number, at: isPhoneAsked ? 1 : 0)
        entered.run()
        let asked = isPhoneAsked ? 0 : 1
        #expect((entered.bonds[asked]?.security.isAuthenticated == true) == !needsComparison)
        #expect(entered.failures[asked] == (needsComparison ? .ended(.authenticationRequirements) : nil))
        #expect(entered.questions[asked] == (needsComparison ? [] : [.enter]))
    }

    @Test func `two that compare numbers alone need nothing else to pair`() throws {
        let policy = Self.policy {
            $0.ioCapability = .displayYesNo
            $0.needsComparison = true
        }
        var bench = try PairingBench([policy, policy])
        bench.run()
        #expect(bench.bonds.allSatisfy { $0?.security.isAuthenticated == true })
        var without = try PairingBench([policy, SecurityPolicy()])
        without.run()
        #expect(without.bonds == [nil, nil] && without.failures[0] == .ended(.authenticationRequirements))
    }

    @Test func `nothing for 30 s ends it, and a secret has no text`() throws {
        var bench = try PairingBench([Self.policy(), Self.policy()])
        _ = bench.sides[0].begin(at: .zero)
        #expect(bench.sides[0].deadline == Instant.zero.advanced(by: .seconds(30)))
        let outputs = bench.sides[0].timeReached(Instant.zero.advanced(by: .seconds(30)))
        #expect(outputs == [.finished(.failure(.timedOut))])
        let key = SecretKey([0xDE, 0xAD])
        var text = ""
        dump(LongTermKey(key), to: &text)
        #expect(!"\(key) \(text)".contains("222") && "\(key)" == "2 secret octets")
    }
}
