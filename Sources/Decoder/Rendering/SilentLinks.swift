import Analysis
import BluetoothCore
import CaptureFile

/// Connections on which the peer sent no value although the host wrote and subscribed, beside one to the same
/// device where it answered. Links of a file that names no device count as links to one.
///
/// Many devices never send a value, so that only the comparison shows something missing. A connection that
/// ended sooner after its first write than the answer took elsewhere shows nothing.
struct SilentLinks {
    private let silent: [Int]
    private let answered: Int

    /// Returns nil if every such connection got values, or no connection did.
    init?(_ links: [Link]) {
        let used = links.filter {
            $0.role != .peripheral && $0.phases.subscribed != nil && $0.phases.firstWrite != nil
        }
        func isAnswered(_ link: Link) -> Bool {
            link.counts.notifications.byPeer + link.counts.indications.byPeer > 0
        }
        func isComparable(_ silent: Link, _ answered: Link) -> Bool {
            isAnswered(answered) && answered.address == silent.address && answered.file == silent.file
                && Self.wait(silent, until: silent.phases.disconnected ?? silent.phases.last)
                    >= Self.wait(answered, until: answered.phases.firstNotification)
        }
        for link in used where !isAnswered(link) && link.counts.reads.byHost == 0 {
            guard let answered = used.first(where: { isComparable(link, $0) }) else { continue }
            silent = used.filter {
                !isAnswered($0) && $0.counts.reads.byHost == 0 && isComparable($0, answered)
            }.map(\.number).sorted()
            self.answered = answered.number
            return
        }
        return nil
    }

    /// The nanoseconds from the first write of a connection to a time; 0 if either is missing.
    private static func wait(_ link: Link, until time: CaptureTime?) -> Int64 {
        guard let written = link.phases.firstWrite, let time else { return 0 }
        let (wait, overflow) = time.nanoseconds.subtractingReportingOverflow(written.nanoseconds)
        return overflow ? 0 : wait
    }

    var sentence: String {
        let numbers = silent.prefix(4).map { "\($0)" }.joined(separator: ", ")
        let more = silent.count > 4 ? " and \(silent.count - 4) more" : ""
        let all = "connection\(silent.count == 1 ? "" : "s") \(numbers)\(more)"
        return "\(all): subscribed and written to, but no value came, as one did on connection \(answered)"
    }
}
