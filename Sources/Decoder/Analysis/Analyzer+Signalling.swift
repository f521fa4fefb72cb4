import BluetoothCore
import CaptureFile
import WireBytes

// L2CAP signalling and the channels that it opens: those that carry ATT are bearers of their own.

extension Analyzer {
    /// Signalling: a refusal is worth a line, and channels come and go with it. On BR/EDR one PDU may hold
    /// several commands (Vol 3, Part A, 4).
    mutating func analyzeSignalling(_ payload: RawSpan, isCut: Bool) {
        let isLE = frame.l2cap?.cid == 5
        var at = 0
        repeat {
            guard let code = payload.octet(at: at), let length = payload.u16le(at: at &+ 2) else {
                if !isCut { report(.l2cap(.malformed(.header(held: payload.byteCount &- at)))) }
                return
            }
            if at == 0 { frame.signallingCode = code }
            let end = at &+ 4 &+ Int(length)
            guard end <= payload.byteCount else {
                if isCut, let sender, let identifier = payload.octet(at: at &+ 1) {
                    join(code, identifier, frame.link, sender)
                }
                if !isCut {
                    let held = payload.byteCount &- at &- 4
                    report(.l2cap(.malformed(.length(announced: Int(length), held: held))))
                }
                return
            }
            follow(payload.clamped(at..<end))
            at = end
        } while at < payload.byteCount && !isLE
        if at < payload.byteCount {
            report(.l2cap(.malformed(.length(announced: at, held: payload.byteCount))))
        }
    }

    /// The side that sent the frame; nil where that is not known.
    private var sender: Side? {
        switch frame.direction {
        case .hostToController: .host
        case .controllerToHost: .peer
        case .unknown: nil
        }
    }

    private mutating func follow(_ command: RawSpan) {
        if let fault = L2CAPTable.fault(in: command) {
            return report(.l2cap(.malformed(.field(at: fault.offset))))
        }
        let code = L2CAPSignallingCode(rawValue: command.octet(at: 0) ?? 0)
        let identifier = command.octet(at: 1) ?? 0
        let fields = L2CAPSignalFields(command)
        let slot = frame.link
        let sender = sender
        if let sender { join(code.rawValue, identifier, slot, sender) }
        switch code {
        case .commandReject:
            report(.l2cap(.commandRejected(fields.result)))
            if let sender { refuse(identifier, askedBy: sender.other, slot) }
        case .connectionParameterUpdateResponse:
            if fields.result == 1 { report(.l2cap(.parameterUpdateRejected)) }
        case .connectionRequest, .leCreditBasedConnectionRequest, .creditBasedConnectionRequest:
            guard let sender else { return }
            let new = Channel(
                psm: fields.psm, isCreditBased: code != .connectionRequest, identifier: identifier,
                requester: sender, mtu: fields.mtu)
            for cid in fields.sourceCIDs { add(new, cid, slot) }
        case .connectionResponse, .leCreditBasedConnectionResponse, .creditBasedConnectionResponse:
            if let sender { grant(code, identifier, fields, slot, sender) }
        case .disconnectionResponse:
            guard let sender, let destination = fields.destinationCIDs.first,
                let source = fields.sourceCIDs.first
            else { return }
            close(destination, source, answeredBy: sender, slot)
        default: break
        }
    }

    /// Joins a command that answers another to that one, by the identifier that both have.
    private mutating func join(_ code: UInt8, _ identifier: UInt8, _ slot: Int, _ sender: Side) {
        switch code {
        // Requests.
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x12, 0x14, 0x17, 0x19:
            links[slot].signals.removeAll { $0.identifier == identifier && $0.sender == sender }
            if links[slot].signals.count >= PendingSignal.limit { links[slot].signals.removeFirst() }
            links[slot].signals.append(
                PendingSignal(
                    code: code, identifier: identifier, sender: sender, frame: frame.place,
                    time: frame.time))
        // Responses, and the reject.
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x18, 0x1A:
            guard frame.request == nil,
                let index = links[slot].signals.firstIndex(where: {
                    $0.identifier == identifier && $0.sender != sender
                })
            else { return }
            links[slot].signals[index].isAnswered = true
            let asked = links[slot].signals[index]
            frame.request = RequestReference(
                place: asked.frame, latency: frame.time.nanoseconds &- asked.time.nanoseconds)
        default: break
        }
    }

    private mutating func add(_ channel: Channel, _ cid: UInt16, _ slot: Int) {
        guard cid >= 0x40 else { return }
        // A device that uses a CID again has closed the channel that had it.
        if let old = links[slot].channels.firstIndex(where: {
            (channel.requester == .host ? $0.hostCID : $0.peerCID) == cid
        }) {
            remove(old, slot)
        }
        guard links[slot].channels.count < Channel.limit else { return reportFull(.channels) }
        var channel = channel
        channel.setEnd(of: channel.requester, cid)
        links[slot].channels.append(channel)
    }

    /// The other side answers; channels that it doesn't open are reported.
    private mutating func grant(
        _ code: L2CAPSignallingCode, _ identifier: UInt8, _ fields: L2CAPSignalFields, _ slot: Int,
        _ sender: Side
    ) {
        // With these results the answer is still to come.
        switch code {
        case .connectionResponse where fields.result == 1: return
        case .creditBasedConnectionResponse where (0x0D...0x0F).contains(fields.result): return
        default: break
        }
        if fields.result != 0 {
            let asked = links[slot].channels.first {
                !$0.isOpen && $0.identifier == identifier && $0.requester == sender.other
            }
            let refusal = ChannelRefusal(
                result: fields.result, isOfCredits: code != .connectionResponse, psm: asked?.psm)
            report(.l2cap(.channelRefused(refusal)))
        }
        // Of several channels some may be open although others are refused.
        if fields.result == 0 || code == .creditBasedConnectionResponse {
            for cid in fields.destinationCIDs { open(identifier, cid, mtu: fields.mtu, slot, sender) }
        }
        // What was asked for and not named in the answer was refused.
        refuse(identifier, askedBy: sender.other, slot)
    }

    /// The first channel that was asked for by a command is open, or refused where `cid` is 0.
    private mutating func open(
        _ identifier: UInt8, _ cid: UInt16, mtu: UInt16, _ slot: Int, _ sender: Side
    ) {
        guard
            let index = links[slot].channels.firstIndex(where: {
                !$0.isOpen && $0.identifier == identifier && $0.requester == sender.other
            })
        else { return }
        guard cid >= 0x40 else { return remove(index, slot) }
        links[slot].channels[index].setEnd(of: sender, cid)
        links[slot].channels[index].isOpen = true
        let psm = links[slot].channels[index].psm
        guard psm == Channel.attPSM || psm == Channel.enhancedATTPSM else { return }
        let shortest = min(mtu, links[slot].channels[index].mtu)
        links[slot].channels[index].bearer = makeBearer(
            cid: links[slot].channels[index].hostCID, mtu: max(23, shortest), slot)
    }

    private mutating func makeBearer(cid: UInt16, mtu: UInt16, _ slot: Int) -> Int? {
        var bearer = ATTBearer(cid: cid)
        bearer.mtu = mtu
        if let free = links[slot].bearers.firstIndex(where: { $0.isClosed }) {
            links[slot].bearers[free] = bearer
            return free
        }
        guard links[slot].bearers.count <= Channel.limit else { return nil }
        links[slot].bearers.append(bearer)
        return links[slot].bearers.count - 1
    }

    /// The channels that a command asked for are not opened.
    private mutating func refuse(_ identifier: UInt8, askedBy requester: Side, _ slot: Int) {
        while let index = links[slot].channels.firstIndex(where: {
            !$0.isOpen && $0.identifier == identifier && $0.requester == requester
        }) {
            remove(index, slot)
        }
    }

    private mutating func close(
        _ destination: UInt16, _ source: UInt16, answeredBy sender: Side, _ slot: Int
    ) {
        let (host, peer) = sender == .host ? (destination, source) : (source, destination)
        guard
            let index = links[slot].channels.firstIndex(where: {
                $0.isOpen && $0.hostCID == host && $0.peerCID == peer
            })
        else { return }
        remove(index, slot)
    }

    private mutating func remove(_ index: Int, _ slot: Int) {
        if let bearer = links[slot].channels[index].bearer {
            for (sender, pending) in links[slot].bearers[bearer].open where !pending.timedOut {
                let request = UnansweredRequest(pending, at: frame.time)
                report(.att(.noResponse(request, nil)), by: Problem.Party(sender.other))
            }
            links[slot].bearers[bearer] = ATTBearer(cid: 0)
            links[slot].bearers[bearer].isClosed = true
        }
        links[slot].channels.remove(at: index)
    }

    /// Analyses a PDU on a dynamic channel that the log shows being opened.
    mutating func analyzeChannel(_ payload: RawSpan, _ channel: UInt16, isCut: Bool, _ slot: Int) {
        guard frame.direction != .unknown else { return }
        let sender: Side = frame.direction == .hostToController ? .host : .peer
        guard
            let index = links[slot].channels.firstIndex(where: {
                $0.isOpen && $0.cid(sentBy: sender) == channel
            })
        else { return }
        frame.l2cap?.psm = links[slot].channels[index].psm
        guard let bearer = links[slot].channels[index].bearer else { return }
        guard links[slot].channels[index].isCreditBased else {
            return analyzeATT(payload, bearer: bearer, isCut: isCut)
        }
        let number = frame.place
        let outcome =
            sender == .host
            ? links[slot].channels[index].fromHost.receive(payload, isCut: isCut, frame: number)
            : links[slot].channels[index].fromPeer.receive(payload, isCut: isCut, frame: number)
        switch outcome {
        case .whole, .cut:
            frame.l2cap?.headerLength = 2
            frame.l2cap?.captured = payload.byteCount &- 2
            let isWhole = if case .whole = outcome { true } else { false }
            if !isWhole { frame.l2cap?.isCut = true }
            analyzeATT(payload.dropping(2), bearer: bearer, isCut: !isWhole)
        case .completed(let length): completeSDU(length, index, bearer, slot, sender)
        case .pending: frame.fold = .fragment
        case .malformed(let announced, let held):
            report(.l2cap(.malformed(.length(announced: announced, held: held))))
        }
    }

    /// Analyses an SDU that several K-frames brought; its octets stay until the next record.
    private mutating func completeSDU(
        _ length: Int, _ index: Int, _ bearer: Int, _ slot: Int, _ sender: Side
    ) {
        let sdu =
            sender == .host ? links[slot].channels[index].fromHost : links[slot].channels[index].fromPeer
        frame.l2cap?.length = length
        frame.l2cap?.captured = length
        frame.l2cap?.place = .assembly
        frame.l2cap?.fragmentCount = sdu.frames.count
        let first = sdu.frames.first ?? frame.place
        frame.l2cap?.firstFrame = first
        analyzeATT(sdu.octets.borrowedOctets, bearer: bearer, isCut: false)
        assembled = sdu.octets
        assembledFrames = sdu.frames
    }
}
