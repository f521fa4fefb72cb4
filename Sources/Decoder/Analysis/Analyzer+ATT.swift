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
        let sender: Side? =
            switch frame.direction {
            case .hostToController: .host
            case .controllerToHost: .peer
            case .unknown: nil
            }
        do throws(DecodeError) {
            att.take(try ATTPDU<BorrowedOctets>(decoding: payload))
        } catch {
            att.takeStart(payload)
            if !isCut {
                att.isMalformed = true
                report(.malformedATT, Int64(error.offset), Int64(first))
            }
        }
        // A request or a value names its attribute itself; for a response the request it answers does.
        if att.handle != nil { label(&att, slot, sender) }
        if let sender { follow(&att, payload, slot, bearer, sender, isCut: isCut) }
        if att.label == nil { label(&att, slot, sender) }
        frame.att = att
        if let sender { annotate(att, payload, slot, bearer, sender) }
    }

    /// Joins requests with their answers and learns from both.
    private mutating func follow(
        _ att: inout ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        switch att.opcode.kind {
        case .request: followRequest(&att, payload, slot, bearer, sender)
        case .response: followResponse(&att, payload, slot, bearer, sender, isCut: isCut)
        case .command: followWrite(att, payload, slot, bearer, sender)
        case .notification: followNotification(&att, slot, bearer, sender)
        case .indication:
            followNotification(&att, slot, bearer, sender)
            transactions &+= 1
            att.transaction = transactions
            var pending = PendingRequest()
            pending.isOpen = true
            pending.opcode = att.opcode
            pending.frame = frame.number
            pending.time = frame.time
            pending.handle = att.handle ?? 0
            pending.transaction = transactions
            links[slot].bearers[bearer][indicationOf: sender] = pending
        case .confirmation:
            let server: Side = sender == .host ? .peer : .host
            let pending = links[slot].bearers[bearer][indicationOf: server]
            guard pending.isOpen else { return report(.unexpectedResponse, Int64(att.opcode.rawValue)) }
            answer(&att, pending)
            att.handle = pending.handle
            att.handleIsFromRequest = true
            links[slot].bearers[bearer][indicationOf: server].isOpen = false
        case .unknown: break
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

    private mutating func followRequest(
        _ att: inout ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side
    ) {
        let before = links[slot].bearers[bearer][requestOf: sender]
        if before.isOpen {
            let late = frame.time.nanoseconds &- before.time.nanoseconds
            if late > Self.transactionTimeout {
                report(.attTimeout, Int64(before.frame), late)
            } else {
                report(.requestWhilePending, Int64(before.frame), Int64(before.opcode.rawValue))
            }
        }
        transactions &+= 1
        att.transaction = transactions
        var pending = PendingRequest()
        pending.isOpen = true
        pending.opcode = att.opcode
        pending.frame = frame.number
        pending.time = frame.time
        pending.transaction = transactions
        pending.handle = att.handle ?? 0
        readRange(&pending, payload)
        links[slot].bearers[bearer][requestOf: sender] = pending
        links[slot].counts.requests &+= 1
        switch att.opcode {
        case .exchangeMTURequest: links[slot].bearers[bearer].offeredMTU = payload.u16le(at: 1)
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            links[slot].counts.discovery &+= 1
            if links[slot].phases.discoveryStarted == nil { links[slot].phases.discoveryStarted = frame.time }
        case .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest:
            links[slot].counts.reads &+= 1
        default: followWrite(att, payload, slot, bearer, sender)
        }
    }

    /// The handle range and types that a discovery request asks for.
    private func readRange(_ pending: inout PendingRequest, _ payload: RawSpan) {
        switch pending.opcode {
        case .readByTypeRequest, .readByGroupTypeRequest:
            pending.endHandle = payload.u16le(at: 3) ?? 0
            pending.type = uuid(in: payload.dropping(5))
        case .findByTypeValueRequest:
            pending.endHandle = payload.u16le(at: 3) ?? 0
            pending.type = payload.u16le(at: 5).map { BluetoothUUID($0) }
            pending.sought = uuid(in: payload.dropping(7))
        case .findInformationRequest: pending.endHandle = payload.u16le(at: 3) ?? 0
        default: break
        }
    }

    /// The UUID that octets are, least significant first, where they are 2 or 16.
    func uuid(in octets: RawSpan) -> BluetoothUUID? {
        var reader = ByteReader(octets)
        guard octets.byteCount == 2 || octets.byteCount == 16 else { return nil }
        return try? BluetoothUUID(decoding: &reader, width: octets.byteCount)
    }

    private mutating func followResponse(
        _ att: inout ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        let client: Side = sender == .host ? .peer : .host
        let pending = links[slot].bearers[bearer][requestOf: client]
        links[slot].counts.responses &+= 1
        guard pending.isOpen, att.answers(pending.opcode) else {
            report(.unexpectedResponse, Int64(att.opcode.rawValue))
            if att.opcode == .errorResponse { countError(att, slot) }
            return
        }
        answer(&att, pending)
        att.requestedType = pending.type
        links[slot].bearers[bearer][requestOf: client].isOpen = false
        if att.handle == nil, pending.opcode.namesOneHandle {
            att.handle = pending.handle
            att.handleIsFromRequest = true
        }
        switch att.opcode {
        case .errorResponse: countError(att, slot)
        case .exchangeMTUResponse:
            if let answered = payload.u16le(at: 1), let offered = links[slot].bearers[bearer].offeredMTU {
                links[slot].bearers[bearer].mtu = max(23, min(answered, offered))
                if links[slot].phases.mtuExchanged == nil { links[slot].phases.mtuExchanged = frame.time }
            }
        case .writeResponse: break
        default: learn(from: att, payload, pending, server: sender, slot, isCut: isCut)
        }
    }

    /// Counts an Error Response, and reports it where it does not just end a discovery.
    private mutating func countError(_ att: ATTSummary, _ slot: Int) {
        guard let error = att.error, let request = att.requestOpcode else { return }
        if error == 0x0A && request.isDiscovery {
            if links[slot].phases.discoveryStarted != nil { links[slot].phases.discoveryEnded = frame.time }
            return
        }
        links[slot].counts.errors &+= 1
        report(.attError, Int64(error), Int64(request.rawValue))
    }

    /// A write of any kind: CCCD state, phases, and the anchor for notifications that follow.
    private mutating func followWrite(
        _ att: ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side
    ) {
        guard att.opcode.isWrite, let handle = att.handle, let value = att.value else { return }
        links[slot].counts.writes &+= 1
        let octets = payload.clamped(value)
        if sender == .host {
            let label = att.label
            inferConfiguration(label, handle, octets, slot)
            if label?.isClientConfiguration == true || label?.part == .descriptor(nil), octets.byteCount == 2,
                let state = octets.u16le(at: 0)
            {
                links[slot].subscribe(atDescriptor: handle, state)
                if links[slot].phases.subscribed == nil { links[slot].phases.subscribed = frame.time }
                return
            }
            if label == nil, octets.byteCount == 2, let state = octets.u16le(at: 0), state <= 3 {
                links[slot].possibleSubscription = (handle, frame.number)
                links[slot].subscribe(atDescriptor: handle, state)
            }
            links[slot].bearers[bearer].lastHostWrite = (frame.number, frame.time)
            if links[slot].phases.firstWrite == nil { links[slot].phases.firstWrite = frame.time }
        } else {
            links[slot].bearers[bearer].lastPeerWrite = (frame.number, frame.time)
        }
    }

    /// Hosts that know a descriptor by its place alone never ask for its type: two octets 0 to 3 written to the
    /// one behind a value that notifies or indicates are its configuration.
    private mutating func inferConfiguration(
        _ label: AttributeLabel?, _ handle: UInt16, _ value: RawSpan, _ slot: Int
    ) {
        guard label?.part == .descriptor(nil), value.byteCount == 2, let state = value.u16le(at: 0),
            state <= 3,
            peers.properties(ofDescriptor: handle, peer: links[slot].peer) & 0x30 != 0
        else { return }
        let origin = AttributeDatabase.Origin(
            source: .inferred, frame: frame.number, link: links[slot].number)
        peers.withDatabase(of: links[slot].peer) {
            $0.add(.init(handle: handle, type: BluetoothUUID(0x2902 as UInt16), origin: origin))
        }
    }

    private mutating func followNotification(
        _ att: inout ATTSummary, _ slot: Int, _ bearer: Int, _ sender: Side
    ) {
        if att.opcode.kind == .indication {
            links[slot].counts.indications &+= 1
        } else {
            links[slot].counts.notifications &+= 1
        }
        let write =
            sender == .peer
            ? links[slot].bearers[bearer].lastHostWrite : links[slot].bearers[bearer].lastPeerWrite
        if let write {
            att.afterWrite = RequestReference(
                frame: write.frame, latency: frame.time.nanoseconds &- write.time.nanoseconds)
        }
        guard sender == .peer, let handle = att.handle else { return }
        if links[slot].phases.firstNotification == nil { links[slot].phases.firstNotification = frame.time }
        inferSubscription(handle, slot)
        checkSubscription(handle, slot, isIndication: att.opcode.kind == .indication)
    }

    /// A two-octet write just behind a value that now notifies was its CCCD's.
    private mutating func inferSubscription(_ handle: UInt16, _ slot: Int) {
        guard let possible = links[slot].possibleSubscription, possible.handle == handle &+ 1,
            peers.label(of: possible.handle, peer: links[slot].peer, link: links[slot].number) == nil
        else { return }
        links[slot].possibleSubscription = nil
        let origin = AttributeDatabase.Origin(
            source: .inferred, frame: possible.frame, link: links[slot].number)
        peers.withDatabase(of: links[slot].peer) {
            $0.add(.init(handle: possible.handle, type: BluetoothUUID(0x2902 as UInt16), origin: origin))
        }
    }

    /// A notification that nothing on this link asked for, where the whole link is in the log.
    ///
    /// A bonded peer remembers subscriptions, and Service Changed may be indicated without being asked for
    /// again: neither is reported.
    private mutating func checkSubscription(_ handle: UInt16, _ slot: Int, isIndication: Bool) {
        guard !links[slot].wasOpenAtStart, !links[slot].isBonded, !links[slot].isEncrypted else { return }
        let asked = links[slot].subscriptions.contains { entry in
            guard entry.value != 0 else { return false }
            let value = peers.valueHandle(ofDescriptor: entry.handle, peer: links[slot].peer)
            return value == handle || (value == nil && entry.handle > handle)
        }
        if !asked { report(.notSubscribed, Int64(handle)) }
    }

    /// Puts the attribute's label on the PDU.
    private mutating func label(_ att: inout ATTSummary, _ slot: Int, _ sender: Side?) {
        guard let sender, let handle = att.handle else { return }
        guard !att.opcode.isDiscovery else { return }
        let server = att.opcode.isSentByClient == false ? sender : sender == .host ? .peer : .host
        if let request = att.requestOpcode, request.isDiscovery { return }
        att.label = databaseLabel(of: handle, server: server, slot)
    }

    /// The label of a handle of the peer's server; the last one is remembered, since values come in rows.
    private mutating func cachedLabel(of handle: UInt16, _ slot: Int) -> AttributeLabel? {
        let peer = links[slot].peer
        let generation = peers.generation(of: peer)
        let place = Int(handle & 1)
        if links[slot].labels[place].handle == handle, links[slot].labels[place].peer == peer,
            links[slot].labels[place].generation == generation
        {
            return links[slot].labels[place].label
        }
        let label = peers.label(of: handle, peer: peer, link: links[slot].number)
        links[slot].labels[place] = RememberedLabel(
            handle: handle, peer: peer, generation: generation, label: label)
        return label
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
