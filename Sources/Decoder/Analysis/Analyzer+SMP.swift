import BluetoothCore
import CaptureFile
import WireBytes

// SMP: knowledge about the peer from pairing.

extension Analyzer {
    mutating func analyzeSMP(_ payload: RawSpan, isCut: Bool) {
        let slot = frame.link
        frame.smpCode = payload.octet(at: 0)
        if frame.smpCode != nil { links[slot].counts.smpPDUs &+= 1 }
        // Over BR/EDR, it only derives keys and no encryption follows. Of a pairing whose start or end may be
        // missing, nothing is reported.
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
