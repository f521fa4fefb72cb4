import BluetoothCore
import LEHost
import Runtime
import VirtualController

// Actions that the peer starts itself, and the turns of the recorded host.

struct PeerPDU: Sendable {
    var channel: L2CAPChannelID
    var octets: [UInt8]
    var frame: Int
    /// Whether the PDU is a response to a request of the host.
    var isReply: Bool
    /// Whether the PDU counts as progress: it is in the log, or answers a new request.
    var isProgress = true
    /// The callback that the log implies when the PDU is delivered.
    var implies: ApplicationEvent?
    /// Whether that callback may be missing, because the host may have made the request for itself.
    var isOptional = false
    /// The handle of a long value, if the PDU answers a further read of it.
    var continues: UInt16?
}

extension FakeLink {
    enum Event: Sendable {
        case pdu(PeerPDU)
        /// The next event of the script is due.
        case event
        /// The recorded host's next step is due.
        case turn(step: Int)
        case end(HCIStatus)
        /// The deadline of a callback has passed.
        case due
        /// The key of the pairing is in use.
        case encrypted
        /// The timer of the live peer has expired.
        case live
    }

    mutating func carryOut(_ event: Event, _ air: inout RecordedAir) {
        switch event {
        case .pdu(let pdu): deliver(pdu, &air)
        case .event: playEvent(&air)
        case .turn(let step): giveTurn(step: step, &air)
        case .end(let reason): end(reason, &air)
        case .due: checkDue(&air)
        case .encrypted: advancePairing(&air) { $0.encrypted(at: $1) }
        case .live: advanceLive(&air)
        }
    }

    /// Schedules the next event and the next turn after a step or an event.
    mutating func advance(_ air: inout RecordedAir) {
        scheduleEvent(&air)
        scheduleTurn(&air)
        guard isDone != wasDone else { return }
        wasDone.toggle()
        air.undone += wasDone ? -1 : 1
    }

    private mutating func scheduleEvent(_ air: inout RecordedAir) {
        guard !isClosed, !isLive, !isEventScheduled, nextEvent < script.events.count else { return }
        let event = script.events[nextEvent]
        guard event.anchor < frontier else { return }
        // A client has at most one pending request.
        if unanswered > 0, case .pdu(let place) = event.kind, connection.pdus[place].isRequest { return }
        let cause = event.anchor < 0 ? openedAt : passedAt[event.anchor]
        let time = air.placed(cause: cause, delay: event.delay, converted: replayed(event.time))
        isEventScheduled = true
        air.schedule(.link(index, .event), at: max(time, lastEvent))
    }

    /// Plays the next event of the script, which is due.
    private mutating func playEvent(_ air: inout RecordedAir) {
        guard !isClosed, !isLive, nextEvent < script.events.count else { return }
        let event = script.events[nextEvent]
        nextEvent += 1
        isEventScheduled = false
        lastEvent = air.now
        air.judge.lastProgress = air.now
        switch event.kind {
        case .pdu(let place):
            let pdu = connection.pdus[place]
            if pdu.channel == .attribute, pdu.opcode.kind == .indication { unconfirmed += 1 }
            if pdu.isRequest {
                unanswered += 1
                peerRequest = pdu.opcode
                if let request = pdu.att(ATTExchangeMTURequest.self) { peerMTU = request.clientMTU }
            }
            if pdu.channel == .leSignalling, pdu.octets.count >= 2 {
                openSignals[pdu.octets[1]] = pdu.octets[0]
            }
            if pdu.channel == .securityManager { openSecurity += 1 }
            if pdu.begins(connection.pairing) { begin(with: pdu, &air) }
            transmit(
                PeerPDU(channel: pdu.channel, octets: pdu.octets, frame: pdu.frame, isReply: false), &air)
            if connection.isCentral {
                expectValues(in: pdu, &air)
            } else {
                expectWrites(in: pdu, place: place, &air)
            }
        case .update(let place): update(connection.updates[place], &air)
        case .end:
            return end(connection.end?.reason ?? .remoteUserTerminatedConnection, &air)
        }
        advance(&air)
    }

    private func update(_ update: RecordedConnection.Update, _ air: inout RecordedAir) {
        guard air.core.lets(update.subevent) else { return }
        var parameters = update.parameters
        // In a request event the handle is the first parameter; in a completion event it follows the status.
        let at = update.subevent == LEConnectionUpdateComplete.subeventCode ? 1 : 0
        guard parameters.count >= at + 2, parameters.count <= 254 else { return }
        parameters[at] = UInt8(truncatingIfNeeded: handle)
        parameters[at + 1] = UInt8(truncatingIfNeeded: handle >> 8)
        air.outputs.append(
            .packet(
                HCIPacket(
                    .event, [0x3E, UInt8(parameters.count + 1), update.subevent.rawValue] + parameters)))
    }

    private mutating func scheduleTurn(_ air: inout RecordedAir) {
        if isLive { return scheduleLiveTurn(&air) }
        guard !isClosed, let step = firstRequired, step != scheduledTurn, frontier >= step, replies == 0,
            nextEvent >= script.turns[step].eventsBefore
        else { return }
        scheduledTurn = step
        // After a failed encryption, the host must disconnect on its own, without a turn.
        if failsToEncrypt, case .disconnect = script.steps[step].action { return }
        // The host restores the subscriptions of its bond when the link is encrypted, so turns wait for that.
        let time = air.now.advanced(by: script.turns[step].gap)
        air.schedule(.link(index, .turn(step: step)), at: max(time, encryptedAt ?? time))
    }

    /// Gives a step to the driver, unless the host has performed it already.
    private mutating func giveTurn(step: Int, _ air: inout RecordedAir) {
        guard !isClosed, !consumed[step] else { return }
        if let later = quietTime(after: air.judge.lastProgress), later > air.now {
            return air.schedule(.link(index, .turn(step: step)), at: later)
        }
        givenTurn = step
        air.outputs.append(.turn(.step(connection: connection.number, script.steps[step])))
        guard isLive else { return }
        consume(step: step, at: air.now)
        advance(&air)
    }

    /// Marks the link as ended; PDUs on their way are not delivered.
    mutating func close(at now: Instant) {
        isClosed = true
        closedAt = now
        replies = 0
    }

    private mutating func end(_ reason: HCIStatus, _ air: inout RecordedAir) {
        guard !isClosed else { return }
        close(at: air.now)
        air.judge.lastProgress = air.now
        if connection.isCentral {
            expect(
                failsToEncrypt ? .connectFailed : .disconnected(byWish: endIsAskedFor), &air,
                frame: connection.end?.frame ?? 0)
        } else {
            // The callbacks that were still due may be missing after the end of the link.
            for place in expectedCallbacks.indices { expectedCallbacks[place].isOptional = true }
        }
        air.sendEvent(HCIDisconnectionComplete(connectionHandle: handle, reason: reason))
        advance(&air)
    }
}
