import Analysis
import Comparison
import PayloadFormat

extension Difference {
    /// The kind of difference, as a heading.
    var heading: String {
        switch kind {
        case .failure: "failure: \(subject)"
        case .connection: "only one has a connection with \(subject)"
        case .database: "other attributes"
        case .answer: "another outcome: \(subject)"
        case .missing: "not done: \(subject)"
        case .added: "done in no good log: \(subject)"
        case .order: "another order"
        case .value: "another value: \(subject)"
        case .time: "slower: \(subject)"
        }
    }
}

extension Difference.Side {
    /// Its place: the connection, the frame, and the time since the log's start.
    var whereabouts: String {
        var words: [String] = []
        if connection > 0 { words.append("connection \(connection)") }
        if let place { words.append("frame \(place.frame)") }
        if let time { words.append("at +\(TextDuration.text(time))") }
        return words.joined(separator: ", ")
    }
}

extension LogDifferences {
    /// The differences by part, each with its heading; the likely cause is first.
    var parts: [(name: String, title: String, differences: [Difference])] {
        guard let cause else { return [] }
        return [
            ("cause", "likely cause", [cause]), ("before", "before it", before),
            ("following", "behind it", following),
        ].filter { !$0.2.isEmpty }
    }
}
