import BluetoothCore
import Runtime
import WireBytes

// The host's Attribute Protocol PDUs, and the steps that they are compared with.

extension FakeController {
    mutating func takeAttribute(_ octets: [UInt8], link index: Int) {
        let pdu: (any ATTPDU)?
        do throws(DecodeError) { pdu = try ATTTable.decode(octets) } catch {
            return matchOther(octets, kind: .malformed, link: index)
        }
        let opcode = ATTOpcode(rawValue: octets[0])
        if !links[index].connection.isCentral, opcode.isSentByClient != false {
            return diverge(.unexpected, octets, .attribute, link: index)
        }
        if opcode.kind == .request {
            guard links[index].pendingRequest == nil else {
                return diverge(.requestWhilePending, octets, .attribute, link: index)
            }
            links[index].pendingRequest = opcode
            links[index].requestedAt = now
        }
        switch pdu {
        case let request as ATTExchangeMTURequest: answer(request, octets, link: index)
        case let request as ATTReadByGroupTypeRequest: answer(request, octets, link: index)
        case let request as ATTFindByTypeValueRequest: answer(request, octets, link: index)
        case let request as ATTFindInformationRequest: answer(request, octets, link: index)
        case let request as ATTReadByTypeRequest where isDiscovery(request.type):
            answer(request, octets, link: index)
        case let request as ATTReadRequest: matchRead(of: request.handle, octets, link: index)
        case let request as ATTReadBlobRequest: readOn(request, octets, link: index)
        case let request as ATTWriteRequest:
            matchWrite(to: request.handle, request.value, octets, withResponse: true, link: index)
        case let command as ATTWriteCommand:
            matchWrite(to: command.handle, command.value, octets, withResponse: false, link: index)
        case let request as ATTPrepareWriteRequest: prepare(request, octets, link: index)
        case let request as ATTExecuteWriteRequest: execute(request, octets, link: index)
        case is ATTHandleValueConfirmation: matchConfirmation(octets, link: index)
        case let pdu? where opcode.isSentByClient == false: matchServer(pdu, octets, link: index)
        default: matchOther(octets, kind: .different, link: index)
        }
    }

    private func isDiscovery(_ type: BluetoothUUID) -> Bool {
        Normalization.isDeclaration(type) || type.isHousekeeping
    }

    // MARK: Reading

    private mutating func matchRead(of handle: UInt16, _ octets: [UInt8], link index: Int) {
        let link = links[index]
        guard
            let found = find(link: index, where: { $0.action == .read(handle: handle) && !link.isBegun($0) })
        else { return readKnown(handle, octets, link: index) }
        let step = link.script.steps[found]
        guard step.pdus.count > 1, let first = link.response(step, part: 0), first.opcode == .readResponse
        else {
            noteMatch(step: found, octets, link: index)
            guard let first = link.response(step, part: 0) else { return }
            // The complete value, if the log has it in one response.
            let whole = OpenValue(
                value: Array(first.octets.dropFirst()), latency: link.latency(step, part: 0),
                isAskedFor: step.isRequired)
            if first.opcode == .readResponse { links[index].openValues[handle] = whole }
            let event = first.refusal.map { ApplicationEvent.readFailed(handle: handle, $0) }
            return reply(
                first, step, part: 0, link: index,
                implies: step.isRequired ? event ?? .value(handle: handle, whole.value) : nil)
        }
        var open = OpenValue(
            value: Array(first.octets.dropFirst()), latency: link.latency(step, part: 0), step: found,
            isAskedFor: step.isRequired)
        for part in step.pdus.indices.dropFirst() {
            guard let response = link.response(step, part: part) else { break }
            if response.opcode == .readBlobResponse {
                open.value += response.octets.dropFirst()
            } else {
                open.end = response.octets
            }
        }
        begin(step: found, octets, link: index)
        links[index].openValues[handle] = open
        let part = Array(open.value.prefix(max(0, Int(link.mtu) - 1)))
        if part.count != first.octets.count - 1 { normalizations.note(.readSplit) }
        let event = sawPart(of: handle, from: 0, count: part.count, link: index)
        reply(
            ATTReadResponse(value: part), after: open.latency, frame: first.frame, link: index, implies: event
        )
    }

    /// Records that the host requested a part of a long value. The step ends with the last part.
    ///
    /// - Returns: the event that the answer implies; nil while the value is incomplete.
    private mutating func sawPart(
        of handle: UInt16, from offset: Int, count: Int, link index: Int
    ) -> ApplicationEvent? {
        guard var open = links[index].openValues[handle], let found = open.step else { return nil }
        let isAtEnd = offset == open.value.count
        if offset <= open.requested { open.requested = max(open.requested, offset + count) }
        links[index].openValues[handle] = open
        guard open.requested == open.value.count else { return nil }
        let step = links[index].script.steps[found]
        // After a full part, the host can't know that it was the last. The recorded host may have asked for
        // more.
        let asksOn = links[index].due(at: found).octets.map { octets in
            step.pdus.contains { links[index].connection.pdus[$0].octets == octets }
        }
        guard isAtEnd || asksOn != true || count < Int(links[index].mtu) - 1 else { return nil }
        if !isAtEnd, asksOn == true { normalizations.note(.readSplit) }
        links[index].openValues[handle]?.step = nil
        finish(step: found, link: index)
        guard open.isAskedFor else { return nil }
        if isAtEnd, let error = open.end.flatMap(RecordedPDU.refusal), error != .attributeNotLong,
            error != .invalidOffset
        {
            return .readFailed(handle: handle, error)
        }
        return .value(handle: handle, open.value)
    }

    /// Answers a read that is not in the log, if the attribute is a standard one, or if its value is known
    /// although the recorded host did not read it.
    private mutating func readKnown(_ handle: UInt16, _ octets: [UInt8], link index: Int) {
        let link = links[index]
        let isHousekeeping = Normalization.isHousekeeping(handle, link.connection.database)
        let isRecorded = link.script.steps.contains { $0.action == .read(handle: handle) && $0.isRequired }
        // If another read is due, this one replaces that read.
        let isInPlace = link.firstRequired.map { link.script.steps[$0].isRead } ?? false
        let value = link.connection.database.value(of: handle)
        guard isHousekeeping || value != nil && !isRecorded && !isInPlace else {
            return diverge(.different, octets, .attribute, link: index)
        }
        normalizations.note(isHousekeeping ? .hostHousekeeping : .unrecordedRead)
        let latency = link.script.typicalLatency
        if let value {
            links[index].openValues[handle] = OpenValue(value: value, latency: latency, isAskedFor: false)
            let part = Array(value.prefix(max(0, Int(link.mtu) - 1)))
            return reply(
                ATTReadResponse(value: part).pdu, after: latency, frame: 0, link: index,
                implies: .value(handle: handle, value), isOptional: true)
        }
        refuse(.readRequest, of: handle, .readNotPermitted, latency, link: index)
    }

    private mutating func readOn(_ request: ATTReadBlobRequest, _ octets: [UInt8], link index: Int) {
        let offset = Int(request.offset)
        guard let open = links[index].openValues[request.handle],
            open.step != nil || find(link: index, where: { $0.action == .request(octets) }) == nil
        else { return matchOther(octets, kind: .different, link: index) }
        let step = open.step.map { links[index].script.steps[$0] }
        let recorded = step?.pdus.firstIndex { links[index].connection.pdus[$0].octets == octets }
        if let step, let recorded { joinLast(to: links[index].connection.pdus[step.pdus[recorded]].frame) }
        // A part that the recorded host requested too is not a difference.
        if recorded == nil, links[index].script.latencies[octets] == nil { normalizations.note(.readSplit) }
        guard offset <= open.value.count else {
            return refuse(.readBlobRequest, of: request.handle, .invalidOffset, open.latency, link: index)
        }
        let part = Array(open.value.dropFirst(offset).prefix(max(0, Int(links[index].mtu) - 1)))
        let event = sawPart(of: request.handle, from: offset, count: part.count, link: index)
        // After a full part, the host asks whether there is more.
        let continued = step == nil && open.isAskedFor ? request.handle : nil
        if let continued { prolong(valueOf: continued, until: .distantFuture, link: index) }
        if offset == open.value.count {
            if let end = open.end {
                return reply(
                    end, after: open.latency, frame: 0, link: index, implies: event, continues: continued)
            }
            // Where the recorded peer did not respond, this peer does not either.
            if let step, let recorded, links[index].response(step, part: recorded) == nil { return }
        }
        reply(
            ATTReadBlobResponse(value: part), after: open.latency, frame: 0, link: index, implies: event,
            continues: continued)
    }

    mutating func refuse(
        _ opcode: ATTOpcode, of handle: UInt16, _ error: ATTErrorCode, _ latency: Duration, link index: Int
    ) {
        reply(
            ATTErrorResponse(request: opcode, handle: handle, error: error), after: latency,
            frame: 0, link: index)
    }

    // MARK: The rest

    private mutating func matchConfirmation(_ octets: [UInt8], link index: Int) {
        guard links[index].unconfirmed > 0 else {
            return diverge(.unexpected, octets, .attribute, link: index)
        }
        links[index].unconfirmed -= 1
        // The log may end before the recorded host's confirmation.
        guard let step = links[index].first(in: .confirmation) else { return }
        noteMatch(step: step, octets, link: index)
    }

    private mutating func matchServer(_ pdu: any ATTPDU, _ octets: [UInt8], link index: Int) {
        let link = links[index]
        if pdu.opcode.kind == .response {
            guard link.unanswered > 0, let request = link.peerRequest, Self.fits(octets, request) else {
                return diverge(.unexpected, octets, .attribute, link: index)
            }
            links[index].unanswered -= 1
            links[index].peerRequest = nil
            if let response = pdu as? ATTExchangeMTUResponse, let offer = link.peerMTU {
                links[index].mtu = max(23, min(offer, response.serverMTU))
            }
            guard link.connection.isCentral else { return matchOwn(octets, isResponse: true, link: index) }
            let step = link.first(in: .server) { $0.isResponse }
            guard let step else { return }
            guard link.script.steps[step].octets == octets else {
                normalizations.note(.ownDatabase)
                return links[index].consume(step: step, at: now)
            }
            return noteMatch(step: step, octets, link: index)
        }
        guard link.connection.isCentral else { return matchOwn(octets, isResponse: false, link: index) }
        let same = link.first(in: .server) { $0.action == .serve(octets) }
        guard let same else { return diverge(.unexpected, octets, .attribute, link: index) }
        noteMatch(step: same, octets, link: index)
    }

    /// Whether a response belongs to a request: by its opcode, or by the request opcode in an Error Response.
    private static func fits(_ response: [UInt8], _ request: ATTOpcode) -> Bool {
        guard let opcode = response.first else { return false }
        if opcode == ATTOpcode.errorResponse.rawValue {
            return response.count == 5 && response[1] == request.rawValue
        }
        return opcode == request.rawValue &+ 1
    }

    /// Compares a PDU byte for byte.
    private mutating func matchOther(_ octets: [UInt8], kind: Divergence.Kind, link index: Int) {
        guard let found = find(link: index, where: { self.same($0, octets) }) else {
            return diverge(kind, octets, .attribute, link: index)
        }
        answerAsRecorded(step: found, octets, link: index)
    }

    /// Records that the host performed a step in one PDU, and lets the peer send the recorded response.
    mutating func answerAsRecorded(step found: Int, _ octets: [UInt8], link index: Int) {
        let step = links[index].script.steps[found]
        noteMatch(step: found, octets, link: index)
        guard let response = links[index].response(step, part: 0) else { return }
        reply(response, step, part: 0, link: index, implies: step.isRequired ? response.answer : nil)
    }
}

extension RecordedPDU {
    /// The error of an Error Response; nil for other PDUs.
    var refusal: ATTErrorCode? { Self.refusal(octets) }

    static func refusal(_ octets: [UInt8]) -> ATTErrorCode? {
        guard octets.count == 5, octets[0] == ATTOpcode.errorResponse.rawValue else { return nil }
        return ATTErrorCode(rawValue: octets[4])
    }

    /// The event that the application gets for a request with this response.
    var answer: ApplicationEvent { refusal.map { .requestFailed($0) } ?? .response(octets) }
}
