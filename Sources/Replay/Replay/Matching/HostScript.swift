import BluetoothCore
import Runtime

/// A recorded connection in the form in which it is played: the host's steps, the peer's responses, and the
/// peer's own actions.
struct HostScript: Sendable {
    /// An action of the peer or the controller that is not the answer to a request.
    struct Event: Sendable {
        enum Kind: Sendable {
            case pdu(Int)
            /// Changes the connection parameters; the index is among the connection's updates.
            case update(Int)
            case end
        }

        var kind: Kind
        /// The last required step before the event; -1 if the event follows the beginning of the connection.
        var anchor: Int
        /// Time from that step to the event.
        var delay: Duration
        var time: Instant
    }

    /// The moment of a step's turn: after some events, and then a pause.
    struct Turn: Sendable {
        /// Number of events that must come before the step.
        var eventsBefore: Int
        /// Time since the last step, response or event before the step.
        var gap: Duration
    }

    let steps: [HostStep]
    private(set) var events: [Event] = []
    /// The turns of the steps, by their index.
    private(set) var turns: [Turn] = []
    /// The index of each PDU's response; nil if absent.
    let responses: [Int?]
    /// Median latency of the peer's responses.
    let typicalLatency: Duration
    /// The delay of each of the peer's PDUs of a pairing after the host's last PDU, by frame.
    let peerSecurityDelays: [Int: Duration]
    /// The delay of the host's next PDU after each of the peer's PDUs of a pairing, by frame.
    let hostSecurityDelays: [Int: Duration]
    /// The latency of each answered request, by its bytes.
    let latencies: [[UInt8]: Duration]

    init(_ connection: RecordedConnection) {
        let pdus = connection.pdus
        responses = Self.responses(connection)
        steps = Self.steps(of: connection, responses)
        var all: [Duration] = []
        var byOctets: [[UInt8]: Duration] = [:]
        for pdu in pdus where pdu.side == .peer {
            guard let asked = pdu.answers else { continue }
            let latency = pdus[asked].time.duration(to: pdu.time)
            guard latency < Self.transaction else { continue }
            all.append(latency)
            if byOctets.count < 4096 { byOctets[pdus[asked].octets] = latency }
        }
        latencies = byOctets
        peerSecurityDelays = Self.peerSecurityDelays(connection)
        hostSecurityDelays = Self.hostSecurityDelays(connection)
        let interval = Duration.microseconds(1250 * Int64(connection.intervalUnits))
        typicalLatency = all.isEmpty ? interval * 2 : all.sorted()[all.count / 2]
        placeEvents(connection)
        placeTurns(connection)
    }

    /// The transaction timeout (Vol 3, Part F, 3.3.3). A later response means that the clock jumped.
    static var transaction: Duration { .seconds(30) }

    /// Returns the index of each PDU's response; nil if absent.
    static func responses(_ connection: RecordedConnection) -> [Int?] {
        var responses = [Int?](repeating: nil, count: connection.pdus.count)
        for (place, pdu) in connection.pdus.enumerated() {
            if let asked = pdu.answers { responses[asked] = place }
        }
        return responses
    }

    func response(to pdu: Int) -> Int? { responses[pdu] }

    /// Whether the log has a response to an equal request.
    func hasAnswered(_ request: [UInt8]) -> Bool { latencies[request] != nil }

    // MARK: Pairing

    /// Returns the time from the host's last PDU of a pairing, or the encryption of the link after it, to
    /// each of the peer's PDUs, by frame.
    private static func peerSecurityDelays(_ connection: RecordedConnection) -> [Int: Duration] {
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

    /// Returns the time from each of the peer's PDUs of a pairing to the host's next PDU, by frame; after the
    /// host's last PDU, to the encryption of the link and the distribution of the keys.
    private static func hostSecurityDelays(_ connection: RecordedConnection) -> [Int: Duration] {
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

    // MARK: Events

    /// Adds the peer's own actions and the parameter updates, each after the last required step before it.
    private mutating func placeEvents(_ connection: RecordedConnection) {
        var anchor = -1
        var next = 0
        var update = 0
        func anchored(_ kind: Event.Kind, at time: Instant) -> Event {
            let from = anchor < 0 ? connection.completed : steps[anchor].lastTime
            return Event(kind: kind, anchor: anchor, delay: max(.zero, from.duration(to: time)), time: time)
        }
        let encrypted = connection.pdusBeforeEncryption ?? 0
        func isBefore(_ step: HostStep, place: Int) -> Bool {
            if case .encrypt = step.action { return encrypted <= place }
            return step.pdus.last.map { $0 < place } ?? false
        }
        func placeUpdates(to place: Int, before frame: Int = .max) {
            while update < connection.updates.count, connection.updates[update].pdusBefore <= place,
                connection.updates[update].frame < frame
            {
                let one = connection.updates[update]
                events.append(anchored(.update(update), at: one.time))
                update += 1
            }
        }
        func pass(to place: Int) {
            while next < steps.count, isBefore(steps[next], place: place) {
                // The central's key request is an update. It comes before the step that provides the key.
                if case .encrypt = steps[next].action { placeUpdates(to: place, before: steps[next].frame) }
                if steps[next].isRequired { anchor = next }
                next += 1
            }
        }
        for (place, pdu) in connection.pdus.enumerated() {
            pass(to: place)
            placeUpdates(to: place)
            guard pdu.side == .peer, Self.isEvent(pdu) || pdu.begins(connection.pairing) else { continue }
            events.append(anchored(.pdu(place), at: pdu.time))
        }
        pass(to: connection.pdus.count)
        placeUpdates(to: .max)
        if let end = connection.end, end.request == nil {
            events.append(anchored(.end, at: end.time))
        }
    }

    /// Whether a PDU of the peer is not an answer.
    static func isEvent(_ pdu: RecordedPDU) -> Bool {
        switch pdu.channel {
        case .attribute:
            switch pdu.opcode.kind {
            case .notification, .indication, .request, .command, .unknown: true
            case .response, .confirmation: false
            }
        case .leSignalling:
            // Responses would answer commands that this project's host does not send.
            pdu.octets.first.map { !L2CAPSignallingCode(rawValue: $0).isResponse } ?? false
        case .securityManager: pdu.octets.first == SMPCode.securityRequest.rawValue
        default: false
        }
    }

    // MARK: Turns

    /// Adds the turn of each step, from the events and pauses before it in the log.
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
