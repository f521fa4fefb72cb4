import Analysis
import BluetoothCore
import CaptureFile
import Testing
import WireBytes

/// Packets of chosen PDUs, complete and in order.
@Suite struct PacketQueueTests {
    let peer = "00:11:22:33:44:55"
    let value = [UInt8](repeating: 7, count: 40)

    /// The numbers of the records that are written where the frames that pass `isChosen` are chosen, with
    /// the directions they are written with where one was not known.
    func written(
        _ trace: Trace, _ isChosen: (borrowing Analyzer) -> Bool = { $0.frame.att != nil }
    ) -> (numbers: [Int], leftOut: Int) {
        var analyzer = Analyzer()
        var queue = PacketQueue()
        var numbers: [Int] = []
        for made in trace.made {
            let record = Record(made.header, made.octets.borrowedOctets)
            analyzer.analyze(record)
            let comment = [UInt8("\(made.header.number)".utf8.count)]
            // Where it is written to, it has an index of its own.
            let numbered = record.with(adapter: made.header.adapter, file: 7)
            queue.take(numbered, comment: comment.borrowedOctets, isChosen: isChosen(analyzer), analyzer) {
                let made = trace.made[$0.header.number - 1]
                let isSame = $0.octets.elementsEqual(made.octets.borrowedOctets)
                let digits = $1.octet(at: 0)
                #expect(isSame && digits == UInt8("\(made.header.number)".utf8.count))
                numbers.append($0.header.number)
            }
        }
        queue.finish { record, _ in numbers.append(record.header.number) }
        #expect(numbers == numbers.sorted() && numbers.count + queue.leftOut == trace.made.count)
        return (numbers, queue.leftOut)
    }

    @Test func `a chosen PDU comes with its fragments, and what is chosen between them stays between`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.connect(0x41, "00:11:22:33:44:66")
        var expected: [Int] = []
        trace.att(
            0x40, .rx, ATTHandleValueNotification(handle: 3, value: value), sizes: [10, 20]
        ) { trace in
            expected.append(trace.last)
            expected.append(trace.notify(0x41, 5))
            trace.command(HCIReadBDADDR())
        }
        expected.append(trace.last)
        trace.l2cap(0x40, .rx, 6, value, sizes: [10, 20])
        expected.append(trace.notify(0x40, 5))
        let (numbers, leftOut) = written(trace)
        #expect(numbers == expected)
        #expect(leftOut == trace.made.count - expected.count)
    }

    @Test func `a PDU that is never completed holds nothing back and is not written`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.acl(0x40, .rx, boundary: 2, [44, 0, 4, 0, 0x1B, 3, 0, 1])
        var expected = (0..<3).map { _ in trace.att(0x40, .tx, ATTReadRequest(handle: 3)) }
        expected.append(trace.notify(0x40, 3))
        trace.acl(0x40, .rx, boundary: 2, [44, 0, 4, 0, 0x1B, 3, 0, 1])
        expected.append(trace.att(0x40, .tx, ATTReadRequest(handle: 3)))
        #expect(written(trace).numbers == expected)
    }

    @Test func `what waits is bounded`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.acl(0x40, .rx, boundary: 2, [44, 0, 4, 0, 0x1B, 3, 0, 1])
        for _ in 0..<(2 * PacketQueue.mostPackets) { trace.att(0x40, .tx, ATTReadRequest(handle: 3)) }
        var analyzer = Analyzer()
        var queue = PacketQueue()
        var behind = 0
        var most = 0
        for made in trace.made {
            let record = Record(made.header, made.octets.borrowedOctets)
            analyzer.analyze(record)
            behind += 1
            queue.take(record, comment: RawSpan(), isChosen: analyzer.frame.att != nil, analyzer) { _, _ in
                behind -= 1
            }
            most = max(most, behind)
        }
        #expect(most <= PacketQueue.mostPackets + 3 && behind == 2)
    }

    @Test func `the parts of an SDU are kept with it, and those of another channel are not`() {
        var trace = ChannelTests().enhanced()
        let before = trace.last
        let frame = ChannelTests().frame
        let sdu = ATTHandleValueNotification(handle: 3, value: value).pdu
        var expected: [Int] = []
        trace.l2cap(0x40, .rx, 0x50, frame(Array(sdu[..<20]), sdu.count), sizes: [10]) {
            expected.append($0.last)
        }
        expected.append(trace.last)
        // Half of an SDU on the other bearer, which stays alone.
        trace.l2cap(0x40, .rx, 0x51, frame([0x1B, 3], 9))
        trace.l2cap(0x40, .rx, 0x50, Array(sdu[20...]), sizes: [10]) { expected.append($0.last) }
        expected.append(trace.last)
        let (numbers, _) = written(trace) { $0.frame.att != nil && $0.frame.number > before }
        #expect(numbers == expected)
    }

    @Test func `the rest of a PDU that the recorder cut goes with its start`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let pdu = [43, 0, 4, 0, 0x1B, 3, 0] + value
        let start = trace.acl(0x40, .rx, boundary: 2, Array(pdu[..<27]), kept: 14)
        let rest = trace.acl(0x40, .rx, boundary: 1, Array(pdu[27...]))
        trace.acl(0x40, .rx, boundary: 2, [43, 0, 6, 0] + Array(pdu[4..<27]), kept: 14)
        trace.acl(0x40, .rx, boundary: 1, Array(pdu[27...]))
        #expect(written(trace).numbers == [start, rest])
    }
}
