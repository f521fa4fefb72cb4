import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import Testing
import WireBytes

@testable import Analysis

/// What is not whole yet has one bound over all connections, and what goes beyond it is said.
@Suite struct RoomTests {
    private static let name = FullTables.unfinished.name
    /// What may be kept between two counts.
    private static let most = Analyzer.incompleteBytesLimit + 2 * Analyzer.octetsToCount

    private func packet(_ handle: UInt16, _ boundary: UInt16, _ data: [UInt8]) -> [UInt8] {
        little(handle | boundary << 12) + little(UInt16(data.count)) + data
    }

    private func signal(
        _ feed: inout BoundsTests.Feed, _ handle: UInt16, _ direction: Direction, _ octets: [UInt8]
    ) {
        feed.feed(
            .acl, direction, packet(handle, 2, little(UInt16(octets.count)) + [5, 0] + octets))
    }

    /// Opens enhanced ATT bearers; each side gives them the same identifiers.
    private func open(_ feed: inout BoundsTests.Feed, _ handle: UInt16, _ channels: Int) {
        for number in 0..<channels {
            let (cid, identifier) = (UInt16(0x40 + number), UInt8(number + 1))
            signal(
                &feed, handle, .hostToController,
                signalling(
                    .leCreditBasedConnectionRequest, [0x27, cid, 8192, 8192, 1], identifier: identifier))
            signal(
                &feed, handle, .controllerToHost,
                signalling(
                    .leCreditBasedConnectionResponse, [cid, 8192, 8192, 1, 0], identifier: identifier))
        }
    }

    private func kFrame(
        _ feed: inout BoundsTests.Feed, _ handle: UInt16, _ cid: Int, _ direction: Direction, _ data: [UInt8]
    ) {
        let l2cap = little(UInt16(data.count)) + little(UInt16(cid)) + data
        feed.feed(.acl, direction, packet(handle, direction == .hostToController ? 0 : 2, l2cap))
    }

    @Test func `SDUs under way on all channels of many links are bounded together`() {
        var feed = BoundsTests.Feed()
        var most = 0
        let start = little(8192) + [UInt8](repeating: 7, count: 8_000)
        for handle in UInt16(1)...32 {
            feed.connect(handle, UInt64(handle), .public)
            open(&feed, handle, 64)
            for channel in 0x40..<0x80 {
                kFrame(&feed, handle, channel, .hostToController, start)
                kFrame(&feed, handle, channel, .controllerToHost, start)
            }
            most = max(most, feed.analyzer.incompleteBytes)
        }
        #expect(most > Analyzer.incompleteBytesLimit / 2 && most <= Self.most)
        #expect(feed.tablesFull == [Self.name])
    }

    @Test func `fragments of a profile on many links are bounded together`() throws {
        let attributes = (3...10).map { #"{"handle": "0x000\#(String($0, radix: 16))"}"# }
            .joined(separator: ",")
        let profile = try Profile(
            json: Array(
                """
                {"name": "parts", "channels": [{"name": "c", "attributes": [\(attributes)],
                  "framing": {"fragments": {"fields": [
                    {"role": "key", "bits": 8}, {"role": "index", "bits": 7}, {"role": "last", "bits": 1}]}},
                  "messages": [{"name": "m", "fields": [{"name": "b", "type": "bytes"}]}]}]}
                """.utf8))
        var knowledge = AnalysisKnowledge()
        knowledge.profiles = ProfileSet([profile])
        var feed = BoundsTests.Feed(analyzer: Analyzer(knowledge))
        var most = 0
        for handle in UInt16(1)...32 {
            feed.connect(handle, UInt64(handle), .public)
            for attribute in UInt16(3)...10 {
                for key in UInt8(0)..<128 {
                    let value = [key, 0] + [UInt8](repeating: 7, count: 400)
                    feed.att(handle, ATTWriteCommand(handle: attribute, value: value), sent: true)
                }
            }
            most = max(most, feed.analyzer.incompleteBytes)
        }
        #expect(most > Analyzer.incompleteBytesLimit / 2 && most <= Self.most)
        #expect(feed.tablesFull == [Self.name])
    }

    @Test func `PDUs that are complete keep no room of their links`() {
        var feed = BoundsTests.Feed()
        var most = 0
        let half = [UInt8](repeating: 7, count: 30_000)
        for handle in UInt16(1)...200 {
            feed.connect(handle, UInt64(handle), .public)
            for direction in [Direction.hostToController, .controllerToHost] {
                let boundary: UInt16 = direction == .hostToController ? 0 : 2
                feed.feed(.acl, direction, packet(handle, boundary, little(60_000) + little(0x70) + half))
                feed.feed(.acl, direction, packet(handle, 1, half))
            }
            most = max(most, feed.analyzer.incompleteBytes)
        }
        #expect(most <= Self.most)
        #expect(feed.tablesFull.isEmpty)
    }

    @Test func `twenty links with values under way while much else goes on lose none of them`() {
        var feed = BoundsTests.Feed()
        let value = [UInt8](repeating: 7, count: 600)
        let sdu = ATTHandleValueNotification(handle: 3, value: value).pdu
        for handle in UInt16(1)...20 {
            feed.connect(handle, UInt64(handle), .public)
            open(&feed, handle, 5)
            for channel in 0x40..<0x45 {
                kFrame(
                    &feed, handle, channel, .controllerToHost, little(UInt16(sdu.count)) + Array(sdu[..<500]))
            }
            for offset in UInt16(0)..<8 {
                feed.att(
                    handle,
                    ATTPrepareWriteRequest(handle: 9, offset: offset * 64, value: Array(value[..<64])),
                    sent: true)
            }
        }
        for _ in 0..<10 {
            for handle in UInt16(1)...20 {
                kFrame(&feed, handle, 0x70, .controllerToHost, [UInt8](repeating: 1, count: 60_000))
            }
        }
        for handle in UInt16(1)...20 {
            for channel in 0x40..<0x45 {
                kFrame(&feed, handle, channel, .controllerToHost, Array(sdu[500...]))
                #expect(feed.analyzer.frame.att != nil && feed.analyzer.assembled == sdu)
            }
            feed.att(handle, ATTExecuteWriteRequest(flags: 1), sent: true)
            #expect(feed.analyzer.joined.map(\.octets.count) == [512])
        }
        #expect(feed.tablesFull.isEmpty)
    }

    @Test func `a queue of writes that was given up writes nothing`() {
        var writes = PreparedWrites()
        let part: [UInt8] = [1, 2, 3]
        let place = FramePlace(file: 0, frame: 1)
        let isTaken = writes.add(part.borrowedOctets, to: 9, offset: 0, frame: place, isCut: false)
        #expect(isTaken && writes.incompleteBytes > 0 && writes.values.count == 1)
        writes.dropIncomplete()
        let isPassedOver = writes.add(part.borrowedOctets, to: 9, offset: 0, frame: place, isCut: false)
        #expect(isPassedOver && writes.incompleteBytes == 0 && writes.values.isEmpty)
    }

    @Test func `packets that were written are not kept while one behind them waits`() {
        var feed = BoundsTests.Feed()
        feed.connect(1, 1, .public)
        feed.connect(2, 2, .public)
        let pdu = [43, 0, 4, 0, 0x1B, 3, 0] + [UInt8](repeating: 7, count: 40)
        var queue = PacketQueue()
        var (number, written, most) = (0, 0, 0)
        func take(_ handle: UInt16, _ boundary: UInt16, _ data: ArraySlice<UInt8>) {
            number += 1
            let octets = packet(handle, boundary, Array(data))
            let header = RecordHeader(
                number: number, fileOffset: 0, time: CaptureTime(nanoseconds: 1_000_000_000), adapter: 0,
                kind: .acl, direction: .controllerToHost, originalLength: octets.count,
                capturedLength: octets.count)
            let record = Record(header, octets.borrowedOctets)
            feed.analyzer.analyze(record)
            let isChosen = feed.analyzer.frame.att != nil
            queue.take(record, comment: RawSpan(), isChosen: isChosen, feed.analyzer) { _, _ in written += 1 }
            most = max(most, queue.octetsHeld)
        }
        take(1, 2, pdu[..<27])
        for _ in 0..<1_000 {
            // One of the two always has a PDU under way.
            take(2, 2, pdu[..<27])
            take(1, 1, pdu[27...])
            take(1, 2, pdu[..<27])
            take(2, 1, pdu[27...])
        }
        #expect(written == 3_999 && most < 500)
    }

    @Test func `the adapters of chosen frames are as many as have a place`() {
        var feed = BoundsTests.Feed()
        feed.analyzer.beginSelection()
        for adapter in UInt16(0)..<2_000 {
            feed.feed(.event, .controllerToHost, HCIDisconnectionComplete { _ in }.packet, adapter: adapter)
            feed.analyzer.select()
        }
        #expect((feed.analyzer.selection?.adapters.count ?? 0) <= 2 * AdapterTable.limit + 1)
        var listed = 0
        for adapter in feed.analyzer.adapters.all where feed.analyzer.lists(adapter) { listed += 1 }
        #expect(listed == AdapterTable.limit)
    }
}
