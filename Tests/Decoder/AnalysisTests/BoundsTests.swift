import BluetoothCore
import CaptureFile
import Testing
import WireBytes

@testable import Analysis

/// Whatever the input, every table stays within its limit, and the analysis says which one was full.
@Suite struct BoundsTests {
    /// Analyses records as they are made, so that the test itself keeps none.
    struct Feed: ~Copyable {
        var analyzer = Analyzer()
        var number = 0
        var tablesFull: [String] = []

        mutating func feed(
            _ kind: RecordKind, _ direction: Direction, _ octets: [UInt8], adapter: UInt16 = 0, file: Int = 0
        ) {
            number += 1
            let header = RecordHeader(
                number: number, fileOffset: 0, time: CaptureTime(nanoseconds: Int64(number) * 1_000_000),
                adapter: adapter, kind: kind, direction: direction, originalLength: octets.count,
                capturedLength: octets.count)
            analyzer.analyze(Record(header, octets.borrowedOctets), file: file)
            for problem in analyzer.problems where problem.code == .tableFull {
                tablesFull.append(problem.name ?? "?")
            }
        }

        mutating func att(_ handle: UInt16, _ pdu: any ATTPDU, sent: Bool, adapter: UInt16 = 0) {
            let octets = pdu.pdu
            let length = UInt16(octets.count)
            feed(
                .acl, sent ? .hostToController : .controllerToHost,
                little(handle | (sent ? 0 : 0x2000)) + little(length + 4) + little(length) + [4, 0] + octets,
                adapter: adapter)
        }

        mutating func connect(
            _ handle: UInt16, _ value: UInt64, _ kind: DeviceAddress.Kind, adapter: UInt16 = 0
        ) {
            let event = LEConnectionComplete {
                $0.connectionHandle = handle
                $0.peerAddressType = kind.rawValue
                $0.peerAddress = DeviceAddress(value, kind)
            }
            feed(.event, .controllerToHost, event.packet, adapter: adapter)
        }
    }

    func expectBounded(_ analyzer: borrowing Analyzer) {
        #expect(analyzer.links.count <= Analyzer.linkLimit + Analyzer.endedSlotLimit + 1)
        #expect(analyzer.annotators.links.count == analyzer.links.count)
        #expect(analyzer.openCount <= Analyzer.linkLimit)
        #expect(analyzer.finished.count <= Analyzer.finishedLimit)
        #expect(analyzer.advertisers.all.count <= AdvertiserTable.limit)
        #expect(analyzer.adapters.all.count <= AdapterTable.limit)
        let counts = analyzer.peers.counts
        #expect(counts.peers <= PeerTable.limit)
        #expect(counts.addresses <= 4 * PeerTable.limit)
        #expect(counts.entries <= PeerTable.entryLimit)
        #expect(counts.keys <= PeerTable.irkLimit)
        for link in analyzer.links {
            #expect(link.subscriptions.all.count <= Subscriptions.limit)
            #expect(link.signalling.channels.count <= Channel.limit)
            #expect(link.bearers.count <= Channel.limit + 1)
            for bearer in link.bearers {
                #expect(bearer[.host].prepared.counts.parts <= PreparedWrites.partLimit)
                #expect(bearer[.host].prepared.counts.octets <= PreparedWrites.octetLimit)
            }
        }
    }

    @Test func `25,000 records of ever new links, handles and adapters`() {
        var random = SeededOctets(seed: 1)
        var feed = Feed()
        for _ in 0..<25_000 {
            let handle = UInt16(random.below(0xF00))
            let adapter = UInt16(random.below(10) == 0 ? random.below(100) : random.below(4))
            switch random.below(4) {
            case 0:
                let kind: DeviceAddress.Kind = random.below(2) == 0 ? .public : .random
                feed.connect(handle, random.next(), kind, adapter: adapter)
            case 1:
                feed.att(
                    handle, ATTHandleValueNotification(handle: handle, value: [1]), sent: false,
                    adapter: adapter)
            case 2:
                feed.att(
                    handle, ATTWriteRequest(handle: UInt16(random.below(0xFFFF)), value: [1, 0]),
                    sent: true, adapter: adapter)
            default:
                feed.feed(
                    .event, .controllerToHost,
                    HCIDisconnectionComplete { $0.connectionHandle = handle }.packet, adapter: adapter)
            }
        }
        expectBounded(feed.analyzer)
        #expect(Set(feed.tablesFull).isSuperset(of: ["connections", "peers", "adapters"]))
        #expect(feed.tablesFull.count == Set(feed.tablesFull).count)
        #expect(
            feed.analyzer.connectionCount == feed.analyzer.unlistedLinks + feed.analyzer.finished.count
                + feed.analyzer.openCount + feed.analyzer.endedSlots.count
                + (feed.analyzer.endedSlot == nil ? 0 : 1))
    }

    @Test func `of too many connections those with failures are kept`() {
        var feed = Feed()
        for number in 1...700 {
            feed.connect(1, UInt64(number), .public)
            let end = HCIDisconnectionComplete {
                $0.connectionHandle = 1
                $0.reason = HCIStatus(rawValue: number == 400 ? 0x08 : 0x13)
            }
            feed.feed(.event, .controllerToHost, end.packet)
        }
        feed.analyzer.finish()
        let listed = feed.analyzer.listedLinks.map(\.number)
        #expect(listed.count == Analyzer.finishedLimit && listed.contains(400), "\(listed)")
        #expect(feed.analyzer.unlistedLinks == 700 - Analyzer.finishedLimit)
    }

    @Test func `ever new advertisers, keys and devices`() {
        var random = SeededOctets(seed: 2)
        var feed = Feed()
        for _ in 0..<20_000 {
            let address = (0..<6).map { _ in random.octet() }
            let report: [UInt8] = [0x3E, 12, 2, 1, 0, 1] + address + [0, 0xC4]
            feed.feed(.event, .controllerToHost, report)
        }
        for _ in 0..<1_000 {
            let command = LEAddDeviceToResolvingList {
                $0.peerIdentityAddress = DeviceAddress(random.next(), .public)
                $0.peerIRK = random.octets(16)
            }
            feed.feed(.command, .hostToController, command.packet)
        }
        expectBounded(feed.analyzer)
        #expect(Set(feed.tablesFull) == ["advertisers", "peers"])
        #expect(feed.tablesFull.count == 2)
    }

    @Test func `one link with ever new attributes, configurations and channels`() {
        var random = SeededOctets(seed: 3)
        var feed = Feed()
        feed.connect(0x40, 1, .public)
        for number in 0..<30_000 {
            let handle = UInt16(1 + random.below(0xFFFE))
            switch number % 5 {
            case 0:
                feed.att(
                    0x40, ATTFindInformationRequest(startingHandle: handle, endingHandle: handle),
                    sent: true)
                feed.att(
                    0x40,
                    ATTFindInformationResponse(format: 1, information: little(handle) + [0, 0x2A]),
                    sent: false)
            case 1: feed.att(0x40, ATTWriteCommand(handle: handle, value: [1, 0]), sent: true)
            case 2:
                let signal = signalling(
                    .leCreditBasedConnectionRequest, [0x27, handle | 0x40, 64, 64, 1],
                    identifier: random.octet())
                feed.feed(
                    .acl, .hostToController,
                    [0x40, 0] + little(UInt16(signal.count + 4)) + little(UInt16(signal.count)) + [5, 0]
                        + signal)
            case 3:
                feed.att(
                    0x40, ATTPrepareWriteRequest(handle: 9, offset: UInt16(number), value: [1, 2]),
                    sent: true)
            default:
                let start = random.below(0xFFF0)
                feed.att(
                    0x40,
                    ATTReadByGroupTypeRequest(
                        startingHandle: UInt16(start + 1), endingHandle: 0xFFFF,
                        type: BluetoothUUID(0x2800 as UInt16)), sent: true)
                feed.att(
                    0x40,
                    ATTReadByGroupTypeResponse(
                        length: 6,
                        attributes: little(UInt16(start + 2)) + little(UInt16(start + 4)) + [1, 2]),
                    sent: false)
            }
        }
        expectBounded(feed.analyzer)
        #expect(feed.analyzer.peers.counts.entries <= 3 * AttributeDatabase.limit)
        #expect(Set(feed.tablesFull) == ["subscriptions", "channels", "peers", "prepared writes"])
        #expect(feed.tablesFull.count == 4)
    }

    @Test func `a peer that a link uses keeps its place however many others come`() {
        var feed = Feed()
        feed.connect(0x40, 1, .public)
        feed.att(
            0x40, ATTFindInformationRequest(startingHandle: 3, endingHandle: 3), sent: true)
        feed.att(
            0x40, ATTFindInformationResponse(format: 1, information: [3, 0, 0, 0x2A]), sent: false)
        for value in 2..<2_000 {
            feed.connect(0x41, UInt64(value), .public)
            feed.feed(
                .event, .controllerToHost,
                HCIDisconnectionComplete { $0.connectionHandle = 0x41 }.packet)
        }
        feed.att(0x40, ATTHandleValueNotification(handle: 3, value: [1]), sent: false)
        #expect(feed.analyzer.frame.att?.label?.characteristic == BluetoothUUID(0x2A00 as UInt16))
        feed.connect(0x42, 1_999_999, .public)
        feed.att(0x42, ATTHandleValueNotification(handle: 3, value: [1]), sent: false)
        #expect(feed.analyzer.frame.att?.label == nil)
        expectBounded(feed.analyzer)
    }
}
