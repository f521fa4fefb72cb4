import BluetoothCore
import Runtime

/// The attributes of a server, kept so that it need not be asked again.
///
/// Source: Core Specification, Vol 3, Part G, 2.5.2.
public struct AttributeCache: Hashable, Sendable {
    /// Most attributes of one server that are kept.
    static let limit = 1_000

    /// The server's hash when they were found, 16 octets; empty for a server without one.
    var hash: [UInt8] = []
    private var found: [Discovery] = []
    private var count = 0

    private struct Discovery: Hashable, Codable {
        var operation: GATTOperation
        var outcome: GATTOutcome
    }

    public init() {}

    /// The attributes of a server as its discovery finds them.
    ///
    /// - Parameters:
    ///   - services: the primary services.
    ///   - others: the services that only others include.
    ///   - includes: the included services by the declaring service's first handle.
    ///   - characteristics: by their service's first handle, sorted by handle.
    ///   - descriptors: by their characteristic's value, sorted by handle.
    public init(
        services: [GATTService], others: [GATTService] = [], includes: [UInt16: [GATTInclude]] = [:],
        characteristics: [UInt16: [GATTCharacteristic]], descriptors: [UInt16: [GATTDescriptor]]
    ) {
        _ = note(.discoverServices(), .services(services))
        for service in services + others where service.handle <= service.endHandle {
            let range = service.handle...service.endHandle
            let found = characteristics[service.handle] ?? []
            _ = note(.discoverIncludes(range), .includes(includes[service.handle] ?? []))
            _ = note(.discoverCharacteristics(range), .characteristics(found))
            for one in found where one.valueHandle < one.endHandle {
                _ = note(
                    .discoverDescriptors(one.valueHandle + 1...one.endHandle),
                    .descriptors(descriptors[one.valueHandle] ?? []))
            }
        }
    }

    /// Whether nothing is kept.
    public var isEmpty: Bool { found.isEmpty }

    /// The result of a discovery; nil if the server has to be asked.
    subscript(operation: GATTOperation) -> GATTOutcome? {
        if let known = found.first(where: { $0.operation == operation }) { return known.outcome }
        guard case .discoverServices(let uuid?) = operation,
            case .services(let all)? = self[.discoverServices()]
        else { return nil }
        return .services(all.filter { $0.uuid == uuid })
    }

    /// Keeps what an operation found, if it was a discovery.
    ///
    /// - Returns: whether it was.
    mutating func note(_ operation: GATTOperation, _ outcome: GATTOutcome) -> Bool {
        let size: Int
        switch (operation, outcome) {
        case (.discoverServices, .services(let all)): size = all.count
        case (.discoverIncludes, .includes(let all)): size = all.count
        case (.discoverCharacteristics, .characteristics(let all)): size = all.count
        case (.discoverDescriptors, .descriptors(let all)): size = all.count
        default: return false
        }
        // An empty answer takes room, too.
        guard count + size + 1 <= Self.limit, !found.contains(where: { $0.operation == operation }) else {
            return true
        }
        count += size + 1
        found.append(Discovery(operation: operation, outcome: outcome))
        return true
    }

    /// Adds what another has.
    mutating func add(_ other: AttributeCache) {
        for one in other.found { _ = note(one.operation, one.outcome) }
    }

    /// The handle of a characteristic's value, if it was found.
    func handle(of characteristic: BluetoothUUID) -> UInt16? {
        for one in found {
            guard case .characteristics(let all) = one.outcome else { continue }
            if let match = all.first(where: { $0.uuid == characteristic }) { return match.valueHandle }
        }
        return nil
    }
}

extension AttributeCache: Codable {
    private enum CodingKeys: CodingKey { case hash, found }

    /// Decodes a database; throws if the hash is neither empty nor 16 bytes, or an entry is not a discovery.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        hash = try fields.octets(.hash, [0, 16])
        for one in try fields.decode([Discovery].self, forKey: .found) {
            guard note(one.operation, one.outcome) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .found, in: fields, debugDescription: "not a discovery")
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(hash, forKey: .hash)
        try fields.encode(found, forKey: .found)
    }
}

extension GATTOperation {
    /// Whether it asks for what a database has, and not for values.
    var isDiscovery: Bool {
        switch self {
        case .discoverServices, .discoverIncludes, .discoverCharacteristics, .discoverDescriptors: true
        default: false
        }
    }
}

// The attributes of a bonded server, and of one with a Database Hash, are discovered once, and again when
// they have changed.
//
// Source: Core Specification, Vol 3, Part G, 2.5.2 and 7.

/// A host's knowledge of the database at the other end of a link.
struct PeerDatabaseState: Sendable {
    /// Attributes found on this link, or taken from an earlier link.
    var database = AttributeCache()
    /// The server's hash: 16 octets, empty for a server without one, another count where it can't be known;
    /// nil before it was read.
    var hash: [UInt8]?
    var isAsking = false
    /// Whether attributes of an earlier link were used on this one.
    var isRecalled = false
    /// Discoveries that wait for the hash.
    var held: [(operation: GATTOperation, token: GATTToken)] = []
}

extension LEHost {
    static var hashToken: GATTToken { GATTToken(rawValue: .max - 1) }
    static var hashOperation: GATTOperation { .readByType(.databaseHash, 1...0xFFFF) }
    private static var unknownHash: [UInt8] { [0] }

    /// Answers a discovery by what was found on an earlier link, once the server's hash says that it is still
    /// so.
    ///
    /// - Returns: whether it is answered, or will be.
    mutating func recall(_ operation: GATTOperation, _ token: GATTToken, _ id: LinkID) -> Bool {
        guard operation.isDiscovery, let index = place(of: id) else { return false }
        if links[index].peerDatabase.isRecalled { return answer(operation, token, id) }
        guard configuration.cachesDatabases, let known = keptDatabase(of: id), !known.isEmpty else {
            return false
        }
        guard let hash = links[index].peerDatabase.hash else {
            links[index].peerDatabase.held.append((operation, token))
            askHash(id)
            return true
        }
        guard hash == known.hash else { return false }
        links[index].peerDatabase.isRecalled = true
        links[index].peerDatabase.database.add(known)
        return answer(operation, token, id)
    }

    private mutating func answer(_ operation: GATTOperation, _ token: GATTToken, _ id: LinkID) -> Bool {
        guard let index = place(of: id), let outcome = links[index].peerDatabase.database[operation] else {
            return false
        }
        tell(.finished(id, token, .success(outcome)))
        return true
    }

    /// Takes a server's attributes as known on later links to its address, without asking for its hash.
    mutating func assume(_ cache: AttributeCache, of peer: DeviceAddress) {
        assumed[peer] = cache.isEmpty ? nil : cache
    }

    /// Reads the hash, unless it is known or someone reads it.
    private mutating func askHash(_ id: LinkID) {
        guard let index = place(of: id), links[index].peerDatabase.hash == nil,
            !links[index].peerDatabase.isAsking,
            !links[index].security.operations.values.contains(Self.hashOperation)
        else { return }
        links[index].peerDatabase.isAsking = true
        apply(links[index].client.start(Self.hashOperation, token: Self.hashToken, at: now), to: id)
    }

    /// Takes the result of an operation: keeps found attributes, and forgets them after an error that shows
    /// that the server has changed.
    mutating func noteDatabase(
        _ operation: GATTOperation, _ result: Result<GATTOutcome, GATTFailure>, _ id: LinkID
    ) {
        guard configuration.cachesDatabases, let index = place(of: id) else { return }
        switch result {
        case _ where operation == Self.hashOperation: takeHash(result, id)
        case .success(let outcome):
            if links[index].peerDatabase.database.note(operation, outcome) { databaseGrew(id) }
        case .failure(.refused(.databaseOutOfSync, _)), .failure(.refused(.invalidHandle, _)):
            // With a hash that says the opposite, or none.
            if links[index].peerDatabase.isRecalled { databaseChanged(id, tells: true) }
        case .failure: break
        }
    }

    /// Reads the hash of found attributes that can be kept: with a bond, or for a server that has a hash.
    mutating func databaseGrew(_ id: LinkID) {
        guard configuration.cachesDatabases, let index = place(of: id),
            !links[index].peerDatabase.database.isEmpty
        else { return }
        let hasHash = links[index].peerDatabase.database.handle(of: .databaseHash) != nil
        guard links[index].security.bonded != nil || hasHash && isStranger(id) else { return }
        askHash(id)
    }

    private mutating func takeHash(_ result: Result<GATTOutcome, GATTFailure>, _ id: LinkID) {
        guard let index = place(of: id) else { return }
        links[index].peerDatabase.hash =
            switch result {
            case .success(.values(let values)):
                values.first.map { $0.value.count == 16 ? $0.value : Self.unknownHash } ?? []
            case .failure(.refused(.attributeNotFound, _)): []
            default: Self.unknownHash
            }
        let held = links[index].peerDatabase.held
        links[index].peerDatabase.held = []
        for one in held { perform(one.operation, one.token, on: id) }
    }

    /// Forgets what was found of a server.
    ///
    /// - Parameter tells: whether the application has to be told.
    private mutating func databaseChanged(_ id: LinkID, tells: Bool) {
        guard let index = place(of: id) else { return }
        links[index].peerDatabase.database = AttributeCache()
        links[index].peerDatabase.hash = Self.unknownHash
        links[index].peerDatabase.isRecalled = false
        keepDatabase(AttributeCache(), id)
        if tells { tell(.databaseChanged(id)) }
    }

    /// Takes a value that the server has sent: by Service Changed it says that discovery is to begin anew.
    mutating func noteChange(_ handle: UInt16, _ id: LinkID) {
        guard configuration.cachesDatabases, let index = place(of: id),
            let known = links[index].peerDatabase.database.handle(of: .serviceChanged)
                ?? keptDatabase(of: id)?.handle(of: .serviceChanged), known == handle
        else { return }
        databaseChanged(id, tells: false)
    }

    /// Keeps what was found on a link, and ends what waits, at the link's end.
    mutating func endDatabase(_ id: LinkID) {
        guard let index = place(of: id) else { return }
        for one in links[index].peerDatabase.held {
            tell(.finished(id, one.token, .failure(.disconnected)))
        }
        links[index].peerDatabase.held = []
        guard let hash = links[index].peerDatabase.hash, hash.isEmpty || hash.count == 16,
            !links[index].peerDatabase.database.isEmpty
        else { return }
        var database = links[index].peerDatabase.database
        database.hash = hash
        if let known = keptDatabase(of: id), known.hash == hash { database.add(known) }
        keepDatabase(database, id)
    }

    /// Most servers without a bond whose attributes are kept.
    static var strangerLimit: Int { 32 }

    /// Whether a link's peer has no bond. Anyone can claim a bonded device's address, so nothing is kept for
    /// that address without the key.
    private func isStranger(_ id: LinkID) -> Bool {
        guard let index = place(of: id), links[index].security.bonded == nil else { return false }
        return bond(with: links[index].link.peer) == nil
    }

    /// The attributes of a link's server that an earlier link found.
    private func keptDatabase(of id: LinkID) -> AttributeCache? {
        if let bond = bond(of: id) { return bond.peerDatabase }
        guard isStranger(id), let index = place(of: id) else { return nil }
        return strangers.first { $0.peer == links[index].link.peer }?.database
    }

    /// Keeps the attributes of a link's server for later links; an empty database forgets them.
    private mutating func keepDatabase(_ database: AttributeCache, _ id: LinkID) {
        guard bond(of: id) == nil else { return changeBond(id) { $0.peerDatabase = database } }
        guard isStranger(id), let index = place(of: id) else { return }
        let peer = links[index].link.peer
        strangers.removeAll { $0.peer == peer }
        guard database.hash.count == 16 else { return }
        strangers.append((peer, database))
        if strangers.count > Self.strangerLimit { strangers.removeFirst() }
    }
}
