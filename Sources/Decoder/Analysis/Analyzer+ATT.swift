import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ATT: the sides of an exchange, the attribute that a PDU names, and the knowledge gained from an exchange.

extension Analyzer {
    /// Analyses an ATT PDU on a bearer of the frame's link.
    mutating func analyzeATT(_ payload: RawSpan, bearer: Int, isCut: Bool) {
        guard let first = payload.octet(at: 0) else {
            if !isCut { report(.att(.malformed(at: 0))) }
            return
        }
        let opcode = ATTOpcode(rawValue: first)
        let kind = opcode.kind
        // The PDU's summary is filled in place, because it is too large to pass around.
        frame.hasATT = true
        let places = opcode.places
        frame.attPDU.begin(opcode, places, payload)
        if opcode == .exchangeMTURequest || opcode == .readByGroupTypeRequest, bearer == 0 { splitLink() }
        let slot = frame.link
        if payload.byteCount < places.wholeLength { checkATT(payload, isCut: isCut) }
        if payload.byteCount > 23, bearer == 0, payload.byteCount > Int(links[slot].bearers[0].largestMTU) {
            links[slot].exceedMTU(
                payload.byteCount &+ missingOctets(payload.byteCount), frame.sender, &problems)
        }
        let sender: Side
        switch frame.direction {
        case .hostToController: sender = .host
        case .controllerToHost: sender = .peer
        case .unknown: return
        }
        let isSentByClient = kind.isSentByClient
        let server = isSentByClient == false ? sender : sender.other
        // A request or a value names its attribute itself; for a response, the request that it answers does.
        if frame.attPDU.handle != nil { label(slot: slot, server) }
        follow(kind, payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        if frame.attPDU.label == nil { label(slot: slot, server) }
        annotate(payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        if kind == .indication { noteServiceChanged(payload, slot: slot, sender) }
    }

    /// Reports an unknown opcode, or a PDU that ends before its fields do.
    @inline(never)
    private mutating func checkATT(_ payload: RawSpan, isCut: Bool) {
        let opcode = frame.attPDU.opcode
        if opcode.kind == .unknown { report(.att(.unknownOpcode(opcode))) }
        guard !isCut, let fault = ATTTable.fault(in: payload) else { return }
        frame.attPDU.isMalformed = true
        report(.att(.malformed(at: fault.offset)))
    }

    /// Matches requests with their answers and learns from both.
    private mutating func follow(
        _ kind: ATTOpcode.Kind, _ payload: RawSpan, slot: Int, bearer: Int, _ sender: Side, isCut: Bool
    ) {
        switch kind {
        case .request: followRequest(payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        case .response: followResponse(payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        case .command: followWrite(payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        case .notification: followNotification(payload, slot: slot, bearer: bearer, sender)
        case .indication:
            followNotification(payload, slot: slot, bearer: bearer, sender)
            followIndication(slot: slot, bearer: bearer, sender)
        case .confirmation: followConfirmation(slot: slot, bearer: bearer, sender)
        case .unknown: break
        }
    }

    private mutating func followRequest(
        _ payload: RawSpan, slot: Int, bearer: Int, _ sender: Side, isCut: Bool
    ) {
        var request = pending(slot: slot)
        request.read(payload)
        links[slot].request(request, payload, bearer: bearer, sender, shown: shown, &problems)
        followWrite(payload, slot: slot, bearer: bearer, sender, isCut: isCut)
    }

    private mutating func followIndication(slot: Int, bearer: Int, _ sender: Side) {
        links[slot].indication(pending(slot: slot), bearer: bearer, sender, &problems)
    }

    private mutating func followConfirmation(slot: Int, bearer: Int, _ sender: Side) {
        let indication = links[slot].confirmation(bearer: bearer, sender, at: frame.time, &problems)
        guard let indication else { return }
        answer(indication)
        takeHandle(of: indication)
    }

    /// Creates the pending request of this frame's PDU.
    private mutating func pending(slot: Int) -> PendingRequest {
        transactions &+= 1
        frame.attPDU.transaction = transactions
        note(deadline: frame.time.after(PendingRequest.timeout), slot: slot)
        return PendingRequest(frame.attPDU, at: frame.place, frame.time)
    }

    /// Marks the PDU as the answer to a request or indication.
    private mutating func answer(_ pending: PendingRequest) {
        let latency = frame.time.nanoseconds &- pending.time.nanoseconds
        frame.request = RequestReference(place: pending.frame, latency: latency)
        frame.attPDU.transaction = pending.transaction
    }

    private mutating func takeHandle(of pending: PendingRequest) {
        frame.attPDU.handle = pending.handle
        frame.attPDU.handleIsFromRequest = true
    }

    private mutating func followResponse(
        _ payload: RawSpan, slot: Int, bearer: Int, _ sender: Side, isCut: Bool
    ) {
        let opcode = frame.attPDU.opcode
        let answered = links[slot].response(frame.attPDU, bearer: bearer, sender, at: frame.time, &problems)
        guard let answered else {
            if opcode == .errorResponse { countError(slot: slot, sender) }
            return
        }
        answer(answered)
        if !setbacks.isEmpty, opcode != .errorResponse { overcome(answered, slot: slot) }
        frame.attPDU.requestedType = answered.type
        if answered.opcode.isDiscovery {
            links[slot].phases.discoveryEnded = frame.time
            if !isCut, let problem = links[slot].discovery.answered(answered, by: payload, sender.other) {
                problems.append(problem)
            }
        }
        if frame.attPDU.handle == nil, answered.opcode.namesOneHandle { takeHandle(of: answered) }
        switch opcode {
        case .writeResponse:
            if answered.configures { confirmSubscription(answered, server: sender, slot: slot) }
        case .readMultipleResponse, .readMultipleVariableResponse:
            askedHandles = links[slot].bearers[bearer].several(answered, sender.other)
        case .errorResponse: followError(answered, server: sender, slot: slot, bearer: bearer)
        case .exchangeMTUResponse:
            links[slot].answer(mtu: opcode.places.mtu(in: payload), bearer: bearer, at: frame.time, &problems)
        default:
            // If the response to one of several requests may be missing, only facts that hold for all of them
            // are learned.
            if answered.isAmbiguous, !opcode.isDiscovery || answered.listsElse { return }
            learn(payload, answered, server: sender, slot: slot, isCut: isCut)
        }
    }

    /// Handles an error that answers a known request.
    private mutating func followError(
        _ pending: PendingRequest, server: Side, slot: Int, bearer: Int
    ) {
        switch pending.opcode {
        case .readBlobRequest:
            // The value ended with its last part, which a client learns by asking for more.
            let outcome = links[slot].bearers[bearer].refuse(pending, frame.attPDU.error, by: server.other)
            if case .ends(let octets) = outcome {
                let label = databaseLabel(of: pending.handle, server: server, slot: slot)
                deliver(octets, pending.handle, label, .readResponse, slot: slot)
            }
            if outcome != .isPart { return }
        case .exchangeMTURequest:
            links[slot].refuseMTU(bearer: bearer, frame.attPDU.error, by: server)
        case .prepareWriteRequest:
            links[slot].bearers[bearer][preparedBy: server.other].remove(frame: pending.frame)
        default: break
        }
        if pending.configures { refuseSubscription(pending, server: server, slot: slot) }
        if frame.attPDU.error == ATTErrorCode.attributeNotFound.rawValue,
            frame.attPDU.handle == pending.handle
        {
            let link = links[slot].number
            withDatabase(of: server, slot: slot) { $0.learnEnd(of: pending, link: link) }
        }
        countError(slot: slot, server)
    }

    /// Counts an Error Response, and reports it unless it only ends a discovery.
    private mutating func countError(slot: Int, _ server: Side) {
        guard let error = frame.attPDU.error, let request = frame.attPDU.requestOpcode else { return }
        if error == ATTErrorCode.attributeNotFound.rawValue && request.isDiscovery {
            return
        }
        if error == ATTErrorCode.databaseOutOfSync.rawValue {
            // The client's knowledge is out of date, and so is everything learned with it.
            withDatabase(of: server, slot: slot) { $0.forgetAll() }
        }
        links[slot].counts.errors &+= 1
        let asked = RefusedRequest(opcode: request, handle: frame.attPDU.handle ?? 0)
        var problem = Problem(.att(.error(ATTErrorCode(rawValue: error), asked)), by: Problem.Party(server))
        problem.isUnsure = progress(ofFile: frame.file)?.shown.contains(server.other) == false
        problems.append(problem)
    }

    /// Sets the attribute's label on the PDU.
    private mutating func label(slot: Int, _ server: Side) {
        guard let handle = frame.attPDU.handle, !frame.attPDU.opcode.isDiscovery else { return }
        if let request = frame.attPDU.requestOpcode, request.isDiscovery { return }
        if server == .peer, let place = labels.place(of: labelKey(handle, slot: slot), slot) {
            frame.attPDU.label = labels[place].label
        } else {
            frame.attPDU.label = databaseLabel(of: handle, server: server, slot: slot)
        }
    }

    /// Returns the cache key for the label of a handle of the peer's server.
    @inline(__always)
    func labelKey(_ handle: UInt16, slot: Int) -> LabelCache.Key {
        let peer = links[slot].peer
        return LabelCache.Key(
            handle: handle, peer: peer, link: links[slot].number, generation: peers.generation(of: peer))
    }

    /// Returns the label of a handle of the server at one end of a link; nil if nothing is known.
    mutating func databaseLabel(of handle: UInt16, server: Side, slot: Int) -> AttributeLabel? {
        guard server == .peer else {
            return adapters.label(
                of: handle, links[slot].file, links[slot].adapter, link: links[slot].number)
        }
        let key = labelKey(handle, slot: slot)
        if let place = labels.place(of: key, slot) { return labels[place].label }
        let label = peers.label(of: handle, peer: key.peer, link: key.link)
        labels.remember(label, of: key, slot: slot)
        return label
    }
}
