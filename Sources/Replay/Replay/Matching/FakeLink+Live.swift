import BluetoothCore
import Runtime

// A link on which a live model of the peer has replaced the recording. Nothing more is compared there, but
// the recorded host's turns continue. `answerUncompared` also serves links that go on after a divergence,
// and needs no model.

extension FakeLink {
    /// Lets the live peer take over if the host may deviate at the expected step; otherwise returns false.
    ///
    /// - Parameter octets: the host's PDU; nil if the host ends the connection.
    mutating func departIfPermitted(
        _ octets: [UInt8]?, _ expected: HostStep?, _ air: inout RecordedAir
    ) -> Bool {
        // A device may remember a deviation on an earlier link, so that anything recorded later may differ.
        guard octets != nil || endIsAskedFor, let expected, live != nil,
            air.judge.options.departures.contains(expected.frame)
                || air.judge.remembering.contains(connection.peer)
        else { return false }
        air.judge.departed.append(expected.frame)
        // The last entry is the host's PDU, if it sent one.
        departure = .init(
            frame: expected.frame, entry: air.transcript.pdus.count - (octets == nil ? 0 : 1))
        goLive(&air.judge)
        // If the turn of that step has not come yet, the driver still has to perform it.
        if let givenTurn, givenTurn >= expected.index { consume(step: expected.index, at: air.now) }
        if let octets { answerUncompared(octets, &air) }
        return true
    }

    /// Lets the host go on after its last step that the sniffer could read: the recorded host may have done
    /// the same in the encrypted packets. Otherwise returns false.
    mutating func departIntoUnreadable(_ octets: [UInt8]?, _ air: inout RecordedAir) -> Bool {
        guard let octets, let unreadableFrom,
            firstRequired.map({ script.steps[$0].frame > unreadableFrom }) ?? true
        else { return false }
        // The last entry is the host's PDU.
        departure = .init(frame: unreadableFrom, entry: air.transcript.pdus.count - 1)
        goLive(&air.judge)
        answerUncompared(octets, &air)
        return true
    }

    /// Lets the live peer take over the link.
    mutating func goLive(_ judge: inout Judge) {
        isLive = true
        expectedCallbacks = []
        if live?.remembers == true { judge.remembering.insert(connection.peer) }
    }

    /// Lets the live peer follow a PDU of the host.
    mutating func follow(_ octets: [UInt8], _ air: inout RecordedAir) {
        guard live != nil else { return }
        if !isLive, let due = firstRequired {
            let frame = script.steps[due].frame
            live?.setState(before: frame)
        }
        let database = connection.database
        live?.follow(octets, database, at: air.now)
    }

    /// Answers an Attribute Protocol PDU without comparing it.
    mutating func answerUncompared(_ octets: [UInt8], _ air: inout RecordedAir) {
        let opcode = ATTOpcode(rawValue: octets.first ?? 0)
        if opcode.kind == .request { pendingRequest = opcode }
        let latency = script.typicalLatency
        let pdu = (try? ATTTable.decode(octets)) ?? nil
        if let pdu, answersFromDatabase(pdu, octets, &air) { return giveLiveValues(&air) }
        switch pdu {
        case let request as ATTReadRequest: readLive(.readRequest, of: request.handle, from: 0, &air)
        case let request as ATTReadBlobRequest:
            readLive(.readBlobRequest, of: request.handle, from: Int(request.offset), &air)
        case is ATTWriteRequest: reply(ATTWriteResponse().pdu, after: latency, &air)
        default:
            guard opcode.kind == .request else { break }
            refuse(opcode, of: 0, .requestNotSupported, latency, &air)
        }
        giveLiveValues(&air)
    }

    private mutating func readLive(
        _ opcode: ATTOpcode, of handle: UInt16, from offset: Int, _ air: inout RecordedAir
    ) {
        let latency = script.typicalLatency
        guard let value = live?.value(of: handle, connection.database) else {
            return refuse(opcode, of: handle, .readNotPermitted, latency, &air)
        }
        guard offset <= value.count else {
            return refuse(opcode, of: handle, .invalidOffset, latency, &air)
        }
        let part = Array(value.dropFirst(offset).prefix(max(0, Int(mtu) - 1)))
        let response: any ATTPDU =
            opcode == .readRequest ? ATTReadResponse(value: part) : ATTReadBlobResponse(value: part)
        reply(response.pdu, after: latency, &air)
    }

    /// Sends the live peer's values and schedules its timer.
    private mutating func giveLiveValues(_ air: inout RecordedAir) {
        var time = max(air.now.advanced(by: script.typicalLatency * 2), lastEvent)
        for (handle, value) in live?.takeValues(upTo: Int(mtu) - 3) ?? [] {
            let octets = ATTHandleValueNotification(handle: handle, value: value).pdu
            let pdu = PeerPDU(channel: .attribute, octets: octets, frame: 0, isReply: false)
            air.schedule(.link(index, .pdu(pdu)), at: time)
            time = time.advanced(by: .microseconds(1))
        }
        lastEvent = time
        if let deadline = live?.nextDeadline { air.schedule(.link(index, .live), at: deadline) }
    }

    mutating func advanceLive(_ air: inout RecordedAir) {
        guard isLive, !isClosed else { return }
        live?.advance(to: air.now)
        giveLiveValues(&air)
    }

    /// Returns the earliest time of the recorded host's next step on a live link; nil for other links.
    ///
    /// The link must have been quiet for a while, since the recorded host waited for an answer.
    func quietTime(after progress: Instant) -> Instant? {
        guard isLive else { return nil }
        let pause = max(.milliseconds(100), script.typicalLatency * 3)
        return max(lastEvent, progress).advanced(by: pause)
    }

    /// Schedules the recorded host's next step, with the recorded delay after the previous one.
    mutating func scheduleLiveTurn(_ air: inout RecordedAir) {
        guard !isClosed, let step = firstRequired, step != scheduledTurn else { return }
        let before = script.steps[..<step].last(where: \.isRequired)
        let gap = before.map { $0.lastTime.duration(to: script.steps[step].time) } ?? .zero
        scheduledTurn = step
        air.schedule(.link(index, .turn(step: step)), at: air.now.advanced(by: max(.zero, gap)))
    }
}

// Continuation of a session after a divergence, so that later differences are also found.

extension FakeLink {
    /// Continues after a divergence: from a later step that matches the host's PDU, or else as if the host
    /// had performed the due step.
    ///
    /// - Parameter octets: the host's PDU; nil if the host ended the connection.
    mutating func continueSession(
        after octets: [UInt8]?, _ expected: HostStep?, _ channel: L2CAPChannelID, _ air: inout RecordedAir
    ) {
        guard let octets else {
            // The host ended the connection, so it need not perform any more steps.
            for step in script.steps { skip(step: step.index, &air) }
            return
        }
        guard channel == .attribute else {
            if let expected { skip(step: expected.index, &air) }
            return advance(&air)
        }
        let isRequest = ATTOpcode(rawValue: octets.first ?? 0).kind == .request
        if isRequest { pendingRequest = nil }
        let later = script.steps.first { step in
            step.lane == .client && step.index > (expected?.index ?? -1) && step.octets == octets
                && !consumed[step.index]
        }
        if let later {
            for step in script.steps[..<later.index] where step.lane == .client {
                skip(step: step.index, &air)
            }
            return takeAttribute(octets, &air)
        }
        // A PDU with another opcode does not take the place of the due step.
        if let expected, expected.octets?.first == octets.first || expected.isResponse {
            skip(step: expected.index, &air)
        }
        if let handle = octets.attributeHandle { answeredFreely.insert(handle) }
        answerUncompared(octets, &air)
        advance(&air)
    }

    /// Continues without a step that the host did not perform; returns false if the session ends instead.
    mutating func continueSession(without step: HostStep, _ air: inout RecordedAir) -> Bool {
        guard air.judge.options.continues, !isClosed else { return false }
        let isKept = air.judge.record(
            Divergence(
                kind: .missing, time: air.now, connection: connection.number, peer: connection.peer,
                expected: step, channel: step.channel, before: air.transcript.last(8, of: connection.number),
                callbacks: air.transcript.callbacks, state: [stateLine]))
        guard isKept else { return false }
        skip(step: step.index, &air)
        advance(&air)
        return true
    }

    /// Removes the answer that an event comes from, if that answer is not in the log; returns false if there
    /// is no such answer.
    mutating func takeFreeAnswer(for event: ApplicationEvent) -> Bool {
        guard let handle = event.handle else { return false }
        let database = connection.database
        let answered = answeredFreely.first {
            $0 == handle || database.valueHandle(ofConfiguration: $0) == handle
        }
        return answered.map { answeredFreely.remove($0) } != nil
    }

    private mutating func skip(step: Int, _ air: inout RecordedAir) {
        guard !consumed[step] else { return }
        skipped.insert(step)
        consume(step: step, at: air.now)
    }
}
