import Analysis
import BluetoothCore
import CaptureFile
import Testing
import WireBytes

/// Records of any octets: the analysis ends, whatever they are, and says nothing that is not there.
@Suite struct HostileRecordTests {
    /// Records that reach every part of the analysis, to be damaged.
    static let material: [Trace.Made] = {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        trace.enhancedConnect(0x41, "C0:11:22:33:44:66", .randomIdentity)
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0])
        trace.notify(0x40, 3, [UInt8](1...40))
        trace.att(0x40, .rx, ATTHandleValueIndication(handle: 6, value: [1, 0, 9, 0]), sizes: [6])
        trace.att(0x40, .tx, ATTPrepareWriteRequest(handle: 6, offset: 0, value: [1, 2, 3]))
        trace.att(0x40, .tx, ATTExecuteWriteRequest(flags: 1))
        trace.smp(0x40, .tx, .pairingRequest)
        trace.smp(0x40, .rx, .identityInformation, [UInt8](1...16))
        trace.smp(0x40, .rx, .identityAddressInformation, octets("00 774433221100"))
        trace.signal(0x40, .tx, .creditBasedConnectionRequest, [0x27, 100, 64, 5, 0x50, 0x51])
        trace.signal(0x40, .rx, .creditBasedConnectionResponse, [90, 64, 5, 0, 0x60, 0x61])
        trace.l2cap(0x40, .rx, 0x50, [9, 0, 0x1B, 3, 0, 1])
        trace.l2cap(0x40, .rx, 0x50, [1, 2, 3, 4, 5])
        trace.connectClassic(0x42, "00:11:22:33:44:88")
        trace.signal(0x42, .tx, .connectionRequest, [0x1F, 0x50], cid: 1)
        trace.command(LEAddDeviceToResolvingList { $0.peerIRK = [UInt8](1...16) })
        trace.add(.monitor, .unknown, [UInt8](repeating: 1, count: 40), foreignType: 16)
        trace.add(
            .event, .controllerToHost, [0x3E, 17, 2, 1, 0, 1, 1, 2, 3, 4, 5, 6, 5, 4, 9, 65, 66, 67, 0xC4])
        trace.encrypted(0x40)
        trace.disconnect(0x40)
        trace.command(HCIReset())
        return trace.made
    }()

    /// Changes octets, lengths, directions and the order, as the seed says.
    static func damaged(_ random: inout SeededOctets) -> Trace.Made {
        var made = material[random.below(material.count)]
        for _ in 0..<random.below(4) where !made.octets.isEmpty {
            let at = random.below(made.octets.count)
            switch random.below(5) {
            case 0: made.octets[at] = random.octet()
            case 1: made.octets[at] = [0, 0x7F, 0x80, 0xFF][random.below(4)]
            case 2: made.octets.removeLast(random.below(made.octets.count))
            case 3: made.octets += random.octets(random.below(40))
            default: made.octets[at] ^= 1 << UInt8(random.below(8))
            }
        }
        let kinds: [RecordKind] = [.command, .event, .acl, .sco, .iso, .monitor, .note, .unknown]
        if random.below(20) == 0 { made.header.kind = kinds[random.below(kinds.count)] }
        if random.below(10) == 0 { made.header.direction = .unknown }
        if random.below(20) == 0 { made.header.adapter = UInt16(random.below(3)) }
        if random.below(50) == 0 { made.header.cumulativeDrops = UInt32(random.below(100)) }
        made.header.capturedLength = made.octets.count
        made.header.originalLength = made.octets.count + (random.below(8) == 0 ? random.below(50) : 0)
        return made
    }

    @Test(arguments: 0..<40)
    func `damaged records never stop the analysis`(_ seed: Int) {
        var random = SeededOctets(seed: UInt64(seed))
        var analyzer = Analyzer()
        for number in 1...2_000 {
            var made = Self.damaged(&random)
            made.header.number = number
            made.header.time = CaptureTime(
                nanoseconds: random.below(200) == 0 ? Int64(bitPattern: random.next()) : Int64(number))
            let record = Record(made.header, made.octets.borrowedOctets)
            analyzer.analyze(record, file: random.below(2))
            check(analyzer, record)
        }
        analyzer.finish()
        #expect(analyzer.totals.records == 2_000)
    }

    @Test func `every prefix of every record is analysed`() {
        for made in Self.material {
            for count in 0...made.octets.count {
                for original in [count, made.octets.count] {
                    var analyzer = Analyzer()
                    var header = made.header
                    (header.capturedLength, header.originalLength) = (count, original)
                    let octets = Array(made.octets.prefix(count))
                    let record = Record(header, octets.borrowedOctets)
                    analyzer.analyze(record)
                    check(analyzer, record)
                }
            }
        }
    }

    /// What the analyser says lies within the record.
    private func check(_ analyzer: borrowing Analyzer, _ record: borrowing Record) {
        let payload = analyzer.payload(in: record)
        if let pdu = analyzer.frame.l2cap, payload.byteCount != pdu.captured {
            Issue.record("\(payload.byteCount) bytes of payload, \(pdu.captured) announced")
        }
        if let value = analyzer.frame.att?.value, value.upperBound > payload.byteCount {
            Issue.record("a value at \(value) of \(payload.byteCount) bytes")
        }
        if analyzer.frame.link >= analyzer.links.count { Issue.record("link \(analyzer.frame.link)") }
    }
}
