import BluetoothCore
import Runtime

/// A recorded connection as it is played: what the host must do, what the peer answers, and what the peer
/// does by itself.
struct HostScript: Sendable {
    /// Something that the peer or the controller does without being asked by a request.
    struct Event: Sendable {
        enum Kind: Sendable {
            /// Sends the PDU at this place.
            case pdu(Int)
            /// New parameters, by their place among the connection's updates.
            case update(Int)
            /// The connection ends.
            case end
        }

        var kind: Kind
        /// The latest required step before it; -1 where it is tied to the connection's begin.
        var anchor: Int
        /// From the anchor to it.
        var delay: Duration
        /// When it was recorded.
        var time: Instant
        /// Its frame.
        var frame: Int
    }

    /// When a step can be taken again.
    struct Turn: Sendable {
        /// Events that come first.
        var eventsBefore: Int
        /// From the latest thing before it to the step.
        var gap: Duration
    }

    let steps: [HostStep]
    private(set) var events: [Event] = []
    /// For each step.
    private(set) var turns: [Turn] = []
    private static func securityDelays(_ connection: RecordedConnection) -> [Int: Duration] {
        guard let pairing = connection.pairing else { return [:] }
        var delays: [Int: Duration] = [:]
        var latest = connection.completed
        for pdu in connection.pdus where pdu.channel == .securityManager {
            if pdu.frame > pairing.frames.lowerBound, let done = connection.encryption?.done,
                pdu.time >= done
            {
                latest = max(latest, done)
            }
            if pdu.side == .host {
                latest = pdu.time
            } else {
                delays[pdu.frame] = latest.duration(to: pdu.time)
            }
        }
        return delays.mapValues { max(.zero, $0) }
    }

    /// For the peer's PDUs of a pairing, by frame, the time until the host sent its next one, or, behind its
    /// last, until the link was encrypted and the keys were given.
    private static func securityRests(_ connection: RecordedConnection) -> [Int: Duration] {
        guard let pairing = connection.pairing else { return [:] }
        var rests: [Int: Duration] = [:]
        let pdus = connection.pdus.filter {
            $0.channel == .securityManager && pairing.frames.contains($0.frame)
        }
        var next = max(pdus.last?.time ?? .zero, connection.encryption?.done ?? .zero)
        for pdu in pdus.reversed() {
            if pdu.side == .host { next = pdu.time } else { rests[pdu.frame] = pdu.time.duration(to: next) }
        }
        return rests.mapValues { max(.zero, $0) }
    }

    /// For each PDU the place of its response; -1 where it has none.
    let responses: [Int]
    /// How long the peer took for a response, in the middle.
    let typicalLatency: Duration
    /// For the peer's PDUs of a pairing, by frame, the time since the host's last one.
    private let securityDelays: [Int: Duration]
    private let securityRests: [Int: Duration]
    /// The latencies of requests by their octets, for a discovery that asks the same.
    let latencies: [[UInt8]: Duration]

    init(_ connection: RecordedConnection) {
        let pdus = connection.pdus
        steps = Self.steps(of: connection)
        responses = Self.responses(connection)
        var all: [Duration] = []
        var byOctets: [[UInt8]: Duration] = [:]
        for (place, pdu) in pdus.enumerated() {
            guard let asked = pdu.answers, asked < place else { continue }
            let latency = pdus[asked].time.duration(to: pdu.time)
            guard pdu.side == .peer, latency < Self.transaction else { continue }
            all.append(latency)
            if byOctets.count < 4096 { byOctets[pdus[asked].octets] = latency }
        }
        latencies = byOctets
        securityDelays = Self.securityDelays(connection)
        securityRests = Self.securityRests(connection)
        let interval = Duration.microseconds(1250 * Int64(connection.intervalUnits))
        typicalLatency = all.isEmpty ? interval * 2 : all.sorted()[all.count / 2]
        placeEvents(connection)
        placeTurns(connection)
    }

    /// The longest transaction (Vol 3, Part F, 3.3.3): a response after its end shows a clock that was set.
    static var transaction: Duration { .seconds(30) }

    /// For each PDU the place of its response; -1 where it has none.
    static func responses(_ connection: RecordedConnection) -> [Int] {
        var responses = [Int](repeating: -1, count: connection.pdus.count)
        for (place, pdu) in connection.pdus.enumerated() {
            if let asked = pdu.answers, asked >= 0, asked < place { responses[asked] = place }
        }
        return responses
    }

    /// The response to a step's PDU, of those that it is made of.
    func response(to pdu: Int) -> Int? {
        guard responses.indices.contains(pdu), responses[pdu] >= 0 else { return nil }
        return responses[pdu]
    }

    /// How long after the host's last PDU of the Security Manager the peer sent one.
    func delay(ofSecurity frame: Int) -> Duration? { securityDelays[frame] }

    /// How long after a PDU of the peer's Security Manager the host sent its next.
    func rest(ofSecurity frame: Int) -> Duration { securityRests[frame] ?? .zero }

    // MARK: What the peer does

    private mutating func placeEvents(_ connection: RecordedConnection) {
        var anchor = -1
        var next = 0
        var update = 0
        func anchored(_ kind: Event.Kind, _ time: Instant, _ frame: Int) -> Event {
            let from = anchor < 0 ? connection.completed : steps[anchor].lastTime
            return Event(
                kind: kind, anchor: anchor, delay: max(.zero, from.duration(to: time)), time: time,
                frame: frame)
        }
        let encrypted = connection.pdusBeforeEncryption ?? 0
        func isBefore(_ step: HostStep, _ place: Int) -> Bool {
            if case .encrypt = step.action { return encrypted <= place }
            return step.pdus.last.map { $0 < place } ?? false
        }
        func placeUpdates(to place: Int, before frame: Int = .max) {
            while update < connection.updates.count, connection.updates[update].pdusBefore <= place,
                connection.updates[update].frame < frame
            {
                let one = connection.updates[update]
                events.append(anchored(.update(update), one.time, one.frame))
                update += 1
            }
        }
        func pass(_ place: Int) {
            while next < steps.count, isBefore(steps[next], place) {
                // The key is asked for before it is given.
                if case .encrypt = steps[next].action { placeUpdates(to: place, before: steps[next].frame) }
                if steps[next].isRequired { anchor = next }
                next += 1
            }
        }
        for (place, pdu) in connection.pdus.enumerated() {
            pass(place)
            placeUpdates(to: place)
            guard pdu.side == .peer, Self.isEvent(pdu) || pdu.begins(connection.pairing) else { continue }
            events.append(anchored(.pdu(place), pdu.time, pdu.frame))
        }
        pass(connection.pdus.count)
        placeUpdates(to: .max)
        if let end = connection.end, end.request == nil {
            events.append(anchored(.end, end.time, end.frame))
        }
    }

    /// Whether the peer sends a PDU by itself, not as an answer.
    static func isEvent(_ pdu: RecordedPDU) -> Bool {
        switch pdu.channel {
        case .attribute:
            switch pdu.opcode.kind {
            case .notification, .indication, .request, .command, .unknown: true
            case .response, .confirmation: false
            }
        case .leSignalling:
            // Requests; responses would answer what this host does not ask.
            ![0x01, 0x03, 0x05, 0x07, 0x0B, 0x13, 0x15, 0x18, 0x1A].contains(pdu.octets.first ?? 0x01)
        case .securityManager: pdu.octets.first == SMPCode.securityRequest.rawValue
        default: false
        }
    }

    // MARK: When the host does it

    private mutating func placeTurns(_ connection: RecordedConnection) {
        var event = 0
        var latest = connection.completed
        for step in steps {
            while event < events.count, events[event].time <= step.time, comesBefore(events[event], step) {
                latest = max(latest, events[event].time)
                event += 1
            }
            turns.append(Turn(eventsBefore: event, gap: max(.zero, latest.duration(to: step.time))))
            guard step.isRequired else { continue }
            latest = max(latest, step.lastTime)
            for pdu in step.pdus {
                guard let response = response(to: pdu) else { continue }
                latest = max(latest, connection.pdus[response].time)
            }
        }
    }

    private func comesBefore(_ event: Event, _ step: HostStep) -> Bool {
        guard case .pdu(let place) = event.kind, let first = step.pdus.first else { return true }
        return place < first
    }
}
