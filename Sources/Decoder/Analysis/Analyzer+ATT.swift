import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ATT: which side asks and which answers, what a PDU names, and what its exchange teaches.

extension Analyzer {
    /// Analyses an ATT PDU on a bearer of the frame's link.
    mutating func analyzeATT(_ payload: RawSpan, bearer: Int, isCut: Bool) {
        guard let first = payload.octet(at: 0) else {
            if !isCut { report(.att(.malformed(at: 0))) }
            return
        }
        let opcode = ATTOpcode(rawValue: first)
        let kind = opcode.kind
        let slot = frame.link
        // The PDU's summary is filled where it stays: it is too long to be handed about.
        frame.hasATT = true
        let places = opcode.places
        frame.attPDU.begin(opcode, places, payload)
        if payload.byteCount < places.wholeLength { checkATT(payload, isCut: isCut) }
        if payload.byteCount > 23, bearer == 0 { checkLength(payload.byteCount, slot) }
        let sender: Side
        switch frame.direction {
        case .hostToController: sender = .host
        case .controllerToHost: sender = .peer
        case .unknown: return
        }
        let isSentByClient = kind.isSentByClient
        let server = isSentByClient == false ? sender : sender.other
        // A request or a value names its attribute itself; for a response the request it answers does.
        if frame.attPDU.handle != nil { label(slot, server) }
        follow(kind, payload, slot, bearer, sender, isCut: isCut)
        if frame.attPDU.label == nil { label(slot, server) }
        annotate(payload, slot, bearer, sender, isCut: isCut)
        if kind == .indication { noteServiceChanged(payload, slot, sender) }
    }

    /// Reports an unknown opcode, and a PDU that ends before its fields do.
    @inline(never)
    private mutating func checkATT(_ payload: RawSpan, isCut: Bool) {
        let opcode = frame.attPDU.opcode
        if opcode.kind == .unknown { report(.att(.unknownOpcode(opcode))) }
        guard !isCut, let fault = ATTTable.fault(in: payload) else { return }
        frame.attPDU.isMalformed = true
        report(.att(.malformed(at: fault.offset)))
    }

    /// Joins requests with their answers and learns from both.
    private mutating func follow(
        _ kind: ATTOpcode.Kind, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        switch kind {
        case .request: followRequest(payload, slot, bearer, sender, isCut: isCut)
        case .response: followResponse(payload, slot, bearer, sender, isCut: isCut)
        case .command: followWrite(payload, slot, bearer, sender, isCut: isCut)
        case .notification: followNotification(payload, slot, bearer, sender)
        case .indication:
            followNotification(payload, slot, bearer, sender)
            followIndication(slot, bearer, sender)
        case .confirmation: followConfirmation(slot, bearer, sender)
        case .unknown: break
        }
    }

    /// Marks the PDU as the answer of a request or indication.
    private mutating func answer(_ pending: PendingRequest) {
        let latency = frame.time.nanoseconds &- pending.time.nanoseconds
        frame.request = RequestReference(place: pending.frame, latency: latency)
        frame.attPDU.transaction = pending.transaction
        if latency > Self.transactionTimeout && !pending.timedOut {
            let server: Problem.Party = frame.direction == .hostToController ? .host : .peer
            report(.att(.timeout(UnansweredRequest(pending, at: frame.time))), by: server)
        }
    }

    /// 30 seconds (Core Specification, Vol 3, Part F, 3.3.3).
    static let transactionTimeout: Int64 = 30_000_000_000

    /// What this frame asks, as it waits for its answer.
    private mutating func pending(_ slot: Int) -> PendingRequest {
        transactions &+= 1
        frame.attPDU.transaction = transactions
        var pending = PendingRequest()
        pending.isOpen = true
        pending.opcode = frame.attPDU.opcode
        pending.frame = frame.place
        pending.time = frame.time
        pending.transaction = transactions
        pending.handle = frame.attPDU.handle ?? 0
        note(deadline: frame.time.after(Self.transactionTimeout), slot)
        return pending
    }

    /// One request at a time: reports another that has no answer yet.
    @inline(never)
    private mutating func reportPending(_ frame: FramePlace) {
        report(.att(.requestWhilePending(frame)))
    }

    private mutating func followRequest(
        _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        var pending = pending(slot)
        pending.read(payload)
        if let open = links[slot].ask(pending, bearer, sender), shows(sender.other, ofLink: slot) {
            reportPending(open.frame)
        }
        switch frame.attPDU.opcode {
        case .exchangeMTURequest:
            let offered = frame.attPDU.opcode.places.mtu(in: payload)
            checkMTURequest(offered, slot, bearer, sender)
            links[slot].bearers[bearer].offeredMTU = offered
            if links[slot].phases.mtuStarted == nil { links[slot].phases.mtuStarted = frame.time }
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            links[slot].counts.discovery &+= 1
            if links[slot].phases.discoveryStarted == nil { links[slot].phases.discoveryStarted = frame.time }
        case .readRequest, .readBlobRequest: links[slot].counts.reads.add(sender)
        case .readMultipleRequest, .readMultipleVariableRequest:
            links[slot].counts.reads.add(sender)
            noteSeveral(payload, slot, bearer, sender)
        case .executeWriteRequest:
            guard payload.octet(at: 1) == 1 else { return }
            links[slot].counts.writes.add(sender)
            links[slot].wrote(sender, bearer, frame.place, frame.time)
        default: followWrite(payload, slot, bearer, sender, isCut: isCut)
        }
    }

    /// Keeps the handles of a request for several values, which the response does not name.
    private mutating func noteSeveral(_ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side) {
        var handles: [UInt16] = []
        var at = 1
        while let handle = payload.u16le(at: at), handles.count < Self.severalLimit {
            handles.append(handle)
            at &+= 2
        }
        if sender == .host {
            links[slot].bearers[bearer].severalFromHost = (frame.place, handles)
        } else {
            links[slot].bearers[bearer].severalFromPeer = (frame.place, handles)
        }
    }

    /// The most handles of such a request that are kept: as many as an ATT_MTU of 517 octets holds.
    private static let severalLimit = 258

    private mutating func followIndication(_ slot: Int, _ bearer: Int, _ sender: Side) {
        let before = links[slot].bearers[bearer][indicationOf: sender]
        if before.isOpen, !before.timedOut { reportPending(before.frame) }
        links[slot].bearers[bearer][indicationOf: sender] = pending(slot)
    }

    private mutating func followConfirmation(_ slot: Int, _ bearer: Int, _ sender: Side) {
        let pending = links[slot].bearers[bearer][indicationOf: sender.other]
        guard pending.isOpen else {
            if !links[slot].wasOpenAtStart || pending.frame.frame > 0, !pending.mayBeMissing {
                report(.att(.unexpectedResponse))
            }
            return
        }
        answer(pending)
        frame.attPDU.handle = pending.handle
        frame.attPDU.handleIsFromRequest = true
        links[slot].bearers[bearer][indicationOf: sender.other].isOpen = false
    }

    private mutating func followResponse(
        _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        guard let pending = links[slot].takeAnswered(by: frame.attPDU, bearer, sender.other) else {
            return unexpectedResponse(slot, bearer, sender)
        }
        if pending.isAmbiguous {
            // Which of the two requests it answers can't be told: what it lists is true all the same where
            // both asked for the same.
            if frame.attPDU.opcode == .errorResponse { countError(slot, sender) }
            if frame.attPDU.opcode.isDiscovery, !pending.listsElseThanBefore {
                learn(payload, pending, server: sender, slot, isCut: isCut)
            }
            return
        }
        answer(pending)
        if !refusedRequests.isEmpty, frame.attPDU.opcode != .errorResponse { overcome(pending, slot) }
        frame.attPDU.requestedType = pending.type
        if pending.opcode.isDiscovery { links[slot].phases.discoveryEnded = frame.time }
        if frame.attPDU.handle == nil, pending.opcode.namesOneHandle {
            frame.attPDU.handle = pending.handle
            frame.attPDU.handleIsFromRequest = true
        }
        switch frame.attPDU.opcode {
        case .writeResponse:
            if pending.configures { confirmSubscription(pending, server: sender, slot) }
        case .readBlobResponse: break
        case .readMultipleResponse, .readMultipleVariableResponse:
            let asked =
                sender == .peer
                ? links[slot].bearers[bearer].severalFromHost : links[slot].bearers[bearer].severalFromPeer
            if let asked, asked.frame == pending.frame { askedHandles = asked.handles }
        case .errorResponse: followError(pending, server: sender, slot, bearer)
        case .exchangeMTUResponse:
            if let answered = frame.attPDU.opcode.places.mtu(in: payload),
                let offered = links[slot].bearers[bearer].offeredMTU
            {
                if answered < 23 { report(.att(.mtuTooSmall(answered))) }
                let mtu = max(23, min(answered, offered))
                links[slot].bearers[bearer].mtu = mtu
                links[slot].bearers[bearer].largestMTU = max(links[slot].bearers[bearer].largestMTU, mtu)
                if links[slot].phases.mtuExchanged == nil { links[slot].phases.mtuExchanged = frame.time }
            }
        default: learn(payload, pending, server: sender, slot, isCut: isCut)
        }
    }

    /// A response that no request of this link waits for.
    @inline(never)
    private mutating func unexpectedResponse(_ slot: Int, _ bearer: Int, _ sender: Side) {
        let last = links[slot].bearers[bearer][requestOf: sender.other]
        // A log that starts in mid-connection, or has a hole, may lack the request.
        if !links[slot].wasOpenAtStart || last.frame.frame > 0, !last.mayBeMissing {
            report(.att(.unexpectedResponse))
        }
        if frame.attPDU.opcode == .errorResponse { countError(slot, sender) }
        if frame.attPDU.opcode == .exchangeMTUResponse { links[slot].bearers[bearer].mtuIsKnown = false }
    }

    /// An error that answers a known request.
    private mutating func followError(
        _ pending: PendingRequest, server: Side, _ slot: Int, _ bearer: Int
    ) {
        switch pending.opcode {
        case .readBlobRequest:
            // The value ended where a piece of it did, which a client learns by asking for more.
            if endLongRead(pending, slot, bearer, server) { return }
        case .prepareWriteRequest:
            links[slot].bearers[bearer][preparedBy: server.other].remove(frame: pending.frame)
        default: break
        }
        if pending.configures { refuseSubscription(pending, server: server, slot) }
        if frame.attPDU.error == ATTErrorCode.attributeNotFound.rawValue,
            frame.attPDU.handle == pending.handle
        {
            let link = links[slot].number
            withDatabase(of: server, slot) { $0.learnEnd(of: pending, link: link) }
        }
        countError(slot, server)
    }

    /// Counts an Error Response, and reports it where it does not just end a discovery.
    private mutating func countError(_ slot: Int, _ server: Side) {
        guard let error = frame.attPDU.error, let request = frame.attPDU.requestOpcode else { return }
        if error == ATTErrorCode.attributeNotFound.rawValue && request.isDiscovery {
            return
        }
        if error == ATTErrorCode.databaseOutOfSync.rawValue {
            // The server says that what its client knows is out of date: so is what was learned with it.
            withDatabase(of: server, slot) { $0.forgetAll() }
        }
        links[slot].counts.errors &+= 1
        let asked = RefusedRequest(opcode: request, handle: frame.attPDU.handle ?? 0)
        var problem = Problem(.att(.error(ATTErrorCode(rawValue: error), asked)), by: Problem.Party(server))
        problem.isUnsure = progress(ofFile: frame.file)?.shown.contains(server.other) == false
        problems.append(problem)
        let refused = Refused(
            request: asked, peer: links[slot].peer, connection: links[slot].number, side: server)
        if refusedRequests.count < Refused.limit, !refusedRequests.contains(refused) {
            refusedRequests.append(refused)
        }
    }

    /// A request was answered that had been refused before, to the same device: that was no failure.
    @inline(never)
    private mutating func overcome(_ pending: PendingRequest, _ slot: Int) {
        let taken = RefusedRequest(opcode: pending.opcode, handle: pending.handle)
        let isTaken = { [peer = links[slot].peer] (refused: Refused) in
            refused.request == taken && refused.peer == peer
        }
        for refused in refusedRequests.filter(isTaken) {
            overcome(on: refused.connection) { $0.problem.refusedRequest == taken }
        }
        refusedRequests.removeAll(where: isTaken)
    }

    /// Puts the attribute's label on the PDU.
    private mutating func label(_ slot: Int, _ server: Side) {
        guard let handle = frame.attPDU.handle, !frame.attPDU.opcode.isDiscovery else { return }
        if let request = frame.attPDU.requestOpcode, request.isDiscovery { return }
        if server == .peer, let place = rememberedPlace(of: handle, slot) {
            frame.attPDU.label = rememberedLabels[place].label
        } else {
            frame.attPDU.label = databaseLabel(of: handle, server: server, slot)
        }
    }

    /// The label of a handle of the peer's server; the last ones are remembered, since values come in rows.
    private mutating func cachedLabel(of handle: UInt16, _ slot: Int) -> AttributeLabel? {
        if let place = rememberedPlace(of: handle, slot) { return rememberedLabels[place].label }
        let peer = links[slot].peer
        let label = peers.label(of: handle, peer: peer, link: links[slot].number)
        rememberedLabels[Self.place(of: handle, slot)] = RememberedLabel(
            handle: handle, peer: peer, link: links[slot].number, generation: peers.generation(of: peer),
            label: label)
        return label
    }

    private static func place(of handle: UInt16, _ slot: Int) -> Int {
        RememberedLabel.perLink &* slot &+ Int(handle) & (RememberedLabel.perLink &- 1)
    }

    /// Where the label of a handle of the peer's server is remembered; nil where it is not, or not any more.
    @inline(__always)
    func rememberedPlace(of handle: UInt16, _ slot: Int) -> Int? {
        let place = Self.place(of: handle, slot)
        let peer = links[slot].peer
        guard rememberedLabels[place].handle == handle, rememberedLabels[place].peer == peer,
            rememberedLabels[place].link == links[slot].number,
            rememberedLabels[place].generation == peers.generation(of: peer)
        else { return nil }
        return place
    }

    /// What is known about a handle of the server at one end of a link.
    mutating func databaseLabel(of handle: UInt16, server: Side, _ slot: Int) -> AttributeLabel? {
        switch server {
        case .peer: return cachedLabel(of: handle, slot)
        case .host:
            return adapters.label(
                of: handle, links[slot].file, links[slot].adapter, link: links[slot].number)
        }
    }
}

/// A request that a server refused, in case it is taken later.
struct Refused: Equatable, Sendable {
    /// How many are kept.
    static let limit = 64

    var request: RefusedRequest
    /// The place of the device in the table of peers.
    var peer: Int
    /// The number of the connection.
    var connection: Int
    /// The server's side.
    var side: Side
}

extension PendingRequest {
    /// Takes the range of handles, types and offset that a request asks for.
    mutating func read(_ request: RawSpan) {
        let places = opcode.places
        endHandle = places.endHandle(in: request) ?? 0
        if opcode == .readBlobRequest { offset = places.offset(in: request) ?? 0 }
        type = places.type(in: request)
        guard type != nil, let value = places.value(in: request) else { return }
        sought = BluetoothUUID(attributeType: request.clamped(value))
    }
}
