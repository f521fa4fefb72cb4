public import Analysis
public import BluetoothCore
public import CaptureFile
import LEHost
public import Runtime
import SimulatedDevices
import UQDK

/// One adapter's log in the form that a fake adapter plays: advertisers, connections, and the PDUs of each
/// side with their dependencies.
///
/// A value type: copies are independent, and nothing refers to the file any more.
public struct SessionModel: Sendable {
    /// The adapter's number in the log.
    public var adapter: UInt16
    /// The wall-clock time of ``Instant/zero``, the time of the adapter's first record.
    public var origin: CaptureTime
    /// The time of the adapter's last record.
    public var end: Instant
    /// The number of the adapter's records.
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

    /// The program that made the log, from the log's first note; nil if the log does not say.
    public internal(set) var maker: String?
    /// Other adapters that could be replayed.
    public internal(set) var otherAdapters: [OtherAdapter] = []
    /// The number of BR/EDR connections, which are left out.
    public var classicLinks: Int
    /// The number of connections that were not chosen.
    public internal(set) var unchosenConnections = 0
    /// Parts that can't be replayed, with the reasons, by frame.
    public var obstacles: [Obstacle]
    /// The packets from the host to its controller, as far as the limits permit.
    var packets: [HostPacket]
    /// Parts that the log lacks and that were made up for the replay.
    public var assumptions: [Obstacle]

    /// The reason that there is no model.
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
    ///   - captures: the captures to read; a damaged file is read as far as possible, and is an obstacle.
    ///   - adapter: the adapter's number; nil for the central with the most ATT PDUs.
    ///   - knowledge: databases, keys and profiles provided with the log.
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

    /// Keeps only the chosen connections, each with the earlier attempts to reach its device.
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

    /// Returns the number of the connection on which the host acted in a record; nil if it did not act.
    func connection(ofStepAt frame: Int) -> Int? {
        connections.first { connection in
            connection.end?.request?.frame == frame || connection.pdus.contains { $0.frame == frame }
        }?.number
    }
}

/// Limits of a model's size. Parts of a log beyond them are left out and reported.
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
    /// Packets that the host sent to its controller; only the strict tier needs them.
    public var packets = 0
    /// The number of the last record that is read.
    public var lastFrame = Int.max

    public init() {}
}

/// Properties of the adapter that recorded the log.
public struct RecordedController: Hashable, Sendable {
    /// The public address; nil if the log does not show it.
    public var address: DeviceAddress?
    /// Maximum number of data octets in an ACL packet from the host.
    public var packetLength: UInt16 = 251
    /// Number of ACL packets that the controller buffers.
    public var packetCount: UInt8 = 8
    /// Size of the filter accept list.
    public var acceptListSize: UInt8 = 16
    /// Whether the host suggested a data length for new links.
    public var suggestsDataLength = false
}

// The server of a peripheral host, shared by all of its connections.

extension SessionModel {
    /// The attributes of the host's own server; nil if no connection as the peripheral is played.
    var ownDatabase: PeerDatabase? {
        connections.first { !$0.isCentral && FakeController.isPlayable($0) }?.database
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

    /// Leaves out the connections on which the host is the peripheral, and adds an obstacle for each.
    mutating func leaveOutPeripherals() {
        for place in connections.indices
        where !connections[place].isCentral && FakeController.isPlayable(connections[place]) {
            connections[place].isLeftOut = true
            obstacles.note(
                .peripheralRole, frame: connections[place].frame, connection: connections[place].number)
        }
    }
}

extension RecordedConnection {
    /// Subscriptions that the central made on an earlier link.
    ///
    /// The log has their values, but the central subscribes on this link only later or never.
    var keptSubscriptions: [ClientRecord.Subscription] {
        var asked: Set<UInt16> = []
        var kept: [ClientRecord.Subscription] = []
        for (place, pdu) in pdus.enumerated() where pdu.channel == .attribute {
            if pdu.side == .peer {
                asked.formUnion(writes(by: place).map(\.handle))
                continue
            }
            for (handle, _) in pdu.sentValues {
                guard let value = database[handle], let configuration = database.configuration(of: handle),
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

    /// Writes of configurations that the server refused because the link was not secure enough, and the error
    /// responses.
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

extension PeerDatabase {
    /// Returns the handle of a value's Client Characteristic Configuration descriptor, if it has one.
    fileprivate func configuration(of value: UInt16) -> UInt16? {
        attributes.drop { $0.handle <= value }
            .prefix { $0.type != .characteristicDeclaration && $0.declaredService == nil }
            .first { $0.type == .clientCharacteristicConfiguration }?.handle
    }
}

// A digital-key manager finds its car by its advertisement and reads the car's information. If the log has
// neither, because another phone worked differently, both are made up.

extension SessionModel {
    /// Adds an advertisement and an information value for a connection's car, if the log has none.
    mutating func addHabits(of place: Int, _ dialect: Dialect) {
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

    /// Adds an advertisement by which a manager finds the connection's device, if the log has none.
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
        // The application is given the first advertisement, so all of them carry the car's data.
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
        var rest = data
        while let length = rest.first, length > 0, rest.count > length {
            let structure = rest.dropFirst().prefix(Int(length))
            rest = rest.dropFirst(1 + Int(length))
            let value = Array(structure.dropFirst())
            switch structure.first {
            case 0xFF where value.count >= 2:
                let company = UInt16(value[0]) | UInt16(value[1]) << 8
                guard company == advertising.companyID,
                    CarAdvertisement(Array(value[2...]), self)?.address.value == address.value
                else { continue }
                return true
            case 0x08, 0x09:
                let name = String(decoding: value, as: UTF8.self)
                if CarAdvertisement.address(fromName: name, self)?.value == address.value { return true }
            default: break
            }
        }
        return false
    }
}
