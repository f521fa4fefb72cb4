import BluetoothCore
import Runtime
import VirtualController

// Actions that the peer starts itself, and the turns of the recorded host.

extension FakeController {
    /// Schedules the next event and the next turn of a link, after a step or an event on it.
    mutating func advanceLink(link index: Int) {
        scheduleEvent(link: index)
        scheduleTurn(link: index)
        let isDone = links[index].isDone
        guard isDone != links[index].wasDone else { return }
        links[index].wasDone = isDone
        undone += isDone ? -1 : 1
    }

    private mutating func scheduleEvent(link index: Int) {
        let link = links[index]
        guard !link.isClosed, !link.isLive, !link.isEventScheduled, link.nextEvent < link.script.events.count
        else {
            return
        }
        let event = link.script.events[link.nextEvent]
        guard event.anchor < link.frontier else { return }
        // A client has at most one pending request.
        if link.unanswered > 0, case .pdu(let place) = event.kind,
            link.connection.pdus[place].isRequest
        {
            return
        }
        let cause = event.anchor < 0 ? link.openedAt : link.passedAt[event.anchor]
        let time = placed(cause: cause, delay: event.delay, recorded: link.replayed(event.time))
        links[index].isEventScheduled = true
        schedule(.event(index), at: max(time, link.lastEvent))
    }

    /// Plays the next event of a link, which is due.
    mutating func playEvent(link index: Int) {
        guard !links[index].isClosed, !links[index].isLive,
            links[index].nextEvent < links[index].script.events.count
        else { return }
        let event = links[index].script.events[links[index].nextEvent]
        links[index].nextEvent += 1
        links[index].isEventScheduled = false
        links[index].lastEvent = now
        lastProgress = now
        switch event.kind {
        case .pdu(let place):
            let pdu = links[index].connection.pdus[place]
            if pdu.channel == .attribute, pdu.opcode.kind == .indication { links[index].unconfirmed += 1 }
            if pdu.isRequest {
                links[index].unanswered += 1
                links[index].peerRequest = pdu.opcode
                if let request = pdu.att(ATTExchangeMTURequest.self) {
                    links[index].peerMTU = request.clientMTU
                }
            }
            if pdu.channel == .leSignalling, pdu.octets.count >= 2 {
                links[index].openSignals[pdu.octets[1]] = pdu.octets[0]
            }
            if pdu.channel == .securityManager { links[index].openSecurity += 1 }
            if pdu.begins(links[index].connection.pairing) { begin(with: pdu, link: index) }
            transmit(
                PeerPDU(channel: pdu.channel, octets: pdu.octets, frame: pdu.frame, isReply: false),
                link: index)
            if links[index].connection.isCentral {
                expectValues(in: pdu, link: index)
            } else {
                expectWrites(in: pdu, place: place, link: index)
            }
        case .update(let place): update(links[index].connection.updates[place], link: index)
        case .end:
            end(link: index, links[index].connection.end?.reason ?? .remoteUserTerminatedConnection)
            return
        }
        advanceLink(link: index)
    }

    private mutating func update(_ update: RecordedConnection.Update, link index: Int) {
        guard core.lets(update.subevent) else { return }
        var parameters = update.parameters
        // In a request event the handle is the first parameter; in a completion event it follows the status.
        let at = update.subevent == LEConnectionUpdateComplete.subeventCode ? 1 : 0
        guard parameters.count >= at + 2, parameters.count <= 254 else { return }
        parameters[at] = UInt8(truncatingIfNeeded: links[index].handle)
        parameters[at + 1] = UInt8(truncatingIfNeeded: links[index].handle >> 8)
        outputs.append(
            .packet(
                HCIPacket(
                    .event, [0x3E, UInt8(parameters.count + 1), update.subevent.rawValue] + parameters)))
    }

    private mutating func scheduleTurn(link index: Int) {
        let link = links[index]
        if link.isLive { return scheduleLiveTurn(link: index) }
        guard !link.isClosed, let step = link.firstRequired, step != link.scheduledTurn,
            link.frontier >= step,
            link.replies == 0, link.nextEvent >= link.script.turns[step].eventsBefore
        else { return }
        links[index].scheduledTurn = step
        // After a failed encryption, the host must disconnect on its own, without a turn.
        if link.failsToEncrypt, case .disconnect = link.script.steps[step].action { return }
        // Encryption restores the subscriptions of a bond, so turns come after it.
        let time = now.advanced(by: link.script.turns[step].gap)
        schedule(.turn(index, step: step), at: max(time, link.encryptedAt ?? time))
    }

    /// Gives a step to the driver, unless the host has performed it already.
    mutating func giveTurn(link index: Int, step: Int) {
        guard !links[index].isClosed, !links[index].isConsumed[step] else { return }
        if let later = quietTime(link: index), later > now {
            return schedule(.turn(index, step: step), at: later)
        }
        links[index].givenTurn = step
        outputs.append(
            .turn(.step(connection: links[index].connection.number, links[index].script.steps[step])))
        guard links[index].isLive else { return }
        links[index].consume(step: step, at: now)
        advanceLink(link: index)
    }

    /// Marks a link as ended; PDUs on their way are not delivered.
    mutating func close(link index: Int) {
        links[index].isClosed = true
        links[index].closedAt = now
        links[index].replies = 0
        closedAt[links[index].place] = now
    }

    /// Ends a link and reports it to the host.
    mutating func end(link index: Int, _ reason: HCIStatus) {
        guard !links[index].isClosed else { return }
        close(link: index)
        lastProgress = now
        let byWish = links[index].isEndedByHost
        if links[index].connection.isCentral {
            expect(
                links[index].failsToEncrypt ? .connectFailed : .disconnected(byWish: byWish),
                frame: links[index].connection.end?.frame ?? 0, link: index)
        } else {
            // The callbacks that were still due may be missing after the end of the link.
            for place in links[index].expectedCallbacks.indices {
                links[index].expectedCallbacks[place].isOptional = true
            }
        }
        let connection = links[index].connection
        if connection.wasLostAtOnce { comparedAttempts += 1 }
        if let end = connection.end {
            logCursor = max(logCursor, end.time)
        }
        let handle = links[index].handle
        sendEvent(HCIDisconnectionComplete(connectionHandle: handle, reason: reason))
        advanceLink(link: index)
        giveConnectTurns()
    }
}
