import Analysis
import BluetoothCore
import Testing
import UQDK

/// Values that several PDUs carry go to the protocols above ATT as one.
@Suite struct LongValueTests {
    let peer = "00:11:22:33:44:55"

    /// A link on which the digital-key service was discovered; its Info value is at handle 3.
    func trace() throws -> Trace {
        let info = try #require(Dialect.reference1.gatt.info)
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(
            0x40,
            TestServer(services: [
                .init(
                    start: 1, end: 5, uuid: Dialect.reference1.gatt.service,
                    characteristics: [.init(declaration: 2, properties: 0x02, uuid: info)])
            ]))
        return trace
    }

    @Test func `a short value is whole at once`() throws {
        var trace = try trace()
        let response = trace.read(0x40, 3, [1, 2, 3])
        #expect(trace.run()[response].isAnnotated)
    }

    @Test func `a value that is read piece by piece is whole with its last piece`() throws {
        var trace = try trace()
        let first = trace.read(0x40, 3, [UInt8](repeating: 1, count: 22))
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: 3, offset: 22))
        let last = trace.att(0x40, .rx, ATTReadBlobResponse(value: [2, 2]))
        let outcome = trace.run()
        #expect(!outcome[first].isAnnotated)
        #expect(outcome[last].isAnnotated)
        #expect(outcome[last].labelText.hasSuffix("value discovered"))
    }

    @Test func `the whole value of a long read or write stands on the last PDU, whatever it is for`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let start = [UInt8](repeating: 1, count: 22)
        trace.read(0x40, 9, start)
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: 9, offset: 22))
        let read = trace.att(0x40, .rx, ATTReadBlobResponse(value: [2, 2]))
        for (offset, value) in [(0, [UInt8](repeating: 3, count: 18)), (18, [4])] {
            let offset = UInt16(offset)
            trace.att(0x40, .tx, ATTPrepareWriteRequest(handle: 5, offset: offset, value: value))
            trace.att(0x40, .rx, ATTPrepareWriteResponse(handle: 5, offset: offset, value: value))
        }
        let write = trace.att(0x40, .tx, ATTExecuteWriteRequest(flags: 1))
        let outcome = trace.run()
        #expect(outcome.seen.filter { $0.joinedHandle != nil }.map(\.frame.number) == [read, write])
        #expect(outcome[read].joinedHandle == 9)
        #expect(outcome[read].joined == start + [2, 2])
        #expect(outcome[write].joinedHandle == 5)
        #expect(outcome[write].joined == [UInt8](repeating: 3, count: 18) + [4])
    }

    @Test func `a piece that does not follow the one before makes nothing whole`() throws {
        var trace = try trace()
        trace.read(0x40, 3, [UInt8](repeating: 1, count: 22))
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: 3, offset: 44))
        let last = trace.att(0x40, .rx, ATTReadBlobResponse(value: [2, 2]))
        #expect(!trace.run()[last].isAnnotated)
    }
}
