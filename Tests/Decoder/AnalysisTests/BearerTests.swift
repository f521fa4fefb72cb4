import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// ATT on one link, by itself: requests and indications in, what answers them and what is wrong out.
@Suite struct BearerTests {
    private var link = Link(
        number: 1, file: 0, adapter: 0, handle: 0x40, firstFrame: FramePlace(file: 0, frame: 1),
        time: CaptureTime(nanoseconds: 0))
    private var frame = 0
    private var problems: [Problem] = []

    private var codes: [Problem.Code] { problems.map(\.code) }

    private func time(_ seconds: Int64) -> CaptureTime { CaptureTime(nanoseconds: seconds * 1_000_000_000) }

    private func summary(_ pdu: [UInt8]) -> ATTSummary {
        var summary = ATTSummary(opcode: ATTOpcode(rawValue: 0))
        let opcode = ATTOpcode(rawValue: pdu[0])
        summary.begin(opcode, opcode.places, pdu.borrowedOctets)
        return summary
    }

    private mutating func pending(_ pdu: [UInt8], at seconds: Int64) -> PendingRequest {
        frame += 1
        return PendingRequest(summary(pdu), at: FramePlace(file: 0, frame: frame), time(seconds))
    }

    private mutating func ask(
        _ pdu: any ATTPDU, _ client: Side = .host, at seconds: Int64 = 0,
        shown: ShownPackets = [.fromHost, .fromController]
    ) {
        var request = pending(pdu.pdu, at: seconds)
        request.read(pdu.pdu.borrowedOctets)
        link.request(request, pdu.pdu.borrowedOctets, bearer: 0, client, shown: shown, &problems)
    }

    /// The frame of the request that a response answers.
    ///
    /// - Parameter began: the frame of the response's first fragment, if that is an earlier one.
    private mutating func answer(
        _ pdu: any ATTPDU, _ server: Side = .peer, at seconds: Int64 = 1, began: Int? = nil
    ) -> PendingRequest? {
        frame += 1
        return link.response(
            summary(pdu.pdu), pdu.pdu.borrowedOctets, began: FramePlace(file: 0, frame: began ?? frame),
            bearer: 0, server, at: time(seconds), &problems)
    }

    // MARK: Requests

    @Test mutating func `a response answers the request of the other side, once`() {
        ask(ATTReadRequest(handle: 7))
        #expect(answer(ATTReadResponse(value: [1]), .host) == nil)
        #expect(codes == [.unexpectedResponse])
        #expect(answer(ATTReadResponse(value: [1]))?.handle == 7)
        #expect(answer(ATTReadResponse(value: [1])) == nil)
        #expect(link.counts.requests == 1 && link.counts.responses == 3 && link.counts.reads.byHost == 1)
    }

    @Test mutating func `a request while another waits is a problem where the log would show the answer`() {
        ask(ATTReadRequest(handle: 7))
        ask(ATTReadRequest(handle: 8), shown: .fromHost)
        #expect(problems.isEmpty)
        ask(ATTReadRequest(handle: 9))
        #expect(codes == [.requestWhilePending] && problems.first?.related.map(\.frame) == [2])
    }

    @Test mutating func `a request of another kind leaves the one before its own answer`() {
        ask(ATTReadRequest(handle: 7))
        ask(ATTWriteRequest(handle: 8, value: [1]))
        #expect(answer(ATTReadResponse(value: [1]))?.handle == 7)
        #expect(answer(ATTWriteResponse())?.handle == 8)
    }

    @Test mutating func `responses answer the requests of one kind in order`() {
        ask(ATTReadRequest(handle: 7))
        ask(ATTReadRequest(handle: 8))
        let first = answer(ATTReadResponse(value: [1]))
        #expect(first?.handle == 7 && first?.isAmbiguous == true && first?.isEarly == false)
        let second = answer(ATTReadResponse(value: [1]))
        #expect(second?.handle == 8 && second?.isAmbiguous == false && second?.isEarly == true)
        ask(ATTReadRequest(handle: 8))
        ask(ATTReadRequest(handle: 8))
        #expect(answer(ATTReadResponse(value: [1]))?.isAmbiguous == false)
    }

    @Test mutating func `an answer that the log lacks leaves the next ones to their own requests`() {
        for (index, handle) in [UInt16(7), 8, 9].enumerated() {
            ask(ATTReadRequest(handle: handle), at: Int64(index) * 5)
            guard handle > 7 else { continue }
            #expect(answer(ATTReadResponse(value: [1]), at: Int64(index) * 5 + 1)?.handle == handle)
        }
        #expect(codes == [.requestWhilePending])
    }

    @Test mutating func `a response answers no request that came after its first fragment`() {
        ask(ATTReadRequest(handle: 7), at: 0)
        frame += 1
        let began = frame
        ask(ATTReadRequest(handle: 8), at: 5)
        let first = answer(ATTReadResponse(value: [1]), at: 5, began: began)
        #expect(first?.handle == 7 && first?.isAmbiguous == false)
        #expect(answer(ATTReadResponse(value: [1]), at: 6, began: began) == nil)
        #expect(answer(ATTReadResponse(value: [1]), at: 6)?.handle == 8)
    }

    @Test mutating func `a list of attributes answers the request whose range has its first handle`() {
        for (first, last): (UInt16, UInt16) in [(0x0001, 0x0010), (0x0011, 0x0020)] {
            ask(
                ATTReadByGroupTypeRequest(
                    startingHandle: first, endingHandle: last, type: .primaryService),
                at: 5)
        }
        let list = ATTReadByGroupTypeResponse(length: 6, attributes: [0x12, 0, 0x1F, 0, 0, 0x18])
        let answered = answer(list, at: 5)
        #expect(answered?.handle == 0x0011 && answered?.isAmbiguous == false)
    }

    @Test mutating func `an answer that fits no request leaves all of them waiting`() {
        ask(ATTReadRequest(handle: 7))
        ask(ATTReadRequest(handle: 8))
        #expect(answer(ATTWriteResponse()) == nil)
        #expect(link.bearers[0].open.map(\.request.handle) == [7, 8])
    }

    @Test mutating func `what a client asks without waiting is bounded`() {
        for handle: UInt16 in 1...100 { ask(ATTReadRequest(handle: handle)) }
        #expect(link.bearers[0].open.count == 33)
        #expect(answer(ATTReadResponse(value: [1]))?.handle == 68)
    }

    @Test mutating func `an answer after more than thirty seconds is late`() {
        ask(ATTReadRequest(handle: 7))
        _ = answer(ATTReadResponse(value: [1]), at: 30)
        #expect(problems.isEmpty)
        ask(ATTReadRequest(handle: 7), at: 40)
        _ = answer(ATTReadResponse(value: [1]), at: 71)
        #expect(codes == [.attTimeout] && problems.first?.side == .peer)
    }

    @Test mutating func `a response is no surprise where its request may be missing`() {
        link.mayLackEarlierPackets = true
        _ = answer(ATTReadResponse(value: [1]))
        #expect(problems.isEmpty)
        ask(ATTReadRequest(handle: 7))
        link.bearers[0].resetAfterLoss()
        _ = answer(ATTReadResponse(value: [1]))
        #expect(problems.isEmpty)
        ask(ATTReadRequest(handle: 7))
        _ = answer(ATTReadResponse(value: [1]))
        _ = answer(ATTReadResponse(value: [1]))
        #expect(codes == [.unexpectedResponse])
    }

    /// An indication of the peer.
    private mutating func indicate(at seconds: Int64) {
        let pdu = ATTHandleValueIndication(handle: 7, value: [1]).pdu
        link.indication(pending(pdu, at: seconds), bearer: 0, .peer, &problems)
    }

    private mutating func confirm(_ client: Side, at seconds: Int64) -> PendingRequest? {
        link.confirmation(bearer: 0, client, at: time(seconds), &problems)
    }

    @Test mutating func `an indication waits for its confirmation, one at a time`() {
        indicate(at: 0)
        #expect(confirm(.peer, at: 1) == nil)
        #expect(confirm(.host, at: 1)?.handle == 7)
        #expect(codes == [.unexpectedResponse])
        problems = []
        indicate(at: 2)
        indicate(at: 3)
        #expect(codes == [.requestWhilePending])
        #expect(confirm(.host, at: 40)?.time == time(3))
        #expect(codes == [.requestWhilePending, .attTimeout] && problems.last?.side == .host)
    }

    @Test mutating func `the handles of a request for several values go to its response`() {
        ask(ATTReadMultipleRequest(handles: [3, 0, 5, 0]))
        let request = answer(ATTReadMultipleResponse(values: [1, 2]))
        #expect(request.map { link.bearers[0].several($0, .host) } == [3, 5])
        #expect(request.map { link.bearers[0].several($0, .peer) } == [])
    }

    // MARK: MTU

    @Test mutating func `the MTU is the smaller of both sides', and no less than 23`() {
        ask(ATTExchangeMTURequest(clientMTU: 100))
        link.answer(mtu: 60, bearer: 0, at: time(1), &problems)
        #expect(link.attMTU == 60 && problems.isEmpty && link.phases.mtuExchanged == time(1))
        ask(ATTExchangeMTURequest(clientMTU: 20))
        #expect(codes.contains(.mtuTooSmall) && codes.contains(.mtuRepeated))
        link.answer(mtu: 60, bearer: 0, at: time(2), &problems)
        #expect(link.attMTU == 23 && link.bearers[0].largestMTU == 60)
        #expect(link.phases.mtuExchanged == time(1))
    }

    @Test mutating func `a PDU over the MTU is a problem unless an exchange may be missing`() {
        link.transport = .le
        link.reportExceededMTU(30, .host, &problems)
        #expect(codes == [.mtuExceeded])
        _ = answer(ATTExchangeMTUResponse(serverMTU: 60))
        link.reportExceededMTU(30, .host, &problems)
        #expect(codes.filter { $0 == .mtuExceeded }.count == 1)
    }

    // MARK: Long values

    /// The value's next piece, where the client asked for one at this offset.
    private mutating func read(
        _ value: [UInt8], at offset: UInt16 = 0, isCut: Bool = false, startSeen: Bool = true
    ) -> LongRead.Outcome {
        link.bearers[0][.host].request.isOpen = false
        if offset > 0 {
            ask(ATTReadBlobRequest(handle: 7, offset: offset))
        } else {
            ask(ATTReadRequest(handle: 7))
        }
        let request = FramePlace(file: 0, frame: frame)
        return link.bearers[0].read(
            value.borrowedOctets, of: 7, by: .host, pieceOf: offset > 0 ? request : nil, missing: 0,
            isCut: isCut, startSeen: startSeen)
    }

    private let full = [UInt8](repeating: 1, count: 22)

    @Test mutating func `a short value is whole, a long one with the piece that does not fill its PDU`() {
        #expect(read([1, 2]) == .isWhole)
        #expect(read(full) == .isPart)
        #expect(read(full, at: 22) == .isPart)
        #expect(read([9], at: 44) == .ends(full + full + [9]))
    }

    @Test mutating func `a piece that does not follow, or was cut, ends nothing`() {
        _ = read(full)
        #expect(read([9], at: 30) == .isPart)
        _ = read(full)
        #expect(read(full, at: 22, isCut: true) == .isPart)
        #expect(read([9], at: 44) == .isPart)
    }

    @Test mutating func `a value that fills its PDU is whole where the MTU may be missing`() {
        #expect(read(full, startSeen: false) == .isWhole)
    }

    @Test mutating func `an error in place of the next piece ends a value`() {
        _ = read(full)
        link.bearers[0][.host].request.isOpen = false
        ask(ATTReadBlobRequest(handle: 7, offset: 22))
        let request = link.bearers[0][.host].request
        let outcomes = [ATTErrorCode.readNotPermitted, .invalidOffset].map {
            link.bearers[0].refuse(request, $0.rawValue, by: .host)
        }
        #expect(outcomes == [.isPart, .ends(full)])
        #expect(link.bearers[0][.host].read == nil)
    }
}

/// The table of labels that were looked up.
@Suite struct LookedUpTests {
    @Test func `a label is remembered until what it was looked up in changes`() {
        var labels = LabelCache()
        labels.addSlot()
        labels.addSlot()
        let key = LabelCache.Key(handle: 7, peer: 1, link: 3, generation: 5)
        labels.remember(nil, of: key, slot: 1)
        #expect(labels.place(of: key, slot: 1) != nil && labels.place(of: key, slot: 0) == nil)
        var other = key
        other.generation = 6
        #expect(labels.place(of: other, slot: 1) == nil)
        // Another handle may have its place.
        other.handle = 7 + 64
        labels.remember(nil, of: other, slot: 1)
        #expect(labels.place(of: key, slot: 1) == nil)
    }
}
