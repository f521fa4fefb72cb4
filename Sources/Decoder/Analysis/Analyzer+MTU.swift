import BluetoothCore
import CaptureFile

// What ATT_MTU allows (Core Specification, Vol 3, Part F, 3.2.8 and 3.4.2).

extension Analyzer {
    /// Reports a PDU on the fixed channel that is longer than the log shows to be agreed on.
    @inline(__always)
    mutating func checkLength(_ octets: Int, _ slot: Int) {
        guard octets > Int(links[slot].bearers[0].largestMTU) else { return }
        reportLength(octets, slot)
    }

    @inline(never)
    private mutating func reportLength(_ octets: Int, _ slot: Int) {
        guard links[slot].transport == .le, !links[slot].wasOpenAtStart, links[slot].bearers[0].mtuIsKnown
        else { return }
        let mtu = links[slot].bearers[0].largestMTU
        let problem = Problem(
            .att(.mtuExceeded(octets &+ missingOctets(octets), mtu: mtu)),
            by: frame.sender.map(Problem.Party.init))
        problems.append(problem)
        guard frame.sender == .host, links[slot].tooLong == nil else { return }
        links[slot].tooLong = (problem, frame.place, totals.records &+ 1)
    }

    /// A client may ask once on each connection, for no less than every device takes.
    mutating func checkMTURequest(_ asked: UInt16?, _ slot: Int, _ bearer: Int, _ sender: Side) {
        if let asked, asked < 23 { report(.att(.mtuTooSmall(asked))) }
        let hasAsked =
            sender == .host
            ? links[slot].bearers[bearer].hostAskedMTU : links[slot].bearers[bearer].peerAskedMTU
        if hasAsked { report(.att(.mtuRepeated)) }
        if sender == .host {
            links[slot].bearers[bearer].hostAskedMTU = true
        } else {
            links[slot].bearers[bearer].peerAskedMTU = true
        }
    }
}
