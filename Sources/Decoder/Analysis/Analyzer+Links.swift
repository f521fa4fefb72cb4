import BluetoothCore
import CaptureFile
import PayloadFormat

// The life of connections: opening, ending, and the epochs of a handle.

extension Analyzer {
    /// The most connections that are followed at once: the one that was quiet longest gives its place up.
    public static let linkLimit = 256

    /// The slot of the open link that the current frame's packet names; nil where none is open.
    @inline(__always)
    mutating func openSlot(_ handle: UInt16) -> Int? {
        handles.slot(frame.file, frame.header.adapter, handle)
    }

    /// Opens a link for a connection that the log shows being made. One still open on the handle has lost its
    /// end: it is closed first.
    mutating func openLink(_ handle: UInt16, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void) {
        if let old = openSlot(handle) {
            report(.hci(.connectionReplaced(links[old].number)))
            closeLink(old, reason: nil)
            releaseEnded()
        }
        makeLink(handle, address, setUp)
    }

    /// The link of a packet on a handle that no event opened: it was open before the log began.
    mutating func orphanLink(_ handle: UInt16) -> Int {
        if let slot = openSlot(handle) { return slot }
        let before = lastEnded(handle)
        if let before, before.isOpen { return resumedLink(before) }
        let slot = makeLink(handle, nil) {
            $0.wasOpenAtStart = true
            $0.predecessor = before.map { ($0.connection, $0.frame) }
        }
        report(.hci(.unknownConnection(after: before?.frame)))
        return slot
    }

    /// The connection that had a handle last and is not followed any more.
    private func lastEnded(_ handle: UInt16) -> EndedHandle? {
        endedHandles.last {
            $0.file == frame.file && $0.adapter == frame.header.adapter && $0.handle == handle
        }
    }

    /// The link of a packet on a handle whose connection is not followed any more: it is the same connection.
    @discardableResult
    private mutating func resumedLink(_ before: EndedHandle) -> Int {
        endedHandles.removeAll {
            $0.file == before.file && $0.adapter == before.adapter && $0.handle == before.handle && $0.isOpen
        }
        return makeLink(before.handle, before.address) {
            // What happened on it in between is not known.
            $0.wasOpenAtStart = true
            $0.earlierNumber = before.connection
            $0.role = before.role
            $0.transport = before.transport
        }
    }

    /// The link of a handle that was up before the log began and whose peer the recorder noted; one that is
    /// followed already stays as it is, and one that gave its place up goes on, unless its peer was another.
    mutating func knownLink(_ handle: UInt16, _ address: DeviceAddress, _ transport: Link.Transport) {
        guard openSlot(handle) == nil else { return }
        if let before = lastEnded(handle), before.isOpen, before.address == address {
            resumedLink(before)
            return
        }
        endUnfollowed(handle)
        makeLink(handle, address) {
            $0.wasOpenAtStart = true
            $0.transport = transport
        }
    }

    @discardableResult
    private mutating func makeLink(
        _ handle: UInt16, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void
    ) -> Int {
        makeRoom()
        linkCount += 1
        var link = Link(
            number: linkCount, file: frame.file, adapter: frame.header.adapter, handle: handle,
            firstFrame: frame.place, time: frame.time)
        link.address = address
        setUp(&link)
        link.peer = peers.peer(link.address, at: frame.time.nanoseconds)
        peers.retain(link.peer)
        link.identity = peers.identity(of: link.peer, metAs: link.address)
        link.isBonded = peers[link.peer].isBonded
        link.deviceName = peers[link.peer].name
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            links[slot] = link
        } else {
            slot = links.count
            links.append(link)
            labels.addSlot()
        }
        annotators.open(slot, startSeen: !link.wasOpenAtStart, knownPeer(slot))
        openCount += 1
        handles.set(slot, frame.file, frame.header.adapter, handle)
        frame.link = slot
        return slot
    }

    /// Makes room for one more link, and for its adapter's handles.
    private mutating func makeRoom() {
        for slot in handles.makeTable(frame.file, frame.header.adapter) { giveUp(slot) }
        guard openCount >= Self.linkLimit else { return }
        var quietest: Int?
        for slot in links.indices where links[slot].isFollowed {
            if let known = quietest, links[known].lastRecord <= links[slot].lastRecord { continue }
            quietest = slot
        }
        guard let quietest else { return }
        reportFull(.links)
        giveUp(quietest)
    }

    /// Stops following a link that may still be open.
    private mutating func giveUp(_ slot: Int) {
        guard links[slot].isFollowed else { return }
        links[slot].wasGivenUp = true
        keep(slot)
        rememberHandle(of: slot)
        leave(slot)
        freeSlots.append(slot)
    }

    /// Takes a link off its handle and its peer.
    private mutating func leave(_ slot: Int) {
        annotators.leave(slot, knownPeer(slot))
        links[slot].isFollowed = false
        openCount -= 1
        handles.set(nil, links[slot].file, links[slot].adapter, links[slot].handle)
        peers.release(links[slot].peer, at: frame.time.nanoseconds)
    }

    /// Ends a link; it stays readable as the frame's link until the next record.
    mutating func closeLink(_ slot: Int, reason: UInt8?) {
        guard links.indices.contains(slot), links[slot].isOpen, links[slot].isFollowed else { return }
        links[slot].endReason = reason
        reportUnanswered(slot, reason: reason)
        if let problem = links[slot].pairing.close(at: frame.time) { report(problem, on: slot) }
        closeAnnotators(slot)
        links[slot].isOpen = false
        rememberHandle(of: slot)
        links[slot].phases.disconnected = frame.time
        peers.end(
            links[slot].peer, ofAdapter: AdapterTable.key(links[slot].file, links[slot].adapter),
            at: frame.time)
        frame.link = slot
        leave(slot)
        endedSlot = slot
    }

    /// A connection that is not followed any more ends.
    mutating func endUnfollowed(_ handle: UInt16) {
        guard
            let place = endedHandles.lastIndex(where: {
                $0.file == frame.file && $0.adapter == frame.header.adapter && $0.handle == handle
            }), endedHandles[place].isOpen
        else { return }
        endedHandles[place].isOpen = false
        endedHandles[place].frame = frame.place
    }

    /// Remembers which connection had a handle.
    private mutating func rememberHandle(of slot: Int) {
        if endedHandles.count >= 2 * Self.linkLimit { endedHandles.removeFirst() }
        endedHandles.append(EndedHandle(links.span[slot], at: frame.place))
    }

    /// Gives up the slot of a link that ended with the record before.
    mutating func releaseEnded() {
        guard let slot = endedSlot else { return }
        endedSlot = nil
        keep(slot)
        freeSlots.append(slot)
    }

    /// Lists an ended link without what only an open one needs.
    private mutating func keep(_ slot: Int) {
        if selection != nil, !links[slot].isChosen { return }
        guard finished.count < Self.finishedLimit else {
            unlistedLinks += 1
            if annotators.links[slot].uses.contains(where: { $0.unread != nil }) { unlistedUnread += 1 }
            return
        }
        var kept = links[slot]
        kept.strip()
        kept.uses = annotators.links[slot].uses
        finished.append(kept)
    }

    /// Ends what is under way on an adapter, since that was reset, closed or removed; where `end` is nil,
    /// another adapter has its number.
    mutating func endAdapter(_ adapter: Int, _ end: LinkEnd?) {
        closeAllLinks(end)
        if end != nil {
            giveUpAttempt(adapter)
            endCommands(adapter)
        }
        adapters[adapter].stopScan(at: frame.time)
        adapters[adapter].scan = .init()
        adapters[adapter].scanShown = 0
        adapters[adapter].attempt = nil
        adapters[adapter].attemptBefore = nil
        adapters[adapter].lastConnected = nil
        adapters[adapter].acceptList = .init()
        adapters[adapter].forgetAsked()
    }

    /// Ends all links of the adapter the frame belongs to, those that are not followed any more too.
    private mutating func closeAllLinks(_ end: LinkEnd?) {
        for slot in handles.slots(frame.file, frame.header.adapter) {
            closeLink(slot, reason: nil)
            links[slot].endedWith = end
            releaseEnded()
        }
        for place in endedHandles.indices where endedHandles[place].isOpen {
            let ended = endedHandles[place]
            guard ended.file == frame.file, ended.adapter == frame.header.adapter else { continue }
            endedHandles[place].isOpen = false
            endedHandles[place].frame = frame.place
        }
        frame.link = -1
        // The local server's attributes are the host's, which starts anew.
        adapters.withDatabase(frame.file, frame.header.adapter) { $0.forgetAll() }
    }

    /// Requests that never got their answer, as their link ends: for this reason, where the controller gives
    /// one.
    private mutating func reportUnanswered(_ slot: Int, reason: UInt8?) {
        for bearer in links[slot].bearers {
            for (sender, pending) in bearer.open
            where !pending.timedOut && shows(sender.other, ofLink: slot) {
                let request = UnansweredRequest(pending, at: frame.time)
                report(
                    .att(.noResponse(request, reason.map { HCIStatus(rawValue: $0) })),
                    by: Problem.Party(sender.other),
                    on: slot)
            }
        }
        guard links[slot].showsResponses else { return }
        for (signal, waited) in links[slot].signalling.overdue(at: frame.time.nanoseconds) {
            report(.l2cap(.unanswered(signal.name, signal.frame, waited: waited)), on: slot)
        }
    }

    /// Ends the analysis: links that are still open are listed too, and stay open, with the requests that
    /// wait for a response.
    public mutating func finish() {
        releaseEnded()
        for slot in handles.allSlots where links.indices.contains(slot) {
            noteEnd(slot)
            keep(slot)
        }
        finishAdapters()
        // What a connection's address stands for may have been told after it had ended.
        for place in advertisers.all.indices where peers.keyCount > 0 {
            resolve(advertisers.all[place].address, place)
        }
        for index in finished.indices where finished[index].identity == nil {
            finished[index].identity = finished[index].address.flatMap { peers.identity(ofPrivate: $0) }
        }
    }

    private mutating func noteEnd(_ slot: Int) {
        let file = links[slot].file
        guard let last = progress(ofFile: file)?.time else { return }
        links[slot].phases.logEnded = CaptureTime(nanoseconds: last)
        links[slot].endIsRecorded = progress(ofFile: file)?.shown.contains(.events) ?? false
        var waiting: [OpenRequest] = []
        if let pairing = links[slot].pairing.open(at: last) { waiting.append(pairing) }
        let awaited = annotators.links[slot].waiting(at: last)
        if showsAnswers(ofLink: slot) { waiting += awaited.flatMap(\.requests) }
        for (sender, pending) in links[slot].bearers.flatMap(\.open) where !pending.timedOut {
            let waited = last &- pending.time.nanoseconds
            // What was asked just before the recorder stopped is on its way.
            guard waited < 0 || waited >= OpenRequest.shortestWait, shows(sender.other, ofLink: slot)
            else { continue }
            waiting.append(
                OpenRequest(
                    place: pending.frame, name: pending.opcode.name.map { "\($0)" } ?? "a request",
                    waited: waited))
        }
        if links[slot].showsResponses {
            waiting += links[slot].signalling.overdue(at: last).map { signal, waited in
                OpenRequest(place: signal.frame, name: signal.name, waited: waited)
            }
        }
        countLate(slot, end: last)
        links[slot].openRequests = Array(waiting.prefix(OpenRequest.limit))
        // What protocols above ATT wait for is told at the end alone: there is no frame to tell the cause at.
        guard links[slot].unheard == nil, let kind = awaited.first?.kind,
            let value = unheardValue(slot, of: kind)
        else { return }
        links[slot].unheard = value
    }

    /// Every link of the capture that was kept, by its number.
    public var listedLinks: [Link] { finished.sorted { $0.number < $1.number } }

    /// How many connections the capture shows.
    public var connectionCount: Int { linkCount }

    /// The identity address of a link's peer, where an identity resolving key or the controller told it; else
    /// the address it was met with. The index is one of ``links``.
    public func identity(ofLink slot: Int) -> DeviceAddress? {
        guard links.indices.contains(slot) else { return nil }
        return peers[links[slot].peer].address ?? links[slot].address
    }
}

/// A connection that ended, or that is not followed any more, by its handle.
struct EndedHandle: Sendable {
    var file: Int
    var adapter: UInt16
    var handle: UInt16
    var connection: Int
    /// The frame that ended it, or took its place.
    var frame: FramePlace
    /// Whether it is open, as far as the log tells.
    var isOpen: Bool
    var address: DeviceAddress?
    var role: Link.Role
    var transport: Link.Transport

    init(_ link: borrowing Link, at frame: FramePlace) {
        (file, adapter, handle, connection) = (link.file, link.adapter, link.handle, link.number)
        self.frame = frame
        isOpen = link.isOpen
        (address, role, transport) = (link.address, link.role, link.transport)
    }
}
