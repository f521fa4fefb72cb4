import BluetoothCore
public import CaptureFile
import LinkLayer
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
            links[slot].reportExceededMTU(
                payload.byteCount &+ missingOctets(payload.byteCount), frame.sender, &problems)
        }
        let sender: Side
        switch frame.direction {
        case .hostToController: sender = .host
        case .controllerToHost: sender = .peer
        case .unknown: return
        }
        let server = kind.server(ifSentBy: sender)
        // A request or a notification contains its handle; a response has the handle of its request.
        if frame.attPDU.handle != nil { label(slot: slot, server) }
        follow(kind, payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        if frame.attPDU.label == nil { label(slot: slot, server) }
        annotate(payload, slot: slot, bearer: bearer, sender, isCut: isCut)
        if kind == .request, annotations.contains(where: \.isPrivate) {
            links[slot].bearers[bearer].withNewestRequest(of: sender) { $0.writtenLength = nil }
        }
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
        frame.attPDU.handle = indication.handle
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
        frame.attPDU.writtenLength = pending.writtenLength
        frame.attPDU.configured = pending.configured
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
        if !setbacks.isEmpty, opcode != .errorResponse { overcome(answered, by: sender, slot: slot) }
        frame.attPDU.requestedType = answered.type
        if answered.opcode.isDiscovery {
            if links[slot].discoveryIsPeers == (sender == .host) {
                let error = frame.attPDU.error.flatMap { answered.refusal(by: ATTErrorCode(rawValue: $0)) }
                links[slot].phases.discover(from: answered.time, to: frame.time, refusal: error)
            }
            if !isCut, let problem = links[slot].discovery.answered(answered, by: payload, sender.other) {
                problems.append(problem)
            }
        }
        if frame.attPDU.handle == nil, answered.opcode.namesOneHandle {
            frame.attPDU.handle = answered.handle
        }
        switch opcode {
        case .writeResponse:
            if answered.configured != nil { confirmSubscription(answered, server: sender, slot: slot) }
        case .readMultipleResponse, .readMultipleVariableResponse:
            askedHandles = links[slot].bearers[bearer].several(answered, sender.other)
        case .errorResponse: followError(answered, server: sender, slot: slot, bearer: bearer)
        case .exchangeMTUResponse:
            links[slot].answer(mtu: opcode.places.mtu(in: payload), bearer: bearer, at: frame.time, &problems)
        default:
            // If the response to one of several requests may be missing, only facts that hold for all of them
            // are learned.
            if answered.isAmbiguous, !opcode.isDiscovery || answered.elementsAreAmbiguous { return }
            learn(payload, answered, server: sender, slot: slot, isCut: isCut)
        }
    }

    /// Handles an error that answers a known request.
    private mutating func followError(
        _ pending: PendingRequest, server: Side, slot: Int, bearer: Int
    ) {
        switch pending.opcode {
        case .readBlobRequest:
            // A client asks for more until the server refuses: the value was complete with the previous part.
            let outcome = links[slot].bearers[bearer].refuse(pending, frame.attPDU.error, by: server.other)
            if case .ends(let octets) = outcome {
                let label = databaseLabel(of: pending.handle, server: server, slot: slot)
                deliver(octets, of: pending.handle, label, .readResponse, slot: slot)
            }
            if outcome != .isPart { return }
        case .exchangeMTURequest:
            links[slot].refuseMTU(bearer: bearer, frame.attPDU.error, by: server)
        case .prepareWriteRequest:
            links[slot].bearers[bearer][preparedBy: server.other].remove(frame: pending.frame)
        default: break
        }
        if pending.configured != nil { refuseSubscription(pending, server: server, slot: slot) }
        if frame.attPDU.error == ATTErrorCode.attributeNotFound.rawValue,
            frame.attPDU.handle == pending.handle
        {
            let link = links[slot].number
            withDatabase(of: server, slot: slot) { $0.learnEnd(of: pending, link: link) }
        }
        countError(slot: slot, server, asked: pending)
    }

    /// Counts an Error Response, and reports it unless it only ends a discovery.
    ///
    /// - Parameter pending: the request, if the log has it.
    private mutating func countError(slot: Int, _ server: Side, asked pending: PendingRequest? = nil) {
        guard let error = frame.attPDU.error, let request = frame.attPDU.requestOpcode else { return }
        // No request has opcode 0: some servers answer commands in this way.
        if pending == nil, request.rawValue == 0 {
            let isReported = problems.contains { $0.code == .unexpectedResponse }
            if !isReported { report(.att(.unexpectedResponse)) }
            return
        }
        let type = pending?.type
        // Many servers without secondary services answer a search for them with this error.
        let isOfNoGroup = error == ATTErrorCode.unsupportedGroupType.rawValue && type == .secondaryService
        if request.isDiscovery, error == ATTErrorCode.attributeNotFound.rawValue || isOfNoGroup { return }
        if error == ATTErrorCode.databaseOutOfSync.rawValue {
            // The client used outdated handles, so everything learned from it is outdated too.
            withDatabase(of: server, slot: slot) { $0.forgetAll() }
        }
        links[slot].counts.errors &+= 1
        let asked = RefusedRequest(opcode: request, handle: frame.attPDU.handle ?? 0)
        let database =
            server == .peer
            ? peers[links[slot].peer].database
            : adapters.database(file: links[slot].file, adapter: links[slot].adapter)
        let breach = pending.flatMap { request in
            RequestBreach(ATTErrorCode(rawValue: error), request, at: asked.handle, database: database)
        }
        let kind = ATTProblem.error(ATTErrorCode(rawValue: error), asked, by: Problem.Party(server), breach)
        var problem = Problem(.att(kind), by: Problem.Party(breach == nil ? server : server.other))
        problem.isUnsure = progress(ofFile: frame.file)?.shown.contains(server.other) == false
        problem.contradicted = RequestBreach.contradicted(
            by: ATTErrorCode(rawValue: error), request, asked.handle, database)
        problems.append(problem)
    }

    /// Sets the attribute's label on the PDU.
    private mutating func label(slot: Int, _ server: Side) {
        guard let handle = frame.attPDU.handle, !frame.attPDU.opcode.isDiscovery else { return }
        if let request = frame.attPDU.requestOpcode, request.isDiscovery { return }
        if server == .peer, let place = labels.place(of: labelKey(of: handle, slot: slot), slot: slot) {
            frame.attPDU.label = labels[place].label
        } else {
            frame.attPDU.label = databaseLabel(of: handle, server: server, slot: slot)
        }
    }

    /// Returns the cache key for the label of a handle of the peer's server.
    @inline(__always)
    func labelKey(of handle: UInt16, slot: Int) -> LabelCache.Key {
        let peer = links[slot].peer
        return LabelCache.Key(
            handle: handle, peer: peer, link: links[slot].number, generation: peers.generation(of: peer))
    }

    /// Returns the label of a handle of the server at one end of a link; nil if nothing is known.
    mutating func databaseLabel(of handle: UInt16, server: Side, slot: Int) -> AttributeLabel? {
        guard server == .peer else {
            return adapters.label(
                of: handle, file: links[slot].file, adapter: links[slot].adapter, link: links[slot].number)
        }
        let key = labelKey(of: handle, slot: slot)
        if let place = labels.place(of: key, slot: slot) { return labels[place].label }
        let label = peers.label(of: handle, peer: key.peer, link: key.link)
        labels.remember(label, of: key, slot: slot)
        return label
    }
}

extension ATTOpcode.Kind {
    /// Returns the side with the server that a PDU is about. A PDU of an unknown kind counts as the client's.
    @inline(__always)
    fileprivate func server(ifSentBy sender: Side) -> Side { isSentByClient == false ? sender : sender.other }
}

// Information that is computed only for a frame that is shown.

extension Analyzer {
    /// Returns the label of a further attribute that the last frame's ATT PDU names, for PDUs that name
    /// several; nil if nothing is known.
    public func label(of handle: UInt16) -> AttributeLabel? {
        guard frame.hasATT, links.indices.contains(frame.link), frame.direction != .unknown else {
            return nil
        }
        let sender: Side = frame.direction == .hostToController ? .host : .peer
        let link = links[frame.link]
        switch frame.attPDU.opcode.kind.server(ifSentBy: sender) {
        case .peer: return peers.label(of: handle, peer: link.peer, link: link.number)
        case .host:
            return adapters.label(of: handle, file: link.file, adapter: link.adapter, link: link.number)
        }
    }

    /// Returns the label of an attribute of the device at one end of a listed connection; nil if nothing is
    /// known.
    public func label(
        of handle: UInt16, at server: Problem.Party, ofConnection number: Int
    ) -> AttributeLabel? {
        guard handle > 0, let link = listedLinks.first(where: { $0.number == number }) else { return nil }
        return server == .host
            ? adapters.label(of: handle, file: link.file, adapter: link.adapter, link: number)
            : peers.label(of: handle, peer: link.peer, link: number)
    }

    /// Returns the annotations of the advertisers in the last frame by protocols above ATT; empty for all
    /// other frames. `record` is that frame's record.
    public func advertised(in record: borrowing Record) -> [Annotation] {
        guard frame.reports > 0 else { return [] }
        guard frame.header.kind == .air else { return advertised(in: record.octets.dropping(3)) }
        let view = air.view
        guard let event = view.packets.last(where: { $0.kind == .event }) else { return [] }
        return advertised(in: view.octets.borrowedOctets.clamped(event.range).dropping(3))
    }

    private func advertised(in parameters: RawSpan) -> [Annotation] {
        guard var reports = try? LEAdvertisingReports(parameters, extended: frame.subevent == 0x0D) else {
            return []
        }
        var found: [Annotation] = []
        var place = 0
        while let report = (try? reports.next()) ?? nil {
            if frame.isPartOfAdvertising, let part = advertisingParts.first(where: { $0.report == place }) {
                if let whole = part.whole {
                    annotators.annotate(advertising: whole.borrowedOctets, of: report.address, &found)
                }
            } else {
                let data = parameters.clamped(report.data)
                let count = found.count
                annotators.annotate(advertising: data, of: report.address, &found)
                if frame.mayNameCar, found.count == count {
                    annotators.annotate(named: data, report.address, &found)
                }
            }
            place += 1
        }
        return found
    }
}

// Values that are read or written in several PDUs. Each is passed on complete, with the frame that completes
// it.

extension Analyzer {
    /// Handles a value that was read, or a part of one.
    mutating func read(
        _ value: RawSpan, of handle: UInt16, slot: Int, bearer: Int, _ server: Side, isCut: Bool
    ) {
        let missing = missingOctets(value.byteCount &+ 1)
        let outcome = links[slot].bearers[bearer].read(
            value, of: handle, by: server.other,
            pieceOf: frame.attPDU.opcode == .readBlobResponse ? frame.request?.place : nil,
            missing: missing, isCut: isCut, startSeen: !links[slot].wasOpenAtStart)
        switch outcome {
        case .isPart: break
        case .isWhole:
            guard frame.attPDU.label.map({ annotators.explain($0) }) ?? true else { return }
            annotate(value, missing: missing, of: handle, frame.attPDU.label, .readResponse, slot: slot)
        case .ends(let octets): deliver(octets, of: handle, frame.attPDU.label, .readResponse, slot: slot)
        }
    }

    /// Queues a part of a long write. A value with a gap in it is never joined.
    mutating func prepare(
        _ value: RawSpan, of handle: UInt16, offset: UInt16, slot: Int, bearer: Int, _ client: Side,
        isCut: Bool
    ) {
        let hasRoom = links[slot].bearers[bearer][preparedBy: client].add(
            value, to: handle, offset: offset, frame: frame.place, isCut: isCut)
        if !hasRoom { reportFull(.preparedWrites) }
    }

    /// Executes or cancels long writes: the value of each attribute is joined from its parts.
    mutating func execute(_ writes: Bool, slot: Int, bearer: Int, _ client: Side) {
        let queue = links[slot].bearers[bearer][preparedBy: client]
        links[slot].bearers[bearer][preparedBy: client] = PreparedWrites()
        guard writes else { return }
        for value in queue.values {
            let label = databaseLabel(of: value.handle, server: client.other, slot: slot)
            deliver(value.octets, of: value.handle, label, .writeRequest, slot: slot)
        }
    }

    /// Records the complete value whose last part is this frame's PDU, and passes it on.
    mutating func deliver(
        _ octets: [UInt8], of handle: UInt16, _ label: AttributeLabel?, _ opcode: ATTOpcode,
        slot: Int
    ) {
        annotate(octets.borrowedOctets, missing: 0, of: handle, label, opcode, slot: slot)
        joined.append(JoinedValue(handle: handle, label: label, octets: octets))
        if opcode == .readResponse, label?.part == .value, label?.characteristic?.assigned16 == 0x2A00 {
            let server: Side = frame.direction == .hostToController ? .host : .peer
            noteDeviceName(octets.borrowedOctets, server: server, slot: slot)
        }
    }
}

// Knowledge from responses, for the database of their server and for the link.

extension Analyzer {
    /// Learns from a response that answers `pending`.
    mutating func learn(
        _ payload: RawSpan, _ pending: PendingRequest, server: Side, slot: Int, isCut: Bool
    ) {
        if pending.opcode == .readRequest {
            if !isCut { learnValue(payload.dropping(1), pending, server, slot: slot) }
            return
        }
        guard pending.opcode.isDiscovery else { return }
        if server == .peer, let hash = AttributeDatabase.hash(in: payload, to: pending) {
            peers.show(hash: hash, peer: links[slot].peer, link: links[slot].number)
        }
        let origin = AttributeDatabase.Origin(
            source: .discovered, file: frame.header.file, frame: frame.number, link: links[slot].number)
        var found = AttributeDatabase.FoundValues()
        withDatabase(of: server, slot: slot) {
            found = $0.learn(payload, to: pending, isCut: isCut, from: origin)
        }
        for (descriptor, state) in found.configurations {
            learnConfiguration(of: descriptor, state, server: server, slot: slot)
        }
        noteDeviceName(found.deviceName.borrowedOctets, server: server, slot: slot)
    }

    /// Changes the database of the server at one end of a link.
    mutating func withDatabase(of server: Side, slot: Int, _ body: (inout AttributeDatabase) -> Void) {
        switch server {
        case .peer: peers.withDatabase(of: links[slot].peer, body)
        case .host:
            adapters.withDatabase(file: links[slot].file, adapter: links[slot].adapter, body)
            if adapters.databaseWasFull { reportFull(.ownAttributes) }
        }
    }

    /// Learns from a value that was read completely: the database's hash, a configuration, or the device's
    /// name.
    private mutating func learnValue(
        _ value: RawSpan, _ pending: PendingRequest, _ server: Side, slot: Int
    ) {
        let origin = AttributeDatabase.Origin(
            source: .discovered, file: frame.header.file, frame: frame.number, link: links[slot].number)
        if value.byteCount == 5 || value.byteCount == 19 {
            withDatabase(of: server, slot: slot) {
                $0.learnDeclaration(value, at: pending.handle, from: origin)
            }
        }
        guard let label = databaseLabel(of: pending.handle, server: server, slot: slot) else { return }
        if label.isClientConfiguration, value.byteCount == 2, let state = value.u16le(at: 0) {
            learnConfiguration(of: pending.handle, state, server: server, slot: slot)
        }
        guard label.part == .value else { return }
        switch label.characteristic?.assigned16 {
        case 0x2B2A where value.byteCount == 16 && server == .peer:
            peers.show(hash: value.copied(), peer: links[slot].peer, link: links[slot].number)
        case 0x2A00: noteDeviceName(value, server: server, slot: slot)
        default: break
        }
    }

    /// Keeps the value of the peer's Device Name, or its start if one PDU holds no more. The specification
    /// allows 248 bytes (Vol 3, Part C, 12.1).
    mutating func noteDeviceName(_ value: RawSpan, server: Side, slot: Int) {
        guard server == .peer else { return }
        let name = value.clamped(0..<min(248, value.byteCount)).copied().withoutPadding
        guard !name.isEmpty else { return }
        peers.name(peer: links[slot].peer, name)
        links[slot].deviceName = name
    }
}

extension [UInt8] {
    /// A name without the zeros with which some devices fill the rest of their value.
    var withoutPadding: [UInt8] { lastIndex { $0 != 0 }.map { Array(self[...$0]) } ?? [] }
}
