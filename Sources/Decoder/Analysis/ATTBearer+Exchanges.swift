import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Matching of responses with requests and of confirmations with indications. Each PDU takes a single call,
// since each access to a link's bearers is expensive.

extension Link {
    /// Records a request of a client on a bearer.
    ///
    /// - Parameter shown: the packets that the log is known to contain.
    mutating func request(
        _ request: PendingRequest, _ pdu: RawSpan, bearer: Int, _ client: Side, shown: ShownPackets,
        _ problems: inout [Problem]
    ) {
        counts.requests &+= 1
        let before = bearers[bearer].ask(request, client, keeps: showsResponses)
        if let before, shows(client.other, in: shown) {
            problems.append(
                Problem(.att(.requestWhilePending(before.frame)), by: Problem.Party(client)))
        }
        switch request.opcode {
        case .exchangeMTURequest:
            bearers[bearer].ask(mtu: request.opcode.places.mtu(in: pdu), client, &problems)
            if phases.mtuStarted == nil {
                (phases.mtuStarted, phases.mtuWasAskedByPeer) = (request.time, client == .peer)
            }
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            counts.discovery.add(client)
            let count = client == .host ? counts.discovery.byHost : counts.discovery.byPeer
            if count == 1, discoverer == client { phases.startDiscovery(at: request.time) }
        case .readRequest, .readBlobRequest: counts.reads.add(client)
        case .readMultipleRequest, .readMultipleVariableRequest:
            counts.reads.add(client)
            bearers[bearer].askSeveral(pdu, request.frame, client)
        case .executeWriteRequest:
            guard pdu.octet(at: 1) == 1 else { return }
            counts.writes.add(client)
            wrote(client, bearer: bearer, request.frame, request.time)
        default: break
        }
    }

    /// Removes and returns the pending request that a response answers; nil without a match.
    ///
    /// - Parameter began: the frame of the response's first fragment.
    mutating func response(
        _ response: borrowing ATTSummary, _ pdu: RawSpan, began: FramePlace, bearer: Int, _ server: Side,
        at time: CaptureTime, _ problems: inout [Problem]
    ) -> PendingRequest? {
        counts.responses &+= 1
        if server == .peer, bearers[bearer].firstWithoutRecordedResponse != nil {
            bearers[bearer].firstWithoutRecordedResponse = nil
        }
        let taken = bearers[bearer][server.other].takeAnswered(by: response, pdu, began, at: time)
        guard let answered = taken else {
            if response.opcode == .exchangeMTUResponse { bearers[bearer].mtuIsKnown = false }
            reportUnexpected(bearers[bearer][server.other].request, &problems)
            return nil
        }
        if !answered.isAmbiguous { answered.checkTime(at: time, server, &problems) }
        return answered
    }

    /// Records an indication of a server on a bearer; only one may be pending.
    mutating func indication(
        _ indication: PendingRequest, bearer: Int, _ server: Side, _ problems: inout [Problem]
    ) {
        let before = bearers[bearer][server].indication
        if before.isOpen, !before.timeoutIsSettled {
            problems.append(
                Problem(.att(.requestWhilePending(before.frame)), by: Problem.Party(server)))
        }
        bearers[bearer][server].indication = indication
    }

    /// Removes and returns the indication that a confirmation answers; nil if none is pending.
    mutating func confirmation(
        bearer: Int, _ client: Side, at time: CaptureTime, _ problems: inout [Problem]
    ) -> PendingRequest? {
        let indication = bearers[bearer][client.other].indication
        guard indication.isOpen else {
            reportUnexpected(indication, &problems)
            return nil
        }
        indication.checkTime(at: time, client, &problems)
        bearers[bearer][client.other].indication.isOpen = false
        return indication
    }

    /// Reports a response or confirmation without a pending request or indication.
    @inline(never)
    private func reportUnexpected(_ last: PendingRequest, _ problems: inout [Problem]) {
        // A log that starts in mid-connection, or has a gap, may lack the request.
        guard !mayLackEarlierPackets || last.frame.frame > 0, !last.answerMayBeMissing else { return }
        problems.append(Problem(.att(.unexpectedResponse)))
    }

    /// Sets the bearer's ATT_MTU from the server's response.
    mutating func answer(
        mtu answered: UInt16?, bearer: Int, at time: CaptureTime, _ problems: inout [Problem]
    ) {
        guard let answered, let offered = bearers[bearer].offeredMTU else { return }
        if answered < 23 { problems.append(Problem(.att(.mtuTooSmall(answered)))) }
        bearers[bearer].offeredMTU = nil
        bearers[bearer].mtu = max(23, min(answered, offered))
        bearers[bearer].largestMTU = max(bearers[bearer].largestMTU, bearers[bearer].mtu)
        if phases.mtuExchanged == nil { phases.mtuExchanged = time }
    }

    /// Records that a server refused an MTU exchange; the ATT_MTU stays as it was.
    mutating func refuseMTU(bearer: Int, _ error: UInt8?, by server: Side) {
        bearers[bearer].offeredMTU = nil
        if server == .peer, error == ATTErrorCode.requestNotSupported.rawValue { mtuIsNotSupported = true }
    }

    /// Reports a PDU on the fixed channel that exceeds the ATT_MTU agreed on in the log.
    ///
    /// - Parameter octets: the PDU's length on the air, in bytes.
    @inline(never)
    mutating func reportExceededMTU(
        _ octets: Int, _ sender: Side?, _ problems: inout [Problem]
    ) {
        // An MTU response missing from the log may have raised the ATT_MTU.
        guard transport == .le, !mayLackEarlierPackets, bearers[0].mtuIsKnown, bearers[0].offeredMTU == nil
        else {
            return
        }
        let kind = Problem.Kind.att(.mtuExceeded(octets, mtu: bearers[0].largestMTU))
        problems.append(Problem(kind, by: sender.map(Problem.Party.init)))
    }

    /// Counts a notification or indication, and returns the client's last write if this value may answer it:
    /// the first value after the write, and values within a second of it. A steady series of values answers
    /// no write.
    mutating func notified(
        by server: Side, isIndication: Bool, bearer: Int, at time: CaptureTime
    ) -> (frame: FramePlace, time: CaptureTime)? {
        if isIndication { counts.indications.add(server) } else { counts.notifications.add(server) }
        if server == .peer, phases.firstNotification == nil {
            (phases.firstNotification, phases.beginsWithIndication) = (time, isIndication)
        }
        guard let write = bearers[bearer][server.other].lastWrite else { return nil }
        let isFirstValue = !write.hadValue
        bearers[bearer][server.other].lastWrite?.hadValue = true
        let longest = isFirstValue ? PendingRequest.timeout : Self.notificationBurst
        return time.since(write.time) <= longest ? (write.frame, write.time) : nil
    }

    /// Longest time from a write to the last part of an answer in several notifications, in nanoseconds.
    private static let notificationBurst: Int64 = 1_000_000_000

    /// Records a write to an attribute other than a client configuration.
    mutating func wrote(_ client: Side, bearer: Int, _ frame: FramePlace, _ time: CaptureTime) {
        bearers[bearer][client].lastWrite = (frame, time, false)
        if client == .host, phases.firstWrite == nil { phases.firstWrite = time }
    }
}

extension ATTBearer {
    /// Records a request of a client; returns the previous one if it is unanswered and has not timed out.
    ///
    /// - Parameter keeps: whether to keep the previous request, because the log would show its response.
    fileprivate mutating func ask(
        _ request: PendingRequest, _ client: Side, keeps: Bool
    ) -> PendingRequest? {
        if request.opcode != .readBlobRequest { endRead(by: client) }
        if client == .host, firstWithoutRecordedResponse == nil, self[.host].request.isOpen,
            self[.host].request.answerMayBeMissing
        {
            firstWithoutRecordedResponse = self[.host].request
        }
        return self[client].ask(request, keeps: keeps)
    }

    /// Records a client's MTU request. A client may send one on each connection, for an MTU of at least 23
    /// (Core Specification, Vol 3, Part F, 3.4.2).
    fileprivate mutating func ask(mtu asked: UInt16?, _ client: Side, _ problems: inout [Problem]) {
        if let asked, asked < 23 { problems.append(Problem(.att(.mtuTooSmall(asked)))) }
        if self[client].hasAskedMTU { problems.append(Problem(.att(.mtuRepeated))) }
        self[client].hasAskedMTU = true
        offeredMTU = asked
    }

    /// Keeps the handles of a request for several values, since the response does not name them.
    fileprivate mutating func askSeveral(_ request: RawSpan, _ frame: FramePlace, _ client: Side) {
        var handles: [UInt16] = []
        var at = 1
        while let handle = request.u16le(at: at), handles.count < Self.severalLimit {
            handles.append(handle)
            at &+= 2
        }
        self[client].several = (frame, handles)
    }

    /// Limit of the handles kept from such a request: as many as fit in an ATT_MTU of 517 bytes.
    private static let severalLimit = 258

    /// Returns the handles that a client's request asked for; empty if they were not kept.
    func several(_ request: PendingRequest, _ client: Side) -> [UInt16] {
        let asked = self[client].several
        return asked?.frame == request.frame ? asked?.handles ?? [] : []
    }
}

extension ATTBearer.Begun {
    /// Adds a request; returns the previous one if it is unanswered and has not timed out.
    fileprivate mutating func ask(_ new: PendingRequest, keeps: Bool) -> PendingRequest? {
        guard request.isOpen, !request.timeoutIsSettled else {
            request = new
            if !later.isEmpty { later = [] }
            return nil
        }
        let before = later.last ?? request
        guard keeps else {
            (request, later) = (new, [])
            return before
        }
        if later.count >= Self.laterLimit { request = later.removeFirst() }
        later.append(new)
        later[later.count - 1].isEarly = true
        return before
    }

    /// Limit of requests kept behind the oldest unanswered one.
    private static let laterLimit = 32

    @inline(__always)
    fileprivate mutating func takeAnswered(
        by response: borrowing ATTSummary, _ pdu: RawSpan, _ began: FramePlace, at time: CaptureTime
    ) -> PendingRequest? {
        guard later.isEmpty else { return takeFirst(response, pdu, began, time) }
        guard request.isOpen, response.answers(request.opcode), !request.isSent(after: began) else {
            return nil
        }
        request.isOpen = false
        return request
    }

    /// Removes and returns the first of several requests that fits the response. Servers answer in order, so
    /// the requests before it stay unanswered.
    @inline(never)
    private mutating func takeFirst(
        _ response: borrowing ATTSummary, _ pdu: RawSpan, _ began: FramePlace, _ time: CaptureTime
    ) -> PendingRequest? {
        let all = [request] + later
        var fitting: Set<Int> = []
        for (place, request) in all.enumerated() {
            if response.answers(request.opcode), request.isOpen, !request.isSent(after: began),
                request.includes(firstOf: pdu)
            {
                fitting.insert(place)
            }
        }
        guard var place = fitting.min() else { return nil }
        while fitting.contains(place + 1), all[place + 1].showsMissingAnswer(of: all[place], at: time) {
            place += 1
        }
        var answered = all[place]
        for other in fitting.filter({ $0 > place }).map({ all[$0] }) {
            answered.isAmbiguous = answered.isAmbiguous || !answered.asksTheSame(as: other)
            answered.elementsAreAmbiguous =
                answered.elementsAreAmbiguous || !answered.listsTheSame(as: other)
        }
        if place < later.count {
            (request, later) = (all[place + 1], Array(all.dropFirst(place + 2)))
        } else {
            (request.isOpen, later) = (false, [])
        }
        return answered
    }
}

extension PendingRequest {
    /// Whether the log probably lacks the response to `before`, so that a response at `now` answers this
    /// request. True if the gap between the two requests is longer than this request has waited: the client
    /// had probably got its response to `before` by then. If `before` was itself sent early, half of the gap
    /// counts.
    fileprivate func showsMissingAnswer(of before: PendingRequest, at now: CaptureTime) -> Bool {
        time.since(before.time) / (before.isEarly ? 2 : 1) > now.since(time)
    }

    /// Whether it came after a frame of the same file.
    fileprivate func isSent(after other: FramePlace) -> Bool {
        frame.bits > other.bits && frame.file == other.file
    }

    /// Whether its range has the first handle that a response lists, as far as the log has both.
    fileprivate func includes(firstOf response: RawSpan) -> Bool {
        let place: Int
        switch opcode {
        case .findByTypeValueRequest: place = 1
        case .findInformationRequest, .readByTypeRequest, .readByGroupTypeRequest: place = 2
        default: return true
        }
        guard hasHandles, response.octet(at: 0) == opcode.rawValue + 1, let first = response.u16le(at: place)
        else { return true }
        return range.contains(first)
    }

    /// Longest wait for a response, in nanoseconds: 30 seconds (Core Specification, Vol 3, Part F, 3.3.3).
    static let timeout: Int64 = 30_000_000_000

    init(_ pdu: borrowing ATTSummary, at frame: FramePlace, _ time: CaptureTime) {
        isOpen = true
        opcode = pdu.opcode
        self.frame = frame
        self.time = time
        transaction = pdu.transaction
        handle = pdu.handle ?? 0
        isMalformed = pdu.isMalformed
        hasHandles = pdu.handle != nil
        if pdu.opcode == .writeRequest { writtenLength = pdu.value?.count }
    }

    /// Reads the handle range, types and offset from a request.
    mutating func read(_ request: RawSpan) {
        let places = opcode.places
        let end = places.endHandle(in: request)
        endHandle = end ?? 0
        if opcode.isDiscovery, end == nil { hasHandles = false }
        if opcode == .readBlobRequest { offset = places.offset(in: request) ?? 0 }
        type = places.type(in: request)
        guard type != nil, let value = places.value(in: request) else { return }
        sought = BluetoothUUID(attributeType: request.clamped(value))
    }

    /// Reports an answer that came too late, unless the timeout was reported before.
    fileprivate func checkTime(at time: CaptureTime, _ answerer: Side, _ problems: inout [Problem]) {
        guard time.nanoseconds &- self.time.nanoseconds > Self.timeout, !timeoutIsSettled else { return }
        let request = UnansweredRequest(self, at: time)
        problems.append(Problem(.att(.timeout(request)), by: Problem.Party(answerer)))
    }
}
