import BluetoothCore
import Runtime
import WireBytes

// The host's Attribute Protocol PDUs, and the steps that they are compared with.

extension FakeLink {
    mutating func takeAttribute(_ octets: [UInt8], _ air: inout RecordedAir) {
        let pdu: (any ATTPDU)?
        do throws(DecodeError) { pdu = try ATTTable.decode(octets) } catch {
            return matchOther(octets, kind: .malformed, &air)
        }
        let opcode = ATTOpcode(rawValue: octets[0])
        if !connection.isCentral, opcode.isSentByClient != false {
            return diverge(.unexpected, octets, .attribute, &air)
        }
        if opcode.kind == .request {
            guard pendingRequest == nil else {
                return diverge(.requestWhilePending, octets, .attribute, &air)
            }
            pendingRequest = opcode
            requestedAt = air.now
        }
        let isOfValues = (pdu as? ATTReadByTypeRequest).map { !isAnsweredFreely($0.type) } ?? false
        if let pdu, !isOfValues, answersFromDatabase(pdu, octets, &air) { return }
        switch pdu {
        case let request as ATTReadRequest: matchRead(of: request.handle, octets, &air)
        case let request as ATTReadBlobRequest: readOn(request, octets, &air)
        case let request as ATTWriteRequest:
            matchWrite(to: request.handle, request.value, octets, withResponse: true, &air)
        case let command as ATTWriteCommand:
            matchWrite(to: command.handle, command.value, octets, withResponse: false, &air)
        case let request as ATTPrepareWriteRequest: prepare(request, octets, &air)
        case let request as ATTExecuteWriteRequest: execute(request, octets, &air)
        case is ATTHandleValueConfirmation: matchConfirmation(octets, &air)
        case let pdu? where opcode.isSentByClient == false: matchServer(pdu, octets, &air)
        default: matchOther(octets, kind: .different, &air)
        }
    }

    /// Whether a Read By Type Request is answered from the database and not compared. Reads of other values
    /// by type are steps.
    private func isAnsweredFreely(_ type: BluetoothUUID) -> Bool {
        Normalization.isDeclaration(type) || type.isHousekeeping
    }

    // MARK: Reading

    private mutating func matchRead(of handle: UInt16, _ octets: [UInt8], _ air: inout RecordedAir) {
        guard let found = find(where: { $0.action == .read(handle: handle) && !isBegun($0) }) else {
            return readKnown(handle, octets, &air)
        }
        let step = script.steps[found]
        guard step.pdus.count > 1, let first = response(step, part: 0), first.opcode == .readResponse
        else {
            match(step: found, octets, &air)
            guard let first = response(step, part: 0) else { return }
            // The complete value, if the log has it in one response.
            let whole = OpenValue(
                value: Array(first.octets.dropFirst()), latency: latency(step, part: 0),
                isAskedFor: step.isRequired)
            if first.opcode == .readResponse { openValues[handle] = whole }
            let event = first.refusal.map { ApplicationEvent.readFailed(handle: handle, $0) }
            return reply(
                first, step, part: 0, &air,
                implies: step.isRequired ? event ?? .value(handle: handle, whole.value) : nil)
        }
        var open = OpenValue(
            value: Array(first.octets.dropFirst()), latency: latency(step, part: 0), step: found,
            isAskedFor: step.isRequired)
        for part in step.pdus.indices.dropFirst() {
            guard let response = response(step, part: part) else { break }
            if response.opcode == .readBlobResponse {
                open.value += response.octets.dropFirst()
            } else {
                open.end = response.octets
            }
        }
        begin(step: found, octets, &air)
        openValues[handle] = open
        let part = Array(open.value.prefix(max(0, Int(mtu) - 1)))
        if part.count != first.octets.count - 1 { air.judge.note(.readSplit) }
        let event = sawPart(of: handle, from: 0, count: part.count, &air)
        reply(ATTReadResponse(value: part).pdu, after: open.latency, &air, frame: first.frame, implies: event)
    }

    /// Records that the host requested a part of a long value. The step ends with the last part.
    ///
    /// - Returns: the event that the answer implies; nil while the value is incomplete.
    private mutating func sawPart(
        of handle: UInt16, from offset: Int, count: Int, _ air: inout RecordedAir
    ) -> ApplicationEvent? {
        guard var open = openValues[handle], let found = open.step else { return nil }
        let isAtEnd = offset == open.value.count
        if offset <= open.requested { open.requested = max(open.requested, offset + count) }
        openValues[handle] = open
        guard open.requested == open.value.count else { return nil }
        let step = script.steps[found]
        // After a full part, a host can't know whether the value goes on. If the recorded host asked for
        // more, this one may do so too, and the step waits for that.
        let asksOn = due(at: found).octets.map { octets in
            step.pdus.contains { connection.pdus[$0].octets == octets }
        }
        guard isAtEnd || asksOn != true || count < Int(mtu) - 1 else { return nil }
        if !isAtEnd, asksOn == true { air.judge.note(.readSplit) }
        openValues[handle]?.step = nil
        finish(step: found, &air)
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
    private mutating func readKnown(_ handle: UInt16, _ octets: [UInt8], _ air: inout RecordedAir) {
        let isHousekeeping = Normalization.isHousekeeping(handle, connection.database)
        let isRecorded = script.steps.contains { $0.action == .read(handle: handle) && $0.isRequired }
        // If another read is due, this one replaces that read.
        let isInPlace = firstRequired.map { script.steps[$0].isRead } ?? false
        let value = connection.database.value(of: handle)
        guard isHousekeeping || value != nil && !isRecorded && !isInPlace else {
            return diverge(.different, octets, .attribute, &air)
        }
        air.judge.note(isHousekeeping ? .hostHousekeeping : .unrecordedRead)
        let latency = script.typicalLatency
        if let value {
            openValues[handle] = OpenValue(value: value, latency: latency, isAskedFor: false)
            let part = Array(value.prefix(max(0, Int(mtu) - 1)))
            return reply(
                ATTReadResponse(value: part).pdu, after: latency, &air,
                implies: .value(handle: handle, value), isOptional: true)
        }
        refuse(.readRequest, of: handle, .readNotPermitted, latency, &air)
    }

    private mutating func readOn(_ request: ATTReadBlobRequest, _ octets: [UInt8], _ air: inout RecordedAir) {
        let offset = Int(request.offset)
        guard let open = openValues[request.handle],
            open.step != nil || find(where: { $0.action == .request(octets) }) == nil
        else { return matchOther(octets, kind: .different, &air) }
        let step = open.step.map { script.steps[$0] }
        let recordedPart = step?.pdus.firstIndex { connection.pdus[$0].octets == octets }
        if let step, let recordedPart {
            air.transcript.joinLast(to: connection.pdus[step.pdus[recordedPart]].frame)
        }
        // A part that the recorded host requested too is not a difference.
        if recordedPart == nil, !script.hasAnswered(octets) { air.judge.note(.readSplit) }
        guard offset <= open.value.count else {
            return refuse(.readBlobRequest, of: request.handle, .invalidOffset, open.latency, &air)
        }
        let part = Array(open.value.dropFirst(offset).prefix(max(0, Int(mtu) - 1)))
        let event = sawPart(of: request.handle, from: offset, count: part.count, &air)
        // After a full part, the host asks whether there is more.
        let continued = step == nil && open.isAskedFor ? request.handle : nil
        if let continued { prolong(valueOf: continued, by: nil, &air) }
        if offset == open.value.count {
            if let end = open.end {
                return reply(end, after: open.latency, &air, implies: event, continues: continued)
            }
            // Where the recorded peer did not respond, this peer does not either.
            if let step, let recordedPart, response(step, part: recordedPart) == nil { return }
        }
        reply(
            ATTReadBlobResponse(value: part).pdu, after: open.latency, &air, implies: event,
            continues: continued)
    }

    mutating func refuse(
        _ opcode: ATTOpcode, of handle: UInt16, _ error: ATTErrorCode, _ latency: Duration,
        _ air: inout RecordedAir
    ) {
        reply(ATTErrorResponse(request: opcode, handle: handle, error: error).pdu, after: latency, &air)
    }

    // MARK: The rest

    private mutating func matchConfirmation(_ octets: [UInt8], _ air: inout RecordedAir) {
        guard unconfirmed > 0 else { return diverge(.unexpected, octets, .attribute, &air) }
        unconfirmed -= 1
        // The log may end before the recorded host's confirmation.
        guard let step = first(in: .confirmation) else { return }
        match(step: step, octets, &air)
    }

    private mutating func matchServer(_ pdu: any ATTPDU, _ octets: [UInt8], _ air: inout RecordedAir) {
        if pdu.opcode.kind == .response {
            guard unanswered > 0, let request = peerRequest, Self.fits(octets, request) else {
                return diverge(.unexpected, octets, .attribute, &air)
            }
            unanswered -= 1
            peerRequest = nil
            if let response = pdu as? ATTExchangeMTUResponse, let offer = peerMTU {
                mtu = max(23, min(offer, response.serverMTU))
            }
            guard connection.isCentral else { return matchOwn(octets, isResponse: true, &air) }
            let step = first(in: .server) { $0.isResponse }
            guard let step else { return }
            guard script.steps[step].octets == octets else {
                return tolerate(step: step, as: .ownDatabase, &air)
            }
            return match(step: step, octets, &air)
        }
        guard connection.isCentral else { return matchOwn(octets, isResponse: false, &air) }
        let same = first(in: .server) { $0.action == .serve(octets) }
        guard let same else { return diverge(.unexpected, octets, .attribute, &air) }
        match(step: same, octets, &air)
    }

    /// Whether a response belongs to a request: by its opcode, or by the request opcode in an Error Response.
    private static func fits(_ response: [UInt8], _ request: ATTOpcode) -> Bool {
        guard let opcode = response.first else { return false }
        if opcode == ATTOpcode.errorResponse.rawValue {
            return response.count == 5 && response[1] == request.rawValue
        }
        return opcode == request.rawValue &+ 1
    }

    private mutating func matchOther(_ octets: [UInt8], kind: Divergence.Kind, _ air: inout RecordedAir) {
        guard let found = find(where: { air.judge.same($0, octets) }) else {
            return diverge(kind, octets, .attribute, &air)
        }
        answerAsRecorded(step: found, octets, &air)
    }

    /// Records that the host performed a step in one PDU, and lets the peer send the recorded response.
    mutating func answerAsRecorded(step found: Int, _ octets: [UInt8], _ air: inout RecordedAir) {
        let step = script.steps[found]
        match(step: found, octets, &air)
        guard let response = response(step, part: 0) else { return }
        reply(response, step, part: 0, &air, implies: step.isRequired ? response.answer : nil)
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
