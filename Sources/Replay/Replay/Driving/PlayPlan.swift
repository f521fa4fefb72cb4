import BluetoothCore
import PayloadFormat
public import UQDK
import WireBytes

/// The parts of a log that are played to a host, and the options for that.
struct PlayPlan: Sendable {
    let model: SessionModel
    /// Visits to cars whose messages are understood, by connection number.
    let visits: [Int: UQDKVisit]
    /// The car that recorded the log and acts as the application; nil if it is unknown.
    let car: RecordedCar?
    var replay: ReplayOptions
    /// The expected result; nil for the result in the log.
    let expectation: LogExpectation?
    /// The dialects and keys to decode messages with.
    let knowledge: UQDKKnowledge

    /// - Parameter actions: the log that provides the application's calls; another one than `model` only in
    ///   tests.
    init(_ model: SessionModel, actions: SessionModel, options: LogReplay.Options) {
        var model = model
        var visits = Self.visits(actions, options.knowledge)
        replay = options.replay
        expectation = options.expectation
        knowledge = options.knowledge
        if replay.tier == .application {
            replay.masks += visits.values.flatMap(\.volatileMasks)
        }
        // The messages of a visit are not generated but sent as recorded if the key, or attributes that a
        // manager needs, are missing.
        let missing = Self.missingKeys(visits, options.knowledge.keys)
        for one in missing { visits[one.connection] = nil }
        model.obstacles += missing
        let incomplete = Self.incompleteVisits(visits, model)
        for one in incomplete { visits[one.connection] = nil }
        model.obstacles += incomplete
        for place in model.connections.indices where model.connections[place].isPlayable {
            if let visit = visits[model.connections[place].number] {
                model.addAdvertisementAndInfo(of: place, visit.dialect)
            }
        }
        // There are live models of servers only.
        if options.isLive { model.leaveOutPeripherals() }
        let own = model.connections.filter { !$0.isCentral && $0.isPlayable }
        let spoken = own.reduce(into: [:]) { $0[$1.number] = UQDKVisit($1, options.knowledge) }
        car = RecordedCar(model, own.compactMap { spoken[$0.number] }, options.knowledge.keys)
        replay.unheard = car?.handles ?? []
        let describer = UQDKDescriber(visits.merging(spoken) { known, _ in known })
        let further = replay.describe
        replay.describe = { entry in describer.text(entry) ?? further?(entry) }
        replay.isLive = options.isLive
        replay.departures = Set(options.expectation?.departures.map(\.frame) ?? [])
        if options.isLive || options.expectation != nil {
            replay.livePeers = Self.livePeers(model, visits, options.knowledge.keys, seed: options.seed)
        }
        if let tampering = options.tampering, let first = model.connections.first {
            replay.livePeers[first.number]?.tamper(tampering)
        }
        self.model = model
        self.visits = visits
    }

    /// Returns the live models of the connections' peers: a car if its key is known.
    fileprivate static func livePeers(
        _ model: SessionModel, _ visits: [Int: UQDKVisit], _ keys: KeyStore, seed: UInt64
    ) -> [Int: LivePeer] {
        // The highest counter that each car had accepted from the phone before the connection.
        var counters: [DeviceAddress: UInt64] = [:]
        var peers: [Int: LivePeer] = [:]
        for connection in model.connections where connection.isCentral {
            let visit = visits[connection.number]
            if let visit, let key = visit.keyID(in: keys).flatMap(keys.key) {
                peers[connection.number] = LivePeer(
                    visit, connection, key, authCounter: counters[connection.peer], seed: seed)
            } else {
                peers[connection.number] = LivePeer(connection)
            }
            if let taken = visit?.lastAuthCounter { counters[connection.peer] = taken }
        }
        return peers
    }

    fileprivate static func visits(_ model: SessionModel, _ knowledge: UQDKKnowledge) -> [Int: UQDKVisit] {
        var visits: [Int: UQDKVisit] = [:]
        for connection in model.connections where connection.isCentral {
            visits[connection.number] = UQDKVisit(connection, knowledge)
        }
        return visits
    }

    /// Returns an obstacle for each visit whose messages can't be generated because the key is unknown.
    private static func missingKeys(_ visits: [Int: UQDKVisit], _ keys: KeyStore) -> [Obstacle] {
        visits.keys.sorted().compactMap { number in
            guard let visit = visits[number], let frame = frameWithoutKey(visit, keys) else { return nil }
            return Obstacle(.missingKey, frame: frame, connection: number)
        }
    }

    /// Returns an obstacle for each visit that lacks messages, or attributes that a manager needs.
    private static func incompleteVisits(_ visits: [Int: UQDKVisit], _ model: SessionModel) -> [Obstacle] {
        model.connections.compactMap { connection in
            guard let visit = visits[connection.number] else { return nil }
            if let frame = visit.frameOfLoss {
                return Obstacle(.filtered, frame: frame, connection: connection.number)
            }
            let gatt = visit.dialect.gatt
            let known = connection.database.attributes
            let isWhole =
                known.contains { $0.declaredService == gatt.service }
                && [gatt.command, gatt.event, gatt.info].allSatisfy { uuid in
                    uuid == nil || known.contains { $0.type == uuid }
                }
            let isFiltered = model.obstacles.contains {
                $0.connection == connection.number
                    && [.filtered, .truncated, .fragmentsLost].contains($0.kind)
            }
            return isWhole && !isFiltered
                ? nil : Obstacle(.missingDatabase, frame: connection.frame, connection: connection.number)
        }
    }

    /// Returns the frame of the first request in a visit that needs an unknown key; nil if all keys are
    /// known.
    static func frameWithoutKey(_ visit: UQDKVisit, _ keys: KeyStore) -> Int? {
        guard visit.keyID(in: keys).flatMap(keys.key) == nil else { return nil }
        return visit.requests.first { $0.purpose != .ordinary || $0.isSecured }.map { $0.frames.first ?? 0 }
    }
}

extension ReplayOptions {
    /// Lets the host deviate at the expected frames, with live models of the peers from there on.
    public mutating func expect(
        _ expectation: LogExpectation, of model: SessionModel, knowledge: UQDKKnowledge, seed: UInt64 = 0
    ) {
        departures = Set(expectation.departures.map(\.frame))
        livePeers = PlayPlan.livePeers(
            model, PlayPlan.visits(model, knowledge), knowledge.keys, seed: seed)
    }
}

/// Describes PDUs in terms of the digital-key protocol.
private struct UQDKDescriber: Sendable {
    private let visits: [Int: UQDKVisit]

    init(_ visits: [Int: UQDKVisit]) { self.visits = visits }

    func text(_ entry: TraceEntry) -> String? {
        guard let visit = visits[entry.connection] else { return nil }
        if entry.frame > 0 { return visit.meanings[entry.frame].map { "UQDK " + $0 } }
        // A PDU that is not in the log is decoded alone.
        guard entry.side == .host, entry.channel == .attribute,
            let (handle, value) = LivePeer.write(entry.octets), !value.isEmpty,
            visit.commandHandles.contains(handle)
        else { return nil }
        var tracker = UQDKTracker(UQDKKnowledge(dialects: [visit.dialect]))
        let attribute = UQDKAttribute(role: .command, dialects: [0])
        let source = UQDKSource(
            handle: 0, sender: .phone, time: 0, frame: 1, originalLength: value.count)
        // A later fragment can't be decoded alone.
        guard let annotation = tracker.handle(value.borrowedOctets, attribute, from: source),
            annotation.message != nil || annotation.fragment?.state == .open
        else { return nil }
        return "UQDK " + annotation.summary
    }
}
