import BluetoothCore

extension ReplayReport {
    /// The connection that diverged or is stuck; nil where none is.
    var failedConnection: Int? {
        switch verdict {
        case .diverged(let divergence): divergence.connection
        case .stuck(let stuck): stuck.connection
        default: nil
        }
    }

    /// Compares what the application was told of its requests with what the log entails.
    mutating func judge(_ outcomes: [UQDKOutcome]) {
        for outcome in outcomes where outcome.isTrue && outcome.got != nil {
            guard let place = results.firstIndex(where: { $0.number == outcome.connection }) else { continue }
            results[place].callbacks += 1
        }
        switch verdict {
        case .same, .partlySame: break
        default: return
        }
        guard let wrong = outcomes.first(where: { !$0.isTrue }) else { return }
        let place = results.firstIndex { $0.number == wrong.connection }
        if let place { results[place].word = "diverged" }
        verdict = .diverged(
            Divergence(
                kind: .application, time: time, connection: wrong.connection,
                peer: place.map { results[$0].peer } ?? .init(0),
                told: .init(
                    frame: wrong.frame, expected: "\(wrong.name) \(wrong.expected.text)",
                    got: wrong.got.map { _ in wrong.text }),
                channel: .attribute, before: [], state: []))
    }
}
