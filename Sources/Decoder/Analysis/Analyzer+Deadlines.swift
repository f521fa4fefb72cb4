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
    ///
    /// - Parameter last: the time of the file's record before, in nanoseconds.
    mutating func checkDeadlines(_ file: Int, after last: Int64) {
        var next = Int64.max
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            if frame.time.nanoseconds > links[slot].deadline { checkDeadline(slot) }
            next = min(next, links[slot].deadline)
        }
        let key = AdapterTable.key(file, frame.header.adapter)
        for place in adapters.all.indices where adapters[place].key &>> 16 == UInt64(truncatingIfNeeded: file)
        {
            let isDelivered = adapters[place].key == key && frame.direction == .controllerToHost
            next = min(
                next,
                adapters[place].markOverdue(at: frame.time.nanoseconds, after: last, isDelivered: isDelivered)
            )
        }
        set(deadline: next, ofFile: file)
    }

    /// Notes when the command of this frame will be overdue.
    mutating func noteCommandDeadline() {
        let due = frame.time.after(AdapterTable.longestOvertaking)
        guard let earliest = progress(ofFile: frame.file)?.deadline, due < earliest else { return }
        set(deadline: due, ofFile: frame.file)
    }

    /// What waited when the clock was set is not overdue: how long it waited is not known.
    mutating func forgetDeadlines(_ file: Int) {
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            links[slot].forgetDeadlines(at: frame.time)
            annotators.links[slot].forgetDeadlines(at: frame.time.nanoseconds)
        }
        adapters.losePackets(file, before: PacketLoss(before: frame.place, time: frame.time))
    }

    /// Reports the requests of a link whose time ran out before this frame.
    private mutating func checkDeadline(_ slot: Int) {
        let shown = progress(ofFile: links[slot].file)?.shown
        if let problem = links[slot].pairing.overdue(at: frame.time) { report(problem, on: slot) }
        links[slot].deadline = links[slot].pairing.deadline
        guard links[slot].showsAnswers(in: shown) || links[slot].showsResponses else { return }
        reportOverdue(slot)
        let (next, problems) = links[slot].takeTimedOut(at: frame.time, shown)
        for problem in problems { report(problem, on: slot) }
        links[slot].deadline = min(links[slot].deadline, annotators.links[slot].deadline, next)
    }
}
