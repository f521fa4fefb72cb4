import BluetoothCore
import Testing

@testable import LEHost

/// What bounds a host where a controller or a peer doesn't keep to its part.
@Suite struct LEHostLimitTests {
    @Test func `the reset that powering off ends with is not waited for`() throws {
        var harness = HostHarness()
        harness.bringUp()
        harness.put(.powerOff)
        let sent = harness.sentOpcodes()
        #expect(sent == [HCIReset.opcode])
        harness.now = try #require(harness.host.nextDeadline)
        harness.put(.timeReached)
        #expect(harness.host.nextDeadline == nil)
        #expect(harness.host.state == .off)
        // And the next start is a clean one.
        harness.bringUp()
        #expect(harness.host.state == .ready)
    }

    @Test func `a peer that asks and lets no answer through loses the link`() {
        var harness = HostHarness()
        harness.bringUp(packets: 3)
        let link = harness.connect()
        harness.sent = []
        // Read Request 0x0001, which takes an Error Response.
        for _ in 0..<300 { harness.data(0x40, .attribute, "0A 01 00") }
        let events = harness.takeEvents()
        #expect(events.contains(.problem(.flood(link))))
        let ends = harness.takeSent().filter { $0.type == .command }
        #expect(ends.map { hex($0.octets) } == ["060403400014"])
        #expect(harness.host.links.first?.data.waiting == 256)
        #expect(!harness.host.isOpen(link))
    }

    @Test func `a peripheral that asks for one change after another makes no queue of commands`() {
        var harness = HostHarness()
        harness.bringUp(packets: 3)
        _ = harness.connect()
        harness.sent = []
        for identifier in 1...20 {
            // Connection Parameter Update Request: 30 to 50 ms, no latency, 5 s.
            harness.data(0x40, .leSignalling, "12 \(hex([UInt8(identifier)])) 08 00 18 00 28 00 00 00 F4 01")
            harness.completed(1, of: 0x40)
        }
        let sent = harness.takeSent()
        #expect(sent.filter { $0.type == .command }.count == 1)
        // Accepted once, then rejected.
        #expect(
            sent.filter { $0.type == .acl }.map { $0.octets[12] } == [0] + [UInt8](repeating: 1, count: 19))
        harness.status(LEConnectionUpdate.opcode)
        let further = harness.takeSent()
        #expect(further.isEmpty)
    }

    @Test func `strangers can't fill the memory with bonds, and a known device still gets a new one`() {
        var host = LEHost()
        var security = LinkSecurity()
        security.keySize = 16
        for number in 0..<300 as Range<UInt64> {
            _ = host.context.keep(Bond(peer: DeviceAddress(number, .public), security: security))
        }
        #expect(host.bonds.count == 256)
        security.isAuthenticated = true
        let isKept = host.context.keep(Bond(peer: DeviceAddress(7, .public), security: security))
        #expect(isKept)
        #expect(host.bonds.count == 256)
    }
}
