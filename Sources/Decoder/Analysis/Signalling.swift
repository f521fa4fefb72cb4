import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// Signalling on one link, and the channels that it opens. Channels that carry ATT have bearers in the link's
/// list.
struct Signalling: Sendable {
    struct Outcome {
        /// The first command's code.
        var code: UInt8?
        /// The command that is answered by the PDU's first response.
        var request: RequestReference?
        var problems: [Problem] = []
        /// The service to which a channel was opened; the inner value is nil if the log lacks the request.
        fileprivate(set) var opened: UInt16??
        /// The service whose channel was closed, and the side that asked for it.
        fileprivate(set) var closed: (psm: UInt16, by: Side)?
        /// Whether a channel did not fit.
        var isFull = false

        fileprivate mutating func report(_ problem: L2CAPProblem, by side: Problem.Party? = nil) {
            problems.append(Problem(.l2cap(problem), by: side))
        }
    }

    /// The frame and the sender of a PDU; the sender is nil if unknown.
    struct Source {
        let sender: Side?
        let frame: FramePlace
        let time: CaptureTime
    }

    /// The connection-oriented channels that are open or requested.
    var channels: [Channel] = []
    /// Number of channels that were opened so far.
    private var openedCount: UInt16 = 0
    /// Commands without an answer so far.
    private var pending: [PendingSignal] = []
    /// The last channels that a side asked to close, at most one of each side and service.
    private var closings: [(psm: UInt16, by: Side, time: CaptureTime)] = []
    /// Longest time in which a side still refuses what it has closed, in nanoseconds.
    private static let longestClosing: Int64 = 5_000_000_000

    /// Handles a PDU: on BR/EDR, it may hold several commands (Vol 3, Part A, 4).
    mutating func receive(
        _ payload: RawSpan, isCut: Bool, isLE: Bool, from source: Source, _ bearers: inout [ATTBearer]
    ) -> Outcome {
        var outcome = Outcome()
        var at = 0
        repeat {
            guard let code = payload.octet(at: at), let length = payload.u16le(at: at &+ 2) else {
                if !isCut { outcome.report(.malformed(.header(held: payload.byteCount &- at))) }
                return outcome
            }
            if at == 0 { outcome.code = code }
            let end = at &+ 4 &+ Int(length)
            guard end <= payload.byteCount else {
                if isCut {
                    join(code, payload.octet(at: at &+ 1) ?? 0, source, &outcome)
                } else {
                    let held = payload.byteCount &- at &- 4
                    outcome.report(.malformed(.length(announced: Int(length), held: held)))
                }
                return outcome
            }
            follow(payload.clamped(at..<end), source, &bearers, &outcome)
            at = end
        } while at < payload.byteCount && !isLE
        if at < payload.byteCount {
            outcome.report(.malformed(.length(announced: at, held: payload.byteCount)))
        }
        return outcome
    }

    private mutating func follow(
        _ command: RawSpan, _ source: Source, _ bearers: inout [ATTBearer], _ outcome: inout Outcome
    ) {
        if let fault = L2CAPTable.fault(in: command) {
            return outcome.report(.malformed(.field(at: fault.offset)))
        }
        let code = L2CAPSignallingCode(rawValue: command.octet(at: 0) ?? 0)
        let identifier = command.octet(at: 1) ?? 0
        let fields = L2CAPSignalFields(command)
        join(code.rawValue, identifier, source, &outcome)
        if code == .commandReject { outcome.report(.commandRejected(fields.result)) }
        if code == .connectionParameterUpdateResponse, fields.result == 1 {
            outcome.report(.parameterUpdateRejected)
        }
        guard let sender = source.sender else { return }
        switch code {
        case .commandReject: refuse(identifier, askedBy: sender.other)
        case .connectionRequest, .leCreditBasedConnectionRequest, .creditBasedConnectionRequest:
            var new = Channel(
                psm: fields.psm, isCreditBased: code != .connectionRequest, identifier: identifier,
                requester: sender, mtu: fields.mtu)
            new.credits[sender.other] = ChannelCredits(fields.credits)
            for cid in fields.sourceCIDs { add(new, cid: cid, source, &bearers, &outcome) }
        case .connectionResponse, .leCreditBasedConnectionResponse, .creditBasedConnectionResponse:
            followAnswer(code, identifier, fields, source, by: sender, &bearers, &outcome)
        case .flowControlCredit:
            let index = channels.firstIndex { $0.isOpen && $0.cids[sender] == fields.sourceCIDs.first }
            if let index { channels[index].credits[sender.other].give(fields.credits) }
        case .disconnectionRequest: noteClosing(fields, source, by: sender)
        case .disconnectionResponse:
            guard let destination = fields.destinationCIDs.first, let origin = fields.sourceCIDs.first else {
                return
            }
            let (host, peer) = sender == .host ? (destination, origin) : (origin, destination)
            let index = channels.firstIndex { $0.isOpen && $0.cids.host == host && $0.cids.peer == peer }
            guard let index else { return }
            outcome.closed = (channels[index].psm, sender.other)
            remove(at: index, source, &bearers, &outcome)
        default: break
        }
    }

    /// Matches a response with its request, by their common identifier.
    private mutating func join(
        _ code: UInt8, _ identifier: UInt8, _ source: Source, _ outcome: inout Outcome
    ) {
        guard let sender = source.sender else { return }
        switch code {
        // Requests.
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x12, 0x14, 0x17, 0x19:
            pending.removeAll { $0.identifier == identifier && $0.sender == sender }
            if pending.count >= PendingSignal.limit { pending.removeFirst() }
            pending.append(
                PendingSignal(
                    code: code, identifier: identifier, sender: sender, frame: source.frame,
                    time: source.time))
        // Responses, and the reject.
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x18, 0x1A:
            guard outcome.request == nil,
                let index = pending.firstIndex(where: {
                    $0.identifier == identifier && $0.sender != sender
                })
            else { return }
            pending[index].isAnswered = true
            outcome.request = RequestReference(
                place: pending[index].frame,
                latency: source.time.nanoseconds &- pending[index].time.nanoseconds)
        default: break
        }
    }

    /// Returns the commands that have waited too long for an answer.
    func overdue(at time: Int64) -> [(signal: PendingSignal, waited: Int64)] {
        pending.map { ($0, time &- $0.time.nanoseconds) }
            .filter { $0.0.isOverdue(after: $0.1) }
    }

    /// Returns the commands that wait for an answer when the log ends, also those whose answer was announced.
    func open(at time: Int64) -> [OpenRequest] {
        pending.compactMap { signal in
            let waited = time &- signal.time.nanoseconds
            let isOpen = signal.answerWasAnnounced && !signal.isAnswered && waited >= OpenRequest.shortestWait
            guard isOpen || signal.isOverdue(after: waited) else { return nil }
            var request = OpenRequest(place: signal.frame, name: signal.name, waited: waited)
            request.isPending = signal.answerWasAnnounced
            return request
        }
    }

    /// Handles a lost PDU, which may be an answer.
    mutating func handleLostAnswers() {
        for index in channels.indices { channels[index].credits = BySide(ChannelCredits()) }
        for index in pending.indices { pending[index].isAnswered = true }
    }

    // MARK: Channels

    private mutating func add(
        _ channel: Channel, cid: UInt16, _ source: Source, _ bearers: inout [ATTBearer],
        _ outcome: inout Outcome
    ) {
        guard cid >= 0x40 else { return }
        // A device that uses a CID again has closed the channel that had it.
        if let old = channels.firstIndex(where: { $0.cids[channel.requester] == cid }) {
            remove(at: old, source, &bearers, &outcome)
        }
        guard channels.count < Channel.limit else {
            outcome.isFull = true
            return
        }
        var channel = channel
        channel.cids[channel.requester] = cid
        channels.append(channel)
    }

    /// Handles the other side's answer: opens channels, and reports the channels that were not opened.
    private mutating func followAnswer(
        _ code: L2CAPSignallingCode, _ identifier: UInt8, _ fields: L2CAPSignalFields, _ source: Source,
        by sender: Side, _ bearers: inout [ATTBearer], _ outcome: inout Outcome
    ) {
        // These results announce another answer later.
        switch code {
        case .connectionResponse where fields.result == 1,
            .creditBasedConnectionResponse where (0x0D...0x0F).contains(fields.result):
            let place = pending.firstIndex { $0.identifier == identifier && $0.sender != sender }
            if let place { (pending[place].isAnswered, pending[place].answerWasAnnounced) = (false, true) }
            return
        default: break
        }
        let psm = asked(identifier, by: sender.other).map { channels[$0].psm }
        let opensAny =
            code == .creditBasedConnectionResponse && fields.destinationCIDs.contains { $0 >= 0x40 }
        if fields.result != 0 {
            let refusal = ChannelRefusal(
                result: fields.result, isOfCredits: code != .connectionResponse, psm: psm,
                isPartial: opensAny, followsClosing: hasClosed(psm, sender, at: source.time))
            outcome.report(.channelRefused(refusal), by: Problem.Party(sender))
        }
        if fields.result == 0 || opensAny { outcome.opened = .some(psm) }
        // Some channels of a request may be opened while others are refused.
        if fields.result == 0 || code == .creditBasedConnectionResponse {
            for cid in fields.destinationCIDs { open(identifier, cid: cid, fields, sender, &bearers) }
        }
        // Requested channels that the answer does not name were refused.
        refuse(identifier, askedBy: sender.other)
    }

    private mutating func noteClosing(_ fields: L2CAPSignalFields, _ source: Source, by sender: Side) {
        guard let destination = fields.destinationCIDs.first, let origin = fields.sourceCIDs.first else {
            return
        }
        let (host, peer) = sender == .host ? (origin, destination) : (destination, origin)
        guard
            let channel = channels.first(where: { $0.isOpen && $0.cids.host == host && $0.cids.peer == peer })
        else { return }
        closings.removeAll { $0.psm == channel.psm && $0.by == sender }
        if closings.count >= Channel.limit { closings.removeFirst() }
        closings.append((channel.psm, sender, source.time))
    }

    /// Whether a side has closed a channel to a service shortly before a time.
    private func hasClosed(_ psm: UInt16?, _ side: Side, at time: CaptureTime) -> Bool {
        closings.contains {
            $0.psm == psm && $0.by == side && time.since($0.time) <= Self.longestClosing
        }
    }

    /// Returns the first channel that a command requested and that is not open yet.
    private func asked(_ identifier: UInt8, by requester: Side) -> Int? {
        channels.firstIndex { !$0.isOpen && $0.identifier == identifier && $0.requester == requester }
    }

    /// Removes the channels that a command requested and that were refused.
    private mutating func refuse(_ identifier: UInt8, askedBy requester: Side) {
        while let index = asked(identifier, by: requester) { channels.remove(at: index) }
    }

    /// Opens the first channel that a command requested; if `cid` is 0, removes it.
    private mutating func open(
        _ identifier: UInt8, cid: UInt16, _ fields: L2CAPSignalFields, _ sender: Side,
        _ bearers: inout [ATTBearer]
    ) {
        guard let index = asked(identifier, by: sender.other) else { return }
        guard cid >= 0x40 else {
            channels.remove(at: index)
            return
        }
        channels[index].cids[sender] = cid
        channels[index].credits[sender.other] = ChannelCredits(fields.credits)
        channels[index].isOpen = true
        channels[index].number = openedCount
        openedCount &+= 1
        let psm = channels[index].psm
        guard psm == Channel.attPSM || psm == Channel.enhancedATTPSM else { return }
        var bearer = ATTBearer()
        bearer.mtu = max(23, min(fields.mtu, channels[index].mtu))
        if let free = bearers.firstIndex(where: { $0.isClosed }) {
            bearers[free] = bearer
            channels[index].bearer = free
        } else if bearers.count <= Channel.limit {
            channels[index].bearer = bearers.count
            bearers.append(bearer)
        }
    }

    /// Removes a channel, and reports the unanswered requests on its bearer.
    private mutating func remove(
        at index: Int, _ source: Source, _ bearers: inout [ATTBearer], _ outcome: inout Outcome
    ) {
        let channel = channels.remove(at: index)
        if channel.isOpen, channel.isCreditBased { outcome.problems += channel.stalls(at: source.time) }
        guard let bearer = channel.bearer else { return }
        for (sender, pending) in bearers[bearer].open where !pending.timeoutIsSettled {
            let request = UnansweredRequest(pending, at: source.time)
            outcome.problems.append(
                Problem(.att(.noResponse(request, nil)), by: Problem.Party(sender.other)))
        }
        bearers[bearer] = ATTBearer()
        bearers[bearer].isClosed = true
    }
}

/// A signalling request that waits for its answer.
struct PendingSignal: Sendable {
    /// Limit of the commands remembered for each link.
    static let limit = 16

    let code: UInt8
    let identifier: UInt8
    let sender: Side
    let frame: FramePlace
    let time: CaptureTime
    /// Whether it no longer waits: an answer came, or may have been lost.
    fileprivate(set) var isAnswered = false
    fileprivate(set) var answerWasAnnounced = false

    var name: String { L2CAPSignallingCode(rawValue: code).name.map { "\($0)" } ?? "an L2CAP request" }

    /// Whether the command has waited so long that no answer will come: devices wait between one second and a
    /// minute, and at least a minute if the answer was announced (Core Specification, Vol 3, Part A, 6.2.1
    /// and 6.2.2).
    fileprivate func isOverdue(after waited: Int64) -> Bool {
        !isAnswered && waited >= (answerWasAnnounced ? 60_000_000_000 : 10_000_000_000)
    }
}
