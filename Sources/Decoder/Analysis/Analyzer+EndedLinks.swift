import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Packets that come after their connection's end, or before its beginning. Controllers hand data and events
// over by different pipes, between which there is no order (Core Specification, Vol 4, Part B, 2.1); a handle
// is valid from the event that opens the connection to the one that ends it (Vol 4, Part E, 7.7.65.1, 7.7.5).

extension Analyzer {
    /// How many ended links are kept ready for late packets.
    static let endedSlotLimit = 8
    /// How long after its end a packet of a connection may come, in nanoseconds.
    private static let longestDelay: Int64 = 1_000_000_000
    /// How long before its beginning, in nanoseconds.
    static let longestLead: Int64 = 100_000_000

    /// The slot of an ended connection, where its link is kept ready.
    func endedSlot(of ended: EndedHandle) -> Int? {
        if let slot = endedSlot, links[slot].number == ended.connection { return slot }
        return endedSlots.first { links[$0].number == ended.connection }
    }

    /// Whether a packet that came now may be a late one of a connection that ended.
    func isLate(_ ended: EndedHandle) -> Bool {
        (0...Self.longestDelay).contains(frame.time.since(ended.time))
    }

    /// Whether a connection may have come about on an ended one's handle without an event in the log.
    mutating func mayBeOpen(_ ended: EndedHandle) -> Bool {
        let adapter = adapters.place(frame.file, frame.header.adapter)
        return adapters[adapter].attempt != nil || adapters[adapter].loss.concerns(ended.frame, ended.time)
    }

    /// The ended link that a late packet is of.
    mutating func lateLink(_ slot: Int, _ ended: EndedHandle) -> Int {
        report(.hci(.latePacket(ended.frame)))
        // Whether it answers what had no response shows once it has been analysed.
        if endedSlot != slot {
            settleEnded()
            endedSlots.removeAll { $0 == slot }
            endedSlot = slot
        }
        return slot
    }

    /// Shows a packet that the host sent on a connection that has ended: it belongs to none.
    mutating func showStray(_ data: RawSpan, _ boundary: UInt8) {
        guard boundary != 1, frame.link >= 0, let length = data.u16le(at: 0), let channel = data.u16le(at: 2)
        else { return }
        let payload = data.dropping(L2CAPHeader.size)
        let pdu = payload.clamped(0..<min(payload.byteCount, Int(length)))
        frame.l2cap = L2CAPSummary(
            cid: channel, length: Int(length), captured: pdu.byteCount,
            place: .record(HCIACLHeader.size + L2CAPHeader.size), isCut: pdu.byteCount < Int(length),
            fragmentCount: 1, firstFrame: frame.place)
        guard channel == 0x0004, let first = pdu.octet(at: 0) else { return }
        let opcode = ATTOpcode(rawValue: first)
        frame.hasATT = true
        frame.attPDU.begin(opcode, opcode.places, pdu)
    }

    /// Keeps the link that the record before ended ready for late packets.
    mutating func settleEnded() {
        guard let slot = endedSlot else { return }
        endedSlot = nil
        takeBackAnswered(slot)
        // Of a connection that ended together with its adapter, or whose end is missing, none come.
        guard links[slot].endReason != nil else { return release(slot) }
        endedSlots.append(slot)
        if endedSlots.count > Self.endedSlotLimit { release(endedSlots[0]) }
    }

    /// Gives up the slot of an ended link.
    mutating func release(_ slot: Int) {
        endedSlots.removeAll { $0 == slot }
        if endedSlot == slot { endedSlot = nil }
        keep(slot)
        freeSlots.append(slot)
    }

    /// Takes back that requests had no response when their link ended, since late packets answered them.
    private mutating func takeBackAnswered(_ slot: Int) {
        guard !links[slot].unansweredAtEnd.isEmpty else { return }
        let open = links[slot].bearers.flatMap { $0.open.map(\.request.frame) }
        let answered = links[slot].unansweredAtEnd.filter { !open.contains($0) }
        guard !answered.isEmpty else { return }
        links[slot].unansweredAtEnd.removeAll { answered.contains($0) }
        for request in answered {
            totals.takeBack(unanswered: request)
            selection?.totals.takeBack(unanswered: request)
            links[slot].counts.problems &-= 1
        }
        if links[slot].firstProblem?.code == .noResponse { links[slot].firstProblem = nil }
    }

    /// Whether data alone opened a link just before the event that opens its connection.
    func isEarly(_ slot: Int) -> Bool {
        links[slot].wasOpenAtStart && links[slot].address == nil && links[slot].earlierNumber == nil
            && (0...Self.longestLead).contains(frame.time.since(links[slot].phases.first))
    }

    /// Makes the link that early packets opened that of the event which opens its connection.
    mutating func adopt(_ slot: Int, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void) {
        let unknown = links[slot].peer
        links[slot].address = address
        links[slot].wasOpenAtStart = false
        links[slot].predecessor = nil
        links[slot].askedFor = nil
        setUp(&links[slot])
        var link = links[slot]
        meet(&link)
        links[slot] = link
        peers.release(unknown, at: frame.time.nanoseconds)
        annotators.open(slot, startSeen: true, knownPeer(slot))
        frame.link = slot
    }
}

// Connections whose beginning or end the log does not have.
extension Analyzer {
    /// How long a connection says nothing before a discovery from the first handle on is that of another, in
    /// nanoseconds: no client discovers anew in the middle of a connection.
    private static let silenceBetween: Int64 = 20_000_000_000
    /// How long after the packet before a second MTU request is that of another connection, in nanoseconds.
    private static let pauseBetween: Int64 = 1_000_000_000
    /// How soon after its first packet a new connection is discovered, paired or asked for its MTU, in
    /// nanoseconds.
    private static let longestStart: Int64 = 2_000_000_000

    /// Makes the frame's link another one where the log has no events and the frame's request is the first of
    /// a new connection.
    @inline(never)
    mutating func splitLink() {
        let slot = frame.link
        guard links[slot].wasOpenAtStart, !shown.contains(.events), let sender = frame.sender else { return }
        let pause = frame.time.since(links[slot].phases.last)
        if frame.attPDU.opcode == .exchangeMTURequest {
            let bearer = links[slot].bearers[0]
            guard sender == .host ? bearer.hostAskedMTU : bearer.peerAskedMTU, pause >= Self.pauseBetween
            else { return }
        } else {
            guard frame.attPDU.handle == 1, pause >= Self.silenceBetween, links[slot].counts.packets > 0
            else { return }
        }
        links[slot].endIsRecorded = false
        links[slot].isOpen = false
        keep(slot)
        leave(slot)
        freeSlots.append(slot)
        makeLink(links[slot].handle, nil) { $0.wasOpenAtStart = true }
        report(.hci(.unknownConnection(after: nil)))
    }

    /// Takes a link that no event opened for the connection that the host had asked for, where no event told
    /// what came of that: the event of its beginning is missing.
    mutating func claimAttempt(_ slot: Int) {
        guard let asked = links[slot].askedFor, let peer = asked.peer, links[slot].address == nil else {
            return
        }
        let adapter = adapters.place(links[slot].file, links[slot].adapter)
        guard adapters[adapter].attempt?.place == asked.place else { return }
        let phases = links[slot].phases
        let starts = [phases.mtuStarted, phases.discoveryStarted, phases.pairingStarted].compactMap { $0 }
        guard starts.contains(where: { $0.since(phases.first) <= Self.longestStart }) else { return }
        adapters[adapter].attempt = nil
        links[slot].beginningIsMissing = true
        links[slot].address = peer
        links[slot].phases.connectStarted = asked.time
    }

    /// Takes the links that may be what an adapter's host asked for, before that asks for another connection.
    mutating func claimAttempts(_ adapter: Int) {
        guard adapters[adapter].attempt != nil else { return }
        for slot in handles.slots(frame.file, frame.header.adapter) { claimAttempt(slot) }
    }
}

extension Link {
    /// Takes over a request that the peer sent since a time, and that was taken for a late packet of the
    /// connection before.
    mutating func takeEarly(from ended: ATTBearer, since time: Int64) {
        guard ended.fromPeer.isOpen, ended.fromPeer.time.nanoseconds >= time else { return }
        bearers[0].fromPeer = ended.fromPeer
        guard ended.fromPeer.opcode == .exchangeMTURequest else { return }
        (bearers[0].peerAskedMTU, bearers[0].offeredMTU) = (true, ended.offeredMTU)
        phases.mtuStarted = ended.fromPeer.time
    }
}
