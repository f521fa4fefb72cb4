import BluetoothCore
import LEHost
import Runtime
import Testing

@Suite struct LEHostDataTests {
    @Test func `a long PDU is cut to the controller's packets, and no more are sent than it has buffers`() {
        var harness = HostHarness()
        harness.bringUp(packets: 2)
        let link = harness.connect()
        let value = (0..<80).map { UInt8($0) }
        harness.data(0x40, .attribute, "02 FFFF")
        // The host has no MTU to offer, so the peer's request does not make PDUs longer.
        harness.sent = []
        harness.completed(1, of: 0x40)
        harness.put(.perform(.write(0x12, value), GATTToken(rawValue: 1), on: link))
        // 23 octets of ATT and four of L2CAP fill one packet of 27.
        #expect(harness.takeSent().map(\.octets.count) == [4 + 4 + 23])
    }

    @Test func `fragments continue, wait for buffers, and go on when they are free`() {
        var harness = HostHarness { $0.clientMTU = 200 }
        harness.bringUp(packets: 2)
        let link = harness.connect()
        harness.completed(1, of: 0x40)
        harness.data(0x40, .attribute, "03 C800")
        let value = (0..<80).map { UInt8($0) }
        harness.put(.perform(.write(0x12, value), GATTToken(rawValue: 1), on: link))
        let pdu = octets("5300 0400 12 1200") + value
        harness.expect([
            octets("4000 1B00") + pdu[0..<27], octets("4010 1B00") + pdu[27..<54],
        ])
        harness.completed(1, of: 0x40)
        harness.expect([octets("4010 1B00") + pdu[54..<81]])
        harness.completed(2, of: 0x40)
        harness.expect([octets("4010 0600") + pdu[81..<87]])
        harness.completed(1, of: 0x40)
        #expect(harness.takeEvents().allSatisfy { if case .problem = $0 { false } else { true } })
        harness.completed(1, of: 0x40)
        #expect(harness.takeEvents() == [.problem(.creditOverrun(handle: 0x40))])
    }

    @Test func `two links take turns`() {
        var harness = HostHarness()
        harness.bringUp(packets: 1)
        let one = harness.connect(0x40)
        let two = harness.connect(0x41, to: DeviceAddress(0xC0FF_EE00_0002, .random))
        for link in [one, one, two] { harness.put(.writeCommand(handle: 3, [1], on: link)) }
        var order: [UInt8] = harness.takeSent().map { $0.octets[0] }
        for _ in 0..<2 {
            harness.completed(1, of: UInt16(order.last ?? 0))
            order += harness.takeSent().map { $0.octets[0] }
        }
        #expect(order == [0x40, 0x41, 0x40])
    }

    @Test func `values without response fill up, are refused, and are taken again`() {
        var harness = HostHarness { $0.writeCommandLimit = 2 }
        harness.bringUp(packets: 1)
        let link = harness.connect()
        // One is with the controller, two wait.
        for _ in 0..<3 { harness.put(.writeCommand(handle: 3, [1], on: link)) }
        #expect(harness.takeEvents().isEmpty)
        #expect(!harness.host.canWriteCommand(on: link))
        harness.put(.writeCommand(handle: 3, [1], on: link))
        #expect(harness.takeEvents() == [.writeCommandDropped(link, handle: 3)])
        harness.completed(1, of: 0x40)
        #expect(harness.takeEvents() == [.writeCommandReady(link)])
        #expect(harness.host.canWriteCommand(on: link))
        harness.put(.writeCommand(handle: 3, [UInt8](repeating: 0, count: 21), on: link))
        #expect(harness.takeEvents() == [.writeCommandDropped(link, handle: 3)])
    }

    @Test func `a value in fragments is put together`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect()
        harness.put(.packet(HCIPacket(.acl, octets("4020 0700 0500 0400 1B2A00"))))
        harness.put(.packet(HCIPacket(.acl, octets("4010 0200 0102"))))
        #expect(
            harness.takeEvents() == [.value(link, handle: 0x2A, [1, 2], isIndication: false)])
        harness.put(.packet(HCIPacket(.acl, octets("4010 0200 0102"))))
        #expect(harness.takeEvents() == [.problem(.reassembly(link))])
    }

    @Test func `an indication is confirmed`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect()
        harness.data(0x40, .attribute, "1D 2A00 01")
        harness.expect([octets("4000 0500 0100 0400 1E")])
        #expect(harness.takeEvents() == [.value(link, handle: 0x2A, [1], isIndication: true)])
    }

    @Test func `a peer that asks for attributes is told Attribute Not Found`() {
        var harness = HostHarness()
        harness.bringUp(packets: 20)
        _ = harness.connect()
        for (request, answer) in [
            ("10 0100 FFFF 0028", "01 10 0100 0A"), ("08 0100 FFFF 0328", "01 08 0100 0A"),
            ("04 0100 FFFF", "01 04 0100 0A"), ("0A 0300", "01 0A 0300 01"), ("12 0300 01", "01 12 0300 01"),
            ("02 0002", "03 1700"), ("18 00", "19"), ("3F", "01 3F 0000 06"), ("0A", "01 0A 0000 04"),
        ] {
            harness.data(0x40, .attribute, request)
            let sent = harness.takeSent()
            #expect(sent.map { hex(Array($0.octets.dropFirst(8))) } == [hex(octets(answer))], "\(request)")
        }
        harness.data(0x40, .attribute, "52 0300 01")
        harness.data(0x40, .attribute, "7F 01")
        #expect(harness.sent.isEmpty)
    }

    /// A peripheral that has asked its central for parameters.
    private static func asking(for wish: ConnectionParameters) -> (HostHarness, LinkID) {
        var harness = HostHarness()
        harness.bringUp()
        harness.connected(isCentral: false)
        let link = harness.host.openLinks[0].id
        harness.put(.updateParameters(wish, on: link))
        return (harness, link)
    }

    @Test(arguments: [true, false])
    func `a parameter request times out after 30 s`(accepts: Bool) {
        var (harness, link) = Self.asking(
            for: ConnectionParameters(intervalMin: 16, intervalMax: 32, latency: 0, timeout: 200))
        #expect(harness.takeSent().contains { hex($0.octets).contains("0C000500120108001000200000") })
        if accepts { harness.data(0x40, .leSignalling, "13 01 0200 0000") }
        harness.events = []
        harness.now = harness.now.advanced(by: .seconds(30))
        #expect(harness.host.nextDeadline == harness.now)
        harness.put(.timeReached)
        #expect(
            harness.takeEvents().contains(
                .parametersChanged(
                    link, .lmpResponseTimeoutOrLLResponseTimeout, intervalUnits: 24, latency: 0,
                    timeoutUnits: 420)))
        // An answer that is late says nothing.
        harness.data(0x40, .leSignalling, "13 01 0200 0100")
        #expect(
            !harness.takeEvents().contains { if case .parametersChanged = $0 { true } else { false } })
    }

    @Test func `an accepted request for the current parameters succeeds`() {
        var wish = ConnectionParameters(intervalMin: 24, intervalMax: 40, latency: 0, timeout: 420)
        var (harness, link) = Self.asking(for: wish)
        harness.data(0x40, .leSignalling, "13 01 0200 0000")
        harness.events = []
        // An invalid request leaves the open one alone.
        wish.latency = 5000
        harness.put(.updateParameters(wish, on: link))
        harness.now = harness.now.advanced(by: .seconds(30))
        harness.put(.timeReached)
        let statuses = harness.takeEvents().compactMap { event -> HCIStatus? in
            if case .parametersChanged(_, let status, _, _, _) = event { status } else { nil }
        }
        #expect(statuses == [.invalidHCICommandParameters, .success])
    }

    @Test func `other parameters are accepted and asked for, or rejected`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect()
        harness.data(0x40, .leSignalling, "12 05 0800 1000 2000 0000 C800")
        let sent = harness.takeSent()
        #expect(
            sent.map { hex($0.octets) } == [
                hex(
                    LEConnectionUpdate {
                        $0.connectionHandle = 0x40
                        $0.connectionIntervalMin = 16
                        $0.connectionIntervalMax = 32
                        $0.supervisionTimeout = 200
                    }.packet), "40000A00060005001305020000" + "00",
            ])
        harness.status(LEConnectionUpdate.opcode)
        harness.event(
            LEConnectionUpdateComplete {
                $0.connectionHandle = 0x40
                $0.connectionInterval = 32
                $0.supervisionTimeout = 200
            }.packet)
        #expect(
            harness.takeEvents() == [
                .parametersChanged(link, .success, intervalUnits: 32, latency: 0, timeoutUnits: 200)
            ])
        // A timeout that the peripheral's silence may outlast.
        harness.data(0x40, .leSignalling, "12 06 0800 1000 2000 F301 0A00")
        #expect(
            harness.takeSent().map { hex($0.octets) } == ["40000A000600050013060200" + "0100"])
    }

    @Test func `commands that are not known are rejected, and pairing is refused`() {
        var harness = HostHarness()
        harness.bringUp(packets: 9)
        let link = harness.connect()
        harness.data(0x40, .leSignalling, "17 07 0A00 8000 4000 4000 0100 4000")
        harness.expect([octets("4000 0A00 0600 0500 01 07 0200 0000")])
        harness.data(0x40, .leSignalling, "16 07 0400 4000 0100")
        #expect(harness.sent.isEmpty)
        harness.data(0x40, .securityManager, "0B 01")
        harness.expect([octets("4000 0600 0200 0600 05 05")])
        harness.events = []
        harness.data(0x40, L2CAPChannelID(rawValue: 0x77), "00")
        #expect(
            harness.takeEvents() == [
                .problem(.unknownChannel(link, L2CAPChannelID(rawValue: 0x77)))
            ])
    }

    @Test func `data of no link and octets of no packet are problems`() {
        var harness = HostHarness()
        harness.bringUp()
        harness.events = []
        harness.data(0x99, .attribute, "0B")
        harness.put(.packet(HCIPacket(.acl, octets("4000 0900 00"))))
        harness.put(.packet(HCIPacket(.event, octets("3E 09 00"))))
        harness.put(.packet(HCIPacket(.event, octets("3E 00"))))
        #expect(
            harness.takeEvents() == [
                .problem(.unknownHandle(0x99)), .problem(.malformedPacket(.acl)),
                .problem(.malformedPacket(.event)), .problem(.malformedPacket(.event)),
            ])
    }
}
