import BluetoothCore
import CaptureFile
import WireBytes

// ATT: which side asks and which answers, what a PDU names, and what its exchange teaches.

extension Analyzer {
    /// Analyses an ATT PDU on a bearer of the frame's link.
    mutating func analyzeATT(_ payload: RawSpan, bearer: Int, isCut: Bool) {
        guard let first = payload.octet(at: 0) else {
            if !isCut { report(.malformedATT) }
            return
        }
        let opcode = ATTOpcode(rawValue: first)
        var att = ATTSummary(opcode: opcode)
        let slot = frame.link
        links[slot].counts.attPDUs &+= 1
        do throws(DecodeError) {
            att.take(try ATTPDU<BorrowedOctets>(decoding: payload))
        } catch {
            att.takeStart(payload)
            if !isCut {
                att.isMalformed = true
                report(.malformedATT, Int64(error.offset), Int64(first))
            }
        }
        if frame.direction == .unknown { inferDirection(att, slot, bearer) }
        let sender: Side? =
            switch frame.direction {
            case .hostToController: .host
            case .controllerToHost: .peer
            case .unknown: nil
            }
        // A request or a value names its attribute itself; for a response the request it answers does.
        if att.handle != nil { label(&att, slot, sender) }
        if let sender { follow(&att, payload, slot, bearer, sender, isCut: isCut) }
        if att.label == nil { label(&att, slot, sender) }
        frame.att = att
        guard let sender else { return }
        annotate(att, payload, slot, bearer, sender, isCut: isCut)
        if att.opcode == .handleValueIndication { noteServiceChanged(att, payload, slot, sender) }
    }

    /// The direction of an ATT PDU where neither the file nor the packet's boundary flag tells it: an answer
    /// goes against the one request that waits for it, and a client's PDU comes from the side that alone has
    /// been a client on this link.
    private mutating func inferDirection(_ att: ATTSummary, _ slot: Int, _ bearer: Int) {
        let sender: Side?
        switch att.opcode.kind {
        case .response:
            let host = links[slot].bearers[bearer].fromHost
            let peer = links[slot].bearers[bearer].fromPeer
            let answersHost = host.isOpen && att.answers(host.opcode)
            let answersPeer = peer.isOpen && att.answers(peer.opcode)
            sender = answersHost == answersPeer ? nil : answersHost ? .peer : .host
        case .confirmation:
            let host = links[slot].bearers[bearer].indicationFromHost.isOpen
            let peer = links[slot].bearers[bearer].indicationFromPeer.isOpen
            sender = host == peer ? nil : host ? .peer : .host
        case .request, .command, .notification, .indication:
            guard links[slot].clientIsHost != links[slot].clientIsPeer,
                let isClient = att.opcode.isSentByClient
            else { return }
            let client: Side = links[slot].clientIsHost ? .host : .peer
            sender = isClient ? client : client.other
        case .unknown: sender = nil
        }
        guard let sender else { return }
        frame.direction = sender == .host ? .hostToController : .controllerToHost
        frame.directionIsInferred = true
    }

    /// Joins requests with their answers and learns from both.
    private mutating func follow(
        _ att: inout ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        switch att.opcode.kind {
        case .request: followRequest(&att, payload, slot, bearer, sender, isCut: isCut)
        case .response: followResponse(&att, payload, slot, bearer, sender, isCut: isCut)
        case .command: followWrite(&att, payload, slot, bearer, sender, isCut: isCut)
        case .notification: followNotification(&att, payload, slot, bearer, sender)
        case .indication:
            followNotification(&att, payload, slot, bearer, sender)
            followIndication(&att, slot, bearer, sender)
        case .confirmation: followConfirmation(&att, slot, bearer, sender)
        case .unknown: break
        }
        if !frame.directionIsInferred, let isClient = att.opcode.isSentByClient {
            if (sender == .host) == isClient {
                links[slot].clientIsHost = true
            } else {
                links[slot].clientIsPeer = true
            }
        }
    }

    /// Marks a PDU as the answer of a request or indication.
    private mutating func answer(_ att: inout ATTSummary, _ pending: PendingRequest) {
        let latency = frame.time.nanoseconds &- pending.time.nanoseconds
        frame.request = RequestReference(frame: pending.frame, latency: latency)
        att.transaction = pending.transaction
        if latency > Self.transactionTimeout && !pending.timedOut {
            report(.attTimeout, Int64(pending.frame), latency)
        }
    }

    /// 30 seconds (Core Specification, Vol 3, Part F, 3.3.3).
    static let transactionTimeout: Int64 = 30_000_000_000

    /// What this frame asks, as it waits for its answer.
    private mutating func pending(_ att: inout ATTSummary, _ slot: Int) -> PendingRequest {
        transactions &+= 1
        att.transaction = transactions
        var pending = PendingRequest()
        pending.isOpen = true
        pending.opcode = att.opcode
        pending.frame = frame.number
        pending.time = frame.time
        pending.transaction = transactions
        pending.handle = att.handle ?? 0
        note(deadline: frame.time.nanoseconds &+ Self.transactionTimeout, slot)
        return pending
    }

    /// One request at a time: reports another that has no answer yet.
    private mutating func checkPending(_ before: PendingRequest) {
        guard before.isOpen, !before.timedOut else { return }
        report(.requestWhilePending, Int64(before.frame), Int64(before.opcode.rawValue))
    }

    private mutating func followRequest(
        _ att: inout ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        let before = links[slot].bearers[bearer][requestOf: sender]
        if links[slot].showsResponses {
            checkPending(before)
            if before.isOpen, !before.timedOut, before.opcode != att.opcode {
                links[slot].bearers[bearer][overtakenOf: sender] = before
            }
        }
        var pending = pending(&att, slot)
        pending.read(payload)
        pending.isAmbiguous =
            before.isOpen && !before.timedOut && before.opcode == pending.opcode
            && !pending.asksTheSame(as: before)
        pending.listsElseThanBefore = pending.isAmbiguous && !pending.listsTheSame(as: before)
        links[slot].bearers[bearer][requestOf: sender] = pending
        links[slot].counts.requests &+= 1
        if att.opcode != .readBlobRequest, links[slot].bearers[bearer].longRead != nil {
            links[slot].bearers[bearer].longRead = nil
        }
        switch att.opcode {
        case .exchangeMTURequest:
            links[slot].bearers[bearer].offeredMTU = payload.u16le(at: 1)
            if links[slot].phases.mtuStarted == nil { links[slot].phases.mtuStarted = frame.time }
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            links[slot].counts.discovery &+= 1
            if links[slot].phases.discoveryStarted == nil { links[slot].phases.discoveryStarted = frame.time }
        case .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest:
            links[slot].counts.reads &+= 1
        default: followWrite(&att, payload, slot, bearer, sender, isCut: isCut)
        }
    }

    private mutating func followIndication(
        _ att: inout ATTSummary, _ slot: Int, _ bearer: Int, _ sender: Side
    ) {
        checkPending(links[slot].bearers[bearer][indicationOf: sender])
        links[slot].bearers[bearer][indicationOf: sender] = pending(&att, slot)
    }

    private mutating func followConfirmation(
        _ att: inout ATTSummary, _ slot: Int, _ bearer: Int, _ sender: Side
    ) {
        let pending = links[slot].bearers[bearer][indicationOf: sender.other]
        guard pending.isOpen else {
            if !links[slot].wasOpenAtStart || pending.frame > 0, !pending.mayBeMissing {
                report(.unexpectedResponse, Int64(att.opcode.rawValue))
            }
            return
        }
        answer(&att, pending)
        att.handle = pending.handle
        att.handleIsFromRequest = true
        links[slot].bearers[bearer][indicationOf: sender.other].isOpen = false
    }

    /// The UUID that octets are, least significant first, where they are 2 or 16.
    func uuid(in octets: RawSpan) -> BluetoothUUID? { BluetoothUUID(attributeType: octets) }

    private mutating func followResponse(
        _ att: inout ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        let client = sender.other
        var pending = links[slot].bearers[bearer][requestOf: client]
        links[slot].counts.responses &+= 1
        let isOvertaken = !pending.isOpen || !att.answers(pending.opcode)
        if isOvertaken { pending = links[slot].bearers[bearer][overtakenOf: client] }
        guard pending.isOpen, att.answers(pending.opcode) else {
            let last = links[slot].bearers[bearer][requestOf: client]
            // A log that starts in mid-connection, or has a hole, may lack the request.
            if !links[slot].wasOpenAtStart || last.frame > 0, !last.mayBeMissing {
                report(.unexpectedResponse, Int64(att.opcode.rawValue))
            }
            if att.opcode == .errorResponse { countError(att, slot, sender) }
            return
        }
        // Servers answer in the order of the requests: once the later one is answered, so is the earlier.
        links[slot].bearers[bearer][overtakenOf: client].isOpen = false
        if !isOvertaken { links[slot].bearers[bearer][requestOf: client].isOpen = false }
        if pending.isAmbiguous {
            // Which of the two requests it answers can't be told: what it lists is true all the same where
            // both asked for the same.
            if att.opcode == .errorResponse { countError(att, slot, sender) }
            if att.opcode.isDiscovery, !pending.listsElseThanBefore {
                learn(from: att, payload, pending, server: sender, slot, isCut: isCut)
            }
            return
        }
        answer(&att, pending)
        att.requestedType = pending.type
        if pending.opcode.isDiscovery { links[slot].phases.discoveryEnded = frame.time }
        if att.handle == nil, pending.opcode.namesOneHandle {
            att.handle = pending.handle
            att.handleIsFromRequest = true
        }
        switch att.opcode {
        case .errorResponse: followError(att, pending, server: sender, slot)
        case .exchangeMTUResponse:
            if let answered = payload.u16le(at: 1), let offered = links[slot].bearers[bearer].offeredMTU {
                links[slot].bearers[bearer].mtu = max(23, min(answered, offered))
                if links[slot].phases.mtuExchanged == nil { links[slot].phases.mtuExchanged = frame.time }
            }
        case .writeResponse: break
        default: learn(from: att, payload, pending, server: sender, slot, isCut: isCut)
        }
    }

    /// An error that answers a known request.
    private mutating func followError(
        _ att: ATTSummary, _ pending: PendingRequest, server: Side, _ slot: Int
    ) {
        if pending.configures {
            // The configuration stays what it was.
            _ = links[slot].subscribe(server, atDescriptor: pending.handle, pending.before)
        }
        if att.error == ATTErrorCode.attributeNotFound.rawValue, att.handle == pending.handle {
            learnEnd(pending, server: server, slot)
        }
        countError(att, slot, server)
    }

    /// Counts an Error Response, and reports it where it does not just end a discovery.
    private mutating func countError(_ att: ATTSummary, _ slot: Int, _ server: Side) {
        guard let error = att.error, let request = att.requestOpcode else { return }
        if error == ATTErrorCode.attributeNotFound.rawValue && request.isDiscovery {
            return
        }
        if error == ATTErrorCode.databaseOutOfSync.rawValue {
            // The server says that what its client knows is out of date: so is what was learned with it.
            withDatabase(of: server, slot) { $0.forgetAll() }
        }
        links[slot].counts.errors &+= 1
        report(.attError, Int64(error), Int64(request.rawValue))
    }

    /// Puts the attribute's label on the PDU.
    private mutating func label(_ att: inout ATTSummary, _ slot: Int, _ sender: Side?) {
        guard let sender, let handle = att.handle else { return }
        guard !att.opcode.isDiscovery else { return }
        let server = att.opcode.isSentByClient == false ? sender : sender.other
        if let request = att.requestOpcode, request.isDiscovery { return }
        if server == .peer, let place = rememberedPlace(of: handle, slot) {
            att.label = rememberedLabels[place].label
        } else {
            att.label = databaseLabel(of: handle, server: server, slot)
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
            return adapters.database(links[slot].file, links[slot].adapter)?
                .label(of: handle, onLink: links[slot].number)
        }
    }
}

extension PendingRequest {
    /// Takes the range of handles, types and offset that a request asks for.
    mutating func read(_ payload: RawSpan) {
        switch opcode {
        case .readByTypeRequest, .readByGroupTypeRequest:
            endHandle = payload.u16le(at: 3) ?? 0
            type = BluetoothUUID(attributeType: payload.dropping(5))
        case .findByTypeValueRequest:
            endHandle = payload.u16le(at: 3) ?? 0
            type = payload.u16le(at: 5).map { BluetoothUUID($0) }
            sought = BluetoothUUID(attributeType: payload.dropping(7))
        case .findInformationRequest: endHandle = payload.u16le(at: 3) ?? 0
        case .readBlobRequest: offset = payload.u16le(at: 3) ?? 0
        default: break
        }
    }
}

extension BluetoothUUID {
    /// The UUID that octets are, least significant first, where they are 2 or 16.
    init?(attributeType octets: RawSpan) {
        guard octets.byteCount == 2 || octets.byteCount == 16 else { return nil }
        var reader = ByteReader(octets)
        guard let uuid = try? BluetoothUUID(decoding: &reader, width: octets.byteCount) else { return nil }
        self = uuid
    }
}
