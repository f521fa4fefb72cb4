import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

/// What one adapter was asked for, by itself: commands in, what never came about out.
@Suite struct AdapterMachineTests {
    private var adapter = {
        var table = AdapterTable()
        return table[table.indexAdding(file: 0, adapter: 0)]
    }()
    private let peer = address("00:11:22:33:44:55")

    private func time(_ seconds: Int64) -> CaptureTime { CaptureTime(nanoseconds: seconds * 1_000_000_000) }

    private func place(_ frame: Int) -> FramePlace { FramePlace(file: 0, frame: frame) }

    @Test mutating func `an attempt has waited until it was withdrawn`() {
        adapter.startConnect(peer, place(3), time(1))
        let withdrawn = time(4)
        adapter.attempt?.withdrawn = withdrawn
        let given = adapter.takeWithdrawn(at: time(9))
        #expect(given?.waited == 3_000_000_000 && given?.peer == peer && given?.isByAcceptList == false)
        let again = adapter.takeWithdrawn(at: time(9))
        #expect(again == nil)
    }

    @Test mutating func `by the accept list it is to the list's only device`() {
        adapter.acceptList.add(peer)
        adapter.startConnect(nil, place(3), time(1))
        let open = adapter.openAttempt(at: time(5).nanoseconds)
        #expect(open?.peer == peer && open?.isOpen == true && open?.waited == 4_000_000_000)
        #expect(adapter.openRequests(at: time(5).nanoseconds).isEmpty)
    }

    @Test mutating func `of two attempts a refusal ends the one that its command asked for`() {
        adapter.startConnect(peer, place(3), time(1))
        adapter.startConnect(peer, place(4), time(2))
        var other = adapter
        let first = adapter.takeRefused(place(3))
        #expect(first.0?.frame == 3 && !first.isUnderWay && adapter.attempt?.frame == 4)
        let second = other.takeRefused(place(4))
        #expect(second.0?.frame == 4 && second.isUnderWay && other.attempt?.frame == 3)
    }

    @Test mutating func `a scan leads to the connection that was asked for after it`() {
        adapter.switchScan(1, at: time(1))
        adapter.switchScan(0, at: time(5))
        adapter.startConnect(peer, place(3), time(6))
        #expect(adapter.scan(before: time(6), after: nil) == time(1)...time(5))
        #expect(adapter.scan(before: time(6), after: time(3)) == time(3)...time(5))
        #expect(adapter.scan(before: time(6), after: time(5)) == nil)
        #expect(adapter.scan(before: time(60), after: nil) == nil)
        adapter.connected(at: time(7))
        adapter.startConnect(peer, place(4), time(8))
        #expect(adapter.scan(before: time(8), after: nil) == nil)
    }

    @Test mutating func `a command has no answer after two seconds, if others had theirs`() {
        adapter.notePending(
            .init(opcode: HCIReset.opcode.rawValue, frame: place(3), time: time(1), handle: 0xFFFF))
        #expect(adapter.openRequests(at: time(3).nanoseconds).isEmpty)
        adapter.answers = 1
        #expect(adapter.openRequests(at: time(3).nanoseconds).map(\.frame) == [3])
        let problems = [2, 3, 4].map { adapter.takeUnanswered(at: time($0)).map { Problem(.hci($0)).code } }
        #expect(problems == [nil, .commandUnanswered, nil])
    }

    @Test mutating func `a packet that was lost may be the answer`() {
        adapter.answers = 1
        adapter.notePending(
            .init(opcode: HCIReset.opcode.rawValue, frame: place(3), time: time(1), handle: 0xFFFF))
        adapter.startConnect(peer, place(4), time(1))
        adapter.loss = PacketLoss(firstFrameAfter: place(9), time: time(2))
        #expect(adapter.openRequests(at: time(9).nanoseconds).isEmpty)
        let problem = adapter.takeUnanswered(at: time(9))
        #expect(problem == nil && adapter.pending.isEmpty)
    }

    @Test mutating func `what an adapter was asked for ends with it`() {
        adapter.startConnect(peer, place(3), time(1))
        adapter.switchScan(1, at: time(1))
        adapter.end(at: time(4))
        #expect(adapter.attempt == nil && adapter.scan.started == nil)
        #expect(adapter.totalScanTime == 3_000_000_000)
    }

    @Test func `the connection that had a handle last is remembered until its end`() {
        var ended = EndedHandles()
        for number in 1...2 {
            let link = Link(
                number: number, file: 0, adapter: 0, handle: 0x40, firstFrame: place(number), time: time(0))
            ended.add(EndedHandle(link, at: place(10 + number), time(Int64(number))))
        }
        #expect(
            ended.last(file: 0, adapter: 0, handle: 0x40)?.connection == 2
                && ended.last(file: 0, adapter: 1, handle: 0x40) == nil)
        ended.end(file: 0, adapter: 0, handle: 0x40, at: place(20), time(20))
        #expect(
            ended.last(file: 0, adapter: 0, handle: 0x40)?.mayBeOpen == false
                && ended.last(file: 0, adapter: 0, handle: 0x40)?.frame == place(20))
        ended.end(file: 0, adapter: 0, handle: 0x40, at: place(30), time(30))
        #expect(ended.last(file: 0, adapter: 0, handle: 0x40)?.frame == place(20))
    }
}
