import BluetoothCore
import CaptureFile
import PayloadFormat

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

    /// What waited when the clock was set is not overdue: how long it waited is not known.
    mutating func forgetDeadlines(_ file: Int) {
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            links[slot].pairing.stop()
            annotators.links[slot].forgetDeadlines(at: frame.time.nanoseconds)
            for bearer in links[slot].bearers.indices {
                _ = links[slot].bearers[bearer].takeTimedOut(at: frame.time)
            }
        }
        adapters.losePackets(file, before: PacketLoss(before: frame.place, time: frame.time))
    }

    /// Reports the requests of a link whose time ran out before this frame.
    private mutating func checkDeadline(_ slot: Int) {
        links[slot].deadline = .max
        if let problem = links[slot].pairing.overdue(at: frame.time) { report(problem, on: slot) }
        links[slot].deadline = links[slot].pairing.deadline
        guard showsAnswers(ofLink: slot) || links[slot].showsResponses else { return }
        reportOverdue(slot)
        var next = min(links[slot].deadline, annotators.links[slot].deadline)
        guard links[slot].showsResponses else {
            links[slot].deadline = next
            return
        }
        for bearer in links[slot].bearers.indices {
            let (waiting, timedOut) = links[slot].bearers[bearer].takeTimedOut(at: frame.time)
            next = min(next, waiting)
            for (sender, pending) in timedOut where shows(sender.other, ofLink: slot) {
                let request = UnansweredRequest(pending, at: frame.time)
                report(.att(.timeout(request)), by: Problem.Party(sender.other), on: slot)
            }
        }
        links[slot].deadline = next
    }
}

extension ATTBearer {
    /// Marks what has waited longer than it may and gives it, with when the next of the others will have.
    fileprivate mutating func takeTimedOut(
        at now: CaptureTime
    ) -> (next: Int64, timedOut: [(Side, PendingRequest)]) {
        var next = Int64.max
        var timedOut: [(Side, PendingRequest)] = []
        Self.take(&fromHost, .host, now, &next, &timedOut)
        Self.take(&fromPeer, .peer, now, &next, &timedOut)
        Self.take(&indicationFromHost, .host, now, &next, &timedOut)
        Self.take(&indicationFromPeer, .peer, now, &next, &timedOut)
        return (next, timedOut)
    }

    @inline(__always)
    private static func take(
        _ pending: inout PendingRequest, _ sender: Side, _ now: CaptureTime, _ next: inout Int64,
        _ timedOut: inout [(Side, PendingRequest)]
    ) {
        guard pending.isOpen, !pending.timedOut else { return }
        let deadline = pending.time.after(PendingRequest.timeout)
        guard now.nanoseconds > deadline else {
            next = min(next, deadline)
            return
        }
        pending.timedOut = true
        timedOut.append((sender, pending))
    }
}

extension CaptureTime {
    /// The time that many nanoseconds later, or the last one there is: what would be due after the end of
    /// time never is.
    func after(_ wait: Int64) -> Int64 {
        let (time, isPast) = nanoseconds.addingReportingOverflow(wait)
        return isPast ? (wait < 0 ? .min : .max) : time
    }

    /// The nanoseconds since an earlier time, or as many as there can be: times in a file may be centuries
    /// apart.
    func since(_ earlier: CaptureTime) -> Int64 {
        let (gap, isTooLong) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return isTooLong ? (nanoseconds < earlier.nanoseconds ? .min : .max) : gap
    }
}
