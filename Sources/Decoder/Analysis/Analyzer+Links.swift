import BluetoothCore
import CaptureFile
import PayloadFormat

// Connections: their opening and ending, and the successive connections of a handle.
//
// A link is followed from `makeLink` on. `closeLink` closes it: it stays the frame's link (`endedSlot`) until
// the next record, where `settleEnded` keeps it for late packets (`endedSlots`, at most 8) or, if none can
// come, releases it. `release` lists it in `finished` and frees its slot. Eviction (`evict`) and the start
// of a connection that the log lacks (`startNewLinkIfMissed`) list a followed link at once. On eviction,
// `list` runs before `detach`; after `closeLink`, which detaches at once, `release` lists the link. `detach`
// saves the annotators' knowledge and frees the handle; the annotators stay in the slot until
// `annotators.open` replaces them. After `finish`, `finished` has the open links too.

extension Analyzer {
    /// The most connections followed at once; a new one evicts the one with the longest silence.
    public static let linkLimit = 256

    /// The index of the current frame's adapter, which is added if it is new.
    var frameAdapter: Int {
        mutating get { adapters.indexAdding(file: frame.file, adapter: frame.header.adapter) }
    }

    /// Returns the slot of the open link that the current frame's packet names; nil if none is open.
    @inline(__always)
    mutating func openSlot(of handle: UInt16) -> Int? {
        handles.slot(file: frame.file, adapter: frame.header.adapter, handle: handle)
    }

    /// Opens a link for a connection whose establishment is in the log. If a link is still open on the
    /// handle, its end is missing: it is closed first.
    mutating func openLink(handle: UInt16, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void) {
        if let old = openSlot(of: handle) {
            if links[old].isEarly(at: frame.time) { return adopt(slot: old, address, setUp) }
            report(.hci(.connectionReplaced(links[old].number)))
            closeLink(slot: old, reason: nil)
            settleEnded()
        }
        let slot = makeLink(handle: handle, address, setUp)
        let before = endedHandles.last(file: frame.file, adapter: frame.header.adapter, handle: handle)
        guard let before, let ended = endedSlot(of: before) else { return }
        links[slot].takeEarly(from: links[ended].bearers[0], since: frame.time.after(-Self.longestLead))
        release(slot: ended)
    }

    /// Returns the link of a packet whose handle no event opened: the connection was open before the log
    /// began, or the packet precedes the event. Nil for a packet that the host sends on an ended connection.
    mutating func unopenedLink(handle: UInt16) -> Int? {
        let before = endedHandles.last(file: frame.file, adapter: frame.header.adapter, handle: handle)
        if let before {
            if before.mayBeOpen { return resumedLink(before) }
            let slot = endedSlot(of: before)
            if frame.direction != .hostToController, let slot, isLate(before) {
                return lateLink(slot: slot, before)
            }
            if frame.direction == .hostToController, !mayBeReused(handleOf: before) {
                frame.link = slot ?? -1
                report(.hci(.endedConnection(handle, before.frame, waited: frame.time.since(before.time))))
                return nil
            }
        }
        let asked = attemptCount > 0 ? adapters[frameAdapter].attempt : nil
        let slot = makeLink(handle: handle, nil) {
            $0.mayLackEarlierPackets = true
            $0.predecessor = before.map { ($0.connection, $0.frame) }
            $0.askedFor = asked
        }
        report(.hci(.unknownConnection(after: before?.frame)))
        return slot
    }

    /// Resumes an evicted connection, and returns its new link.
    @discardableResult
    private mutating func resumedLink(_ before: EndedHandle) -> Int {
        endedHandles.resume(before)
        return makeLink(handle: before.handle, before.address) {
            // The packets in between were not followed.
            $0.mayLackEarlierPackets = true
            $0.earlierNumber = before.connection
            $0.role = before.role
            $0.transport = before.transport
        }
    }

    /// Makes the link of a connection that was open before the log began, from the recorder's note about its
    /// peer. A followed link stays as it is; an evicted one resumes if the peer is the same.
    mutating func knownLink(handle: UInt16, _ address: DeviceAddress, _ transport: Link.Transport) {
        guard openSlot(of: handle) == nil else { return }
        if let before = endedHandles.last(file: frame.file, adapter: frame.header.adapter, handle: handle),
            before.mayBeOpen, before.address == address
        {
            resumedLink(before)
            return
        }
        endedHandles.end(
            file: frame.file, adapter: frame.header.adapter, handle: handle, at: frame.place, frame.time)
        makeLink(handle: handle, address) {
            $0.mayLackEarlierPackets = true
            $0.transport = transport
        }
    }

    /// Makes a link and assigns the frame to it.
    @discardableResult
    mutating func makeLink(handle: UInt16, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void) -> Int {
        makeRoom()
        linkCount += 1
        var link = Link(
            number: linkCount, file: frame.file, adapter: frame.header.adapter, handle: handle,
            firstFrame: frame.place, time: frame.time)
        link.address = address
        setUp(&link)
        addPeer(to: &link)
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            links[slot] = link
        } else {
            slot = links.count
            links.append(link)
            labels.addSlot()
        }
        annotators.open(slot: slot, startSeen: !link.mayLackEarlierPackets, knownPeer(slot: slot))
        openCount += 1
        handles.set(slot, file: frame.file, adapter: frame.header.adapter, handle: handle)
        frame.link = slot
        return slot
    }

    /// Finds the peer of a link by its address, and adds to the link what earlier links have shown of it.
    mutating func addPeer(to link: inout Link) {
        link.peer = peers.peer(link.address, at: frame.time.nanoseconds)
        peers.retain(peer: link.peer)
        link.identity = peers.identity(of: link.peer, connectedAs: link.address)
        link.isBonded = peers[link.peer].isBonded
        link.deviceName = peers[link.peer].name
    }

    /// Makes room for one more link, and for the handles of its adapter.
    private mutating func makeRoom() {
        for slot in handles.makeTable(file: frame.file, adapter: frame.header.adapter) { evict(slot: slot) }
        guard openCount >= Self.linkLimit else { return }
        var quietest: Int?
        for slot in links.indices where links[slot].isFollowed {
            if let known = quietest, links[known].lastRecord <= links[slot].lastRecord { continue }
            quietest = slot
        }
        guard let quietest else { return }
        reportFull(.links)
        evict(slot: quietest)
    }

    /// Stops following a link that may still be open.
    private mutating func evict(slot: Int) {
        guard links[slot].isFollowed else { return }
        links[slot].wasEvicted = true
        list(slot: slot)
        endedHandles.add(EndedHandle(links.span[slot], at: frame.place, frame.time))
        detach(slot: slot)
        freeSlots.append(slot)
    }

    mutating func detach(slot: Int) {
        annotators.keepKnowledge(slot: slot, knownPeer(slot: slot))
        links[slot].isFollowed = false
        openCount -= 1
        handles.set(nil, file: links[slot].file, adapter: links[slot].adapter, handle: links[slot].handle)
        peers.release(peer: links[slot].peer, at: frame.time.nanoseconds)
    }

    /// Ends a link; it stays readable as the frame's link until the next record.
    ///
    /// - Parameter time: the time of the end, if it is not the frame's.
    mutating func closeLink(
        slot: Int, reason: UInt8?, with end: LinkEnd? = nil, at time: CaptureTime? = nil
    ) {
        let time = time ?? frame.time
        guard links.indices.contains(slot), links[slot].isOpen, links[slot].isFollowed else { return }
        frame.link = slot
        (link.endReason, link.endedWith) = (reason, end)
        let before = problems.count
        let shown = progress(ofFile: link.file)?.shown
        if let problem = heldBuffers() { report(problem, on: slot) }
        for problem in link.unfinishedPDUs() { report(problem, on: slot) }
        for problem in link.unanswered(at: time, reason: link.reasonForUnanswered, shown) {
            if problem.code == .noResponse { link.unansweredAtEnd += problem.related }
            report(problem, on: slot)
        }
        let ender = link.reasonForUnanswered.flatMap { HCIStatus(rawValue: $0).ender }
        // The host decided when it sent Disconnect, which this event completes.
        let asked = ender == .host ? frame.request?.latency ?? 0 : 0
        let decided = CaptureTime(nanoseconds: time.nanoseconds &- asked)
        link.overdueAtEnd = link.overdueRequest(of: ender, at: decided, shown)
        if let request = link.overdueAtEnd?.place { raise(.attTimeout, on: link.number, about: request) }
        if let problem = link.pairing.close(at: time, by: ender) { report(problem, on: slot) }
        closeAnnotators()
        reportUnheardControl()
        if let end, problems[before...].contains(where: \.endsWithLink) {
            report(.hci(.adapterEnded(end)), on: slot, before: before)
        }
        claimAttempt(slot: slot)
        markAttemptsOvercome(slot: slot)
        link.isOpen = false
        endedHandles.add(EndedHandle(links.span[slot], at: frame.place, frame.time))
        link.phases.disconnected = time
        peers.end(
            peer: link.peer,
            ofAdapter: AdapterTable.key(file: link.file, adapter: link.adapter),
            at: frame.time)
        let place = link.endIsInferred ? link.lastFrame : frame.place
        changes.append(LinkChange(connection: link.number, kind: .ended(reason: reason, place, time)))
        detach(slot: slot)
        endedSlot = slot
    }

    /// Lists an ended link, without the state that only an open link needs.
    mutating func list(slot: Int) {
        var kept = links[slot]
        kept.strip()
        kept.uses = annotators.links[slot].uses
        kept.isChosen = kept.isChosen || selection == nil
        guard finished.count >= Self.finishedLimit else { return finished.append(kept) }
        // A full list drops the link that matters least, which may be this one.
        var dropped = kept
        if let place = finished.lastIndex(where: { $0.gravity < kept.gravity }) {
            dropped = finished.remove(at: place)
            finished.append(kept)
        }
        isEveryLinkKept = false
        guard dropped.isChosen else { return }
        unlistedLinks += 1
        if dropped.uses.contains(where: { $0.unread != nil }) { unlistedUnread += 1 }
    }

    /// Ends everything under way on an adapter that was reset, closed or removed. If `end` is nil, another
    /// adapter has taken its number.
    mutating func endAdapter(adapter: Int, _ end: LinkEnd?) {
        closeAllLinks(end)
        if end != nil {
            withdrawAttempt(adapter: adapter)
            endCommands(adapter: adapter)
        }
        adapters[adapter].end(at: frame.time)
    }

    /// Ends all links of the frame's adapter, including those that are no longer followed.
    mutating func closeAllLinks(_ end: LinkEnd?) {
        for slot in handles.slots(file: frame.file, adapter: frame.header.adapter) {
            closeLink(slot: slot, reason: nil, with: end)
            settleEnded()
        }
        endedHandles.end(
            file: frame.file, adapter: frame.header.adapter, handle: nil, at: frame.place, frame.time)
        frame.link = -1
        // The local server's attributes belong to the host, which restarts.
        adapters.withDatabase(file: frame.file, adapter: frame.header.adapter) { $0.forgetAll() }
    }

    /// Ends the analysis. Links that are still open are listed too, and stay open, with their unanswered
    /// requests.
    public mutating func finish() {
        settleEnded()
        for slot in endedSlots { release(slot: slot) }
        for slot in handles.allSlots where links.indices.contains(slot) {
            noteEnd(slot: slot)
            list(slot: slot)
        }
        finishAdapters()
        // A connection's address may have been identified only after the connection ended.
        for place in advertisers.all.indices where peers.keyCount > 0 {
            resolve(advertisers.all[place].address, place: place)
        }
        for index in finished.indices where finished[index].identity == nil {
            finished[index].identity = finished[index].address.flatMap { peers.identity(ofPrivate: $0) }
        }
        countMissingValues()
        setAsidePages()
    }

    /// Counts a problem for each connection on which the peer sent no value although the host subscribed and
    /// wrote, beside one to the same device where it did. Many devices never send a value, so that only the
    /// comparison shows something missing.
    private mutating func countMissingValues() {
        let answered = finished.filter { $0.isUsed && $0.receivedCount > 0 && $0.device != nil }
        for index in finished.indices where finished[index].isUsed && finished[index].receivedCount == 0 {
            let link = finished[index]
            let other = answered.first { $0.device == link.device && link.lasted(longerThan: $0) }
            guard let other else { continue }
            let missing = other.subscriptions.valueNotEnabled(by: link.subscriptions)
            let problem = Problem(
                .att(.noValues(besides: other.number, notEnabled: missing)),
                by: missing == nil ? .peer : .host)
            finished[index].counts.problems &+= 1
            countAtEnd(problem, at: link.lastFrame, of: link)
        }
    }

    /// Counts a problem of a link that only the end of the log shows: in order and time, with the link's last
    /// record.
    private mutating func countAtEnd(_ problem: Problem, at place: FramePlace, of link: Link) {
        updateTotals(selected: link.isChosen) {
            $0.count(
                problem, at: place, order: link.lastRecord, link.phases.last, link: link.number,
                speaksProtocol: false)
        }
    }

    private mutating func noteEnd(slot: Int) {
        let file = links[slot].file
        guard let last = progress(ofFile: file)?.time else { return }
        let shown = progress(ofFile: file)?.shown
        links[slot].phases.logEnded = CaptureTime(nanoseconds: last)
        links[slot].endIsRecorded = shown?.contains(.events) ?? false
        for var problem in links[slot].unfinishedPDUs(at: CaptureTime(nanoseconds: last)) {
            links[slot].counts.problems &+= 1
            (problem.file, problem.isOnAir) = (Int(file), links[slot].isOnAir)
            countAtEnd(problem, at: problem.related[0], of: links[slot])
        }
        if links[slot].isSilentOnAir(at: last) {
            links[slot].endedWith = .unheard
            links[slot].endIsRecorded = false
            links[slot].tolerateMissingAnswers()
        }
        claimAttempt(slot: slot)
        markAttemptsOvercome(slot: slot)
        var waiting: [OpenRequest] = []
        if let pairing = links[slot].pairing.open(at: last, isOnAir: links[slot].isOnAir) {
            waiting.append(pairing)
        }
        let awaited = annotators.links[slot].waiting(at: last)
        if links[slot].showsAnswers(in: shown) { waiting += awaited.flatMap(\.requests) }
        // If the log lacks disconnections, nothing is known of a connection after its last packet.
        let isShown = links[slot].endIsRecorded
        waiting += links[slot].waiting(
            at: isShown ? last : links[slot].phases.last.nanoseconds,
            logEnd: isShown || links[slot].air != nil ? nil : last, shown)
        countLate(slot: slot, end: last)
        links[slot].openRequests = Array(waiting.prefix(OpenRequest.limit))
        // Protocols above ATT are still waiting when the log ends, so there is no frame to report the cause
        // at.
        guard links[slot].unsubscribedResponses == nil, let kind = awaited.first?.kind,
            let value = unsubscribedResponses(slot: slot, of: kind)
        else { return }
        links[slot].unsubscribedResponses = value
    }

    /// The connections that a report about the selection (or, without one, about the capture) lists, in the
    /// order of their numbers.
    public var listedLinks: [Link] { everyLink.filter(\.isChosen) }

    /// The ended connections of the capture, those that are not selected too, in the order of their numbers.
    public var everyLink: [Link] { finished.sorted { $0.number < $1.number } }

    /// The number of connections in the capture.
    public var connectionCount: Int { linkCount }

    /// Returns the identity address of a link's peer, if an identity resolving key or the controller revealed
    /// it; else the address that it connected with. The index is one of ``links``.
    public func identity(ofLink slot: Int) -> DeviceAddress? {
        guard links.indices.contains(slot) else { return nil }
        return peers[links[slot].peer].address ?? links[slot].address
    }
}

extension Link {
    /// Whether the host, as a central or with an unknown role, subscribed and wrote, and read nothing.
    fileprivate var isUsed: Bool {
        role != .peripheral && phases.subscribed != nil && phases.firstWrite != nil
            && counts.reads.byHost == 0
    }

    /// The number of values that the peer sent by itself.
    fileprivate var receivedCount: Int { counts.notifications.byPeer + counts.indications.byPeer }

    /// The peer's identity, else the address that it connected with; nil if the log names neither.
    fileprivate var device: DeviceAddress? { identity ?? address }

    /// Whether the link lasted, after its first write, at least as long as another link's first value took.
    fileprivate func lasted(longerThan other: Link) -> Bool {
        guard let written = phases.firstWrite, let asked = other.phases.firstWrite,
            let value = other.phases.firstNotification
        else { return false }
        // A value that came before the write answers nothing.
        let waited = value.since(asked)
        return waited > 0 && (phases.disconnected ?? phases.last).since(written) >= waited
    }
}
