public import Analysis
public import BluetoothCore
public import CaptureFile
import LEHost
public import Runtime
import SimulatedDevices
import UQDK
import WireBytes

/// One adapter's log in the form that a fake adapter plays: advertisers, connections, and the PDUs of each
/// side with their dependencies.
///
/// It is a value: copies are independent, and the file is no longer needed.
public struct SessionModel: Sendable {
    /// An adapter of the same log that was not chosen but has connections.
    public struct OtherAdapter: Hashable, Sendable {
        public var adapter: UInt16
        /// Connections as the central.
        public var connections: Int
    }

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
                if builder.analyzer.frame.number >= limits.lastFrame { break }
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

// The server of a peripheral host, which all of its connections share.

extension SessionModel {
    /// The attributes of the host's own server; nil if the host is the peripheral on no playable connection.
    var ownDatabase: PeerDatabase? {
        connections.first { !$0.isCentral && $0.isPlayable }?.database
    }

    /// The handles of the host's own server.
    var ownLayout: GATTLayout? {
        ownDatabase.map { database in
            GATTLayout(
                services: database.attributes.compactMap { declaration in
                    guard let uuid = declaration.declaredService, declaration.groupEnd >= declaration.handle
                    else { return nil }
                    let attributes = database.attributes(in: declaration.handle...declaration.groupEnd)
                    let long = attributes.filter { one in
                        one.declaration.map { GATTDatabase.longForm($0, of: one.type) == $0 } ?? false
                    }
                    return GATTLayout.Service(
                        uuid: uuid,
                        attributes: attributes.map { GATTDescriptor(uuid: $0.type, handle: $0.handle) },
                        endHandle: declaration.groupEnd, longForms: Set(long.map(\.handle)))
                })
        }
    }

    /// Leaves out the connections on which the host is the peripheral, with an obstacle for each.
    mutating func leaveOutPeripherals() {
        for place in connections.indices
        where !connections[place].isCentral && connections[place].isPlayable {
            connections[place].isLeftOut = true
            obstacles.note(
                .peripheralRole, frame: connections[place].frame, connection: connections[place].number)
        }
    }
}

extension RecordedConnection {
    /// Subscriptions that the central made on an earlier link.
    ///
    /// The log has values for them, although the central subscribes later or never on this link.
    var keptSubscriptions: [ClientRecord.Subscription] {
        var asked: Set<UInt16> = []
        var kept: [ClientRecord.Subscription] = []
        for (place, pdu) in pdus.enumerated() where pdu.channel == .attribute {
            if pdu.side == .peer {
                asked.formUnion(writes(by: place).map(\.handle))
                continue
            }
            for (handle, _) in pdu.sentValues {
                guard let value = database[handle],
                    let configuration = database.configuration(ofValue: handle),
                    asked.insert(configuration).inserted
                else { continue }
                kept.append(
                    ClientRecord.Subscription(
                        handle: configuration, uuid: value.type,
                        configuration: pdu.opcode == .handleValueIndication ? .indication : .notification))
            }
        }
        return kept
    }

    /// The writes of configurations that the server refused for lack of security, with the error responses.
    var guardedConfigurations: [(request: Int, response: Int)] {
        pdus.enumerated().compactMap { place, pdu in
            guard pdu.side == .host, let refusal = pdu.refusal, refusal.asksForSecurity,
                let asked = pdu.answers, let write = pdus[asked].att(ATTWriteRequest.self),
                database.isClientConfiguration(write.handle)
            else { return nil }
            return (asked, place)
        }
    }
}

// A digital-key manager finds a car by its advertisement and reads the car's information. If the log lacks
// them, since another phone worked differently, they are made up.

extension SessionModel {
    /// Adds the advertisement and the information value of a connection's car, unless the log has them.
    mutating func addAdvertisementAndInfo(of place: Int, _ dialect: Dialect) {
        let connection = connections[place]
        addAdvertisement(of: connection, dialect)
        guard let uuid = dialect.gatt.info,
            let info = connection.database.attributes.first(where: { $0.type == uuid }),
            connection.database.value(of: info.handle) == nil
        else { return }
        connections[place].database.setValue(
            dialect.infoValue(vehicleID: [UInt8](repeating: 0, count: 8)), of: info.handle)
        assumptions.append(
            Obstacle(.missingValue, frame: connection.frame, connection: connection.number))
    }

    /// Adds an advertisement by which a manager finds the connection's device, unless the log has one.
    private mutating func addAdvertisement(of connection: RecordedConnection, _ dialect: Dialect) {
        let isHeard = advertising.reports.contains { report in
            report.address == connection.peer
                && dialect.names(connection.peer, in: advertising.data(of: report))
        }
        guard !isHeard else { return }
        assumptions.append(
            Obstacle(.missingAdvertisement, frame: connection.frame, connection: connection.number))
        let start = advertising.octets.count
        advertising.octets += CarPeer.advertisement(of: connection.peer, dialect)
        let data = start..<advertising.octets.count
        var isThere = false
        // The application gets whichever advertisement comes first, so all of them carry the car's data.
        for index in advertising.reports.indices where advertising.reports[index].address == connection.peer {
            advertising.reports[index].data = data
            isThere = true
        }
        guard !isThere else { return }
        let begin = (connection.asked ?? connection.completed).advanced(by: .milliseconds(-200))
        let window = advertising.windows.lastIndex { $0.start <= begin }
        if window == nil {
            advertising.windows.insert(.init(start: begin, end: begin, startIsKnown: false), at: 0)
        }
        let time = window.map { advertising.windows[$0].start } ?? begin
        advertising.reports.insert(
            .init(
                frame: 0, time: time, address: connection.peer, kind: 0, data: data, rssi: -60,
                wasExtended: false), at: advertising.firstReport(notBefore: time))
    }
}

extension Dialect {
    /// Whether advertising data contain a car's address in the form that a manager looks for.
    fileprivate func names(_ address: DeviceAddress, in data: ArraySlice<UInt8>) -> Bool {
        let data = Array(data)
        return data.withReader { (reader: inout ByteReader) in
            var structures = ADStructures(reader.wholeSpan)
            while let one = structures.next() {
                let value = data[one.data]
                var named: DeviceAddress?
                switch one.type {
                case .manufacturerData where value.count >= 2:
                    let company = UInt16(value[value.startIndex]) | UInt16(value[value.startIndex + 1]) << 8
                    guard company == advertising.companyID else { continue }
                    named = CarAdvertisement(Array(value.dropFirst(2)), self)?.address
                case .shortenedName, .completeName:
                    named = CarAdvertisement.address(fromName: String(decoding: value, as: UTF8.self), self)
                default: continue
                }
                if named?.value == address.value { return true }
            }
            return false
        }
    }
}
