import Foundation

/// The expected result of replaying a log, stored beside it as `NAME.expect.json`.
///
/// The replay of a faulty night's log then fails while the fault exists, and passes once it is fixed.
public struct LogExpectation: Codable, Hashable, Sendable {
    /// The expected end of a request.
    public struct Outcome: Codable, Hashable, Sendable {
        /// The frame of the request's first fragment in the log.
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

    /// A frame at which the host may deviate from the recording; from there on, a live model of the far
    /// device answers.
    public struct Departure: Codable, Hashable, Sendable {
        public var frame: Int
        /// Whether the host must deviate, because the recorded host was wrong.
        public var isRequired: Bool
        /// The reason for the deviation, for later readers.
        public var reason: String

        public init(frame: Int, isRequired: Bool, reason: String) {
            self.frame = frame
            self.isRequired = isRequired
            self.reason = reason
        }
    }

    /// Version of the format: 1.
    public var version = 1
    public var departures: [Departure]
    public var outcomes: [Outcome]

    public init(departures: [Departure] = [], outcomes: [Outcome] = []) {
        self.departures = departures
        self.outcomes = outcomes
    }

    /// Decodes the output of ``json``.
    ///
    /// Throws a ``Problem`` for an invalid expectation, or one of another version.
    public init(json: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(LogExpectation.self, from: Data(json))
        } catch let error as DecodingError {
            throw Problem(error)
        }
        guard version == 1 else { throw Problem("version \(version) is not known; 1 is") }
    }

    /// The reason why a file is not a valid expectation, in words.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String

        init(_ description: String) { self.description = description }

        init(_ error: DecodingError) {
            switch error {
            case .keyNotFound(let key, let context):
                self.init("\(Self.place(context.codingPath))no \"\(key.stringValue)\"")
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                self.init("\(Self.place(context.codingPath))a value of the wrong kind")
            case .dataCorrupted(let context):
                self.init(
                    context.codingPath.isEmpty
                        ? "not JSON" : "\(Self.place(context.codingPath))an impossible value")
            @unknown default: self.init("not an expectation")
            }
        }

        private static func place(_ path: [any CodingKey]) -> String {
            guard !path.isEmpty else { return "" }
            let names = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            return "$" + names.joined() + ": "
        }
    }

    /// The contents of the file.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return [UInt8]((try? encoder.encode(self)) ?? Data()) + [0x0A]
    }

    /// Keeps only the entries about the connections of a model, which may be only some of the log's.
    public mutating func keep(for model: SessionModel) {
        departures.removeAll { model.connection(ofStepAt: $0.frame) == nil }
        outcomes.removeAll { model.connection(ofStepAt: $0.frame) == nil }
    }

    /// Returns the unmet expectations, one line each.
    ///
    /// - Parameter outcomes: the outcomes of all requests; nil if the callbacks are unknown.
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

    /// Returns a replay's report with the unmet expectations before it.
    public static func text(_ report: String, _ misses: [String]) -> String {
        misses.isEmpty
            ? "AS EXPECTED: \(report)"
            : "NOT AS EXPECTED\n" + misses.map { "  missed    \($0)\n" }.joined() + report
    }

    /// Returns the failed requests that are not expected to fail.
    public static func failures(_ outcomes: [RequestOutcome], besides expected: Self?) -> [RequestOutcome] {
        outcomes.filter { outcome in
            !outcome.isGood
                && !(expected?.outcomes.contains { $0.frame == outcome.frame && $0.ends == outcome.ends }
                    ?? false)
        }
    }
}
