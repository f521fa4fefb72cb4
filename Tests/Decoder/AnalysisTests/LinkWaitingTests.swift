import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// What waits on one link, by itself, and which side sent what where the file does not say.
@Suite struct LinkWaitingTests {
    private static let both: ShownPackets = [.fromHost, .fromController, .events]

    private var link = Link(
        number: 1, file: 0, adapter: 0, handle: 0x40, firstFrame: FramePlace(file: 0, frame: 1),
        time: CaptureTime(nanoseconds: 0))

    private func time(_ seconds: Int64) -> CaptureTime { CaptureTime(nanoseconds: seconds * 1_000_000_000) }

    private mutating func ask(_ opcode: ATTOpcode, at seconds: Int64 = 0, _ client: Side = .host) {
        var request = PendingRequest()
        request.isOpen = true
        request.opcode = opcode
        request.frame = FramePlace(file: 0, frame: 5)
        request.time = time(seconds)
        link.bearers[0][client].request = request
    }

    private mutating func overdue(at seconds: Int64, _ shown: ShownPackets = Self.both) -> [Problem] {
        link.takeTimedOut(at: time(seconds), shown).problems
    }

    // MARK: Deadlines

    @Test mutating func `a request is overdue after thirty seconds, once`() {
        ask(.readRequest, at: 5)
        #expect(overdue(at: 35).isEmpty)
        let problems = overdue(at: 36)
        #expect(problems.map(\.code) == [.attTimeout] && problems.first?.side == .peer)
        #expect(overdue(at: 70).isEmpty)
        #expect(link.unanswered(at: time(70), reason: 0x13, Self.both).isEmpty)
    }

    @Test mutating func `the next deadline is the earliest of those that wait`() {
        ask(.readRequest, at: 5)
        ask(.writeRequest, at: 3, .peer)
        let next = link.takeTimedOut(at: time(6), Self.both).next
        #expect(next == time(33).nanoseconds)
        link.forgetDeadlines(at: time(60))
        #expect(overdue(at: 90).isEmpty)
    }

    @Test mutating func `nothing is overdue whose answer the log would not show`() {
        ask(.readRequest)
        #expect(overdue(at: 40, .fromHost).isEmpty)
        ask(.readRequest)
        link.mayLackEarlierPackets = true
        #expect(overdue(at: 40).isEmpty)
        link.counts.responses = 1
        #expect(overdue(at: 40).map(\.code) == [.attTimeout])
    }

    @Test mutating func `what waits as the link ends never gets its answer`() {
        ask(.readRequest, at: 5)
        let problems = link.unanswered(at: time(7), reason: 0x08, Self.both)
        #expect(problems.map(\.code) == [.noResponse] && problems.first?.related.map(\.frame) == [5])
        #expect(link.unanswered(at: time(7), reason: 0x08, nil).isEmpty)
    }

    @Test mutating func `what was asked just before the log ended is on its way`() {
        ask(.readRequest, at: 5)
        #expect(link.waiting(at: time(5).nanoseconds + 999_999_999, Self.both).isEmpty)
        let waiting = link.waiting(at: time(6).nanoseconds, Self.both)
        #expect(waiting.map(\.name) == ["Read Request"] && waiting.first?.waited == 1_000_000_000)
    }

    // MARK: Lost PDUs

    @Test mutating func `a PDU that was lost concerns its own channel, or all where that is not known`() {
        ask(.readRequest)
        link.handleLostPDU(on: 6)
        #expect(link.bearers[0][.host].request.isOpen && !link.subscriptions.writesMayBeMissing)
        link.handleLostPDU(on: nil)
        #expect(!link.bearers[0][.host].request.isOpen && link.bearers[0][.host].request.answerMayBeMissing)
        #expect(link.subscriptions.writesMayBeMissing)
    }

    // MARK: Direction

    /// The start of a PDU on the ATT channel.
    private func start(_ opcode: ATTOpcode) -> [UInt8] { [3, 0, 4, 0, opcode.rawValue, 7, 0] }

    private mutating func direction(
        _ data: [UInt8], _ boundary: UInt8, _ starts: inout HostBoundaryFlag
    ) -> Direction? {
        link.direction(of: data.borrowedOctets, boundary, announced: data.count, &starts)
    }

    @Test mutating func `a start that only hosts send shows how this one does`() {
        var starts = HostBoundaryFlag.unknown
        #expect(direction(start(.readRequest), 0, &starts) == .hostToController && starts == .zeroOnly)
        #expect(direction(start(.readRequest), 2, &starts) == .controllerToHost)
    }

    @Test mutating func `a response to the peer's request shows a host that sends as the controller does`() {
        link.role = .peripheral
        ask(.readRequest, .peer)
        var starts = HostBoundaryFlag.unknown
        #expect(direction(start(.readResponse), 2, &starts) == .hostToController && starts == .zeroOrTwo)
        #expect(direction(start(.handleValueNotification), 2, &starts) == .hostToController)
        #expect(direction(start(.readRequest), 2, &starts) == .controllerToHost)
    }

    @Test mutating func `a continuation goes with the PDU that is under way`() {
        var starts = HostBoundaryFlag.zeroOnly
        #expect(direction([1], 1, &starts) == .unknown)
        let begun = Array(start(.handleValueNotification).dropLast())
        _ = link.assemblies.peer.receive(
            begun.borrowedOctets, isContinuation: false, sent: begun.count,
            frame: FramePlace(file: 0, frame: 2), CaptureTime(nanoseconds: 0))
        #expect(direction([1], 1, &starts) == .controllerToHost)
        _ = link.assemblies.host.receive(
            begun.borrowedOctets, isContinuation: false, sent: begun.count,
            frame: FramePlace(file: 0, frame: 3), CaptureTime(nanoseconds: 0))
        #expect(direction([1], 1, &starts) == nil)
    }
}
