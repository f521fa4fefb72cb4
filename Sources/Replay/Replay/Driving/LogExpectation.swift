import Foundation

/// What a log is to come to when it is replayed: kept beside it as `NAME.expect.json`, so that the log of a
/// night
/// that failed fails while the fault lives, and passes once it is mended.
public struct LogExpectation: Codable, Hashable, Sendable {
    /// The expected end of a request.
    public struct Outcome: Codable, Hashable, Sendable {
        /// The frame of its first fragment in the log.
        public var frame: Int
        public var name: String
        /// "ok", "refused, STATUS" or "no answer".
        public var ends: String

        public init(frame: Int, name: String, ends: String) {
            self.frame = frame
            self.name = name
            self.ends = ends
        }
    }

    /// Where the host may do something else than was recorded. A live model of the far device goes on there.
    public struct Departure: Codable, Hashable, Sendable {
        public var frame: Int
        /// Whether it must: the recorded host was wrong.
        public var isRequired: Bool
        /// Why, for those who read it later.
        public var reason: String

        public init(frame: Int, isRequired: Bool, reason: String) {
            self.frame = frame
            self.isRequired = isRequired
            self.reason = reason
        }
    }

    /// The format's version: 1.
    public var version = 1
    public var departures: [Departure]
    public var outcomes: [Outcome]

    public init(departures: [Departure] = [], outcomes: [Outcome] = []) {
        self.departures = departures
        self.outcomes = outcomes
    }

    /// Reads what ``json`` has written.
    ///
    /// Throws `DecodingError` for an invalid expectation, or one of another version.
    public init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(LogExpectation.self, from: Data(json))
        guard version == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "version \(version) is not known; 1 is"))
        }
    }

    /// The text to be kept.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return [UInt8]((try? encoder.encode(self)) ?? Data()) + [0x0A]
    }

    /// Leaves what is about the connections of a model: the others of its log were not chosen.
    public mutating func keep(for model: SessionModel) {
        departures.removeAll { model.connection(ofStepAt: $0.frame) == nil }
        outcomes.removeAll { model.connection(ofStepAt: $0.frame) == nil }
    }

    /// What of it a replay did not come to, a line each.
    ///
    /// - Parameter outcomes: nil if the callbacks are not known.
    public func misses(_ report: ReplayReport, _ outcomes: [RequestOutcome]?) -> [String] {
        var lines: [String] = []
        for departure in departures where departure.isRequired && !report.departed.contains(departure.frame) {
            let reason = departure.reason.isEmpty ? "" : ": \(departure.reason)"
            lines.append("at frame \(departure.frame) the host did again what was wrong\(reason)")
        }
        for wanted in self.outcomes {
            guard let outcomes else { break }
            let found = outcomes.first { $0.frame == wanted.frame }
            let ending = found?.ends ?? "not at all"
            guard ending != wanted.ends else { continue }
            let error = found?.error.map { " (\($0))" } ?? ""
            lines.append(
                "\(wanted.name) of frame \(wanted.frame) was to end with: \(wanted.ends); it ended with: "
                    + ending + error)
        }
        if report.failedConnection != nil { lines.append("the host did something else, as said below") }
        return lines
    }

    /// The report of a replay with what of it is missing first.
    public static func text(_ report: String, _ misses: [String]) -> String {
        misses.isEmpty
            ? "AS EXPECTED: \(report)"
            : "NOT AS EXPECTED\n" + misses.map { "  missed    \($0)\n" }.joined() + report
    }

    /// The requests that failed where it does not say so.
    public static func failures(_ outcomes: [RequestOutcome], besides expected: Self?) -> [RequestOutcome] {
        outcomes.filter { outcome in
            !outcome.isGood
                && !(expected?.outcomes.contains { $0.frame == outcome.frame && $0.ends == outcome.ends }
                    ?? false)
        }
    }
}
