import BluetoothCore
import Crypto
import Runtime
import Testing

@testable import LEHost

/// A host as the peripheral, and a central that need not do as it must.
struct PeripheralHarness {
    var harness: HostHarness
    /// The central's side of the pairing.
    var central: Pairing
    let link: LinkID
    /// What the host has sent of the Security Manager.
    var said: [[UInt8]] = []

    init(_ policy: SecurityPolicy, bonds: [Bond] = []) throws {
        harness = HostHarness {
            $0.security = policy
            $0.bonds = bonds
        }
        harness.bringUp(packets: 200)
        harness.event(
            LEConnectionComplete {
                $0.connectionHandle = 0x40
                $0.role = 1
                $0.peerAddressType = 1
                $0.peerAddress = HostHarness.car
                $0.connectionInterval = 24
                $0.supervisionTimeout = 420
            }.packet)
        link = try #require(harness.host.openLinks.first?.id)
        central = Pairing(
            isInitiator: true, policy, try PairingRandomness(SeededEntropy(seed: 9)), own: HostHarness.car,
            peer: try #require(harness.host.address))
        _ = harness.takeSent()
    }

    /// Has the central send something, and takes all that follows, but for PDUs of the central with one code.
    mutating func run(without code: SMPCode? = nil) {
        var waiting = central.begin(at: .zero)
        while !waiting.isEmpty {
            switch waiting.removeFirst() {
            case .send(let pdu):
                guard pdu[0] != code?.rawValue else { continue }
                harness.data(0x40, .securityManager, hex(pdu))
                for answer in takeSaid() { waiting += central.receive(answer, at: .zero) }
            case .encrypt:
                encryptionChanged()
                waiting += central.encrypted(at: .zero)
                for answer in takeSaid() { waiting += central.receive(answer, at: .zero) }
            default: break
            }
        }
    }

    /// PDUs of the Security Manager that the host has sent since the last time.
    mutating func takeSaid() -> [[UInt8]] {
        let packets = harness.takeSent().filter { $0.type == .acl }
        var stream = packets.flatMap { $0.octets.dropFirst(4) }
        var found: [[UInt8]] = []
        while stream.count >= 4, stream.count >= 4 + Int(stream[0]) {
            if stream[2] == 6 { found.append(Array(stream[4..<4 + Int(stream[0])])) }
            stream.removeFirst(4 + Int(stream[0]))
        }
        said += found
        return found
    }

    mutating func encryptionChanged() {
        harness.event(
            HCIEncryptionChange {
                $0.connectionHandle = 0x40
                $0.encryptionEnabled = 1
            }.packet)
    }

    /// The controller asks for a key: what the host answers, least significant octet first; nil for none.
    mutating func key(ediv: UInt16 = 0, rand: UInt64 = 0) -> [UInt8]? {
        _ = takeSaid()
        harness.event(
            LELongTermKeyRequest {
                $0.connectionHandle = 0x40
                $0.randomNumber = rand
                $0.encryptedDiversifier = ediv
            }.packet)
        let answer = harness.takeSent().first { $0.type == .command }?.octets ?? []
        let isReply = answer.starts(with: [0x1A, 0x20])
        harness.complete(
            isReply ? LELongTermKeyRequestReply.opcode : LELongTermKeyRequestNegativeReply.opcode,
            [0, 0x40, 0])
        return isReply ? Array(answer[5...]) : nil
    }
}

@Suite struct HostSecurityTests {
    static func policy(isSecure: Bool) -> SecurityPolicy {
        var policy = SecurityPolicy()
        policy.offersSecureConnections = isSecure
        return policy
    }

    @Test func `a central that leaves out its check gets no key and no bond`() throws {
        for isSkipped in [true, false] {
            var both = try PeripheralHarness(Self.policy(isSecure: true))
            both.run(without: isSkipped ? .pairingDHKeyCheck : nil)
            #expect(both.said.contains { $0[0] == SMPCode.pairingRandom.rawValue })
            #expect((both.key() == nil) == isSkipped)
            guard isSkipped else {
                #expect(both.harness.host.bonds.count == 1)
                continue
            }
            // What a faulty controller says is no check either.
            both.encryptionChanged()
            #expect(both.harness.host.bonds.isEmpty)
            #expect(!both.harness.takeEvents().contains { if case .paired = $0 { true } else { false } })
        }
    }

    @Test func `a peripheral gives its key whenever it is asked for, by the names that it gave it`() throws {
        for secure in [false, true] {
            var both = try PeripheralHarness(Self.policy(isSecure: secure))
            both.run()
            let bond = try #require(both.harness.host.bonds.first)
            let key = try #require(bond.asPeripheral)
            // The link is encrypted by what the pairing made; the key that was given encrypts it anew.
            #expect(both.key(ediv: key.ediv, rand: key.rand) == key.key.octets.reversed())
            both.harness.event(
                HCIEncryptionKeyRefreshComplete { $0.connectionHandle = 0x40 }.packet)
            #expect(both.harness.host.security(of: both.link) == bond.security)
            #expect(both.key(ediv: key.ediv ^ 1, rand: key.rand) == nil)

            // On the next link the peripheral asks for it, and has it ready.
            var later = try PeripheralHarness(
                Self.policy(isSecure: secure), bonds: both.harness.host.bonds)
            later.harness.put(.secure(later.link))
            #expect(later.takeSaid().map { $0[0] } == [SMPCode.securityRequest.rawValue])
            #expect(later.key(ediv: key.ediv, rand: key.rand) == key.key.octets.reversed())
            later.encryptionChanged()
            #expect(later.harness.host.security(of: later.link) == bond.security)
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `values that come before a bonded link is encrypted are confirmed, and never taken`(
        isCentral: Bool, isEncrypted: Bool
    ) {
        var bond = Bond(peer: HostHarness.car)
        let key = LongTermKey(SecretKey([UInt8](repeating: 7, count: 16)))
        if isCentral { bond.asCentral = key } else { bond.asPeripheral = key }
        var harness = HostHarness {
            $0.security = SecurityPolicy()
            $0.bonds = [bond]
        }
        harness.bringUp(packets: 200)
        if isCentral {
            harness.put(.connect(HostHarness.car))
            harness.status(LECreateConnection.opcode)
        }
        harness.connected(isCentral: isCentral)
        if isCentral { harness.status(LEEnableEncryption.opcode) }
        _ = harness.takeSent()
        harness.data(0x40, .attribute, "1B 0300 01")
        harness.data(0x40, .attribute, "1D 0500 02")
        harness.data(0x40, .attribute, "23 0300 0100 03 0500 0100 04")
        // Requests are answered: the server knows what it gives to a link without encryption.
        harness.data(0x40, .attribute, "02 1700")
        let before = harness.takeSent().filter { $0.type == .acl }.map { hex($0.octets) }
        #expect(before.count == 2 && before[0].hasSuffix("010004001E") && before[1].contains("0300040003"))
        #expect(!harness.takeEvents().contains { if case .value = $0 { true } else { false } })
        harness.encryptionChanged(0x40, isEncrypted ? .success : HCIStatus(rawValue: 0x3D))
        harness.data(0x40, .attribute, "1B 0300 05")
        let values = harness.takeEvents().compactMap { event -> [UInt8]? in
            if case .value(_, let handle, let value, _) = event { [UInt8(handle)] + value } else { nil }
        }
        #expect(values == (isEncrypted ? [[3, 5]] : []))
    }

    @Test func `a client that subscribed before encryption disconnects with its link`() {
        var harness = Self.bonded()
        harness.put(.setDatabase(RobustCachingTests.example()))
        harness.data(0x40, .attribute, "12 0900 0200")
        let subscribed = harness.takeEvents().compactMap { event -> LinkID? in
            if case .subscriptionChanged(let link, _, _) = event { link } else { nil }
        }
        #expect(subscribed.count == 1)
        harness.encryptionChanged(0x40, .pinOrKeyMissing)
        harness.status(HCIDisconnect.opcode)
        harness.disconnected()
        let ended = harness.takeEvents().compactMap { event -> LinkID? in
            if case .disconnected(let link, _, _) = event { link } else { nil }
        }
        #expect(ended == subscribed)
    }

    /// A host that has connected to the car, and encrypts the link by a bond of Just Works.
    private static func bonded() -> HostHarness {
        var bond = Bond(peer: HostHarness.car)
        bond.asCentral = LongTermKey(SecretKey([UInt8](repeating: 7, count: 16)))
        bond.security.isEncrypted = true
        bond.security.isSecureConnections = true
        var harness = HostHarness {
            $0.security = SecurityPolicy()
            $0.security?.ioCapability = .keyboardDisplay
            $0.bonds = [bond]
        }
        harness.bringUp(packets: 200)
        harness.put(.connect(HostHarness.car))
        harness.status(LECreateConnection.opcode)
        harness.connected()
        harness.status(LEEnableEncryption.opcode)
        _ = harness.takeSent()
        return harness
    }

    @Test(arguments: [("0B 05", true), ("0B 0D", true), ("0B 09", false), ("0B 01", false), ("0B", false)])
    func `a Security Request for more than the bond has starts a pairing`(
        request: String, pairs: Bool
    ) {
        // While the link is being encrypted, or after.
        for isEarly in [true, false] {
            var harness = Self.bonded()
            if isEarly { harness.data(0x40, .securityManager, request) }
            harness.encryptionChanged()
            if !isEarly { harness.data(0x40, .securityManager, request) }
            let requests = harness.takeSent().filter {
                $0.type == .acl && $0.octets.count > 8 && $0.octets[6...8].elementsEqual([6, 0, 1])
            }
            #expect(requests.count == (pairs ? 1 : 0))
        }
    }

    @Test func `a peripheral that always asks for more is paired again only once`() {
        var harness = Self.bonded()
        var pairings = 0
        for _ in 0..<3 {
            harness.encryptionChanged()
            harness.data(0x40, .securityManager, "0B 05")
            if let link = harness.host.openLinks.first, harness.host.isPairing(link.id) { pairings += 1 }
            harness.disconnected()
            harness.put(.connect(HostHarness.car))
            harness.status(LECreateConnection.opcode)
            harness.connected()
            harness.status(LEEnableEncryption.opcode)
        }
        #expect(pairings == 1)
    }

    @Test func `a refused pairing attempt does not lengthen the wait`() {
        var harness = HostHarness { $0.security = SecurityPolicy() }
        harness.bringUp(packets: 200)
        let link = harness.connect()
        harness.put(.secure(link))
        harness.data(0x40, .securityManager, "05 08")
        #expect(harness.takeEvents().last == .pairingFailed(link, .refused(.unspecifiedReason)))
        _ = harness.takeSent()
        harness.now = harness.now.advanced(by: .milliseconds(900))
        harness.put(.secure(link))
        #expect(harness.takeSent().isEmpty)
        #expect(harness.takeEvents() == [.pairingFailed(link, .ended(.repeatedAttempts))])
        harness.now = harness.now.advanced(by: .milliseconds(100))
        harness.put(.secure(link))
        #expect(harness.takeSent().count == 1 && harness.host.isPairing(link))
    }

    @Test func `after 30 s without an answer there is no pairing on that link any more`() throws {
        var harness = HostHarness { $0.security = SecurityPolicy() }
        harness.bringUp(packets: 200)
        let link = harness.connect()
        harness.put(.secure(link))
        #expect(harness.takeSent().count == 1)
        harness.now = harness.now.advanced(by: .seconds(30))
        harness.put(.timeReached)
        #expect(harness.takeEvents().contains(.pairingFailed(link, .timedOut)))
        // A response that is late, a security request, and a wish of the application.
        harness.now = harness.now.advanced(by: .seconds(100))
        harness.data(0x40, .securityManager, "02 03 00 01 10 01 01")
        harness.data(0x40, .securityManager, "0B 01")
        harness.put(.secure(link))
        #expect(harness.takeSent().isEmpty)
        #expect(harness.takeEvents() == [.pairingFailed(link, .timedOut)])
    }

    @Test func `each pairing of a host draws its own numbers`() throws {
        var seen: Set<[UInt8]> = []
        for seed: UInt64 in 1...3 {
            var both = try PeripheralHarness(Self.policy(isSecure: true))
            let effects = both.harness.host.handle(
                .packet(
                    HCIPacket(.acl, octets("4020 0B00 0700 0600 01 03 00 09 10 01 01"))), at: .zero)
            #expect(effects.contains(.draw(both.link)))
            both.harness.put(
                .pairingRandomness(try PairingRandomness(SeededEntropy(seed: seed)), on: both.link))
            both.harness.data(
                0x40, .securityManager,
                "0C" + "E69D350E480103CCDBFDF4AC1191F4EFB9A5F9E9A7832C5E2CBE97F2D203B020"
                    + "8BD28915D08E1C742430ED8FC24563765C15525ABF9A32636DEB2A65499C80DC")
            let key = both.takeSaid().first { $0[0] == SMPCode.pairingPublicKey.rawValue }
            #expect(seen.insert(try #require(key)).inserted)
        }
    }
}
