import BluetoothCore
import CaptureFile
import WireBytes

// SMP: how far pairing came and what it taught.

extension Analyzer {
    mutating func analyzeSMP(_ payload: RawSpan, isCut: Bool) {
        let slot = frame.link
        guard let code = payload.octet(at: 0) else {
            if !isCut { report(.smp(.malformed(at: 0))) }
            return
        }
        frame.smpCode = code
        links[slot].counts.smpPDUs &+= 1
        join(code, slot)
        defer { followTimer(code, slot) }
        if let fault = SMPTable.fault(in: payload) {
            if !isCut { report(.smp(.malformed(at: fault.offset))) }
        } else {
            followSMP(SMPCode(rawValue: code), payload, slot)
        }
    }

    /// Joins a PDU that answers the other side's last one to that: the response to the request or to the
    /// Security Request, a failure, and what both send in turn, the responder second.
    private mutating func join(_ code: UInt8, _ slot: Int) {
        guard frame.direction != .unknown else { return }
        let fromHost = frame.direction == .hostToController
        // A new pairing starts over.
        if code == 0x0B { (links[slot].pairing.fromHost, links[slot].pairing.fromPeer) = (nil, nil) }
        let other = fromHost ? links[slot].pairing.fromPeer : links[slot].pairing.fromHost
        if let other {
            let answers =
                switch code {
                case 0x01: other.code == 0x0B
                case 0x02: other.code == 0x01
                case 0x03, 0x04, 0x0C, 0x0D: other.code == code
                case 0x05: other.code != 0x05
                default: false
                }
            if answers {
                frame.request = RequestReference(
                    place: other.frame, latency: frame.time.nanoseconds &- other.time.nanoseconds)
            }
        }
        let step = PairingStep(code: code, frame: frame.place, time: frame.time)
        if fromHost { links[slot].pairing.fromHost = step } else { links[slot].pairing.fromPeer = step }
    }

    /// The Security Manager Timer of 30 s starts anew with every PDU of a pairing (Core Specification, Vol 3,
    /// Part H, 3.4). Pairing has come about once keys are distributed, or the link is encrypted.
    private mutating func followTimer(_ code: UInt8, _ slot: Int) {
        if (0x06...0x0A).contains(code) { links[slot].pairing.isRunning = false }
        guard links[slot].pairing.isRunning, code != 0x0B, frame.direction != .unknown else { return }
        links[slot].pairing.last = PairingStep(code: code, frame: frame.place, time: frame.time)
        links[slot].pairing.lastIsHosts = frame.direction == .hostToController
        note(deadline: frame.time.after(Self.pairingTimeout), slot)
    }

    /// 30 seconds (Core Specification, Vol 3, Part H, 3.4).
    static let pairingTimeout: Int64 = 30_000_000_000

    /// When the pairing under way on a link will have waited as long as it may; the largest number where
    /// none does.
    func pairingDeadline(_ slot: Int) -> Int64 {
        guard links[slot].pairing.isRunning, let last = links[slot].pairing.last else { return .max }
        return last.time.after(Self.pairingTimeout)
    }

    /// Reports a pairing that nobody went on with for as long as it may wait.
    mutating func checkPairing(_ slot: Int) {
        guard frame.time.nanoseconds > pairingDeadline(slot) else { return }
        reportPairing(slot) { .unanswered($0) }
    }

    /// Reports a pairing that was under way when its link ended.
    mutating func closePairing(_ slot: Int) {
        checkPairing(slot)
        guard links[slot].pairing.isRunning, links[slot].pairing.last != nil else { return }
        reportPairing(slot) { .unfinished($0) }
    }

    private mutating func reportPairing(_ slot: Int, _ problem: (PairingWait) -> SMPProblem) {
        guard let last = links[slot].pairing.last else { return }
        links[slot].pairing.isRunning = false
        links[slot].pairingWasUnfinished = true
        let wait = PairingWait(
            name: name(ofPairingStep: last, slot), place: last.frame, waited: frame.time.since(last.time))
        report(.smp(problem(wait)), by: links[slot].pairing.lastIsHosts ? .peer : .host, on: slot)
    }

    private func name(ofPairingStep step: PairingStep, _ slot: Int) -> String {
        let name = SMPCode(rawValue: step.code).name.map { "\($0)" } ?? "SMP code \(step.code)"
        return links[slot].pairing.lastIsHosts ? name : "the peer's " + name
    }

    /// The PDU of a pairing under way that nobody went on from when the log ended at this time.
    func openPairing(_ slot: Int, at end: Int64) -> OpenRequest? {
        guard links[slot].pairing.isRunning, let last = links[slot].pairing.last else { return nil }
        return OpenRequest(
            place: last.frame, name: name(ofPairingStep: last, slot),
            waited: end &- last.time.nanoseconds)
    }

    private mutating func followSMP(_ code: SMPCode, _ pdu: RawSpan, _ slot: Int) {
        let isFromPeer = frame.direction == .controllerToHost
        switch code {
        case .pairingRequest:
            let (fromHost, fromPeer) = (links[slot].pairing.fromHost, links[slot].pairing.fromPeer)
            links[slot].pairing = PairingState()
            links[slot].pairing.fromHost = fromHost
            links[slot].pairing.fromPeer = fromPeer
            // Over BR/EDR it only derives keys, and no encryption follows; of a pairing whose start or end
            // may be missing nothing is said.
            links[slot].pairing.isRunning = links[slot].transport == .le && !links[slot].wasOpenAtStart
            links[slot].pairingWasUnfinished = false
            if links[slot].phases.pairingStarted == nil { links[slot].phases.pairingStarted = frame.time }
        case .pairingFailed:
            links[slot].pairing.isRunning = false
            report(.smp(.failed(SMPTable.reason(ofFailure: pdu) ?? 0)), by: isFromPeer ? .peer : .host)
        case .identityInformation:
            guard isFromPeer else { return }
            links[slot].pairing.peerIRK = pdu.clamped(SMPTable.identityKey).copied().reversed()
        case .identityAddressInformation:
            guard isFromPeer, let address = SMPTable.identityAddress(in: pdu) else { return }
            let irk = links[slot].pairing.peerIRK
            links[slot].pairing.peerIRK = nil
            links[slot].isBonded = true
            identify(links[slot].peer, as: address)
            if let irk { learn(irk: irk, of: address) }
        default: break
        }
    }

    /// A peer that was met by another address turns out to have this identity: its links go with it.
    mutating func identify(_ peer: Int, as identity: DeviceAddress) {
        let known = peers.identify(peer, as: identity, at: frame.time.nanoseconds)
        guard known != peer else { return }
        for slot in links.indices where links[slot].isFollowed && links[slot].peer == peer {
            peers.release(peer, at: frame.time.nanoseconds)
            peers.retain(known)
            links[slot].peer = known
            links[slot].identity = peers.identity(of: known, metAs: links[slot].address)
        }
    }

    /// An identity's key, most significant octet first: devices that were met by private addresses of it are
    /// that identity.
    mutating func learn(irk: [UInt8], of identity: DeviceAddress) {
        for peer in peers.add(irk, of: identity) { identify(peer, as: identity) }
    }
}
