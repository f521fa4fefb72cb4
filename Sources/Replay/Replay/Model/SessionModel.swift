public import Analysis
public import CaptureFile
public import Runtime

/// What one adapter's log says, in the form that a fake adapter plays: who advertised, which connections were
/// made, what each side sent and what that was tied to.
///
/// A value: copies are forks, and nothing in it refers to the file any more.
public struct SessionModel: Sendable {
    /// The adapter's number in the log.
    public var adapter: UInt16
    /// The wall-clock time of ``Instant/zero``: that of the adapter's first record.
    public var origin: CaptureTime
    /// When the adapter's last record was made.
    public var end: Instant
    /// Records of the adapter.
    public var records: Int
    /// What the log tells about the adapter.
    public var controller: RecordedController
    /// What was received of advertisers.
    public var advertising: AdvertisingTimeline
    /// The attempts to connect over LE, in order, those that failed too.
    public var connections: [RecordedConnection]
    /// An adapter of the same log that was not chosen, with connections that it made.
    public struct OtherAdapter: Hashable, Sendable {
        public var adapter: UInt16
        /// Connections as the central.
        public var connections: Int
    }

    /// What the log says of its maker, in its first note; nil where it says nothing.
    public internal(set) var maker: String?
    /// Further adapters that could be replayed.
    public internal(set) var otherAdapters: [OtherAdapter] = []
    /// Connections over BR/EDR, which are left out.
    public var classicLinks: Int
    /// Connections that were not chosen.
    public internal(set) var unchosenConnections = 0
    /// What can't be replayed and why, by frame.
    public var obstacles: [Obstacle]
    /// What the host sent to its controller, where the limits keep it.
    var packets: [HostPacket]
    /// What the log does not hold and was made up, so that it can be replayed.
    public var assumptions: [Obstacle]

    /// Why there is no model.
    public enum Failure: Error, Equatable, Sendable {
        /// No record of any adapter is in the log.
        case noAdapter
        /// The log has none with this number.
        case unknownAdapter(UInt16)
    }

    /// The model of one adapter of the captures, read to their end.
    ///
    /// - Parameters:
    ///   - captures: what is read; a file that is damaged is read as far as it goes, and is an obstacle.
    ///   - adapter: the adapter's number; nil for the central with the most ATT PDUs.
    ///   - knowledge: databases, keys and profiles that are given with the log.
    public init(
        reading captures: inout CaptureSet, adapter: UInt16? = nil,
        knowledge: AnalysisKnowledge = AnalysisKnowledge(), limits: SessionLimits = SessionLimits()
    ) throws(Failure) {
        var builder = SessionModelBuilder(knowledge, limits: limits)
        do throws(CaptureFileError) {
            while try captures.advance() {
                let log = captures.log
                let record = captures.record()
                builder.add(record, file: log)
                if builder.frame.number >= limits.lastFrame { break }
            }
        } catch {
            builder.noteDamage(record: error.record ?? 0)
        }
        self = try builder.model(of: adapter)
    }

    init(_ log: AdapterLog) {
        adapter = log.adapter
        origin = log.origin
        end = log.last
        records = log.records
        controller = log.controller
        advertising = log.advertising
        connections = log.connections
        classicLinks = log.classic.count
        packets = log.packets
        obstacles = log.obstacles.sorted { ($0.frame, $0.connection) < ($1.frame, $1.connection) }
        assumptions = log.assumptions.sorted { ($0.connection, $0.frame) < ($1.connection, $1.frame) }
    }

    /// Leaves the connections that are chosen, each with the attempts to reach its device that came before.
    public mutating func choose(_ isChosen: (RecordedConnection) -> Bool) {
        var kept: [RecordedConnection] = []
        var gone: Set<Int> = []
        for (place, connection) in connections.enumerated() {
            let made = connections[place...].first { $0.number > 0 && $0.peer == connection.peer }
            if isChosen(made ?? connection) {
                kept.append(connection)
            } else {
                gone.insert(connection.number)
            }
        }
        connections = kept
        unchosenConnections += gone.count { $0 > 0 }
        obstacles.removeAll { gone.contains($0.connection) }
        assumptions.removeAll { gone.contains($0.connection) }
    }

    /// The number of the connection on which the host did something in a record; nil where it did nothing.
    func connection(ofStepAt frame: Int) -> Int? {
        connections.first { connection in
            connection.end?.request?.frame == frame || connection.pdus.contains { $0.frame == frame }
        }?.number
    }
}
