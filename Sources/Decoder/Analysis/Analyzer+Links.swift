import BluetoothCore
import CaptureFile
import Profiles
import UQDK

// The life of connections: opening, ending, and the epochs of a handle.

extension Analyzer {
    /// The slot of the open link that the current frame's packet names; nil where none is open.
    mutating func openSlot(_ handle: UInt16) -> Int? {
        handles.slot(frame.file, frame.header.adapter, handle)
    }

    /// Opens a link for a connection that the log shows being made. One still open on the handle has lost its
    /// end: it is closed first.
    mutating func openLink(_ handle: UInt16, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void) {
        if let old = openSlot(handle) {
            report(.connectionReplaced, Int64(links[old].number))
            closeLink(old, reason: nil)
            releaseEnded()
        }
        makeLink(handle, address, setUp)
    }

    /// The link of a packet on a handle that no event opened: it was open before the log began.
    mutating func orphanLink(_ handle: UInt16) -> Int {
        if let slot = openSlot(handle) { return slot }
        let slot = makeLink(handle, nil) { $0.wasOpenAtStart = true }
        report(.unknownConnection, Int64(handle))
        return slot
    }

    @discardableResult
    private mutating func makeLink(
        _ handle: UInt16, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void
    ) -> Int {
        linkCount += 1
        var link = Link(
            number: linkCount, file: frame.file, adapter: frame.header.adapter, handle: handle,
            firstFrame: frame.number, time: frame.time)
        link.address = address
        setUp(&link)
        link.peer = peers.peer(link.address)
        peers.retain(link.peer)
        link.isBonded = peers[link.peer].isBonded
        let slot: Int
        let tracker = LinkTrackers(
            uqdk: UQDKTracker(knowledge.uqdk, startSeen: !link.wasOpenAtStart),
            profiles: ProfileTracker(knowledge.profiles))
        if let free = freeSlots.popLast() {
            slot = free
            links[slot] = link
            trackers[slot] = tracker
        } else {
            slot = links.count
            links.append(link)
            trackers.append(tracker)
        }
        handles.set(slot, frame.file, frame.header.adapter, handle)
        if handles.wasFull { report(.tableFull) }
        frame.link = slot
        return slot
    }

    /// Ends a link; it stays readable as the frame's link until the next record.
    mutating func closeLink(_ slot: Int, reason: UInt8?) {
        guard links.indices.contains(slot), links[slot].isOpen else { return }
        reportUnanswered(slot)
        closeTrackers(slot)
        links[slot].isOpen = false
        links[slot].endReason = reason
        links[slot].phases.disconnected = frame.time
        frame.link = slot
        handles.set(nil, links[slot].file, links[slot].adapter, links[slot].handle)
        peers.release(links[slot].peer)
        endedSlot = slot
    }

    /// Gives up the slot of a link that ended with the record before.
    mutating func releaseEnded() {
        guard let slot = endedSlot else { return }
        endedSlot = nil
        keep(links[slot])
        freeSlots.append(slot)
    }

    /// Lists an ended link without what only an open one needs.
    private mutating func keep(_ link: Link) {
        guard finished.count < Self.finishedLimit else {
            unlistedLinks += 1
            return
        }
        var kept = link
        kept.assemblies = Assemblies()
        kept.bearers = Array(link.bearers.prefix(1))
        kept.subscriptions = []
        finished.append(kept)
    }

    /// Ends all links of the adapter the frame belongs to: it was reset, closed or removed.
    mutating func closeAllLinks() {
        for slot in handles.slots(frame.file, frame.header.adapter) {
            closeLink(slot, reason: nil)
            releaseEnded()
        }
        frame.link = -1
    }

    /// A request that never got its answer, as its link ends.
    private mutating func reportUnanswered(_ slot: Int) {
        for bearer in links[slot].bearers {
            for pending in [
                bearer.fromHost, bearer.fromPeer, bearer.indicationFromHost, bearer.indicationFromPeer,
            ]
            where pending.isOpen && !pending.timedOut {
                report(.noResponse, Int64(pending.frame), Int64(pending.opcode.rawValue))
            }
        }
    }

    /// Ends the analysis: links that are still open are listed too, and stay open.
    public mutating func finish() {
        releaseEnded()
        for slot in handles.allSlots where links.indices.contains(slot) { keep(links[slot]) }
    }

    /// Every link of the capture that was kept, by its number.
    public var listedLinks: [Link] { finished.sorted { $0.number < $1.number } }

    /// How many connections the capture shows.
    public var connectionCount: Int { linkCount }
}
