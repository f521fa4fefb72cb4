import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// Signalling on one link, by itself: commands in, what they come to out.
@Suite struct SignallingTests {
    private var machine = Signalling()
    private var bearers = [ATTBearer()]
    private var frame = 0

    /// A command whose parameters are integers of two bytes.
    private mutating func take(
        _ code: L2CAPSignallingCode, _ sender: Side?, _ words: [UInt16], identifier: UInt8 = 1,
        at seconds: Int64 = 0
    ) -> Signalling.Outcome {
        take(signalling(code, words, identifier: identifier), sender, at: seconds)
    }

    private mutating func take(
        _ pdu: [UInt8], _ sender: Side?, at seconds: Int64 = 0, isCut: Bool = false, isLE: Bool = true
    ) -> Signalling.Outcome {
        frame += 1
        let source = Signalling.Source(
            sender: sender, frame: FramePlace(file: 0, frame: frame),
            time: CaptureTime(nanoseconds: seconds * 1_000_000_000))
        return machine.receive(pdu.borrowedOctets, isCut: isCut, isLE: isLE, from: source, &bearers)
    }

    /// Asks for two enhanced bearers; the answer names these ends of the peer.
    private mutating func open(_ ends: [UInt16], result: UInt16 = 0) -> Signalling.Outcome {
        _ = take(.creditBasedConnectionRequest, .host, [0x27, 100, 64, 5, 0x50, 0x51])
        return take(.creditBasedConnectionResponse, .peer, [90, 64, 5, result] + ends, at: 1)
    }

    @Test(arguments: [true, false])
    mutating func `a channel that stays pending is an open request`(isOpened: Bool) {
        _ = take(.connectionRequest, .host, [1, 0x50])
        _ = take(.connectionResponse, .peer, [0, 0x50, 1, 0], at: 1)
        if isOpened { _ = take(.connectionResponse, .peer, [0x60, 0x50, 0, 0], at: 2) }
        let open = machine.open(at: 5_000_000_000)
        #expect(open.map(\.frame) == (isOpened ? [] : [1]))
        #expect(open.first?.isPending != false)
        #expect(machine.overdue(at: 5_000_000_000).isEmpty)
        #expect(machine.overdue(at: 70_000_000_000).isEmpty == isOpened)
    }

    @Test mutating func `an answer opens the channels that were asked for, each a bearer`() {
        let outcome = open([0x60, 0x61])
        #expect(outcome.problems.isEmpty && outcome.request?.frame == 1)
        #expect(outcome.request?.latency == 1_000_000_000)
        #expect(machine.channels.map(\.cids.host) == [0x50, 0x51])
        #expect(machine.channels.map(\.cids.peer) == [0x60, 0x61])
        #expect(machine.channels.map(\.bearer) == [1, 2])
        #expect(bearers.map(\.mtu) == [23, 90, 90])
    }

    @Test mutating func `of several channels some may be refused`() {
        let outcome = open([0x60, 0], result: 4)
        #expect(outcome.problems.map(\.code) == [.channelRefused])
        #expect(machine.channels.map(\.cids.peer) == [0x60] && bearers.count == 2)
    }

    @Test mutating func `a rejected command opens nothing`() {
        _ = take(.creditBasedConnectionRequest, .host, [0x27, 100, 64, 5, 0x50, 0x51])
        #expect(machine.channels.count == 2)
        let outcome = take(.commandReject, .peer, [0])
        #expect(outcome.problems.map(\.code) == [.commandRejected] && machine.channels.isEmpty)
    }

    @Test mutating func `a channel that is closed gives its bearer's place to the next`() {
        _ = open([0x60, 0x61])
        _ = take(.disconnectionResponse, .peer, [0x60, 0x50])
        #expect(machine.channels.map(\.cids.host) == [0x51])
        #expect(bearers.map(\.isClosed) == [false, true, false])
        _ = open([0x60, 0x62])
        #expect(machine.channels.compactMap(\.bearer).contains(1))
        #expect(bearers.count == 3 && !bearers.contains { $0.isClosed })
    }

    @Test mutating func `no more channels are kept than there is room for`() {
        var isFull = false
        for number in 0...UInt16(Channel.limit) {
            isFull = take(.leCreditBasedConnectionRequest, .host, [0x80, 0x40 + number, 64, 64, 1]).isFull
        }
        #expect(isFull && machine.channels.count == Channel.limit)
    }

    @Test(arguments: [(Side.host, Int64(2), true), (.peer, 2, false), (.host, 9, false)])
    mutating func `a side that refuses the service that it has just closed ends it, and fails nothing`(
        _ closer: Side, _ seconds: Int64, _ isOfClosing: Bool
    ) throws {
        _ = take(.connectionRequest, .host, [0x17, 0x50])
        _ = take(.connectionResponse, .peer, [0x60, 0x50, 0, 0])
        let ends: [UInt16] = closer == .host ? [0x60, 0x50] : [0x50, 0x60]
        _ = take(.disconnectionRequest, closer, ends, identifier: 2)
        _ = take(.disconnectionResponse, closer.other, ends, identifier: 2)
        _ = take(.connectionRequest, .peer, [0x17, 0x61], identifier: 3, at: seconds)
        let refused = take(.connectionResponse, .host, [0x51, 0x61, 3, 0], identifier: 3, at: seconds)
        let problem = try #require(refused.problems.first)
        #expect(problem.severity == (isOfClosing ? .warning : .error) && problem.side == .host)
        let end = isOfClosing ? ", just after the same side had closed it" : ""
        let text = "L2CAP channel to AVCTP (PSM 0x0017) refused: security block (0x0003)"
        #expect(problem.sentence == text + end)
    }

    @Test mutating func `a command without an answer is overdue after ten seconds`() {
        _ = take(.connectionParameterUpdateRequest, .peer, [6, 12, 0, 200])
        #expect(machine.overdue(at: 9_999_999_999).isEmpty)
        let overdue = machine.overdue(at: 10_000_000_000)
        #expect(overdue.map(\.waited) == [10_000_000_000] && overdue.first?.signal.sender == .peer)
        var lost = machine
        lost.handleLostAnswers()
        #expect(lost.overdue(at: .max).isEmpty)
        let refusal = take(.connectionParameterUpdateResponse, .host, [1])
        #expect(refusal.problems.map(\.code) == [.parameterUpdateRejected])
        #expect(machine.overdue(at: .max).isEmpty)
    }

    @Test mutating func `one PDU of LE holds one command, of BR EDR several`() {
        let echo = signalling(L2CAPSignallingCode(rawValue: 8), [], identifier: 1)
        let answer = signalling(L2CAPSignallingCode(rawValue: 9), [], identifier: 1)
        let both = take(echo + answer, .host, isLE: false)
        #expect(both.problems.isEmpty && both.code == 8)
        #expect(take(echo + answer, .host).problems.map(\.code) == [.malformedL2CAP])
    }

    @Test mutating func `a command that the recorder cut is joined all the same`() {
        _ = take(.connectionParameterUpdateRequest, .peer, [6, 12, 0, 200])
        let cut = Array(signalling(.connectionParameterUpdateResponse, [0], identifier: 1).dropLast())
        #expect(take(cut, .host, isCut: true).request?.frame == 1)
        #expect(take(cut, .host).problems.map(\.code) == [.malformedL2CAP])
        #expect(take([1, 1] as [UInt8], .host).problems.map(\.code) == [.malformedL2CAP])
    }
}
