import BluetoothCore

extension ReplayReport {
    /// The number of the connection that diverged or is stuck; nil if absent.
    var failedConnection: Int? {
        switch verdict {
        case .diverged(let divergence): divergence.connection
        case .stuck(let stuck): stuck.connection
        default: nil
        }
    }

    /// Judges the application's callbacks about cars.
    mutating func judge(_ tellings: [UQDKTelling]) {
        for telling in tellings where telling.isTrue && telling.got != nil {
            guard let place = results.firstIndex(where: { $0.number == telling.connection }) else { continue }
            results[place].callbacks += 1
        }
        switch verdict {
        case .same, .partlySame: break
        default: return
        }
        guard let wrong = tellings.first(where: { !$0.isTrue }) else { return }
        let place = results.firstIndex { $0.number == wrong.connection }
        if let place { results[place].word = "diverged" }
        verdict = .diverged(
            Divergence(
                kind: .application, time: time, connection: wrong.connection,
                peer: place.map { results[$0].peer } ?? .init(0),
                told: .init(frame: wrong.frame, expected: wrong.expected, got: wrong.got),
                channel: .attribute, before: [], state: []))
    }
}
