import BluetoothCore
import Runtime

// A link on which a live model of the peer has replaced the recording. Nothing more is compared there, but
// the recorded host's turns continue.

extension FakeController {
    /// Lets the live peer take over if the host may deviate at the expected step; otherwise returns false.
    ///
    /// - Parameter octets: the host's PDU; nil if the host ends the connection.
    mutating func departIfPermitted(_ octets: [UInt8]?, _ expected: HostStep?, link index: Int) -> Bool {
        guard octets != nil || links[index].isEndedByHost, let expected, links[index].live != nil,
            options.departures.contains(expected.frame) || followsDeparture(link: index)
        else { return false }
        departed.append(expected.frame)
        // The last entry is the host's PDU.
        links[index].departure = .init(frame: expected.frame, entry: transcript.pdus.count - 1)
        goLive(link: index)
        // If the turn of that step has not come yet, the driver still has to perform it.
        if links[index].givenTurn >= expected.index { links[index].consume(step: expected.index, at: now) }
        if let octets { takeLive(octets, link: index) }
        return true
    }

    /// Lets the host go on after the last step before the log has a link encrypted, without the key: the
    /// recorded host may have done the same. Otherwise returns false.
    mutating func departIntoClosed(_ octets: [UInt8]?, link index: Int) -> Bool {
        let link = links[index]
        let closed = model.obstacles.first {
            $0.kind == .closed && $0.connection == link.connection.number
        }
        guard let octets, let closed,
            link.firstRequired.map({ link.script.steps[$0].frame > closed.frame }) ?? true
        else { return false }
        // The last entry is the host's PDU.
        links[index].departure = .init(frame: closed.frame, entry: transcript.pdus.count - 1)
        goLive(link: index)
        takeLive(octets, link: index)
        return true
    }

    /// Whether the host deviated on an earlier link to a device that remembers it, so that anything recorded
    /// later may differ.
    private func followsDeparture(link index: Int) -> Bool {
        let peer = links[index].connection.peer
        return links[..<index].contains {
            $0.connection.peer == peer && $0.isLive && $0.live?.remembers == true
        }
    }

    /// Lets the live peer take over the link.
    mutating func goLive(link index: Int) {
        links[index].isLive = true
        links[index].expectedCallbacks = []
    }

    /// Lets the live peer follow a PDU of the host.
    mutating func follow(_ octets: [UInt8], link index: Int) {
        guard links[index].live != nil else { return }
        if !links[index].isLive, let due = links[index].firstRequired {
            let frame = links[index].script.steps[due].frame
            links[index].live?.setState(before: frame)
        }
        let database = links[index].connection.database
        links[index].live?.follow(octets, database, at: now)
    }

    /// Answers an Attribute Protocol PDU without comparing it.
    mutating func takeLive(_ octets: [UInt8], link index: Int) {
        let opcode = ATTOpcode(rawValue: octets.first ?? 0)
        if opcode.kind == .request { links[index].pendingRequest = opcode }
        let latency = links[index].script.typicalLatency
        switch (try? ATTTable.decode(octets)) ?? nil {
        case let request as ATTExchangeMTURequest: answer(request, octets, link: index)
        case let request as ATTReadByGroupTypeRequest: answer(request, octets, link: index)
        case let request as ATTFindByTypeValueRequest: answer(request, octets, link: index)
        case let request as ATTFindInformationRequest: answer(request, octets, link: index)
        case let request as ATTReadByTypeRequest: answer(request, octets, link: index)
        case let request as ATTReadRequest: readLive(.readRequest, of: request.handle, from: 0, link: index)
        case let request as ATTReadBlobRequest:
            readLive(.readBlobRequest, of: request.handle, from: Int(request.offset), link: index)
        case is ATTWriteRequest: reply(ATTWriteResponse(), after: latency, frame: 0, link: index)
        default:
            guard opcode.kind == .request else { break }
            refuse(opcode, of: 0, .requestNotSupported, latency, link: index)
        }
        giveLiveValues(link: index)
    }

    private mutating func readLive(_ opcode: ATTOpcode, of handle: UInt16, from offset: Int, link index: Int)
    {
        let link = links[index]
        let latency = link.script.typicalLatency
        guard let value = link.live?.value(of: handle, link.connection.database) else {
            return refuse(opcode, of: handle, .readNotPermitted, latency, link: index)
        }
        guard offset <= value.count else {
            return refuse(opcode, of: handle, .invalidOffset, latency, link: index)
        }
        let part = Array(value.dropFirst(offset).prefix(max(0, Int(link.mtu) - 1)))
        if opcode == .readRequest {
            reply(ATTReadResponse(value: part), after: latency, frame: 0, link: index)
        } else {
            reply(ATTReadBlobResponse(value: part), after: latency, frame: 0, link: index)
        }
    }

    /// Sends the live peer's values and schedules its timer.
    private mutating func giveLiveValues(link index: Int) {
        let link = links[index]
        var time = max(now.advanced(by: link.script.typicalLatency * 2), link.lastEvent)
        for (handle, value) in links[index].live?.takeValues(upTo: Int(link.mtu) - 3) ?? [] {
            let pdu = ATTHandleValueNotification(handle: handle, value: value).pdu
            schedule(
                .pdu(index, PeerPDU(channel: .attribute, octets: pdu, frame: 0, isReply: false)), at: time)
            time = time.advanced(by: .microseconds(1))
        }
        links[index].lastEvent = time
        if let deadline = links[index].live?.nextDeadline { schedule(.live(index), at: deadline) }
    }

    mutating func advanceLive(link index: Int) {
        guard links[index].isLive, !links[index].isClosed else { return }
        links[index].live?.advance(to: now)
        giveLiveValues(link: index)
    }

    /// Returns the earliest time of the recorded host's next step on a live link; nil for other links.
    ///
    /// The link must have been quiet for a while, since the recorded host waited for an answer.
    func quietTime(link index: Int) -> Instant? {
        guard links[index].isLive else { return nil }
        let pause = max(.milliseconds(100), links[index].script.typicalLatency * 3)
        return max(links[index].lastEvent, lastProgress).advanced(by: pause)
    }

    /// Schedules the recorded host's next step, with the recorded delay after the previous one.
    mutating func scheduleLiveTurn(link index: Int) {
        let link = links[index]
        guard !link.isClosed, let step = link.firstRequired, step != link.scheduledTurn else { return }
        let before = link.script.steps[..<step].last(where: \.isRequired)
        let gap = before.map { $0.lastTime.duration(to: link.script.steps[step].time) } ?? .zero
        links[index].scheduledTurn = step
        schedule(.turn(index, step: step), at: now.advanced(by: max(.zero, gap)))
    }
}

// Continuation of a session after a divergence, so that later differences are also found.

extension FakeController {
    /// Continues after a divergence: from a later step that matches the host's PDU, or else as if the host
    /// had performed the due step.
    ///
    /// - Parameter octets: the host's PDU; nil if the host ended the connection.
    mutating func continueSession(
        after octets: [UInt8]?, _ expected: HostStep?, _ channel: L2CAPChannelID, link index: Int
    ) {
        guard let octets else {
            // The host ended the connection, so it need not perform any more steps.
            for step in links[index].script.steps { skip(step: step.index, link: index) }
            return
        }
        guard channel == .attribute else {
            if let expected { skip(step: expected.index, link: index) }
            return advanceLink(link: index)
        }
        let isRequest = ATTOpcode(rawValue: octets.first ?? 0).kind == .request
        if isRequest { links[index].pendingRequest = nil }
        let later = links[index].script.steps.first { step in
            step.lane == .client && step.index > (expected?.index ?? -1) && step.octets == octets
                && !links[index].isConsumed[step.index]
        }
        if let later {
            for step in links[index].script.steps[..<later.index] where step.lane == .client {
                skip(step: step.index, link: index)
            }
            return takeAttribute(octets, link: index)
        }
        // A PDU with another opcode does not take the place of the due step.
        if let expected, expected.octets?.first == octets.first || expected.isResponse {
            skip(step: expected.index, link: index)
        }
        if let handle = octets.attributeHandle { links[index].answeredFreely.insert(handle) }
        takeLive(octets, link: index)
        advanceLink(link: index)
    }

    /// Continues without a step that the host did not perform; returns false if the session ends instead.
    mutating func continueSession(without step: HostStep, link index: Int) -> Bool {
        let connection = links[index].connection
        guard options.continues, !links[index].isClosed else { return false }
        let isKept = record(
            Divergence(
                kind: .missing, time: now, connection: connection.number, peer: connection.peer,
                expected: step, channel: step.channel, before: transcript.last(8, of: connection.number),
                callbacks: transcript.callbacks, state: state))
        guard isKept else { return false }
        skip(step: step.index, link: index)
        advanceLink(link: index)
        return true
    }

    /// Removes the answer that an event comes from, if that answer is not in the log; returns false if there
    /// is no such answer.
    mutating func takeFreeAnswer(for event: ApplicationEvent, link index: Int) -> Bool {
        guard let handle = event.handle else { return false }
        let database = links[index].connection.database
        let answered = links[index].answeredFreely.first {
            $0 == handle || database.value(ofConfiguration: $0) == handle
        }
        return answered.map { links[index].answeredFreely.remove($0) } != nil
    }

    /// Stops waiting for a step.
    private mutating func skip(step: Int, link index: Int) {
        guard !links[index].isConsumed[step] else { return }
        links[index].isSkipped.insert(step)
        links[index].consume(step: step, at: now)
    }
}
