import BluetoothCore
import Runtime
import WireBytes

// Data on the link: L2CAP in both directions.

extension FakeLink {
    /// Handles a data packet of the host on the open link.
    mutating func receive(_ octets: [UInt8], _ header: HCIACLHeader, _ air: inout RecordedAir) {
        let outcome = octets.withReader { (reader: inout ByteReader) in
            reassembler.receive(
                reader.wholeSpan.dropping(HCIACLHeader.size), isContinuation: header.isContinuation)
        }
        switch outcome {
        case .whole(let l2cap):
            takePDU(Array(octets[(HCIACLHeader.size + L2CAPHeader.size)...]), l2cap.channel, &air)
        case .completed(let l2cap, _): takePDU(Array(reassembler.information), l2cap.channel, &air)
        case .pending: break
        case .cut, .skipped, .missingStart, .tooLong, .overLimit, .shortStart:
            divergeOnData(octets, &air)
        }
    }

    /// Reports a packet of the host that can't be decoded, or came after the end of the link.
    mutating func divergeOnData(_ octets: [UInt8], _ air: inout RecordedAir) {
        guard !air.judge.hasVerdict else { return }
        let channel = L2CAPChannelID(rawValue: 0)
        air.transcript.add(octets, channel, from: .host, of: connection.number, at: air.now)
        diverge(.malformed, octets, channel, &air)
    }

    private mutating func takePDU(_ octets: [UInt8], _ channel: L2CAPChannelID, _ air: inout RecordedAir) {
        air.transcript.add(octets, channel, from: .host, of: connection.number, at: air.now)
        guard !air.judge.hasVerdict else { return }
        let (before, entry) = (air.judge.compared, air.transcript.pdus.count - 1)
        lastPDUIsProgress = countPDU(octets)
        if lastPDUIsProgress { air.judge.lastProgress = air.now }
        if channel == .attribute { follow(octets, &air) }
        switch channel {
        case .attribute where isLive: answerUncompared(octets, &air)
        case _ where isLive: break
        case .attribute:
            takeAttribute(octets, &air)
            if air.transcript.pdus[entry].frame == 0, !air.transcript.pdus[entry].isSetUp {
                extraPDUs += 1
            }
        case .leSignalling: takeSignal(octets, &air)
        case .securityManager: takeSecurity(octets, &air)
        default: diverge(.unexpected, octets, channel, &air)
        }
        guard !air.judge.hasVerdict else { return }
        if air.judge.compared > before { air.judge.lastProgress = air.now }
        advance(&air)
    }

    /// Lets the peer respond to the host's request.
    ///
    /// - Parameter recorded: the time of the response in the log; nil if the log does not have it.
    mutating func reply(
        _ octets: [UInt8], after delay: Duration, _ air: inout RecordedAir, frame: Int = 0,
        recorded: Instant? = nil, implies event: ApplicationEvent? = nil, isOptional: Bool = false,
        continues handle: UInt16? = nil
    ) {
        replies += 1
        let converted = recorded.map { replayed($0) } ?? air.now.advanced(by: delay)
        let time = air.placed(cause: air.now, delay: delay, converted: converted)
        var pdu = PeerPDU(channel: .attribute, octets: octets, frame: frame, isReply: true)
        pdu.isProgress = frame > 0 || lastPDUIsProgress
        pdu.implies = event
        pdu.isOptional = isOptional
        pdu.continues = handle
        air.schedule(.link(index, .pdu(pdu)), at: time)
    }

    /// Lets the peer send the recorded response.
    mutating func reply(
        _ response: RecordedPDU, _ step: HostStep, part: Int, _ air: inout RecordedAir,
        implies event: ApplicationEvent? = nil
    ) {
        reply(
            response.octets, after: latency(step, part: part), &air, frame: response.frame,
            recorded: response.time, implies: step.isHeld ? nil : event)
    }

    mutating func deliver(_ pdu: PeerPDU, _ air: inout RecordedAir) {
        guard !isClosed else { return }
        if pdu.isProgress { air.judge.lastProgress = air.now }
        if pdu.isReply {
            replies -= 1
            if pdu.channel == .attribute, pdu.octets.first != ATTOpcode.handleValueConfirmation.rawValue {
                pendingRequest = nil
            }
        }
        transmit(pdu, &air)
        if case .configured(let handle, let error)? = pdu.implies {
            configurationAnswered(of: handle, isRefused: error != nil)
        }
        if let event = pdu.implies {
            let isOptional = pdu.isOptional || isHeld(event, frame: pdu.frame)
            expect(event, &air, frame: pdu.frame, isOptional: isOptional)
        }
        if let handle = pdu.continues { prolong(valueOf: handle, by: Self.allowance, &air) }
        advance(&air)
    }

    /// Whether, after a refusal, the host secures the link and repeats the request on its own, as the
    /// recorded host did or tried to. The application gets only the result of the repetition.
    private func isHeld(_ event: ApplicationEvent, frame: Int) -> Bool {
        let attempt = connection.encryption?.frame ?? connection.pairing?.frames.upperBound
        guard let attempt, let refusal = event.refusal else { return false }
        return refusal.asksForSecurity && frame < attempt
    }

    /// Sends a PDU of the peer to the host, in as many fragments as necessary.
    mutating func transmit(_ pdu: PeerPDU, _ air: inout RecordedAir) {
        if pdu.channel == .attribute, pdu.frame > 0 { playedFrames.insert(pdu.frame) }
        air.transcript.add(
            pdu.octets, pdu.channel, from: .peer, of: connection.number, at: air.now, frame: pdu.frame)
        for fragment in L2CAPFragmenter.fragments(
            pdu.octets, channel: pdu.channel, limit: air.packetLength)
        {
            let header = HCIACLHeader(
                handle: handle, boundary: fragment.isContinuation ? 1 : 2,
                dataLength: UInt16(clamping: fragment.octets.count))
            air.outputs.append(.packet(HCIPacket(.acl, header.encoded + fragment.octets)))
        }
    }

    // MARK: L2CAP signalling

    mutating func takeSignal(_ octets: [UInt8], _ air: inout RecordedAir) {
        guard octets.count >= 4 else { return diverge(.malformed, octets, .leSignalling, &air) }
        let isAnswer = Self.isAnswer(octets[0])
        if isAnswer {
            guard let asked = openSignals[octets[1]], Self.fits(octets[0], asked) else {
                return takeUnasked(octets, &air)
            }
        }
        let due = first(in: .signalling) { $0.isRequired }
        if let step = first(in: .signalling, where: { $0.action == .signal(octets) }) {
            if isAnswer { openSignals[octets[1]] = nil }
            return match(step: step, octets, &air)
        }
        if let due, answersAlike(octets, script.steps[due].octets) {
            openSignals[octets[1]] = nil
            air.judge.note(.connectionParameters)
            return match(step: due, octets, &air)
        }
        guard isAnswer, due == nil else { return diverge(.different, octets, .leSignalling, &air) }
        // The log lacks the answer.
        openSignals[octets[1]] = nil
        air.judge.note(.signalling)
    }

    /// Handles an answer without a request, which the recorded host may have sent too.
    private mutating func takeUnasked(_ octets: [UInt8], _ air: inout RecordedAir) {
        let same = first(in: .signalling) { !$0.isRequired && $0.action == .signal(octets) }
        guard let same else { return diverge(.unexpected, octets, .leSignalling, &air) }
        match(step: same, octets, &air)
    }

    /// Whether the host's PDU with this code answers a request that is played: Command Reject or Connection
    /// Parameter Update Response.
    static func isAnswer(_ code: UInt8) -> Bool {
        [.commandReject, .connectionParameterUpdateResponse].contains(L2CAPSignallingCode(rawValue: code))
    }

    /// Whether a response code belongs to a request code (Vol 3, Part A, 4).
    static func fits(_ answer: UInt8, _ request: UInt8) -> Bool {
        answer == L2CAPSignallingCode.commandReject.rawValue || answer == request &+ 1
    }

    /// Whether both PDUs answer the same parameter update request, with equal code, identifier and length:
    /// only the host's decision may differ.
    private func answersAlike(_ octets: [UInt8], _ expected: [UInt8]?) -> Bool {
        guard let expected, octets.count == 6, expected.count == 6 else { return false }
        return L2CAPSignallingCode(rawValue: octets[0]) == .connectionParameterUpdateResponse
            && octets[..<4] == expected[..<4]
    }
}

extension L2CAPSignallingCode {
    /// Whether a packet with this code answers another one of an LE link (Vol 3, Part A, 4).
    var isResponse: Bool {
        switch self {
        case .commandReject, .connectionResponse, .configurationResponse, .disconnectionResponse,
            .informationResponse, .connectionParameterUpdateResponse, .leCreditBasedConnectionResponse,
            .creditBasedConnectionResponse, .creditBasedReconfigureResponse:
            true
        default: false
        }
    }
}
