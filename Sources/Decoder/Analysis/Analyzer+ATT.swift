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
        if opcode == .exchangeMTURequest || opcode == .readByGroupTypeRequest, bearer == 0 {
            // Before anything else is known of the frame: it may belong to a new link.
            startNewLinkIfMissed()
        }
        frame.bearer = bearer
        if payload.byteCount < places.wholeLength { checkATT(payload, isCut: isCut) }
        if payload.byteCount > 23, bearer == 0, payload.byteCount > Int(link.bearers[0].largestMTU) {
            links[frame.link].reportExceededMTU(
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
        if frame.attPDU.handle != nil { label(server) }
        follow(kind, payload, sender, isCut: isCut)
        if frame.attPDU.label == nil { label(server) }
        annotate(payload, sender, isCut: isCut)
        if opcode.isWrite, sender == .host, annotations.contains(where: \.asksToRestart) {
            link.lastWrite.asksToRestart = true
        }
        if sender == .peer, link.lastWrite.asksToRestart, refusesLastWrite {
            link.lastWrite.asksToRestart = false
        }
        // The length serves to compare sessions, which leaves messages of private protocols out.
        if kind == .request, annotations.contains(where: \.isPrivate) {
            self.bearer[sender].withNewestRequest { $0.writtenLength = nil }
        }
        if kind == .indication { noteServiceChanged(payload, sender) }
    }

    /// Whether the peer's PDU refuses the host's last write, by ATT or by a protocol above.
    private var refusesLastWrite: Bool {
        if frame.attPDU.opcode == .errorResponse { return frame.request?.place == link.lastWrite.frame }
        return problems.contains {
            guard case .annotated(let problem) = $0.kind, problem.isRefusal else { return false }
            return problem.request == nil || problem.request == link.lastWrite.frame
        }
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
    private mutating func follow(_ kind: ATTOpcode.Kind, _ payload: RawSpan, _ sender: Side, isCut: Bool) {
        switch kind {
        case .request: followRequest(payload, sender, isCut: isCut)
        case .response: followResponse(payload, sender, isCut: isCut)
        case .command: followWrite(payload, sender, isCut: isCut)
        case .notification: followNotification(payload, sender)
        case .indication:
            followNotification(payload, sender)
            followIndication(sender)
        case .confirmation: followConfirmation(sender)
        case .unknown: break
        }
    }

    private mutating func followRequest(_ payload: RawSpan, _ sender: Side, isCut: Bool) {
        var request = pending()
        request.read(payload)
        links[frame.link].request(request, payload, bearer: frame.bearer, sender, shown: shown, &problems)
        followWrite(payload, sender, isCut: isCut)
    }

    private mutating func followIndication(_ sender: Side) {
        links[frame.link].indication(pending(), bearer: frame.bearer, sender, &problems)
    }

    private mutating func followConfirmation(_ sender: Side) {
        let indication = links[frame.link].confirmation(
            bearer: frame.bearer, sender, at: frame.time, &problems)
        guard let indication else { return }
        answer(indication)
        frame.attPDU.handle = indication.handle
    }

    /// Creates the pending request of this frame's PDU.
    private mutating func pending() -> PendingRequest {
        transactions &+= 1
        frame.attPDU.transaction = transactions
        note(deadline: frame.time.after(PendingRequest.timeout), slot: frame.link)
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

    private mutating func followResponse(_ payload: RawSpan, _ sender: Side, isCut: Bool) {
        let opcode = frame.attPDU.opcode
        let answered = links[frame.link].response(
            frame.attPDU, payload, began: frame.l2cap?.firstFrame ?? frame.place, bearer: frame.bearer,
            sender, at: frame.time, &problems)
        guard let answered else {
            if opcode == .errorResponse { countError(sender) }
            return
        }
        answer(answered)
        if !setbacks.isEmpty, opcode != .errorResponse { markOvercome(answered, by: sender) }
        frame.attPDU.requestedType = answered.type
        if answered.opcode.isDiscovery {
            if link.discoverer == sender.other {
                let error = frame.attPDU.error.flatMap { answered.refusal(by: ATTErrorCode(rawValue: $0)) }
                link.phases.discover(from: answered.time, to: frame.time, refusal: error)
            }
            if !isCut, let problem = link.discovery.answered(answered, by: payload, sender.other) {
                problems.append(problem)
            }
        }
        if frame.attPDU.handle == nil, answered.opcode.namesOneHandle {
            frame.attPDU.handle = answered.handle
        }
        switch opcode {
        case .writeResponse:
            if answered.configured != nil { confirmSubscription(answered, server: sender) }
        case .readMultipleResponse, .readMultipleVariableResponse:
            askedHandles = bearer.several(answered, sender.other)
        case .errorResponse: followError(answered, server: sender)
        case .exchangeMTUResponse:
            links[frame.link].answer(
                mtu: opcode.places.mtu(in: payload), bearer: frame.bearer, at: frame.time, &problems)
        default:
            // If it may answer another of several requests, only facts that hold for all of them are learned.
            if answered.isAmbiguous, !opcode.isDiscovery || answered.elementsAreAmbiguous { return }
            learn(payload, answered, server: sender, isCut: isCut)
        }
    }

    /// Handles an error that answers a known request.
    private mutating func followError(_ pending: PendingRequest, server: Side) {
        switch pending.opcode {
        case .readBlobRequest:
            // A client asks for more until the server refuses: the value was complete with the previous part.
            let outcome = bearer.refuse(pending, frame.attPDU.error, by: server.other)
            if case .ends(let octets) = outcome {
                let label = databaseLabel(of: pending.handle, server: server)
                deliver(octets, of: pending.handle, label, .readResponse)
            }
            if outcome != .isPart { return }
        case .exchangeMTURequest:
            link.refuseMTU(bearer: frame.bearer, frame.attPDU.error, by: server)
        case .prepareWriteRequest:
            bearer[server.other].prepared.remove(frame: pending.frame)
        default: break
        }
        if pending.configured != nil { refuseSubscription(pending, server: server) }
        if frame.attPDU.error == ATTErrorCode.attributeNotFound.rawValue,
            frame.attPDU.handle == pending.handle
        {
            let link = link.number
            withDatabase(of: server) { $0.learnEnd(of: pending, link: link) }
        }
        countError(server, asked: pending)
    }

    /// Counts an Error Response, and reports it unless it only ends a discovery.
    ///
    /// - Parameter pending: the request, if the log has it.
    private mutating func countError(_ server: Side, asked pending: PendingRequest? = nil) {
        guard let error = frame.attPDU.error, let request = frame.attPDU.requestOpcode else { return }
        // No request has opcode 0: some servers answer commands in this way.
        if pending == nil, request.rawValue == 0 {
            let isReported = problems.contains { $0.code == .unexpectedResponse }
            if !isReported { report(.att(.unexpectedResponse)) }
            return
        }
        let type = pending?.type
        // Many servers without secondary services answer a search for them with this error.
        let isUnsupportedGroup =
            error == ATTErrorCode.unsupportedGroupType.rawValue && type == .secondaryService
        if request.isDiscovery, error == ATTErrorCode.attributeNotFound.rawValue || isUnsupportedGroup {
            return
        }
        if error == ATTErrorCode.databaseOutOfSync.rawValue {
            // The client used outdated handles, so everything learned from it is outdated too.
            withDatabase(of: server) { $0.forgetAll() }
        }
        link.counts.errors &+= 1
        // Some servers write another handle into the error, often 0; the request says what was asked for.
        let named = pending.flatMap { $0.opcode.namesOneHandle && !$0.isAmbiguous ? $0.handle : nil }
        if let named, named != frame.attPDU.handle {
            frame.attPDU.label = databaseLabel(of: named, server: server)
        }
        var asked = AttributeUse(opcode: request, handle: named ?? frame.attPDU.handle ?? 0)
        // Two bytes for any other attribute are a value.
        if frame.attPDU.label?.mayBeClientConfiguration == true { asked.configured = pending?.configured }
        let database =
            server == .peer
            ? peers[link.peer].database
            : adapters.database(file: link.file, adapter: link.adapter)
        let breach = pending.flatMap { request in
            RequestBreach(ATTErrorCode(rawValue: error), request, at: asked.handle, database: database)
        }
        let kind = ATTProblem.error(ATTErrorCode(rawValue: error), asked, by: Problem.Party(server), breach)
        var problem = Problem(.att(kind), by: Problem.Party(breach == nil ? server : server.other))
        problem.isUnsure = progress(ofFile: frame.file)?.shown.holdsPackets(of: server.other) == false
        problem.contradicted = RequestBreach.contradicted(
            by: ATTErrorCode(rawValue: error), request, asked.handle, database)
        problems.append(problem)
    }

    /// Sets the attribute's label on the PDU.
    private mutating func label(_ server: Side) {
        guard let handle = frame.attPDU.handle, !frame.attPDU.opcode.isDiscovery else { return }
        if let request = frame.attPDU.requestOpcode, request.isDiscovery { return }
        if server == .peer, let place = labels.place(of: labelKey(of: handle), slot: frame.link) {
            frame.attPDU.label = labels[place].label
        } else {
            frame.attPDU.label = databaseLabel(of: handle, server: server)
        }
    }

    /// Returns the cache key for the label of a handle of the peer's server.
    @inline(__always)
    func labelKey(of handle: UInt16) -> LabelCache.Key {
        let peer = link.peer
        return LabelCache.Key(
            handle: handle, peer: peer, link: link.number, generation: peers.generation(of: peer))
    }

    /// Returns the label of a handle of the server at one end of a link; nil if nothing is known.
    mutating func databaseLabel(of handle: UInt16, server: Side) -> AttributeLabel? {
        guard server == .peer else {
            return adapters.label(of: handle, file: link.file, adapter: link.adapter, link: link.number)
        }
        let key = labelKey(of: handle)
        if let place = labels.place(of: key, slot: frame.link) { return labels[place].label }
        let label = peers.label(of: handle, peer: key.peer, link: key.link)
        labels.remember(label, of: key, slot: frame.link)
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
        guard frame.hasATT, links.indices.contains(frame.link), let sender = frame.sender else { return nil }
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
    mutating func read(_ value: RawSpan, of handle: UInt16, _ server: Side, isCut: Bool) {
        let missing = missingOctets(value.byteCount &+ 1)
        let outcome = bearer.read(
            value, of: handle, by: server.other,
            pieceOf: frame.attPDU.opcode == .readBlobResponse ? frame.request?.place : nil,
            missing: missing, isCut: isCut, startSeen: !link.mayLackEarlierPackets)
        switch outcome {
        case .isPart: break
        case .isWhole:
            guard frame.attPDU.label.map({ annotators.explain($0) }) ?? true else { return }
            annotate(value, missing: missing, of: handle, frame.attPDU.label, .readResponse)
        case .ends(let octets): deliver(octets, of: handle, frame.attPDU.label, .readResponse)
        }
    }

    /// Queues a part of a long write. A value with a gap in it is never joined.
    mutating func prepare(
        _ value: RawSpan, of handle: UInt16, offset: UInt16, _ client: Side,
        isCut: Bool
    ) {
        let hasRoom = bearer[client].prepared.add(
            value, to: handle, offset: offset, frame: frame.place, isCut: isCut)
        if !hasRoom { reportFull(.preparedWrites) }
    }

    /// Executes or cancels long writes: the value of each attribute is joined from its parts.
    mutating func execute(_ writes: Bool, _ client: Side) {
        let queue = bearer[client].prepared
        bearer[client].prepared = PreparedWrites()
        guard writes else { return }
        for value in queue.values {
            let label = databaseLabel(of: value.handle, server: client.other)
            deliver(value.octets, of: value.handle, label, .writeRequest)
        }
    }

    /// Records the complete value whose last part is this frame's PDU, and passes it on.
    mutating func deliver(
        _ octets: [UInt8], of handle: UInt16, _ label: AttributeLabel?, _ opcode: ATTOpcode
    ) {
        annotate(octets.borrowedOctets, missing: 0, of: handle, label, opcode)
        joined.append(JoinedValue(handle: handle, label: label, octets: octets))
        if opcode == .readResponse, label?.part == .value, label?.characteristic?.assigned16 == 0x2A00 {
            noteDeviceName(octets.borrowedOctets, server: frame.sender ?? .peer)
        }
    }
}

// Knowledge from responses, for the database of their server and for the link.

extension Analyzer {
    /// Learns from a response that answers `pending`.
    mutating func learn(_ payload: RawSpan, _ pending: PendingRequest, server: Side, isCut: Bool) {
        if pending.opcode == .readRequest {
            if !isCut { learnValue(payload.dropping(1), pending, server) }
            return
        }
        guard pending.opcode.isDiscovery else { return }
        if server == .peer, let hash = AttributeDatabase.hash(in: payload, to: pending) {
            peers.noteHash(hash, of: link.peer, link: link.number)
        }
        let origin = AttributeDatabase.Origin(
            source: .discovered, file: frame.header.file, frame: frame.number, link: link.number)
        var found = AttributeDatabase.FoundValues()
        withDatabase(of: server) {
            found = $0.learn(payload, to: pending, isCut: isCut, from: origin)
        }
        for (descriptor, state) in found.configurations {
            learnConfiguration(of: descriptor, state, server: server)
        }
        noteDeviceName(found.deviceName.borrowedOctets, server: server)
    }

    /// Changes the database of the server at one end of a link.
    mutating func withDatabase(of server: Side, _ body: (inout AttributeDatabase) -> Void) {
        switch server {
        case .peer: peers.withDatabase(of: link.peer, body)
        case .host:
            adapters.withDatabase(file: link.file, adapter: link.adapter, body)
            if adapters.databaseWasFull { reportFull(.ownAttributes) }
        }
    }

    /// Learns from a value that was read completely: the database's hash, a configuration, or the device's
    /// name.
    private mutating func learnValue(_ value: RawSpan, _ pending: PendingRequest, _ server: Side) {
        let origin = AttributeDatabase.Origin(
            source: .discovered, file: frame.header.file, frame: frame.number, link: link.number)
        if value.byteCount == 5 || value.byteCount == 19 {
            withDatabase(of: server) {
                $0.learnDeclaration(value, at: pending.handle, from: origin)
            }
        }
        guard let label = databaseLabel(of: pending.handle, server: server) else { return }
        if label.isClientConfiguration, value.byteCount == 2, let state = value.u16le(at: 0) {
            learnConfiguration(of: pending.handle, state, server: server)
        }
        guard label.part == .value else { return }
        switch label.characteristic?.assigned16 {
        case 0x2B2A where value.byteCount == 16 && server == .peer:
            peers.noteHash(value.copied(), of: link.peer, link: link.number)
        case 0x2A00: noteDeviceName(value, server: server)
        default: break
        }
    }

    /// Keeps the value of the peer's Device Name, or its start if one PDU holds no more. The specification
    /// allows 248 bytes (Vol 3, Part C, 12.1).
    mutating func noteDeviceName(_ value: RawSpan, server: Side) {
        guard server == .peer else { return }
        let name = value.clamped(0..<min(248, value.byteCount)).copied().withoutPadding
        guard !name.isEmpty else { return }
        peers.name(peer: link.peer, name)
        link.deviceName = name
    }
}

extension [UInt8] {
    /// A name without the zeros with which some devices fill the rest of their value.
    var withoutPadding: [UInt8] { lastIndex { $0 != 0 }.map { Array(self[...$0]) } ?? [] }
}
