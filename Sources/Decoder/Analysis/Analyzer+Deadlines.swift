import BluetoothCore
import CaptureFile
import UQDK
import WireBytes

// Requests that wait for their response: each may for a while, which ends whether or not its link says more.

extension Analyzer {
    /// Notes when a request of a link will have waited as long as it may.
    mutating func note(deadline: Int64, _ slot: Int) {
        if deadline < links[slot].deadline { links[slot].deadline = deadline }
        let file = links[slot].file
        guard let earliest = progress(ofFile: file)?.deadline, deadline < earliest else { return }
        set(deadline: deadline, ofFile: file)
    }

    /// Reports the requests of a file's links that have waited longer than they may, whatever this frame is:
    /// a device that fell silent sends none of its own.
    mutating func checkDeadlines(_ file: Int) {
        var next = Int64.max
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            if frame.time.nanoseconds > links[slot].deadline { checkDeadline(slot) }
            next = min(next, links[slot].deadline)
        }
        set(deadline: next, ofFile: file)
    }

    /// Reports the requests of a link whose time ran out before this frame.
    private mutating func checkDeadline(_ slot: Int) {
        links[slot].deadline = .max
        checkPairing(slot)
        links[slot].deadline = pairingDeadline(slot)
        guard links[slot].showsResponses || links[slot].counts.notifications > 0 else { return }
        let now = frame.time.nanoseconds
        let overdue = trackers[slot].uqdk.overdue(at: now, from: frame.place.file)
        if !overdue.isEmpty { reportUnheard(slot, ofKeyProtocol: true) }
        for problem in overdue { report(uqdk: problem, slot) }
        var next = min(links[slot].deadline, trackers[slot].uqdk.deadline)
        guard links[slot].showsResponses else {
            links[slot].deadline = next
            return
        }
        for bearer in links[slot].bearers.indices {
            for path in ATTBearer.pendingPaths {
                let pending = links[slot].bearers[bearer][keyPath: path]
                guard pending.isOpen, !pending.timedOut else { continue }
                let late = now &- pending.time.nanoseconds
                if late > Self.transactionTimeout {
                    links[slot].bearers[bearer][keyPath: path].timedOut = true
                    report(Problem(.attTimeout, at: pending.frame, late), on: slot)
                } else {
                    next = min(next, pending.time.nanoseconds &+ Self.transactionTimeout)
                }
            }
        }
        links[slot].deadline = next
    }
}
