public import Analysis
public import BluetoothCore
public import CaptureFile
public import Runtime

/// One adapter's log in the form that a fake adapter plays: advertisers, connections, and the PDUs of each
/// side with their dependencies.
///
/// It is a value: copies are independent, and the file is no longer needed.
public struct SessionModel: Sendable {
    /// The adapter's number in the log.
    public var adapter: UInt16
    /// The wall-clock time of ``Instant/zero``, the time of the adapter's first record.
    public var origin: CaptureTime
    /// The time of the adapter's last record.
    public var end: Instant
    /// The number of records of the adapter.
    public var records: Int
    /// Properties of the adapter.
    public var controller: RecordedController
    /// Received advertisements.
    public var advertising: AdvertisingTimeline
    /// Connection attempts over LE, in order, including failed ones.
    public var connections: [RecordedConnection]
    /// An adapter of the same log that was not chosen but has connections.
    public struct OtherAdapter: Hashable, Sendable {
        public var adapter: UInt16
        /// Connections as the central.
        public var connections: Int
    }

    /// The program that made the log, from the log's first note; nil without a note.
    public internal(set) var maker: String?
    /// Other adapters that could be replayed.
    public internal(set) var otherAdapters: [OtherAdapter] = []
    /// The number of BR/EDR connections, which are left out.
    public var classicLinks: Int
    /// The number of connections that were not chosen.
    public internal(set) var unchosenConnections = 0
    /// The parts that can't be replayed, with the reasons, in the order of their frames.
    public var obstacles: [Obstacle]
    /// The packets from the host to its controller, up to the limit.
    var packets: [HostPacket]
    /// Parts that were made up for the replay, since the log lacks them.
    public var assumptions: [Obstacle]

    /// The reason why no model could be built.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The log has no record of any adapter.
        case noAdapter
        /// The log has no adapter with this number.
        case unknownAdapter(UInt16)

        public var description: String {
            switch self {
            case .noAdapter: "the log has no records of an adapter"
            case .unknownAdapter(let number): "the log has no adapter \(number)"
            }
        }
    }

    /// Builds the model of one adapter from captures, which are read to their end.
    ///
    /// - Parameters:
    ///   - captures: the captures to read. A damaged file is read as far as possible, and its damage is an
    ///     obstacle.
    ///   - adapter: the adapter's number; nil for the adapter with the most ATT PDUs, centrals first.
    ///   - knowledge: databases, keys and profiles that were given with the log.
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

    /// Keeps only the chosen connections, and the earlier attempts to reach their devices.
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

    /// Returns the number of the connection on which the host acted in this record; nil if it did not act.
    func connection(ofStepAt frame: Int) -> Int? {
        connections.first { connection in
            connection.end?.request?.frame == frame || connection.pdus.contains { $0.frame == frame }
        }?.number
    }
}

/// Limits of a model's size. Parts of a log beyond a limit are left out and reported.
public struct SessionLimits: Hashable, Sendable {
    /// Bytes of PDUs and of advertising data.
    public var octets = 256 << 20
    /// PDUs of all connections.
    public var pdus = 4_000_000
    /// Advertising reports.
    public var reports = 4_000_000
    /// Connection attempts.
    public var connections = 4096
    /// Adapters in a log.
    public var adapters = 64
    /// Packets that the host sent to its controller, which only the strict tier needs.
    public var packets = 0
    /// The number of the last record to read.
    public var lastFrame = Int.max

    public init() {}
}

/// Properties of the adapter that recorded the log.
public struct RecordedController: Hashable, Sendable {
    /// The public address; nil if the log does not show it.
    public var address: DeviceAddress?
    /// Maximum number of data bytes in an ACL packet from the host.
    public var packetLength: UInt16 = 251
    /// Number of ACL packets that fit in the controller's buffers.
    public var packetCount: UInt8 = 8
    /// Number of entries in the filter accept list.
    public var acceptListSize: UInt8 = 16
    /// Whether the host suggested a data length for new links.
    public var suggestsDataLength = false
}
