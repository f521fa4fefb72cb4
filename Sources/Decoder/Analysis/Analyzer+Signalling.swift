import BluetoothCore
import CaptureFile
import WireBytes

// L2CAP signalling, and PDUs on the channels that it opens.

extension Analyzer {
    /// Analyses signalling commands: reports refusals, and opens and closes channels.
    mutating func analyzeSignalling(_ payload: RawSpan, isCut: Bool) {
        let source = Signalling.Source(sender: frame.sender, frame: frame.place, time: frame.time)
        let outcome = links[frame.link].receiveSignals(
            payload, isCut: isCut, isLE: frame.l2cap?.cid == 5, from: source)
        frame.signallingCode = outcome.code
        if let request = outcome.request { frame.request = request }
        switch outcome.code {
        case 0x12:
            if let sender = frame.sender { check(ConnectionParameters(payload, at: 4), askedBy: sender) }
        case 0x13: if payload.u16le(at: 4) == 1 { noteChange(.request, 0) }
        default: break
        }
        problems += outcome.problems
        if let psm = outcome.opened {
            if let psm { links[frame.link].noteOpened(psm) }
            // If the log lacks the requests, the PSMs are unknown (nil).
            overcome(on: links[frame.link].number) {
                if case .l2cap(.channelRefused(let refusal)) = $0.problem.kind {
                    refusal.psm == psm
                } else {
                    false
                }
            }
        }
        if outcome.isFull { reportFull(.channels) }
    }

    /// Analyses a PDU on a dynamic channel whose opening is in the log.
    mutating func analyzeChannel(_ payload: RawSpan, _ channel: UInt16, isCut: Bool, slot: Int) {
        guard frame.direction != .unknown else { return }
        let sender: Side = frame.direction == .hostToController ? .host : .peer
        guard
            let index = links[slot].signalling.channels.firstIndex(where: {
                $0.isOpen && $0.cid(sentBy: sender) == channel
            })
        else { return }
        frame.l2cap?.psm = links[slot].signalling.channels[index].psm
        if links[slot].signalling.channels[index].isCreditBased {
            let (place, time) = (frame.place, frame.time)
            links[slot].signalling.channels[index].withCredits(of: sender) { $0.spend(place, time) }
        }
        guard let bearer = links[slot].signalling.channels[index].bearer else { return }
        guard links[slot].signalling.channels[index].isCreditBased else {
            return analyzeATT(payload, bearer: bearer, isCut: isCut)
        }
        let number = frame.place
        let outcome =
            sender == .host
            ? links[slot].signalling.channels[index].fromHost.receive(payload, isCut: isCut, frame: number)
            : links[slot].signalling.channels[index].fromPeer.receive(payload, isCut: isCut, frame: number)
        switch outcome {
        case .whole, .cut:
            frame.l2cap?.headerLength = 2
            frame.l2cap?.captured = payload.byteCount &- 2
            let isWhole = if case .whole = outcome { true } else { false }
            if !isWhole { frame.l2cap?.isCut = true }
            analyzeATT(payload.dropping(2), bearer: bearer, isCut: !isWhole)
        case .completed(let length): completeSDU(length, index, bearer: bearer, slot: slot, sender)
        case .pending: frame.fold = .fragment
        case .malformed(let announced, let held):
            report(.l2cap(.malformed(.length(announced: announced, held: held))))
        }
    }

    /// Analyses an SDU that arrived in several K-frames; its bytes stay until the next record.
    private mutating func completeSDU(
        _ length: Int, _ index: Int, bearer: Int, slot: Int, _ sender: Side
    ) {
        let sdu =
            sender == .host
            ? links[slot].signalling.channels[index].fromHost
            : links[slot].signalling.channels[index].fromPeer
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

// SMP: knowledge about the peer from pairing.

extension Analyzer {
    mutating func analyzeSMP(_ payload: RawSpan, isCut: Bool) {
        let slot = frame.link
        frame.smpCode = payload.octet(at: 0)
        if frame.smpCode != nil { links[slot].counts.smpPDUs &+= 1 }
        // Pairing over BR/EDR only derives keys, without encryption. A pairing whose start or end may be
        // missing is not reported.
        let outcome = links[slot].pairing.receive(
            payload, isCut: isCut, from: frame.sender, at: frame.place, frame.time,
            isFollowed: links[slot].transport == .le && !links[slot].wasOpenAtStart)
        if let request = outcome.request { frame.request = request }
        if let problem = outcome.problem { problems.append(problem) }
        if outcome.begins, links[slot].phases.pairingStarted == nil {
            links[slot].phases.pairingStarted = frame.time
        }
        note(deadline: links[slot].pairing.deadline, slot: slot)
        guard let (address, irk) = outcome.identity else { return }
        links[slot].isBonded = true
        identify(links[slot].peer, as: address)
        if let irk { learn(irk: irk, of: address) }
    }

    /// Merges a peer that was known by another address into the peer with this identity; its links move too.
    mutating func identify(_ peer: Int, as identity: DeviceAddress) {
        let known = peers.identify(peer, as: identity, at: frame.time.nanoseconds)
        guard known != peer else { return }
        moveSetbacks(of: peer, to: known)
        for slot in links.indices where links[slot].isFollowed && links[slot].peer == peer {
            peers.release(peer, at: frame.time.nanoseconds)
            peers.retain(known)
            links[slot].peer = known
            links[slot].identity = peers.identity(of: known, metAs: links[slot].address)
        }
    }

    /// Learns an identity's key, most significant byte first, and identifies the devices that were seen with
    /// its private addresses.
    mutating func learn(irk: [UInt8], of identity: DeviceAddress) {
        for peer in peers.add(irk, of: identity) { identify(peer, as: identity) }
    }
}
