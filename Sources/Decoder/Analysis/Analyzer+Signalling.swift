import BluetoothCore
import CaptureFile
import WireBytes

// L2CAP signalling, and PDUs on the channels that it opens.

extension Analyzer {
    /// Analyses signalling commands: reports refusals, and opens and closes channels.
    mutating func analyzeSignalling(_ payload: RawSpan, isCut: Bool) {
        let source = Signalling.Source(sender: frame.sender, frame: frame.place, time: frame.time)
        let outcome = link.receiveSignals(payload, isCut: isCut, isLE: frame.l2cap?.cid == 5, from: source)
        frame.signallingCode = outcome.code
        if let request = outcome.request { frame.request = request }
        switch outcome.code {
        case 0x12:
            if let sender = frame.sender { check(ConnectionParameterRange(payload, at: 4), askedBy: sender) }
        case 0x13:
            let peripheral: Side? =
                switch link.role {
                case .central: .peer
                case .peripheral: .host
                case .unknown: nil
                }
            guard let asked = outcome.request?.place, asked == link.conditions.request?.frame,
                frame.sender != peripheral
            else { break }
            // A refusal over L2CAP has no reason; this one says the same.
            let reason = HCIStatus.unacceptableConnectionParameters.rawValue
            switch payload.u16le(at: 4) {
            case 0 where link.conditions.change?.kind == .refusedRequest: link.conditions.change = nil
            case 1: noteChange(.refusedRequest, reason)
            default: break
            }
        default: break
        }
        problems += outcome.problems
        for problem in outcome.problems {
            guard case .l2cap(.channelRefused(let refusal)) = problem.kind, let psm = refusal.psm,
                let side = frame.sender
            else { continue }
            link.note(channelTo: psm) { $0.refused.add(side) }
        }
        if let (psm, side) = outcome.closed { link.note(channelTo: psm) { $0.closed.add(side) } }
        if let psm = outcome.opened {
            if let psm { link.note(channelTo: psm, { $0.opened &+= 1 }) }
            // If the log lacks the requests, the PSMs are unknown (nil).
            markOvercome(on: link.number) {
                if case .l2cap(.channelRefused(let refusal)) = $0.problem.kind {
                    refusal.psm == psm
                } else {
                    false
                }
            }
        }
        if outcome.isFull { reportFull(.channels) }
    }

    /// Analyses a PDU on a dynamic channel; returns false if the log lacks the channel's opening, or if its
    /// content is of no known protocol.
    mutating func analyzeChannel(_ payload: RawSpan, on channel: UInt16, isCut: Bool) -> Bool {
        guard let sender = frame.sender,
            let index = link.signalling.channels.firstIndex(where: {
                // A PDU has the identifier at its receiver's end.
                $0.isOpen && $0.cids[sender.other] == channel
            })
        else { return false }
        let psm = link.signalling.channels[index].psm
        frame.l2cap?.psm = psm
        if link.signalling.channels[index].isCreditBased {
            let (place, time) = (frame.place, frame.time)
            link.signalling.channels[index].credits[sender].spend(place, time)
        }
        let bearer = link.signalling.channels[index].bearer
        guard link.signalling.channels[index].isCreditBased else {
            if let bearer { analyzeATT(payload, bearer: bearer, isCut: isCut) }
            return bearer != nil
        }
        guard bearer != nil || annotators.follow(psm: psm, slot: frame.link) else {
            return false
        }
        let number = frame.place
        let limit = bearer == nil ? Int(UInt16.max) : SDUAssembly.limit
        let outcome = link.signalling.channels[index].assemblies[sender].receive(
            payload, isCut: isCut, limit: limit, frame: number)
        switch outcome {
        case .whole(let length), .cut(let length):
            frame.l2cap?.headerLength = 2
            frame.l2cap?.captured = payload.byteCount &- 2
            let isWhole = if case .whole = outcome { true } else { false }
            if !isWhole { frame.l2cap?.isCut = true }
            analyzeSDU(payload.dropping(2), length: length, channel: index, isCut: !isWhole, sender)
        case .completed(let length): completeSDU(length: length, channel: index, sender)
        case .pending: frame.fold = .fragment
        case .malformed(let announced, let held):
            report(.l2cap(.malformed(.length(announced: announced, held: held))))
        }
        return true
    }

    /// Analyses an SDU that arrived in several K-frames; its bytes stay until the next record.
    private mutating func completeSDU(length: Int, channel index: Int, _ sender: Side) {
        let sdu = link.signalling.channels[index].assemblies[sender]
        frame.l2cap?.length = length
        frame.l2cap?.captured = length
        frame.l2cap?.place = .assembly
        frame.l2cap?.fragmentCount = sdu.frames.count
        let first = sdu.frames.first ?? frame.place
        frame.l2cap?.firstFrame = first
        analyzeSDU(sdu.octets.borrowedOctets, length: length, channel: index, isCut: false, sender)
        assembled = sdu.octets
        assembledFrames = sdu.frames
    }

    /// Analyses an SDU: one of ATT, or of a protocol above L2CAP.
    private mutating func analyzeSDU(
        _ sdu: RawSpan, length: Int, channel index: Int, isCut: Bool, _ sender: Side
    ) {
        let channel = link.signalling.channels[index]
        if let bearer = channel.bearer { return analyzeATT(sdu, bearer: bearer, isCut: isCut) }
        annotate(sdu: sdu, length: length, of: channel, sender)
    }
}

// SMP: knowledge about the peer from pairing.

extension Analyzer {
    mutating func analyzeSMP(_ payload: RawSpan, isCut: Bool) {
        frame.smpCode = payload.octet(at: 0)
        if frame.smpCode != nil { link.counts.smpPDUs &+= 1 }
        // Pairing over BR/EDR only derives keys, without encryption. A pairing whose start or end may be
        // missing is not reported as unfinished.
        let outcome = link.pairing.receive(
            payload, isCut: isCut, from: frame.sender, at: frame.place, frame.time,
            isShown: !link.mayLackEarlierPackets, encrypts: link.transport == .le)
        if let request = outcome.request { frame.request = request }
        if let problem = outcome.problem { problems.append(problem) }
        if outcome.begins, link.phases.pairingStarted == nil {
            link.phases.pairingStarted = frame.time
        }
        note(deadline: link.pairing.deadline, slot: frame.link)
        guard let (address, irk) = outcome.identity else { return }
        link.isBonded = true
        identify(peer: link.peer, as: address)
        if let irk { learn(irk: irk, of: address) }
    }

    /// Merges a peer that was known by another address into the peer with this identity; its links move too.
    mutating func identify(peer: Int, as identity: DeviceAddress) {
        let known = peers.identify(peer: peer, as: identity, at: frame.time.nanoseconds)
        guard known != peer else { return }
        moveSetbacks(of: peer, to: known)
        for slot in links.indices where links[slot].isFollowed && links[slot].peer == peer {
            peers.release(peer: peer, at: frame.time.nanoseconds)
            peers.retain(peer: known)
            links[slot].peer = known
            links[slot].identity = peers.identity(of: known, connectedAs: links[slot].address)
        }
    }

    /// Learns an identity's key, most significant byte first, and identifies the devices that were seen with
    /// its private addresses.
    mutating func learn(irk: [UInt8], of identity: DeviceAddress) {
        for peer in peers.add(irk, of: identity) { identify(peer: peer, as: identity) }
    }
}
