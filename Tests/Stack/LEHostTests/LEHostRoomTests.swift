import BluetoothCore
import LEHost
import Testing

/// Room on a link, whoever took it, and the strength of its signal.
@Suite struct LEHostRoomTests {
    @Test func `a link that a request has filled is told to have room again`() {
        var harness = HostHarness {
            $0.writeCommandLimit = 3
            $0.clientMTU = 200
        }
        harness.bringUp(packets: 1)
        let link = harness.connect()
        harness.completed(1, of: 0x40)
        harness.data(0x40, .attribute, "03 C800")
        _ = harness.takeEvents()
        // Five packets, of which the controller takes one: no value without response was refused, and none
        // would be taken.
        let value = [UInt8](repeating: 1, count: 120)
        harness.put(.perform(.write(0x12, value), GATTToken(rawValue: 1), on: link))
        #expect(!harness.host.canWriteCommand(on: link))
        harness.completed(1, of: 0x40)
        #expect(harness.takeEvents().isEmpty && !harness.host.canWriteCommand(on: link))
        harness.completed(1, of: 0x40)
        #expect(harness.takeEvents() == [.writeCommandReady(link)] && harness.host.canWriteCommand(on: link))
    }

    @Test func `a link that its end was refused of is told to have room`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect()
        harness.put(.disconnect(link))
        #expect(!harness.host.canWriteCommand(on: link) && !harness.host.isOpen(link))
        harness.status(HCIDisconnect.opcode, .commandDisallowed)
        #expect(harness.takeEvents().contains(.writeCommandReady(link)))
        #expect(harness.host.canWriteCommand(on: link) && harness.host.isOpen(link))
    }

    @Test func `the strength of a signal is what the controller answers`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect(0x41)
        harness.put(.readRSSI(link))
        harness.expect([octets("0514 02 4100")])
        harness.complete(HCIReadRSSI.opcode, octets("00 4100 C5"))
        #expect(harness.takeEvents() == [.rssi(link, .success, -59)])
        harness.put(.readRSSI(link))
        harness.complete(HCIReadRSSI.opcode, octets("02 4100 00"))
        #expect(harness.takeEvents() == [.rssi(link, .unknownConnectionIdentifier, 127)])
        // A cut answer doesn't count.
        harness.put(.readRSSI(link))
        harness.complete(HCIReadRSSI.opcode, octets("00 41"))
        #expect(harness.takeEvents() == [.rssi(link, .success, 127)])
        let strange = LinkID(rawValue: 99)
        harness.put(.readRSSI(strange))
        #expect(harness.takeEvents() == [.rssi(strange, .unknownConnectionIdentifier, 127)])
    }
}
