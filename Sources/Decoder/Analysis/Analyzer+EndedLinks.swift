import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Packets that come after their connection's end or before its beginning. Controllers deliver data and events
// through separate channels that have no common order (Core Specification, Vol 4, Part B, 2.1). A handle is
// valid from the event that opens the connection to the one that ends it (Vol 4, Part E, 7.7.65.1, 7.7.5).

extension Analyzer {
    /// Most ended links kept ready for late packets.
    static let endedSlotLimit = 8
    /// Longest delay of a packet after its connection's end, in nanoseconds.
    private static let longestDelay: Int64 = 1_000_000_000
    /// Longest lead of a packet before its connection's beginning, in nanoseconds.
    static let longestLead: Int64 = 100_000_000

    /// Returns the slot of an ended connection, if its link is kept ready.
    func endedSlot(of ended: EndedHandle) -> Int? {
        if let slot = endedSlot, links[slot].number == ended.connection { return slot }
        return endedSlots.first { links[$0].number == ended.connection }
    }

    /// Whether a packet now may be a late one of an ended connection.
    func isLate(_ ended: EndedHandle) -> Bool {
        (0...Self.longestDelay).contains(frame.time.since(ended.time))
    }

    /// Whether a new connection may be using an ended one's handle although the log has no event for it.
    mutating func mayBeReused(handleOf ended: EndedHandle) -> Bool {
        let adapter = frameAdapter
        return adapters[adapter].attempt != nil
            || adapters[adapter].loss.mayIncludeAnswer(toRequestAt: ended.frame, sent: ended.time)
    }

    /// Reports a late packet, and returns the ended link that it belongs to.
    mutating func lateLink(slot: Int, _ ended: EndedHandle) -> Int {
        report(.hci(.latePacket(ended.frame)))
        // Whether it answers a pending request is known only after its analysis.
        if endedSlot != slot {
            settleEnded()
            endedSlots.removeAll { $0 == slot }
            endedSlot = slot
        }
        return slot
    }

    /// Fills in the L2CAP and ATT summary of a packet that the host sent on an ended connection, without
    /// following it. The frame keeps the ended link, if that is still kept.
    mutating func summarizeStray(_ data: RawSpan, _ boundary: UInt8) {
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

    /// Keeps the link that the previous record ended ready for late packets.
    mutating func settleEnded() {
        guard let slot = endedSlot else { return }
        endedSlot = nil
        takeBackAnswered(slot: slot)
        // A connection that ended together with its adapter, or whose end is missing, has no late packets.
        guard links[slot].endReason != nil else { return release(slot: slot) }
        endedSlots.append(slot)
        if endedSlots.count > Self.endedSlotLimit { release(slot: endedSlots[0]) }
    }

    mutating func release(slot: Int) {
        endedSlots.removeAll { $0 == slot }
        if endedSlot == slot { endedSlot = nil }
        list(slot: slot)
        freeSlots.append(slot)
    }

    /// Retracts the reports of requests unanswered at the end of their link, if late packets answered them.
    private mutating func takeBackAnswered(slot: Int) {
        guard !links[slot].unansweredAtEnd.isEmpty else { return }
        let open = links[slot].bearers.flatMap { $0.open.map(\.request.frame) }
        let answered = links[slot].unansweredAtEnd.filter { !open.contains($0) }
        guard !answered.isEmpty else { return }
        links[slot].unansweredAtEnd.removeAll { answered.contains($0) }
        for request in answered {
            updateTotals { $0.takeBack(unanswered: request) }
            links[slot].counts.problems &-= 1
        }
        if links[slot].firstProblem?.code == .noResponse { links[slot].firstProblem = nil }
    }

    /// Assigns the link that early packets opened to the connection that an event now opens.
    mutating func adopt(slot: Int, _ address: DeviceAddress?, _ setUp: (inout Link) -> Void) {
        frame.link = slot
        let unknown = link.peer
        link.address = address
        link.mayLackEarlierPackets = false
        link.predecessor = nil
        link.askedFor = nil
        var known = link
        setUp(&known)
        addPeer(to: &known)
        link = known
        peers.release(peer: unknown, at: frame.time.nanoseconds)
        annotators.open(slot: slot, startSeen: true, knownPeer(slot: slot))
    }
}

// Connections whose beginning or end is missing in the log.
extension Analyzer {
    /// Silence after which a discovery from the first handle on belongs to another connection, in
    /// nanoseconds: no client repeats its discovery in the middle of a connection.
    private static let silenceBetween: Int64 = 20_000_000_000
    /// Pause after which a second MTU request belongs to another connection, in nanoseconds.
    private static let pauseBetween: Int64 = 1_000_000_000
    /// Longest time from a new connection's first packet to its discovery, pairing or MTU request, in
    /// nanoseconds.
    private static let longestStart: Int64 = 2_000_000_000

    /// Makes the link of a connection of which the log shows only its end; nil if a connection with its
    /// handle was known.
    mutating func endedLink(handle: UInt16) -> Int? {
        guard endedHandles.last(file: frame.file, adapter: frame.header.adapter, handle: handle) == nil else {
            return nil
        }
        let slot = makeLink(handle: handle, nil) { $0.mayLackEarlierPackets = true }
        report(.hci(.unknownConnection(after: nil)))
        return slot
    }

    /// Replaces the frame's link by a new one if the log has no events and the frame's request is the first
    /// of a new connection.
    @inline(never)
    mutating func startNewLinkIfMissed() {
        guard link.mayLackEarlierPackets, !shown.contains(.events), let sender = frame.sender else { return }
        let pause = frame.time.since(link.phases.last)
        if frame.attPDU.opcode == .exchangeMTURequest {
            let bearer = link.bearers[0]
            guard bearer[sender].hasAskedMTU, pause >= Self.pauseBetween
            else { return }
        } else {
            guard frame.attPDU.handle == 1, pause >= Self.silenceBetween, link.counts.packets > 0
            else { return }
        }
        link.endIsRecorded = false
        link.isOpen = false
        list(slot: frame.link)
        detach(slot: frame.link)
        freeSlots.append(frame.link)
        makeLink(handle: link.handle, nil) { $0.mayLackEarlierPackets = true }
        report(.hci(.unknownConnection(after: nil)))
    }

    /// Takes the peer's address and the start time from the host's pending connection attempt, if the log
    /// lacks the event that opened this link.
    mutating func claimAttempt(slot: Int) {
        guard let asked = links[slot].askedFor, let peer = asked.peer, links[slot].address == nil else {
            return
        }
        let adapter = adapters.indexAdding(file: links[slot].file, adapter: links[slot].adapter)
        guard adapters[adapter].attempt?.place == asked.place else { return }
        let phases = links[slot].phases
        let starts = [phases.mtuStarted, phases.discoveryStarted, phases.pairingStarted].compactMap { $0 }
        guard starts.contains(where: { $0.since(phases.first) <= Self.longestStart }) else { return }
        adapters[adapter].attempt = nil
        links[slot].beginningIsMissing = true
        links[slot].address = peer
        links[slot].phases.connectStarted = asked.time
    }

    /// Assigns links to the connection attempt of an adapter's host, before the host starts another.
    mutating func claimAttempts(adapter: Int) {
        guard adapters[adapter].attempt != nil else { return }
        for slot in handles.slots(file: frame.file, adapter: frame.header.adapter) {
            claimAttempt(slot: slot)
        }
    }
}

extension Link {
    /// Whether it was opened only by data, just before the event of its connection.
    func isEarly(at time: CaptureTime) -> Bool {
        mayLackEarlierPackets && address == nil && earlierNumber == nil
            && (0...Analyzer.longestLead).contains(time.since(phases.first))
    }

    /// Takes over a request of the peer since a time, which was mistaken for a late packet of the previous
    /// connection.
    mutating func takeEarly(from ended: ATTBearer, since time: Int64) {
        let request = ended[.peer].request
        guard request.isOpen, request.time.nanoseconds >= time else { return }
        bearers[0][.peer].request = request
        guard request.opcode == .exchangeMTURequest else { return }
        (bearers[0][.peer].hasAskedMTU, bearers[0].offeredMTU) = (true, ended.offeredMTU)
        (phases.mtuStarted, phases.mtuWasAskedByPeer) = (request.time, true)
    }
}

/// An event that ends all connections of an adapter at once.
public enum LinkEnd: UInt8, Sendable {
    /// The host sent HCI Reset.
    case reset
    /// The system closed the adapter.
    case closed
    /// The adapter was removed.
    case removed
    /// The sniffer missed its end; the same devices connected again.
    case unheard
}

extension LinkEnd {
    var text: Sentence {
        switch self {
        case .reset: "\(Side.host) reset its adapter"
        case .closed: "\(Side.host) switched its adapter off"
        case .removed: "the adapter was removed"
        case .unheard: "the sniffer did not hear it end"
        }
    }
}
