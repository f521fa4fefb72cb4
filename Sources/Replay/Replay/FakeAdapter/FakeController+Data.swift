import BluetoothCore
import Runtime
import WireBytes

// Data on the links: L2CAP in both directions.

extension FakeController {
    mutating func takeData(_ octets: [UInt8]) {
        guard let header = try? HCIACLHeader(start: octets) else { return divergeOnData(octets, of: nil) }
        guard let index = links.lastIndex(where: { $0.handle == header.handle && !$0.isClosed }) else {
            // A packet sent while the link ended is not the host's fault.
            let gone = links.lastIndex { $0.handle == header.handle }
            if let gone, links[gone].closedAt == now { return }
            return divergeOnData(octets, of: gone)
        }
        guard octets.count == HCIACLHeader.size + Int(header.dataLength) else {
            return divergeOnData(octets, of: index)
        }
        sendEvent(
            HCINumberOfCompletedPackets(connections: [
                HCICompletedPackets(connectionHandle: header.handle, numCompletedPackets: 1)
            ]))
        buffersGivenBack += 1
        let outcome = octets.withReader { (reader: inout ByteReader) in
            links[index].reassembler.receive(
                reader.wholeSpan.dropping(HCIACLHeader.size), isContinuation: header.isContinuation)
        }
        switch outcome {
        case .whole(let l2cap):
            takePDU(Array(octets[(HCIACLHeader.size + L2CAPHeader.size)...]), l2cap.channel, link: index)
        case .completed(let l2cap, _):
            takePDU(Array(links[index].reassembler.information), l2cap.channel, link: index)
        case .pending: break
        case .cut, .skipped, .missingStart, .tooLong, .overLimit, .shortStart:
            divergeOnData(octets, of: index)
        }
    }

    /// Reports a packet of the host that can't be decoded or is on no link.
    private mutating func divergeOnData(_ octets: [UInt8], of link: Int?) {
        guard divergence == nil, stuck == nil else { return }
        let channel = L2CAPChannelID(rawValue: 0)
        guard let index = link ?? links.indices.last else {
            let entry = TraceEntry(
                time: now, connection: 0, side: .host, channel: channel, octets: octets, frame: 0)
            transcript.pdus.append(entry)
            divergence = Divergence(
                kind: .malformed, time: now, connection: 0, peer: DeviceAddress(0, .unknown), expected: nil,
                got: octets, channel: channel, before: [], state: state)
            return
        }
        transcript.pdus.append(
            TraceEntry(
                time: now, connection: links[index].connection.number, side: .host, channel: channel,
                octets: octets, frame: 0))
        diverge(.malformed, octets, channel, link: index)
    }

    private mutating func takePDU(_ octets: [UInt8], _ channel: L2CAPChannelID, link index: Int) {
        transcript.pdus.append(
            TraceEntry(
                time: now, connection: links[index].connection.number, side: .host, channel: channel,
                octets: octets, frame: 0))
        guard divergence == nil, stuck == nil else { return }
        let (before, entry) = (compared, transcript.pdus.count - 1)
        links[index].lastPDUIsProgress = links[index].countPDU(octets)
        if links[index].lastPDUIsProgress { lastProgress = now }
        if channel == .attribute { follow(octets, link: index) }
        switch channel {
        case .attribute where links[index].isLive: takeLive(octets, link: index)
        case _ where links[index].isLive: break
        case .attribute:
            takeAttribute(octets, link: index)
            if transcript.pdus[entry].frame == 0, !transcript.pdus[entry].isDiscovery {
                links[index].extraPDUs += 1
            }
        case .leSignalling: takeSignal(octets, link: index)
        case .securityManager: takeSecurity(octets, link: index)
        default: diverge(.unexpected, octets, channel, link: index)
        }
        guard divergence == nil else { return }
        if compared > before { lastProgress = now }
        advanceLink(link: index)
    }

    /// Records the frame with which the host's last PDU was compared.
    mutating func joinLast(to frame: Int) {
        guard !transcript.pdus.isEmpty else { return }
        transcript.pdus[transcript.pdus.count - 1].frame = frame
    }

    /// Lets the peer respond to the host's request.
    ///
    /// - Parameter recorded: the recorded time of the response; nil if the log does not have it.
    mutating func reply(
        _ octets: [UInt8], after delay: Duration, frame: Int, link index: Int, recorded: Instant? = nil,
        implies event: ApplicationEvent? = nil, isOptional: Bool = false, continues handle: UInt16? = nil
    ) {
        links[index].replies += 1
        let converted = recorded.map { links[index].replayed($0) } ?? now.advanced(by: delay)
        let time = placed(cause: now, delay: delay, recorded: converted)
        var pdu = PeerPDU(channel: .attribute, octets: octets, frame: frame, isReply: true)
        pdu.isProgress = frame > 0 || links[index].lastPDUIsProgress
        pdu.implies = event
        pdu.isOptional = isOptional
        pdu.continues = handle
        schedule(.pdu(index, pdu), at: time)
    }

    mutating func reply(
        _ pdu: any ATTPDU, after delay: Duration, frame: Int, link index: Int,
        implies event: ApplicationEvent? = nil, continues handle: UInt16? = nil
    ) {
        reply(pdu.pdu, after: delay, frame: frame, link: index, implies: event, continues: handle)
    }

    /// Lets the peer send the recorded response.
    mutating func reply(
        _ response: RecordedPDU, _ step: HostStep, part: Int, link index: Int,
        implies event: ApplicationEvent? = nil
    ) {
        reply(
            response.octets, after: links[index].latency(step, part: part), frame: response.frame,
            link: index,
            recorded: response.time, implies: step.isHeld ? nil : event)
    }

    mutating func deliver(_ pdu: PeerPDU, link index: Int) {
        guard !links[index].isClosed else { return }
        if pdu.isProgress { lastProgress = now }
        if pdu.isReply {
            links[index].replies -= 1
            if pdu.channel == .attribute, pdu.octets.first != ATTOpcode.handleValueConfirmation.rawValue {
                links[index].pendingRequest = nil
            }
        }
        transmit(pdu, link: index)
        if case .configured(let handle, let error)? = pdu.implies {
            configurationAnswered(of: handle, isRefused: error != nil, link: index)
        }
        if let event = pdu.implies {
            let isOptional = pdu.isOptional || isHeld(event, frame: pdu.frame, link: index)
            expect(event, frame: pdu.frame, link: index, isOptional: isOptional)
        }
        if let handle = pdu.continues { valueAnswered(of: handle, link: index) }
        advanceLink(link: index)
    }

    /// Whether, after a refusal, the host secures the link and repeats the request on its own, as the
    /// recorded host did or tried to. The application gets only the result of the repetition.
    private func isHeld(_ event: ApplicationEvent, frame: Int, link index: Int) -> Bool {
        let connection = links[index].connection
        let attempt = connection.encryption?.frame ?? connection.pairing?.frames.upperBound
        guard let attempt, let refusal = event.refusal else { return false }
        return refusal.asksForSecurity && frame < attempt
    }

    /// Sends a PDU of the peer to the host, in as many fragments as necessary.
    mutating func transmit(_ pdu: PeerPDU, link index: Int) {
        if pdu.channel == .attribute, pdu.frame > 0 { links[index].playedFrames.insert(pdu.frame) }
        transcript.pdus.append(
            TraceEntry(
                time: now, connection: links[index].connection.number, side: .peer, channel: pdu.channel,
                octets: pdu.octets, frame: pdu.frame))
        let limit = Int(model.controller.packetLength)
        for fragment in L2CAPFragmenter.fragments(pdu.octets, channel: pdu.channel, limit: limit) {
            let header = HCIACLHeader(
                handle: links[index].handle, boundary: fragment.isContinuation ? 1 : 2,
                dataLength: UInt16(clamping: fragment.octets.count))
            outputs.append(.packet(HCIPacket(.acl, header.encoded + fragment.octets)))
        }
    }
}
