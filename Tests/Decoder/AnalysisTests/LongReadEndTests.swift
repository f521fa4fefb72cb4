import Analysis
import BluetoothCore
import Testing

/// A long read of a value that ends where a piece of it does ends with an error, which is no problem.
@Suite struct LongReadEndTests {
    let piece = [UInt8](repeating: 1, count: 22)

    /// A link on which handle 3 is known as the digital-key service's Info value.
    func trace() throws -> Trace {
        try LongValueTests().trace()
    }

    @discardableResult
    func askOn(_ trace: inout Trace, _ offset: UInt16, _ error: ATTErrorCode, handle: UInt16 = 3) -> Int {
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: handle, offset: offset))
        return trace.att(
            0x40, .rx, ATTErrorResponse(request: .readBlobRequest, handle: handle, error: error))
    }

    @Test(arguments: [ATTErrorCode.invalidOffset, .attributeNotLong])
    func `the error that tells the end is no problem, and the value is whole with it`(
        _ error: ATTErrorCode
    ) throws {
        var trace = try trace()
        trace.read(0x40, 9, piece)
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: 9, offset: 22))
        trace.att(0x40, .rx, ATTReadBlobResponse(value: piece))
        let end = askOn(&trace, 44, error, handle: 9)
        let outcome = trace.run()
        #expect(outcome.codes.isEmpty)
        #expect(outcome[end].frame.att?.error == error.rawValue)
        #expect(outcome[end].joinedHandle == 9 && outcome[end].joined == piece + piece)
        #expect(outcome.links.first?.counts.errors == 0)
        #expect(outcome.totals?.incidents.isEmpty == true)
    }

    @Test func `a value that fills one PDU is whole with the error behind it`() throws {
        var trace = try trace()
        let first = trace.read(0x40, 3, piece)
        let end = askOn(&trace, 22, .attributeNotLong)
        let outcome = trace.run()
        #expect(!outcome.codes.contains(.attError))
        #expect(!outcome[first].isAnnotated && outcome[end].isAnnotated)
    }

    @Test func `a value that did not fill its PDU was handed on already`() throws {
        var trace = try trace()
        let first = trace.read(0x40, 3, [1, 2, 3])
        let end = askOn(&trace, 3, .attributeNotLong)
        let outcome = trace.run()
        #expect(!outcome.codes.contains(.attError))
        #expect(outcome[first].isAnnotated && !outcome[end].isAnnotated)
        #expect(outcome[end].allJoined.isEmpty)
    }

    @Test func `a piece that the recorder cut counts with the length that it had`() throws {
        var trace = try trace()
        trace.keptACL = 14
        trace.read(0x40, 3, piece)
        trace.keptACL = nil
        let end = askOn(&trace, 22, .invalidOffset)
        let outcome = trace.run()
        #expect(!outcome.codes.contains(.attError))
        #expect(outcome[end].allJoined.isEmpty)
    }

    @Test func `a read that starts with Read Blob is one too`() throws {
        var trace = try trace()
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: 3, offset: 0))
        trace.att(0x40, .rx, ATTReadBlobResponse(value: piece))
        let end = askOn(&trace, 22, .invalidOffset)
        let outcome = trace.run()
        #expect(!outcome.codes.contains(.attError))
        #expect(outcome[end].joined == piece)
    }

    @Test func `a piece whose request was overtaken is no start of a value`() throws {
        var trace = try trace()
        trace.read(0x40, 3, piece)
        trace.att(0x40, .tx, ATTReadBlobRequest(handle: 3, offset: 22))
        trace.att(0x40, .tx, ATTWriteRequest(handle: 9, value: [1]))
        let late = trace.att(0x40, .rx, ATTReadBlobResponse(value: [2]))
        let outcome = trace.run()
        #expect(outcome[late].frame.att?.handle == 3)
        #expect(!outcome[late].isAnnotated && outcome[late].allJoined.isEmpty)
    }

    @Test func `each end reads its own value`() throws {
        var trace = try trace()
        trace.read(0x40, 3, piece)
        trace.att(0x40, .rx, ATTReadRequest(handle: 9))
        trace.att(0x40, .tx, ATTReadResponse(value: [7]))
        let end = askOn(&trace, 22, .invalidOffset)
        let outcome = trace.run()
        #expect(!outcome.codes.contains(.attError))
        #expect(outcome[end].joined == piece)
    }

    /// An offset past the end, one before it, another attribute, no read before, another error, and a read of
    /// something else between.
    @Test func `an error that ends no long read is a problem`() throws {
        let offsets: [(UInt16, UInt16, ATTErrorCode)] = [
            (3, 23, .invalidOffset), (3, 21, .attributeNotLong), (5, 22, .invalidOffset),
            (3, 22, .unlikelyError), (3, 22, .readNotPermitted),
        ]
        for (handle, offset, error) in offsets {
            var trace = try trace()
            trace.read(0x40, 3, piece)
            let end = askOn(&trace, offset, error, handle: handle)
            #expect(trace.run().frames(with: .attError) == [end], "\(handle) \(offset) \(error)")
        }
        var unread = try trace()
        let first = askOn(&unread, 22, .invalidOffset)
        #expect(unread.run().frames(with: .attError) == [first])
        var other = try trace()
        other.read(0x40, 3, piece)
        other.read(0x40, 5, [1])
        let late = askOn(&other, 22, .invalidOffset)
        let again = askOn(&other, 22, .invalidOffset)
        #expect(other.run().frames(with: .attError) == [late, again])
    }
}
