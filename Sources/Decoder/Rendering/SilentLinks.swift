import Analysis
import BluetoothCore

/// Connections on which the peer sent no value although the host wrote and subscribed, beside one to the same
/// device where it answered.
///
/// Many devices never send a value, so that only the comparison shows something missing.
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
        let silent = used.filter { link in
            !isAnswered(link) && link.counts.reads.byHost == 0
                && used.contains { isAnswered($0) && $0.address == link.address && $0.file == link.file }
        }
        guard let first = silent.first,
            let answered = used.first(where: {
                isAnswered($0) && $0.address == first.address && $0.file == first.file
            })
        else { return nil }
        self.silent = silent.map(\.number).sorted()
        self.answered = answered.number
    }

    var sentence: String {
        let numbers = silent.prefix(4).map { "\($0)" }.joined(separator: ", ")
        let more = silent.count > 4 ? " and \(silent.count - 4) more" : ""
        let all = "connection\(silent.count == 1 ? "" : "s") \(numbers)\(more)"
        return "\(all): subscribed and written to, but no value came, as one did on connection \(answered)"
    }
}
