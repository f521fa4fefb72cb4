public import BluetoothCore
import WireBytes

/// The result of one connection of a log.
public struct ConnectionResult: Hashable, Sendable {
    /// The connection's number in the model.
    public var number: Int
    /// The far device.
    public var peer: DeviceAddress
    /// The result: "same", "partly same", "diverged", "stuck", "not reached" or "not replayable".
    public var word: String
    /// The reasons why the connection can't be replayed, or the parts that are left out.
    public var obstacles: [Obstacle] = []
    /// The result of the connection's Attribute Protocol PDUs.
    public var pdus = PDUAccount()
    /// Number of compared values that the application chose, or the log in its place.
    var chosenValues = 0
    /// Whether the host is the central.
    public var isCentral = true
    /// The number of expected callbacks that came.
    public var callbacks = 0
    /// The host's permitted deviation and the PDUs after it; nil without a deviation.
    public var departure: Departure?

    /// The part of a connection that is not compared, because the host deviated as permitted.
    public struct Departure: Hashable, Sendable {
        /// The frame at which comparison ended.
        public var frame: Int
        /// Attribute Protocol PDUs from the host to the model of its peer.
        public var sent = 0
        /// Attribute Protocol PDUs from the model.
        public var received = 0
    }

    /// Whether the connection was played to its end without a divergence.
    var isWhole: Bool { word == "same" || word == "partly same" }

    /// Whether the session ended before the connection was played.
    var isUnreached: Bool { word == "not reached" }

    /// One line for the report.
    public var text: String {
        var text = "connection \(number)  \(peer)  \(word)"
        if isWhole {
            text += ": \(pdus.judged) of \(pdus.recorded.counting("ATT PDU"))"
            if pdus.setUp > 0 { text += ", \(pdus.setUp) of set-up" }
            if callbacks > 0 { text += ", \(callbacks.counting("callback"))" }
            if let departure { text += ", judged up to frame \(departure.frame)" }
        }
        guard word == "not replayable" else { return isCentral ? text : text + ", as the peripheral" }
        text += ", \(pdus.recorded.counting("ATT PDU"))"
        return text + (obstacles.first.map { ": \($0.text)" } ?? "")
    }
}

extension [ConnectionResult] {
    init(_ controller: FakeController) {
        self = controller.model.connections.enumerated().compactMap { place, connection in
            guard connection.status == .success else { return nil }
            var result = ConnectionResult(
                number: connection.number, peer: connection.peer, word: "not replayable",
                obstacles: controller.model.obstacles.filter { $0.connection == connection.number })
            result.pdus.recorded = connection.attPDUs
            result.isCentral = connection.isCentral
            guard connection.isPlayable else { return result }
            guard let link = controller.links.first(where: { $0.place == place }) else {
                result.word = "not reached"
                return result
            }
            result.callbacks = link.matchedCallbacks
            result.pdus = link.account
            result.chosenValues = link.chosenValues
            result.departure = link.departure.map { .init($0, of: connection, controller.air.transcript) }
            let judge = controller.air.judge
            if judge.divergences.contains(where: { $0.connection == connection.number }) {
                result.word = "diverged"
            } else if judge.stuck?.connection == connection.number {
                result.word = "stuck"
            } else if link.isDone {
                result.word = result.obstacles.isEmpty ? "same" : "partly same"
            } else {
                result.word = "not reached"
            }
            return result
        }
    }
}

extension ConnectionResult.Departure {
    fileprivate init(
        _ departure: LinkDeparture, of connection: RecordedConnection, _ transcript: Transcript
    ) {
        frame = departure.frame
        for entry in transcript.pdus[departure.entry...]
        where entry.connection == connection.number && entry.channel == .attribute {
            if entry.side == .host { sent += 1 } else { received += 1 }
        }
    }

    func text(connection: Int, _ pdus: PDUAccount) -> String {
        "at frame \(frame): connection \(connection) is judged up to there; behind it \(pdus.behind) "
            + "of \(pdus.recorded.counting("ATT PDU")), in whose place a model of the far device took "
            + "\(sent) and sent \(received)"
    }
}

/// The part of a recorded connection that was never reached.
public struct UnplayedPart: Hashable, Sendable {
    /// The connection's number in the model.
    public var connection: Int
    public var peer: DeviceAddress
    /// The frames of PDUs that were neither received from the host nor sent to it, in order.
    public var frames: [Int]

    /// One line for the report, with adjacent frames as ranges.
    public var text: String {
        "connection \(connection) to \(peer), \(frames.count.counting("PDU")): frames "
            + Self.ranges(frames).joined(separator: ", ")
    }

    static func ranges(_ frames: [Int]) -> [String] {
        var parts: [String] = []
        var place = 0
        while place < frames.count {
            var end = place
            while end + 1 < frames.count, frames[end + 1] == frames[end] + 1 { end += 1 }
            parts.append(end > place ? "\(frames[place])-\(frames[end])" : "\(frames[place])")
            place = end + 1
        }
        return parts
    }
}

extension [UnplayedPart] {
    init(_ controller: FakeController) {
        self = controller.model.connections.enumerated().compactMap { place, connection in
            guard connection.isPlayable else { return nil }
            var frames = connection.pdus.map(\.frame)
            if let link = controller.links.first(where: { $0.place == place }) {
                frames = link.unplayedFrames
            }
            return frames.isEmpty
                ? nil
                : UnplayedPart(connection: connection.number, peer: connection.peer, frames: frames)
        }
    }
}

extension FakeLink {
    /// The frames of the steps, with their responses, that the host did not perform, and of the peer's PDUs
    /// that were not sent.
    fileprivate var unplayedFrames: [Int] {
        var places: Set<Int> = []
        for step in script.steps where step.isRequired {
            guard !consumed[step.index] || skipped.contains(step.index) else { continue }
            places.formUnion(step.pdus)
            places.formUnion(step.pdus.compactMap { script.response(to: $0) })
        }
        if !isLive {
            for event in script.events.dropFirst(nextEvent) {
                if case .pdu(let place) = event.kind { places.insert(place) }
            }
        }
        return places.sorted().map { connection.pdus[$0].frame }
    }
}
