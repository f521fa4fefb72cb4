import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

/// What is said of connections, keys and databases that had no room.
@Suite struct FullTableTests {
    private let disconnected = HCIDisconnectionComplete { $0.connectionHandle = 0 }.packet

    @Test func `a connection that gave its place up goes on under another number`() {
        var feed = BoundsTests.Feed()
        for handle in UInt16(0)..<300 { feed.connect(handle, UInt64(handle) + 1, .public) }
        #expect(feed.tablesFull == ["connections"])
        let finished = feed.analyzer.finished
        #expect(finished.first?.number == 1 && finished.first?.wasEvicted == true)
        feed.att(0, ATTWriteCommand(handle: 3, value: [1]), sent: true)
        let link = feed.analyzer.links[feed.analyzer.frame.link]
        #expect(link.number == 301 && link.earlierNumber == 1 && link.predecessor == nil)
        #expect(link.address == DeviceAddress(1, .public))
        #expect(!feed.analyzer.problems.contains { $0.code == .unknownConnection })
        // It has its place again, and ends as others do.
        feed.feed(.event, .controllerToHost, disconnected)
        #expect(feed.analyzer.links[feed.analyzer.frame.link].number == 301)
        // Later than a late packet comes.
        feed.number += 2_000
        feed.att(0, ATTWriteCommand(handle: 3, value: [1]), sent: false)
        let after = feed.analyzer.links[feed.analyzer.frame.link]
        #expect(after.earlierNumber == nil && after.predecessor?.connection == 301)
        #expect(feed.analyzer.problems.contains { $0.code == .unknownConnection })
    }

    @Test func `a connection that ends when it has no place any more does not go on`() {
        var feed = BoundsTests.Feed()
        for handle in UInt16(0)..<300 { feed.connect(handle, UInt64(handle) + 1, .public) }
        feed.feed(.event, .controllerToHost, disconnected)
        feed.att(0, ATTWriteCommand(handle: 3, value: [1]), sent: false)
        let link = feed.analyzer.links[feed.analyzer.frame.link]
        #expect(link.earlierNumber == nil && link.predecessor?.connection == 1)
    }

    @Test func `a reset ends the connections that have no place any more too`() throws {
        var feed = BoundsTests.Feed()
        for handle in UInt16(0)..<300 { feed.connect(handle, UInt64(handle) + 1, .public) }
        feed.connect(0, 1_000, .public, adapter: 1)
        feed.feed(.command, .hostToController, [0x03, 0x0C, 0])
        feed.feed(.event, .controllerToHost, [0x0E, 4, 1, 0x03, 0x0C, 0])
        let reset = feed.number
        for handle in [UInt16(0), 299] {
            feed.att(handle, ATTWriteCommand(handle: 3, value: [1]), sent: false)
            let link = feed.analyzer.links[feed.analyzer.frame.link]
            #expect(link.address == nil && link.earlierNumber == nil)
            let before = try #require(link.predecessor)
            #expect(before.connection == Int(handle) + 1)
            #expect([reset - 1, reset].contains(before.frame.frame), "\(before.frame)")
            #expect(feed.analyzer.problems.contains { $0.code == .unknownConnection })
        }
        // Those of another adapter are up.
        feed.att(0, ATTWriteCommand(handle: 3, value: [1]), sent: true, adapter: 1)
        #expect(feed.analyzer.links[feed.analyzer.frame.link].address == DeviceAddress(1_000, .public))
    }

    @Test(arguments: [(UInt64(1), Int?(1)), (77, nil)])
    func `a note that a connection is up goes on with the one that gave its place up`(
        address: UInt64, earlier: Int?
    ) {
        var feed = BoundsTests.Feed()
        for handle in UInt16(0)..<300 { feed.connect(handle, UInt64(handle) + 1, .public) }
        feed.analyzer.knownLink(handle: 0, DeviceAddress(address, .public), .le)
        feed.att(0, ATTWriteCommand(handle: 3, value: [1]), sent: true)
        let link = feed.analyzer.links[feed.analyzer.frame.link]
        #expect(link.number == 301 && link.earlierNumber == earlier)
        #expect(link.address == DeviceAddress(address, .public))
        feed.feed(.event, .controllerToHost, disconnected)
        feed.number += 2_000
        feed.att(0, ATTWriteCommand(handle: 3, value: [1]), sent: false)
        #expect(feed.analyzer.links[feed.analyzer.frame.link].predecessor?.connection == 301)
    }

    @Test(arguments: [PeerTable.irkLimit, PeerTable.irkLimit + 44])
    func `keys of peers that had no room are told of`(count: Int) {
        var random = SeededOctets(seed: 4)
        var knowledge = AnalysisKnowledge()
        for value in 0..<count {
            let key = random.octets(16)
            knowledge.gatt.add(irk: key, of: DeviceAddress(UInt64(value), .public))
            // The same once more takes no room.
            knowledge.gatt.add(irk: key, of: DeviceAddress(UInt64(value), .public))
        }
        var feed = BoundsTests.Feed()
        feed.analyzer = Analyzer(knowledge)
        feed.feed(.event, .controllerToHost, disconnected)
        feed.feed(.event, .controllerToHost, disconnected)
        #expect(feed.analyzer.peers.keyCount == PeerTable.irkLimit)
        #expect(feed.tablesFull == (count > PeerTable.irkLimit ? [FullTables.givenIdentities.name] : []))
    }

    @Test func `a key of the log that has no room is told of beside what was given`() {
        var random = SeededOctets(seed: 5)
        var knowledge = AnalysisKnowledge()
        for value in 0...PeerTable.irkLimit {
            knowledge.gatt.add(irk: random.octets(16), of: DeviceAddress(UInt64(value), .public))
        }
        var feed = BoundsTests.Feed()
        feed.analyzer = Analyzer(knowledge)
        let key = LEAddDeviceToResolvingList {
            $0.peerIdentityAddress = DeviceAddress(0xFFFF, .public)
            $0.peerIRK = random.octets(16)
        }
        feed.feed(.command, .hostToController, key.packet)
        #expect(feed.tablesFull == [FullTables.givenIdentities.name, FullTables.peers.name])
    }

    @Test func `databases of devices that had no room are told of`() {
        var knowledge = AnalysisKnowledge()
        for value in 0...GATTKnowledge.limit {
            knowledge.gatt.add(AttributeDatabase(), of: DeviceAddress(UInt64(value), .public))
        }
        var feed = BoundsTests.Feed()
        feed.analyzer = Analyzer(knowledge)
        feed.feed(.event, .controllerToHost, disconnected)
        #expect(feed.tablesFull == [FullTables.givenDatabases.name])
    }
}
