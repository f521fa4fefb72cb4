import BluetoothCore
import CaptureFile
import PayloadFormat

// Timeouts of pending requests, which expire even if their link is silent.

extension Analyzer {
    /// Records the time at which a request of a link times out.
    mutating func note(deadline: Int64, slot: Int) {
        if deadline < links[slot].deadline { links[slot].deadline = deadline }
        let file = links[slot].file
        guard let earliest = progress(ofFile: file)?.deadline, deadline < earliest else { return }
        set(deadline: deadline, ofFile: file)
    }

    /// Reports the timed-out requests of a file's links, whatever this frame is: a silent device sends no
    /// frames.
    ///
    /// - Parameter last: the time of the file's previous record, in nanoseconds.
    mutating func checkDeadlines(_ file: Int, after last: Int64) {
        var next = Int64.max
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            if frame.time.nanoseconds > links[slot].deadline { checkDeadline(slot: slot) }
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

    /// Records when the command of this frame becomes overdue.
    mutating func noteCommandDeadline() {
        let due = frame.time.after(AdapterTable.longestOvertaking)
        guard let earliest = progress(ofFile: frame.file)?.deadline, due < earliest else { return }
        set(deadline: due, ofFile: frame.file)
    }

    /// Forgets deadlines when the clock was set, since the real waiting times are unknown.
    mutating func forgetDeadlines(_ file: Int) {
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            links[slot].forgetDeadlines(at: frame.time)
            annotators.links[slot].forgetDeadlines(at: frame.time.nanoseconds)
        }
        adapters.losePackets(file, before: PacketLoss(before: frame.place, time: frame.time))
    }

    /// Reports the requests of a link that timed out before this frame.
    private mutating func checkDeadline(slot: Int) {
        let shown = progress(ofFile: links[slot].file)?.shown
        if let problem = links[slot].pairing.overdue(at: frame.time) { report(problem, on: slot) }
        links[slot].deadline = links[slot].pairing.deadline
        guard links[slot].showsAnswers(in: shown) || links[slot].showsResponses else { return }
        reportOverdue(slot: slot)
        let (next, problems) = links[slot].takeTimedOut(at: frame.time, shown)
        for problem in problems { report(problem, on: slot) }
        links[slot].deadline = min(links[slot].deadline, annotators.links[slot].deadline, next)
    }
}
