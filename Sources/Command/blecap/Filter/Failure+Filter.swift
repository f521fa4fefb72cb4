import Analysis
import CommandLineKit
import WireBytes

// An empty result because nothing passed the filter; the reason is reported on standard error.

extension Failure {
    /// Most devices listed.
    private static let mostPeers = 8

    /// Notice that no record passed a command line's filters, with the values that exist; nil if records
    /// passed, or the log was empty.
    init?(passed: Int, _ arguments: ParsedArguments, _ analyzer: borrowing Analyzer) {
        let words = FrameFilter.words(arguments)
        let records = analyzer.totals.records
        guard passed == 0, records > 0, !words.isEmpty else { return nil }
        var facts: [String] = []
        if arguments.has(.connection) { facts.append(Self.connections(analyzer.connectionCount)) }
        if arguments.has(.peer) { facts.append(Self.peers(analyzer)) }
        if arguments.has(.frames) {
            facts.append(
                "there \(records == 1 ? "is" : "are") "
                    + records.counting("frame") + " in all")
        }
        self.init(
            .success, "no frame passes " + words.map(Shell.quoted).joined(separator: " "),
            advice: facts.isEmpty ? nil : facts.joined(separator: "; "))
    }

    private static func connections(_ count: Int) -> String {
        switch count {
        case 0: "there is no connection"
        case 1: "there is one connection, number 1"
        default: "there are connections 1 to \(count)"
        }
    }

    private static func peers(_ analyzer: borrowing Analyzer) -> String {
        let all = analyzer.connectedPeers
        guard !all.isEmpty else { return "no connection's device is known" }
        let more = all.count > mostPeers ? " and \(all.count - mostPeers) more" : ""
        return "the connections are with " + all.prefix(mostPeers).map { "\($0)" }.joined(separator: ", ")
            + more
    }
}
