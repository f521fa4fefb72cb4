import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ACL data: its link and direction, and the L2CAP PDUs that are reassembled from fragments.

extension Analyzer {
    /// First handle that is not a connection: vendors send debug traffic from here on.
    static let firstVendorHandle: UInt16 = 0xF00

    mutating func analyzeACL(_ octets: RawSpan) {
        guard let handleAndFlags = octets.u16le(at: 0), let announced = octets.u16le(at: 2) else {
            return reportNoHeader(octets)
        }
        countReceived(octets.byteCount)
        let handle = handleAndFlags & 0xFFF
        let boundary = UInt8(truncatingIfNeeded: handleAndFlags &>> 12) & 3
        let captured = min(octets.byteCount &- 4, Int(announced))
        frame.handle = handle
        frame.acl = ACLSummary(
            boundary: boundary, broadcast: UInt8(truncatingIfNeeded: handleAndFlags &>> 14),
            length: Int(announced), captured: captured)
        let isMalformed = !frame.header.isTruncated && octets.byteCount &- 4 != Int(announced)
        if isMalformed {
            let fault = PacketFault.length(announced: Int(announced), held: octets.byteCount &- 4)
            report(.hci(.malformed(fault)))
        }
        if isVendor(handle) {
            frame.acl?.isVendor = true
            frame.fold = .housekeeping
            // One report is enough; a controller that is asked for a trace sends thousands.
            if totals.vendorPackets == 0 { report(.hci(.vendorACL)) }
            totals.vendorPackets &+= 1
            return
        }
        let data = octets.clamped(4..<4 &+ captured)
        // A malformed packet is no evidence of a connection.
        guard let slot = openSlot(of: handle) ?? (isMalformed ? nil : unopenedLink(handle: handle)) else {
            return summarizeStray(data, boundary)
        }
        frame.link = slot
        if frame.direction == .unknown, !inferDirection(boundary, data, announced: Int(announced)) {
            link.handleLostPackets()
            return report(.l2cap(.fragmentWithoutStart))
        }
        if frame.direction == .hostToController { link.buffers.send(frame.place, frame.time) }
        if frame.directionIsInferred { link.buffers.doubt() }
        if boundary != 1, let header = wholePDU(data, announced: Int(announced)) {
            completeInRecord(data.dropping(L2CAPHeader.size), header, isCut: false)
        } else {
            put(data, announced: Int(announced), boundary)
        }
    }

    /// Infers the direction of ACL data in a file without directions; returns false for a fragment whose
    /// direction stays unknown.
    @inline(never)
    private mutating func inferDirection(_ boundary: UInt8, _ data: RawSpan, announced: Int) -> Bool {
        // Which boundary flag the host uses for first fragments depends on the adapter.
        let tells = boundary & 1 == 0 && links.span[frame.link].isLE(start: data)
        let place = tells ? frameAdapter : nil
        let before = place.map { adapters[$0].hostBoundaryFlag } ?? .unknown
        var starts = before
        let direction = link.direction(of: data, boundary, announced: announced, &starts)
        if let place, starts != before {
            adapters[place].hostBoundaryFlag = starts
            // The packets attributed to the host until now came from the peer.
            for other in handles.slots(file: frame.file, adapter: frame.header.adapter)
            where starts == .zeroOnly && links[other].transport == .le {
                links[other].reassignHostToPeer()
            }
        }
        frame.direction = direction ?? .unknown
        frame.directionIsInferred = frame.direction != .unknown
        return direction != nil
    }

    /// Sender used for reassembly: the peer if the sender is unknown, since the fragments need one place.
    private var reassembledSender: Side { frame.sender ?? .peer }

    /// Returns the header of a PDU that fits in one packet, if no PDU is being reassembled in its direction.
    /// Nearly all PDUs bypass the reassembler in this way.
    @inline(__always)
    private func wholePDU(_ data: RawSpan, announced: Int) -> L2CAPHeader? {
        let sender = reassembledSender
        guard let length = data.u16le(at: 0), let channel = data.u16le(at: 2),
            data.byteCount &- L2CAPHeader.size == Int(length), announced == data.byteCount,
            link.assemblies[sender].reassembler.isIdle
        else { return nil }
        return L2CAPHeader(length: length, channel: L2CAPChannelID(rawValue: channel))
    }

    /// Whether the handle is above those of connections, or is 0xEDC, which one vendor's controllers use for
    /// debug traffic, and no connection has it.
    @inline(__always)
    private mutating func isVendor(_ handle: UInt16) -> Bool {
        if handle < 0xEDC { return false }
        if handle >= Self.firstVendorHandle { return true }
        return handle == 0xEDC && openSlot(of: handle) == nil
    }

    /// Handles packets that the recorder lost: PDUs are not reassembled across the gap, and later responses
    /// are not matched with earlier requests.
    mutating func recorderLostPackets(in file: Int) {
        unfinishedAdvertising.dropIncomplete(file: file)
        for slot in links.indices
        where links[slot].isFollowed && links[slot].file == file
            && links[slot].lastRecordAtLoss != links[slot].lastRecord
        {
            links[slot].handleLostPackets()
            links[slot].lastRecordAtLoss = links[slot].lastRecord
            upkeep.losses &+= 1
        }
        adapters.handleLostPackets(
            in: file, before: PacketLoss(firstFrameAfter: frame.place, time: frame.time))
    }

    /// Adds the data of an ACL packet to its PDU.
    private mutating func put(_ data: RawSpan, announced: Int, _ boundary: UInt8) {
        let sender = reassembledSender
        let before = link.assemblies[sender].firstFrame
        let mayLack = link.assemblies[sender].mayLackFragments
        let outcome = links[frame.link].assemblies[sender].receive(
            data, isContinuation: boundary == 1, sent: announced, frame: frame.place, frame.time)
        // On the air the sender is at fault. In a log of the host, its own stack may have lost fragments: no
        // side is named.
        let side = frame.header.kind == .air ? Problem.Party(sender) : nil
        if let lost = link.assemblies[sender].reassembler.abandoned {
            if !mayLack { report(.l2cap(.fragmentsLost(before)), by: side) }
            link.handleLostPDU(on: lost.header?.channel.rawValue)
        }
        let payload = data.dropping(L2CAPHeader.size)
        switch outcome {
        case .whole(let header): completeInRecord(payload, header, isCut: false)
        case .completed(let header, _): completeAssembled(header, isCut: false, sender)
        // A fragment shorter than an L2CAP header is so unusual that text shows it on a line of its own.
        case .pending, .skipped: if data.byteCount >= L2CAPHeader.size { frame.fold = .fragment }
        case .cut(let cut):
            // Without its L2CAP header, it may be a PDU of a pairing.
            guard let header = cut.header else { return link.pairing.stop() }
            if cut.isInFragment {
                completeInRecord(payload, header, isCut: true)
            } else {
                completeAssembled(header, isCut: true, sender)
            }
        case .missingStart:
            report(.l2cap(.fragmentWithoutStart))
            link.handleLostPDU(on: nil)
        case .tooLong(let header, let excess):
            let length = Int(header.length)
            report(.l2cap(.fragmentsTooLong(held: length + excess, of: length)), by: side)
            if boundary != 1 { completeInRecord(payload, header, isCut: false) }
        case .overLimit(let header):
            report(.l2cap(.malformed(.length(announced: Int(header.length), held: announced))), by: side)
        case .shortStart: report(.l2cap(.malformed(.header(held: announced))), by: side)
        }
    }

    /// Analyses a PDU that lies completely in the record.
    @inline(__always)
    private mutating func completeInRecord(_ payload: RawSpan, _ header: L2CAPHeader, isCut: Bool) {
        let kept = min(payload.byteCount, Int(header.length))
        frame.l2cap = L2CAPSummary(
            cid: header.channel.rawValue, length: Int(header.length), captured: kept,
            place: .record(HCIACLHeader.size + L2CAPHeader.size), isCut: isCut, fragmentCount: 1,
            firstFrame: frame.place)
        // In most logs, nearly all PDUs are on the fixed ATT bearer.
        if header.channel.rawValue == 0x0004 {
            setTransport(.le)
            return analyzeATT(payload.clamped(0..<kept), bearer: 0, isCut: isCut)
        }
        complete(payload.clamped(0..<kept), on: header.channel.rawValue, isCut: isCut)
    }

    /// Analyses a reassembled PDU; its bytes move to the analyser, where they stay until the next record.
    private mutating func completeAssembled(_ header: L2CAPHeader, isCut: Bool, _ sender: Side) {
        // The buffer is borrowed while the PDU is analysed, so it moves out of the analyser and back.
        var octets: [UInt8] = []
        var frames: [FramePlace] = []
        swap(&octets, &assembled)
        swap(&frames, &assembledFrames)
        octets.removeAll(keepingCapacity: true)
        var summary = L2CAPSummary(
            cid: header.channel.rawValue, length: Int(header.length), captured: 0, place: .assembly,
            isCut: isCut, fragmentCount: 0, firstFrame: FramePlace())
        octets.append(contentsOf: link.assemblies[sender].reassembler.information)
        swap(&link.assemblies[sender].frames, &frames)
        summary.fragmentCount = link.assemblies[sender].fragmentCount
        summary.firstFrame = link.assemblies[sender].firstFrame
        summary.captured = octets.count
        swap(&frames, &assembledFrames)
        frame.l2cap = summary
        complete(octets.borrowedOctets, on: summary.cid, isCut: isCut)
        // An SDU that this PDU completed is in `assembled` already, and stays there.
        if assembled.isEmpty { swap(&octets, &assembled) }
    }

    /// Analyses a PDU that this frame completed (``Frame/l2cap``).
    private mutating func complete(_ payload: RawSpan, on channel: UInt16, isCut: Bool) {
        switch channel {
        case 0x0004...0x0006: setTransport(.le)
        case 0x0001: setTransport(.brEDR)
        default: break
        }
        switch channel {
        case 0x0004: analyzeATT(payload, bearer: 0, isCut: isCut)
        case 0x0006, 0x0007: analyzeSMP(payload, isCut: isCut)
        case 0x0001, 0x0005: analyzeSignalling(payload, isCut: isCut)
        case 0x0040...:
            let isDecoded =
                !link.signalling.channels.isEmpty
                && analyzeChannel(payload, on: channel, isCut: isCut)
            if !isDecoded { link.counts.undecodedPDUs &+= 1 }
        default: break
        }
    }

    @inline(__always)
    private mutating func setTransport(_ transport: Link.Transport) {
        if link.transport != transport { link.transport = transport }
    }

    /// Records the handle of synchronous and isochronous data, whose content is not analysed.
    mutating func analyzeData(_ octets: RawSpan) {
        guard let handleAndFlags = octets.u16le(at: 0) else {
            return reportNoHeader(octets)
        }
        let handle = handleAndFlags & 0xFFF
        frame.handle = handle
        frame.fold = .housekeeping
        guard let slot = slot(of: handle) else { return }
        frame.link = slot
        guard link.handle == handle else { return countStreamed() }
        // Streams have handles of their own. The data is the connection's, so the peer was not silent.
        guard frame.header.kind == .iso, frame.direction == .controllerToHost else { return }
        report(.hci(.aclDataAsISO(handle)))
        analyzeACL(octets)
    }

    /// Counts a packet of a stream that belongs to the frame's connection.
    private mutating func countStreamed() {
        link.counts.streamed &+= 1
        let span = link.phases.streamed ?? frame.time...frame.time
        link.phases.streamed = span.lowerBound...max(span.upperBound, frame.time)
    }
}
