import Analysis
import BluetoothCore
import CaptureFile
import Crypto
import Testing
import UQDK

@Suite struct IdentityTests {
    let identity = "00:1A:7D:DA:71:13"
    let irk = octets("00112233445566778899AABBCCDDEEFF")
    let server = TestServer.simple()

    /// A resolvable private address of a key, by its random part.
    func privateAddress(_ key: [UInt8], _ random: UInt32) throws -> String {
        let part = random & 0x3F_FFFF | 0x40_0000
        let hash = try PrivateAddressResolver.hash(key: key, prand: part)
        return DeviceAddress(UInt64(part) << 24 | UInt64(hash), .random).description
    }

    /// A connection by a private address on which discovery and pairing happen, and its end.
    func pair(_ trace: inout Trace, _ address: String, _ identity: String, key: [UInt8]?) {
        trace.connect(0x40, address, .random)
        trace.discover(0x40, server)
        trace.smp(0x40, .tx, .pairingRequest)
        if let key { trace.smp(0x40, .rx, .identityInformation, key.reversed()) }
        let octets = BluetoothCore.DeviceAddress(identity)?.octets ?? []
        trace.smp(0x40, .rx, .identityAddressInformation, [0] + octets.reversed())
    }

    @Test func `a bonded device is known by another private address without discovery`() throws {
        var trace = Trace()
        pair(&trace, try privateAddress(irk, 1), identity, key: irk)
        let same = trace.notify(0x40, 3)
        trace.disconnect(0x40)
        trace.connect(0x41, try privateAddress(irk, 2), .random)
        let later = trace.notify(0x41, 3)
        let outcome = trace.run()
        #expect(outcome[same].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome[later].labelText == "FFF0/FFF1 value earlier-link")
        #expect(outcome[later].identity == address(identity))
        #expect(outcome.codes.isEmpty)
    }

    @Test func `every link of a bonded device names its identity, also those before the key was known`()
        throws
    {
        var trace = Trace()
        trace.connect(0x41, try privateAddress(irk, 3), .random)
        trace.disconnect(0x41)
        pair(&trace, try privateAddress(irk, 1), identity, key: irk)
        trace.disconnect(0x40)
        trace.connect(0x41, try privateAddress(irk, 2), .random)
        trace.connect(0x42, "00:99:88:77:66:55")
        let links = trace.run().links
        #expect(links.map { $0.identity?.description } == [identity, identity, identity, nil])
    }

    @Test func `the controller's resolution leads to the identity`() throws {
        var trace = Trace()
        pair(&trace, try privateAddress(irk, 1), identity, key: irk)
        trace.disconnect(0x40)
        trace.enhancedConnect(0x41, identity, .publicIdentity)
        let later = trace.notify(0x41, 3)
        #expect(trace.run()[later].labelText == "FFF0/FFF1 value earlier-link")
    }

    @Test func `a random identity is the device with that static address`() {
        var trace = Trace()
        trace.connect(0x40, "C1:02:03:04:05:06", .random)
        trace.discover(0x40, server)
        trace.disconnect(0x40)
        trace.enhancedConnect(0x41, "C1:02:03:04:05:06", .randomIdentity)
        let later = trace.notify(0x41, 3)
        #expect(trace.run()[later].labelText == "FFF0/FFF1 value earlier-link")
    }

    @Test(arguments: ["list", "management command", "management event", "keys file"])
    func `a key from elsewhere resolves the addresses`(_ how: String) throws {
        var trace = Trace()
        var knowledge = AnalysisKnowledge()
        let wire = Array(irk.reversed())
        let addressOctets = Array(address(identity).octets.reversed())
        switch how {
        case "list":
            trace.command(
                LEAddDeviceToResolvingList {
                    $0.peerIdentityAddress = address(identity)
                    $0.peerIRK = wire
                })
        case "management command":
            trace.add(
                .monitor, .unknown, [1, 0, 0, 0, 0x30, 0, 1, 0] + addressOctets + [1] + wire,
                foreignType: 16)
        case "management event":
            trace.add(
                .monitor, .unknown,
                [1, 0, 0, 0, 0x18, 0, 1] + [UInt8](repeating: 0, count: 6) + addressOctets + [1] + wire,
                foreignType: 17)
        default:
            let text = """
                {"peers": [{"address": "\(identity)", "addressType": "public",
                "irk": "00112233445566778899AABBCCDDEEFF"}], "test": true}
                """
            knowledge.uqdk = UQDKKnowledge(keys: try KeyStore(json: Array(text.utf8)))
        }
        trace.connect(0x40, try privateAddress(irk, 1), .random)
        trace.discover(0x40, server)
        trace.disconnect(0x40)
        trace.connect(0x41, try privateAddress(irk, 2), .random)
        let later = trace.notify(0x41, 3)
        let outcome = trace.run(knowledge)
        #expect(outcome[later].labelText == "FFF0/FFF1 value earlier-link")
        #expect(outcome[later].identity == address(identity))
    }

    @Test func `a key that comes after the connections joins them`() throws {
        var trace = Trace()
        trace.connect(0x40, try privateAddress(irk, 1), .random)
        trace.discover(0x40, server)
        trace.disconnect(0x40)
        trace.connect(0x41, try privateAddress(irk, 2), .random)
        let before = trace.notify(0x41, 3)
        trace.command(
            LEAddDeviceToResolvingList {
                $0.peerIdentityAddress = address(identity)
                $0.peerIRK = irk.reversed()
            })
        let after = trace.notify(0x41, 3)
        let outcome = trace.run()
        #expect(outcome[before].labelText == "none")
        #expect(outcome[after].labelText == "FFF0/FFF1 value earlier-link")
    }

    @Test func `a private address that is no longer the bonded device's brings nothing of it`() throws {
        var trace = Trace()
        // The key was not distributed, so nothing says whose address it is next time.
        pair(&trace, "4A:11:22:33:44:55", identity, key: nil)
        trace.disconnect(0x40)
        trace.connect(0x41, "4A:11:22:33:44:55", .random)
        let later = trace.notify(0x41, 3)
        let outcome = trace.run()
        #expect(outcome[later].labelText == "none")
        #expect(outcome[later].identity == address("4A:11:22:33:44:55", .random))
    }

    @Test func `a key of another device resolves nothing`() throws {
        var trace = Trace()
        pair(&trace, try privateAddress(irk, 1), identity, key: irk)
        trace.disconnect(0x40)
        trace.connect(0x41, try privateAddress(Array(irk.reversed()), 2), .random)
        let later = trace.notify(0x41, 3)
        #expect(trace.run()[later].labelText == "none")
    }

    @Test(arguments: [(10.0, "FFF0/FFF1 value earlier-link"), (4_000.0, "none")])
    func `an address that nothing resolves stands for its device only for a while`(
        _ seconds: Double, _ label: String
    ) {
        var trace = Trace()
        trace.connect(0x40, "4A:11:22:33:44:55", .random)
        trace.discover(0x40, server)
        trace.disconnect(0x40)
        trace.wait(seconds: seconds)
        trace.connect(0x41, "4A:11:22:33:44:55", .random)
        let later = trace.notify(0x41, 3)
        #expect(trace.run()[later].labelText == label)
    }

    @Test func `an address that can't be resolved at all stands for no device`() {
        var trace = Trace()
        trace.connect(0x40, "0A:11:22:33:44:55", .random)
        trace.discover(0x40, server)
        trace.disconnect(0x40)
        trace.connect(0x41, "0A:11:22:33:44:55", .random)
        let later = trace.notify(0x41, 3)
        #expect(trace.run()[later].labelText == "none")
    }
}
