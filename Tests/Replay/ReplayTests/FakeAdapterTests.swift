import BluetoothCore
import LEHost
import Replay
import Runtime
import Testing
import WireBytes

@testable import Replay

@Suite struct FakeAdapterTests {
    static let model = Synthetic.model([.host("12180001"), .peer("13")])

    /// What comes back for a command packet, in hexadecimal.
    static func answers(_ host: RawHost, _ hex: String) throws -> [String] {
        _ = host.packets()
        try host.adapter.send(HCIPacket(.command, try Hex.octets(hex)))
        host.time.run(for: .zero)
        return host.packets().map { Hex.text($0.octets) }
    }

    @Test(arguments: [
        // Reset; an unknown command; a length that lies; a command cut in its header.
        ("030c00", ["0e0401030c00"]), ("012000", ["0e04 01 0120 12"]), ("34fc00", ["0f04010134fc"]),
        ("030c0100", ["0e0401030c12"]), ("030c0200", ["0e0401030c12"]), ("030c", []),
        // Read BD_ADDR of an adapter whose log does not tell; LE Read Buffer Size.
        ("091000", ["0e0a01091000100000000002"]), ("022000", ["0e0701022000 1b00 08"]),
        // LE Rand is the same in each run; LE Read Filter Accept List Size.
        ("0f2000", ["0e05010f200010"]),
        // LE Set Scan Enable of another value; LE Create Connection Cancel without an attempt.
        ("0c20020200", ["0e04010c2012"]), ("0e2000", ["0e04010e200c"]),
        // LE Create Connection whose supervision timeout is shorter than its latency.
        ("0d2019 6000 3000 00 00 000000000000 00 1800 2800 0900 6400 0000 0000", ["0f0412010d20"]),
        // Disconnect of a handle that is not known.
        ("06040341 0013", ["0f040201 0604"]),
    ])
    func `commands are answered as a controller does`(command: String, expected: [String]) throws {
        let host = try RawHost(Self.model)
        let found = try Self.answers(host, command.filter { $0 != " " })
        #expect(found == expected.map { $0.filter { $0 != " " } })
    }

    @Test func `values out of range are refused on an open link`() throws {
        let host = try RawHost(connected: Self.model)
        let handle = try #require(host.handle)
        let length = LESetDataLength {
            $0.connectionHandle = handle
            $0.txOctets = 26
            $0.txTime = 328
        }
        let refused = ["0e06012220" + "12" + Hex.text(handle.littleOctets(2))]
        #expect(try Self.answers(host, Hex.text(length.packet)) == refused)
        let update = LEConnectionUpdate {
            $0.connectionHandle = handle
            $0.connectionIntervalMin = 5
            $0.connectionIntervalMax = 40
            $0.supervisionTimeout = 420
        }
        #expect(try Self.answers(host, Hex.text(update.packet)) == ["0f0412011320"])
    }

    @Test func `discovery is answered from the database`() throws {
        let host = try RawHost(connected: Self.model)
        for (request, response) in [
            ("100100ffff0028", "1106 0100 0500 0018 0600 0900 0118 1000 2000 f0ff"),
            ("100600ffff0028", "1106 0600 0900 0118 1000 2000 f0ff"), ("102100ffff0028", "01 10 2100 0a"),
            ("100100ffff0128", "01 10 0100 0a"), ("100100ffff0328", "01 10 0100 10"),
            ("100000ffff0028", "01 10 0000 01"), ("06 0100 ffff 0028 f0ff", "07 1000 2000"),
            ("06 0100 ffff 0028 f1ff", "01 06 0100 0a"),
            ("081000ffff0328", "09 07 1100 3e 1200 f1ff 1400 3e 1500 f2ff 1700 3e 1800 f3ff"),
            ("081800ffff0328", "01 08 1800 0a"), ("04 1300 1300", "05 01 1300 0229"),
            ("04 1200 1400", "05 01 1200 f1ff 1300 0229 1400 0328"), ("04 1900 2000", "01 04 1900 0a"),
        ] {
            let sent = request.filter { $0 != " " }
            #expect(try host.send(sent) == [response.filter { $0 != " " }], "\(request)")
        }
        try host.send("12180001")
        let report = try host.finish()
        #expect(report.verdict == .same)
        #expect(report.normalizations[.discovery] == 13)
    }

    @Test func `long PDUs go in fragments both ways, each with its credit`() throws {
        let value = String(repeating: "5a", count: 100)
        let model = Synthetic.model([
            .host("02f700"), .peer("03f700"), .host("121800" + value), .peer("13"), .peer("1b1200" + value),
        ])
        let host = try RawHost(connected: model)
        try host.send("02f700")
        #expect(try host.send("121800" + value) == ["13", "1b1200" + value])
        #expect(host.completed == 5)
        #expect(try host.finish().verdict == .same)
    }

    @Test func `a failed attempt fails again with its status and after its time, then the next is made`()
        throws
    {
        let model = Synthetic.model([.host("12180001"), .peer("13")]) { log in
            var failed = RecordedConnection(
                number: 1, frame: 5, status: HCIStatus(rawValue: 0x3E), peer: Synthetic.peer,
                completed: Synthetic.at(70))
            failed.asked = Synthetic.at(40)
            var gone = failed
            gone.status = .unknownConnectionIdentifier
            log.connections.insert(contentsOf: [gone, failed], at: 0)
            for place in log.connections.indices { log.connections[place].number = place + 1 }
        }
        let host = try RawHost(model)
        try host.command(RawHost.createConnection(Synthetic.peer))
        host.time.run(for: .milliseconds(29))
        #expect(host.packets().map { $0.octets[0] } == [0x0F])
        host.time.run(for: .milliseconds(1))
        #expect(host.packets().first.map { $0.octets[3] } == 0x3E)
        try host.command(RawHost.createConnection(Synthetic.peer))
        host.time.run(for: .milliseconds(50))
        #expect(host.handle != nil)
        try host.send("12180001")
        let report = try host.finish()
        #expect(report.verdict == .same)
        #expect(report.normalizations[.attemptGivenUp] == 1)
    }

    @Test func `an attempt that the host takes back ends so`() throws {
        let host = try RawHost(Self.model)
        try host.command(RawHost.createConnection(Synthetic.peer))
        try host.command(LECreateConnectionCancel())
        host.time.run(for: .milliseconds(200))
        let events = host.packets().map { Hex.text($0.octets) }
        #expect(events.count == 3)
        #expect(events[1] == "0e04010e2000")
        #expect(events[2].hasPrefix("3e130102"))
        #expect(host.handle == nil)
    }

    static func advertised(
        _ reports: [(milliseconds: Int64, kind: UInt8)], windows: [(Int64, Int64)]
    ) -> SessionModel {
        Synthetic.model([.host("12180001"), .peer("13")]) { log in
            log.advertising.octets = [2, 1, 6]
            for report in reports {
                log.advertising.reports.append(
                    .init(
                        frame: 1, time: Synthetic.at(report.milliseconds), address: Synthetic.peer,
                        kind: report.kind, data: 0..<3, rssi: -50, wasExtended: false))
            }
            for window in windows {
                log.advertising.windows.append(
                    .init(
                        start: Synthetic.at(window.0), end: Synthetic.at(window.1), startIsKnown: true))
            }
        }
    }

    /// Scans for some milliseconds, and says when what came.
    static func scan(
        _ host: RawHost, type: UInt8 = 1, filter: UInt8 = 0, for duration: Int
    ) throws -> [String] {
        try host.command(
            LESetScanParameters {
                $0.leScanType = type
                $0.leScanInterval = 0x60
                $0.leScanWindow = 0x60
            })
        try host.command(
            LESetScanEnable {
                $0.leScanEnable = 1
                $0.filterDuplicates = filter
            })
        host.time.run(for: .zero)
        _ = host.packets()
        var found: [String] = []
        for step in 1...duration {
            host.time.run(for: .milliseconds(1))
            for packet in host.packets() { found.append("\(step):\(packet.octets[4])") }
        }
        try host.command(LESetScanEnable())
        return found
    }

    @Test func `reports come as long after the begin of the scan as they were recorded`() throws {
        let model = Self.advertised(
            [(1010, 0), (1012, 4), (1060, 0), (2005, 0), (2007, 4)], windows: [(1000, 1100), (2000, 2100)])
        let host = try RawHost(model)
        host.time.run(for: .milliseconds(7))
        #expect(try Self.scan(host, for: 100) == ["10:0", "12:4", "60:0"])
        host.time.run(for: .milliseconds(5))
        #expect(try Self.scan(host, for: 20) == ["5:0", "7:4"])
        let passive = try RawHost(model)
        #expect(try Self.scan(passive, type: 0, for: 100) == ["10:0", "60:0"])
        let filtered = try RawHost(model)
        #expect(try Self.scan(filtered, filter: 1, for: 100) == ["10:0", "12:4"])
    }

    @Test func `a report has its address, data and strength`() throws {
        let host = try RawHost(Self.advertised([(1010, 0)], windows: [(1000, 1100)]))
        try host.command(LESetScanEnable { $0.leScanEnable = 1 })
        host.time.run(for: .milliseconds(15))
        let report = host.packets().last.map { Hex.text($0.octets) }
        #expect(report == "3e0f0201" + "00" + "01" + "5544332211c0" + "03" + "020106" + "ce")
    }

    @Test func `a scan past the last recorded one hears it again while a device is to come`() throws {
        let model = Self.advertised([(1010, 0)], windows: [(1000, 1100)])
        let host = try RawHost(model)
        #expect(try Self.scan(host, for: 250) == ["10:0", "120:0", "230:0"])
        #expect(host.adapter.report.normalizations[.advertisingRepeated] > 0)
    }

    @Test func `a host that never connects is stuck, and the report says to whom`() throws {
        let host = try RawHost(Self.model)
        let report = try host.finish(nil)
        guard case .stuck(let stuck) = report.verdict else {
            Issue.record("\(report.text)")
            return
        }
        #expect(stuck.isUnconnected)
        #expect(report.text.contains("the host to connect to C0:11:22:33:44:55"))
    }

    @Test func `no octets from a host make the adapter fail`() throws {
        for seed in UInt64(0)..<300 {
            var random = SplitMix(state: seed)
            let host = try RawHost(connected: NormalizationTests.preparedWrite)
            for _ in 0..<20 {
                let octets = (0..<random.next(below: 40)).map { _ in UInt8(random.next(below: 256)) }
                let type: HCIPacketType = [.command, .acl, .event, .iso][random.next(below: 4)]
                var sent = octets
                if type == .acl, sent.count > 8 {
                    sent[0] = 0x40
                    sent[1] = UInt8(random.next(below: 2) * 0x10)
                    sent[2] = UInt8(sent.count - 4)
                    sent[3] = 0
                    sent[4] = UInt8(sent.count - 8)
                    sent[5] = 0
                    sent[6] = UInt8(4 + random.next(below: 3))
                    sent[7] = 0
                }
                try host.adapter.send(HCIPacket(type, sent))
                host.time.run(for: .milliseconds(10))
            }
            let report = try host.finish()
            #expect(report.verdict != .same, "seed \(seed)")
        }
    }
}
