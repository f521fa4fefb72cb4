import BluetoothCore
import LEHost
import Runtime
import Testing

@Suite struct LEHostTests {
    @Test func `a controller is brought up, one command at a time`() {
        var harness = HostHarness()
        harness.put(.powerOn)
        var order: [HCIOpcode] = []
        while let opcode = harness.sentOpcodes().first, order.count < 20 {
            order.append(opcode)
            harness.complete(opcode, HostHarness.returned(opcode, address: 5, packets: 3))
        }
        #expect(
            order == [
                HCIReset.opcode, HCIReadLocalVersionInformation.opcode, HCIReadBDADDR.opcode,
                HCIReadLocalSupportedFeatures.opcode, LEReadLocalSupportedFeatures.opcode,
                LEReadBufferSize.opcode, HCISetEventMask.opcode,
                HCIWriteLEHostSupport.opcode, LESetEventMask.opcode, LEReadFilterAcceptListSize.opcode,
            ])
        #expect(harness.events == [.stateChanged(.starting), .stateChanged(.ready)])
        #expect(harness.host.address == DeviceAddress(5, .public))
        #expect(harness.host.nextDeadline == nil)
    }

    @Test func `a controller for LE alone, or one that refuses, is not told that its host does LE`() {
        for isLEOnly in [true, false] {
            var harness = HostHarness()
            harness.put(.powerOn)
            var wasTold = false
            while let opcode = harness.sentOpcodes().first {
                wasTold = wasTold || opcode == HCIWriteLEHostSupport.opcode
                switch opcode {
                case HCIReadLocalSupportedFeatures.opcode:
                    let features: UInt64 = isLEOnly ? 1 << 37 | 1 << 38 : 1 << 38
                    harness.complete(
                        opcode,
                        HCIReadLocalSupportedFeatures.ReturnParameters { $0.lmpFeatures = features }.encoded)
                case HCIWriteLEHostSupport.opcode: harness.status(opcode, .unknownHCICommand)
                default: harness.complete(opcode, HostHarness.returned(opcode, address: 5, packets: 3))
                }
            }
            #expect(wasTold == !isLEOnly)
            #expect(harness.host.state == .ready)
        }
    }

    @Test func `a static address is set where one was configured`() {
        var harness = HostHarness { $0.staticAddress = DeviceAddress(0xC000_0000_0007, .random) }
        harness.put(.powerOn)
        var last: HCIPacket?
        for _ in 0..<20 {
            guard let packet = harness.sent.last else { break }
            last = packet
            let opcode = harness.sentOpcodes()[0]
            harness.complete(opcode, HostHarness.returned(opcode, address: 0, packets: 3))
        }
        #expect(last.map { hex($0.octets) } == "0520060700000000C0")
        #expect(harness.host.address == DeviceAddress(0xC000_0000_0007, .random))
        #expect(harness.host.state == .ready)
    }

    @Test func `a controller without an address, or that refuses or is silent, is of no use`() {
        var harness = HostHarness()
        harness.bringUp(address: 0)
        #expect(harness.host.state == .failed(.noAddress))

        harness = HostHarness()
        harness.put(.powerOn)
        harness.complete(HCIReset.opcode, [HCIStatus.hardwareFailure.rawValue])
        #expect(harness.host.state == .failed(.refused(HCIReset.opcode, .hardwareFailure)))

        harness = HostHarness()
        harness.put(.powerOn)
        harness.now = harness.now.advanced(by: .seconds(10))
        #expect(harness.host.nextDeadline == harness.now)
        harness.put(.timeReached)
        #expect(harness.host.state == .failed(.unanswered(HCIReset.opcode)))
        // Powering on begins anew.
        harness.bringUp()
        #expect(harness.host.state == .ready)
    }

    @Test func `a controller that accepts no more commands has failed`() {
        var harness = HostHarness()
        harness.put(.powerOn)
        harness.complete(HCIReset.opcode, credits: 0)
        harness.now = harness.now.advanced(by: .seconds(3))
        // A controller may say by itself that it takes a command again.
        harness.complete(HCIOpcode(rawValue: 0), [], credits: 1)
        #expect(harness.sentOpcodes() == [HCIReset.opcode, HCIReadLocalVersionInformation.opcode])
        harness.complete(
            HCIReadLocalVersionInformation.opcode, HCIReadLocalVersionInformation.ReturnParameters().encoded,
            credits: 0)
        harness.now = harness.now.advanced(by: .seconds(20))
        #expect(harness.host.nextDeadline == harness.now)
        harness.put(.timeReached)
        #expect(harness.host.state == .failed(.unanswered(HCIReadBDADDR.opcode)))
        #expect(harness.host.nextDeadline == nil)
    }

    @Test func `a reset forgets links that were reported before it`() {
        var harness = HostHarness()
        harness.put(.powerOn)
        harness.connected(isCentral: false)
        harness.bringUp()
        #expect(harness.host.state == .ready && harness.host.openLinks.isEmpty)
    }

    @Test func `advertising refused beside a link resumes when the link ends`() {
        var harness = HostHarness()
        harness.bringUp()
        harness.put(.startAdvertising(AdvertisingParameters()))
        // Says which of its last commands the controller refuses, if any.
        func answer(_ status: HCIStatus = .success) {
            while let opcode = harness.sentOpcodes().first {
                let isEnable = opcode == LESetAdvertisingEnable.opcode
                harness.complete(opcode, [isEnable ? status.rawValue : 0])
            }
        }
        answer()
        #expect(harness.takeEvents().last == .advertising(true))
        harness.connected(isCentral: false)
        answer(.connectionLimitExceeded)
        #expect(harness.sent.isEmpty)
        harness.events = []
        harness.disconnected()
        #expect(harness.sent.count == 1)
        answer()
        #expect(harness.events.last == .advertising(true))
        // What an application asks for while there is a link is refused, and that is told.
        harness.connected(isCentral: false)
        answer(.commandDisallowed)
        harness.put(.startAdvertising(AdvertisingParameters()))
        answer(.commandDisallowed)
        #expect(harness.events.last == .advertisingFailed(.commandDisallowed))
    }

    @Test func `scanning is set up, reported and ended`() {
        var harness = HostHarness()
        harness.put(.startScanning(ScanParameters()))
        harness.bringUp()
        // The wish outlived the time before the controller was ready.
        #expect(harness.events.contains(.scanning(true)))
        harness.events = []
        harness.event(
            octets("3E 0C 02 01 00 01 010000EEFFC0 00 C4"))
        #expect(
            harness.takeEvents() == [
                .advertisement(
                    Advertisement(
                        address: HostHarness.car, isScanResponse: false, isConnectable: true, data: [],
                        rssi: -60))
            ])
        harness.put(.stopScanning)
        harness.expect([LESetScanEnable().packet])
        harness.complete(LESetScanEnable.opcode)
        #expect(harness.takeEvents() == [.scanning(false)])
    }

    @Test func `two reports in one event are two advertisements`() {
        var harness = HostHarness()
        harness.bringUp()
        harness.events = []
        var report = LEAdvertisingReport()
        report.reports = [
            LEAdvertisingReportItem {
                $0.addressType = 1
                $0.address = HostHarness.car
                $0.data = octets("02 01 06")
                $0.rssi = -50
            },
            LEAdvertisingReportItem {
                $0.eventType = 4
                $0.addressType = 1
                $0.address = HostHarness.car
                $0.rssi = -51
            },
        ]
        harness.event(report.packet)
        let seen = harness.takeEvents().compactMap { event -> Advertisement? in
            guard case .advertisement(let seen) = event else { return nil }
            return seen
        }
        #expect(seen.map(\.rssi) == [-50, -51])
        #expect(seen.map(\.isScanResponse) == [false, true])
        #expect(seen.first?.data == [2, 1, 6])
    }

    @Test func `connecting waits for the device and can be taken back`() {
        var harness = HostHarness()
        harness.bringUp()
        harness.put(.connect(HostHarness.car))
        #expect(harness.sentOpcodes() == [LECreateConnection.opcode])
        harness.status(LECreateConnection.opcode)
        harness.put(.cancelConnect(HostHarness.car))
        #expect(harness.sentOpcodes() == [LECreateConnectionCancel.opcode])
        harness.complete(LECreateConnectionCancel.opcode)
        harness.events = []
        harness.connected(status: .unknownConnectionIdentifier)
        #expect(harness.takeEvents().isEmpty)
        #expect(harness.sent.isEmpty)
    }

    @Test func `a link that was made while it was taken back is ended, and no one hears of it`() {
        var harness = HostHarness()
        harness.bringUp()
        harness.put(.connect(HostHarness.car))
        harness.status(LECreateConnection.opcode)
        harness.put(.cancelConnect(HostHarness.car))
        harness.complete(LECreateConnectionCancel.opcode, [HCIStatus.commandDisallowed.rawValue])
        harness.events = []
        harness.sent = []
        harness.connected()
        harness.expect([
            HCIDisconnect {
                $0.connectionHandle = 0x40
                $0.reason = .remoteUserTerminatedConnection
            }.packet
        ])
        harness.status(HCIDisconnect.opcode)
        // Nor is its server used.
        harness.put(.setDatabase(RobustCachingTests.example()))
        harness.data(0x40, .attribute, "12 0900 0200")
        harness.disconnected()
        #expect(harness.takeEvents().isEmpty)
        #expect(harness.host.openLinks.isEmpty)
    }

    @Test func `several devices are waited for at once, by the filter accept list`() {
        var harness = HostHarness()
        harness.bringUp()
        let other = DeviceAddress(0x0A0B_0C0D_0E0F, .public)
        harness.put(.connect(HostHarness.car))
        harness.status(LECreateConnection.opcode)
        harness.sent = []
        harness.put(.connect(other))
        #expect(harness.sentOpcodes() == [LECreateConnectionCancel.opcode])
        harness.complete(LECreateConnectionCancel.opcode, credits: 4)
        harness.connected(status: .unknownConnectionIdentifier)
        #expect(
            harness.sentOpcodes() == [
                LEClearFilterAcceptList.opcode, LEAddDeviceToFilterAcceptList.opcode,
                LEAddDeviceToFilterAcceptList.opcode, LECreateConnection.opcode,
            ])
        for _ in 0..<3 { harness.complete(LEAddDeviceToFilterAcceptList.opcode, credits: 4) }
        harness.status(LECreateConnection.opcode, credits: 4)
        harness.events = []
        harness.connected(to: other)
        #expect(harness.host.openLinks.map(\.peer) == [other])
        // The first is still wanted.
        #expect(harness.sentOpcodes() == [LECreateConnection.opcode])
    }

    @Test func `an attempt that fails is told once`() {
        var harness = HostHarness()
        harness.bringUp()
        harness.put(.connect(HostHarness.car))
        harness.events = []
        harness.status(LECreateConnection.opcode, .memoryCapacityExceeded)
        #expect(harness.takeEvents() == [.connectFailed(HostHarness.car, .memoryCapacityExceeded)])
        harness.put(.connect(HostHarness.car))
        harness.status(LECreateConnection.opcode)
        harness.connected(status: .connectionFailedToBeEstablishedOrSynchronizationTimeout)
        #expect(harness.takeEvents().count == 1)
    }

    @Test func `a disconnection fails what waits and frees the controller's buffers`() {
        var harness = HostHarness()
        harness.bringUp(packets: 1)
        let link = harness.connect()
        harness.put(.perform(.read(3), GATTToken(rawValue: 7), on: link))
        harness.expect([octets("4000 0700 0300 0400 0A0300")])
        harness.disconnected(0x40, .connectionTimeout)
        #expect(
            harness.takeEvents() == [
                .finished(link, GATTToken(rawValue: 7), .failure(.disconnected)),
                .disconnected(link, HostHarness.car, .connectionTimeout),
            ])
        // The one buffer is free again.
        let next = harness.connect(0x41)
        #expect(next != link)
        harness.put(.perform(.read(3), GATTToken(rawValue: 8), on: next))
        harness.expect([octets("4100 0700 0300 0400 0A0300")])
        harness.put(.perform(.read(3), GATTToken(rawValue: 9), on: link))
        #expect(
            harness.takeEvents() == [.finished(link, GATTToken(rawValue: 9), .failure(.disconnected))])
    }

    @Test func `the link is ended when a server is silent for 30 seconds`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect()
        harness.put(.perform(.read(3), GATTToken(rawValue: 7), on: link))
        harness.sent = []
        harness.now = harness.now.advanced(by: .seconds(30))
        #expect(harness.host.nextDeadline == harness.now)
        harness.put(.timeReached)
        #expect(harness.takeEvents() == [.finished(link, GATTToken(rawValue: 7), .failure(.timedOut))])
        #expect(harness.sentOpcodes() == [HCIDisconnect.opcode])
    }

    @Test func `the MTU is offered right after connecting, before the application's operations`() {
        var harness = HostHarness { $0.clientMTU = 185 }
        harness.bringUp()
        harness.put(.connect(HostHarness.car))
        harness.status(LECreateConnection.opcode)
        harness.sent = []
        harness.connected()
        harness.expect([octets("4000 0700 0300 0400 02B900")])
        harness.events = []
        harness.data(0x40, .attribute, "03 6400")
        #expect(harness.takeEvents() == [.mtuChanged(LinkID(rawValue: 1), 100)])
        #expect(harness.host.mtu(of: LinkID(rawValue: 1)) == 100)
    }

    @Test func `powering off ends links and scanning, and resets the controller`() {
        var harness = HostHarness()
        harness.bringUp()
        let link = harness.connect()
        harness.put(.powerOff)
        #expect(
            harness.takeEvents() == [
                .disconnected(link, HostHarness.car, .remoteDeviceTerminatedConnectionDueToPowerOff),
                .stateChanged(.off),
            ])
        #expect(harness.sentOpcodes() == [HCIReset.opcode])
        harness.complete(HCIReset.opcode)
        #expect(harness.host.nextDeadline == nil)
        harness.put(.connect(HostHarness.car))
        #expect(harness.sent.isEmpty)
    }

    @Test func `an hour of random packets never breaks the host, and a copy does the same`() {
        var random = SplitMix(state: 0x405)
        var harness = HostHarness()
        harness.bringUp()
        _ = harness.connect()
        for _ in 0..<20_000 {
            var packet = (0..<random.next(below: 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let type: HCIPacketType = random.next(below: 3) == 0 ? .acl : .event
            if packet.count >= 4 {
                switch type {
                case .acl:
                    packet[0] = 0x40
                    packet[1] &= 0x30
                    packet[2] = UInt8(packet.count - 4)
                    packet[3] = 0
                default:
                    packet[0] = [0x05, 0x0E, 0x0F, 0x13, 0x3E][random.next(below: 5)]
                    packet[1] = UInt8(packet.count - 2)
                }
            }
            var fork = harness
            harness.put(.packet(HCIPacket(type, packet)))
            fork.put(.packet(HCIPacket(type, packet)))
            #expect(fork.events == harness.events)
            #expect(fork.sent == harness.sent)
            harness.sent = []
            harness.events = []
            if harness.host.state != .ready { harness.bringUp() }
        }
    }
}
