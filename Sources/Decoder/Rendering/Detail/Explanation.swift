public import Analysis
public import PayloadFormat
public import WireBytes

/// One entry of the verdict, with the frames that show it.
public struct Explanation: Sendable {
    /// The frames of the failure, its consequences and their requests.
    public let evidence: Set<FramePlace>
    /// Number of the failure's connection; 0 without one.
    public let connection: Int
    private let lines: TextLines

    /// Finds an entry by its number in the verdict, counted from 1; nil if there are fewer entries.
    public init?(
        _ number: Int, _ analyzer: borrowing Analyzer, namesFile: Bool, style: Verdict.Style
    ) {
        let entries = Verdict.Entries(analyzer).all
        guard entries.indices.contains(number - 1) else { return nil }
        let failure = entries[number - 1]
        connection = failure.connection
        var places = [failure.place] + failure.problem.evidence
        for consequence in failure.consequences {
            places += [consequence.place] + consequence.problem.evidence
        }
        evidence = Set(places)
        var lines = TextLines(style)
        var body = VerdictBody(style, namesFile: namesFile)
        if let link = analyzer.listedLinks.first(where: { $0.number == failure.connection }) {
            let summary = ConnectionSummary(link: link, namesFile: namesFile)
            lines.add(
                Verdict.title(link, analyzer) + ": ", summary.outcome.map(summary.text), separator: ", ")
        }
        lines.add(body.line(number, failure, analyzer, indent: 0, namesConnection: false))
        if let places = Self.laterPlaces(of: failure, namesFile: namesFile) {
            lines.add("     again at \(places)", indent: 7)
        }
        for (connection, later) in failure.repetitions {
            guard let known = later.problem.known else { continue }
            let place = later.place.text(from: namesFile ? nil : later.place.file)
            let text = later.problem.text(known, namesFile: namesFile)
            lines.add("     on connection \(connection), frame \(place): \(text)", indent: 7)
        }
        self.lines = lines
    }

    /// Returns the frames of the occurrences after the first one in words; nil without such.
    private static func laterPlaces(of failure: Incident, namesFile: Bool) -> String? {
        // Those with facts of their own have lines of their own.
        let told = failure.repetitions.filter { $0.occurrence.problem.known != nil }.map(\.occurrence.place)
        let later = failure.occurrences.map(\.place).filter { $0 != failure.place && !told.contains($0) }
        guard !later.isEmpty else { return nil }
        let named = later.prefix(mostPlaces).map { $0.text(from: namesFile ? nil : $0.file) }
        let more = failure.count - 1 - told.count - named.count
        return (named.count == 1 ? "frame " : "frames ") + named.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    /// Number of later occurrences whose frames are named.
    private static let mostPlaces = 16

    /// Returns the number of entries in the verdict.
    public static func count(_ analyzer: borrowing Analyzer) -> Int {
        Verdict.Entries(analyzer).all.count
    }

    /// Appends the failure as the verdict shows it.
    public func put(into out: inout TextBuffer) {
        lines.put(into: &out)
        out.put(0x0A)
    }
}
