import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

/// Configurations of one link, by itself: writes in, what is switched on out.
@Suite struct SubscriptionsTests {
    private var subscriptions = Subscriptions()

    private func time(_ seconds: Int64) -> CaptureTime { CaptureTime(nanoseconds: seconds * 1_000_000_000) }

    /// A write to the configuration at 6, that many seconds after the first; what it was before.
    private func write(at seconds: Int64, before: UInt16? = nil) -> PendingRequest {
        var write = PendingRequest()
        write.handle = 6
        write.frame = FramePlace(file: 0, frame: 9)
        write.time = time(seconds)
        write.overwritten = before
        return write
    }

    /// A server with values that notify at 3 and 5, the second with its configuration at 6.
    private var database: AttributeDatabase {
        var database = AttributeDatabase()
        let origin = AttributeDatabase.Origin(source: .discovered, frame: 1, link: 1)
        for declaration in [UInt16(2), 4] {
            database.add(
                .init(
                    declaration: declaration, value: declaration + 1, properties: 0x10,
                    uuid: BluetoothUUID(0xFFF0 + declaration), origin: origin))
        }
        database.confirmAll()
        return database
    }

    private mutating func asks(_ handle: UInt16, _ bit: UInt16, _ server: Side = .peer) -> Bool {
        if subscriptions.isOutdated(server, generation: 1) {
            subscriptions.computeValues(server, database, generation: 1)
        }
        return subscriptions.enables(server, handle, by: bit)
    }

    @Test mutating func `a configuration has the value written last, of one server`() {
        subscriptions.set(.peer, atDescriptor: 6, to: 1)
        subscriptions.set(.peer, atDescriptor: 6, to: 2)
        #expect(subscriptions.value(.peer, atDescriptor: 6) == 2)
        #expect(subscriptions.value(.host, atDescriptor: 6) == nil)
        subscriptions.set(.peer, atDescriptor: 6, to: nil)
        #expect(subscriptions.all.isEmpty)
    }

    @Test mutating func `no more are kept than there is room for`() {
        let hadRoom = (1...UInt16(Subscriptions.limit + 1)).map { handle in
            subscriptions.set(.peer, atDescriptor: handle, to: 1)
        }
        #expect(hadRoom.filter { !$0 }.count == 1 && hadRoom.last == false)
        let hasRoom = subscriptions.set(.peer, atDescriptor: 7, to: 2)
        #expect(hasRoom)
    }

    @Test mutating func `a value is asked for by the bit of its own configuration`() {
        subscriptions.set(.peer, atDescriptor: 6, to: 1)
        #expect(asks(5, 1))
        #expect(!asks(5, 2))
        #expect(!asks(3, 1))
        #expect(!asks(5, 1, .host))
        subscriptions.set(.peer, atDescriptor: 6, to: 2)
        #expect(asks(5, 2))
        #expect(!asks(5, 1))
    }

    @Test mutating func `values are worked out anew when configurations or the server change`() {
        #expect(!asks(5, 1))
        #expect(!subscriptions.isOutdated(.peer, generation: 1))
        #expect(subscriptions.isOutdated(.peer, generation: 2))
        #expect(subscriptions.isOutdated(.host, generation: 1))
        subscriptions.set(.peer, atDescriptor: 6, to: 1)
        #expect(subscriptions.isOutdated(.peer, generation: 1))
    }

    @Test mutating func `what matters more takes the place of what was switched on before`() {
        subscriptions.confirm(.nothing, at: time(1))
        #expect(subscriptions.since == nil)
        subscriptions.confirm(.other, at: time(2))
        subscriptions.confirm(.answers, at: time(3))
        subscriptions.confirm(.values, at: time(4))
        #expect(subscriptions.since == time(3))
    }

    @Test mutating func `a refused write leaves what was there before, and switched nothing on`() {
        subscriptions.set(.peer, atDescriptor: 6, to: 1)
        subscriptions.confirm(.other, at: time(3))
        subscriptions.refuse(write(at: 3, before: 2), .peer, at: FramePlace(), error: 5, isCertain: true)
        #expect(subscriptions.value(.peer, atDescriptor: 6) == 2 && subscriptions.since == nil)
        #expect(subscriptions.refused?.descriptor == 6 && subscriptions.refused?.error == 5)
    }

    @Test(arguments: [(Side.host, UInt16(1), true), (.peer, 0, true), (.peer, 1, false)])
    mutating func `only a write that would have switched on a value of the peer counts as refused`(
        _ server: Side, _ state: UInt16, _ isCertain: Bool
    ) {
        subscriptions.set(server, atDescriptor: 6, to: state)
        subscriptions.refuse(write(at: 3), server, at: FramePlace(), error: 5, isCertain: isCertain)
        #expect(subscriptions.refused == nil && subscriptions.all.isEmpty)
    }

    @Test mutating func `a value is told of again once a configuration changed`() {
        let told = [7, 8, 7].map { subscriptions.noteReported($0) }
        #expect(told == [false, false, true])
        subscriptions.set(.peer, atDescriptor: 6, to: 0)
        let again = subscriptions.noteReported(7)
        #expect(!again)
    }

    @Test mutating func `a server that changed has lost its configurations there`() {
        for server in [Side.peer, .host] {
            for handle in [UInt16(6), 9] { subscriptions.set(server, atDescriptor: handle, to: 1) }
        }
        subscriptions.forget(.peer, 1...7)
        #expect(subscriptions.all.filter { !$0.isOnHost }.map(\.handle) == [9])
        #expect(subscriptions.all.filter(\.isOnHost).map(\.handle) == [6, 9])
    }

    @Test mutating func `what the host was taken to have written is the peer's`() {
        subscriptions.set(.peer, atDescriptor: 6, to: 1)
        subscriptions.confirm(.answers, at: time(1))
        subscriptions.reassignHostToPeer()
        #expect(subscriptions.all == [Subscription(handle: 6, value: 1, isOnHost: true)])
        #expect(subscriptions.since == nil)
    }

    @Test mutating func `answers can't come by a value that nothing switched on`() {
        #expect(subscriptions.unsubscribedResponses(in: database) { _, _ in false } == nil)
        #expect(subscriptions.unsubscribedResponses(in: database) { _, _ in true }?.handle == 3)
        subscriptions.set(.peer, atDescriptor: 6, to: 1)
        let isSecond = { (uuid: BluetoothUUID, _: BluetoothUUID?) in uuid.assigned16 == 0xFFF4 }
        #expect(subscriptions.unsubscribedResponses(in: database, isSecond) == nil)
        subscriptions.set(.peer, atDescriptor: 6, to: 0)
        #expect(subscriptions.unsubscribedResponses(in: database, isSecond)?.handle == 5)
        // Of a server that is not known it may be any value's.
        subscriptions.set(.peer, atDescriptor: 1, to: 1)
        #expect(subscriptions.unsubscribedResponses(in: database, isSecond) == nil)
    }
}
