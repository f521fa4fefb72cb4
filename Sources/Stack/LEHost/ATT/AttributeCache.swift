import BluetoothCore
import Runtime

/// The attributes of a server, kept so that they need not be discovered again.
///
/// Source: Core Specification, Vol 3, Part G, 2.5.2.
public struct AttributeCache: Hashable, Sendable {
    /// Limit of the attributes kept for one server.
    static let limit = 1_000

    /// The server's hash at the time of discovery, 16 bytes; empty for a server without a hash.
    var hash: [UInt8] = []
    private var found: [Discovery] = []
    private var count = 0

    private struct Discovery: Hashable, Codable {
        var operation: GATTOperation
        var outcome: GATTOutcome
    }

    public init() {}

    /// Creates the cache that a server's discovery would fill.
    ///
    /// - Parameters:
    ///   - services: the primary services.
    ///   - others: the services that are only included by others.
    ///   - includes: the included services, by the first handle of the including service.
    ///   - characteristics: the characteristics, by the first handle of their service, sorted by handle.
    ///   - descriptors: the descriptors, by the value handle of their characteristic, sorted by handle.
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

    /// Whether no attributes are kept.
    public var isEmpty: Bool { found.isEmpty }

    /// The result of a discovery; nil if only the server knows it.
    subscript(operation: GATTOperation) -> GATTOutcome? {
        if let known = found.first(where: { $0.operation == operation }) { return known.outcome }
        guard case .discoverServices(let uuid?) = operation,
            case .services(let all)? = self[.discoverServices()]
        else { return nil }
        return .services(all.filter { $0.uuid == uuid })
    }

    /// Keeps the outcome of a discovery.
    ///
    /// - Returns: whether the operation was a discovery.
    mutating func note(_ operation: GATTOperation, _ outcome: GATTOutcome) -> Bool {
        let size: Int
        switch (operation, outcome) {
        case (.discoverServices, .services(let all)): size = all.count
        case (.discoverIncludes, .includes(let all)): size = all.count
        case (.discoverCharacteristics, .characteristics(let all)): size = all.count
        case (.discoverDescriptors, .descriptors(let all)): size = all.count
        default: return false
        }
        // An empty outcome takes room too.
        guard count + size + 1 <= Self.limit, !found.contains(where: { $0.operation == operation }) else {
            return true
        }
        count += size + 1
        found.append(Discovery(operation: operation, outcome: outcome))
        return true
    }

    /// Adds the outcomes in another cache.
    mutating func add(_ other: AttributeCache) {
        for one in other.found { _ = note(one.operation, one.outcome) }
    }

    /// Returns the handle of a characteristic's value, if it was discovered.
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
    /// Whether the operation asks for the attributes of a database, and not for values.
    var isDiscovery: Bool {
        switch self {
        case .discoverServices, .discoverIncludes, .discoverCharacteristics, .discoverDescriptors: true
        default: false
        }
    }
}

// The attributes of a bonded server, and of a server with a Database Hash, are discovered once, and again
// only after they have changed.
//
// Source: Core Specification, Vol 3, Part G, 2.5.2 and 7.

/// A host's knowledge of the database at the other end of a link.
struct PeerDatabaseState: Sendable {
    /// Attributes that were discovered on this link, or taken from an earlier one.
    var database = AttributeCache()
    /// The server's hash: 16 bytes, empty for a server without a hash, another length if it can't be known;
    /// nil before it was read.
    var hash: [UInt8]?
    var isAsking = false
    /// Whether attributes of an earlier link were used on this one.
    var isRecalled = false
    /// Discoveries that wait until the hash was read.
    var held: [(operation: GATTOperation, token: GATTToken)] = []
}

extension HostLink {
    static var hashToken: GATTToken { GATTToken(rawValue: .max - 1) }
    static var hashOperation: GATTOperation { .readByType(.databaseHash, 1...0xFFFF) }
    private static var unknownHash: [UInt8] { [0] }

    /// Answers a discovery with the results of an earlier link, once the server's hash shows that they are
    /// still valid.
    ///
    /// - Returns: whether the discovery is answered, now or later.
    mutating func recall(
        _ operation: GATTOperation, _ token: GATTToken, _ host: inout HostContext
    ) -> Bool {
        guard operation.isDiscovery else { return false }
        if !peerDatabase.isRecalled {
            guard host.configuration.cachesDatabases, let known = keptDatabase(host), !known.isEmpty else {
                return false
            }
            guard let hash = peerDatabase.hash else {
                peerDatabase.held.append((operation, token))
                askHash(&host)
                return true
            }
            guard hash == known.hash else { return false }
            peerDatabase.isRecalled = true
            peerDatabase.database.add(known)
        }
        guard let outcome = peerDatabase.database[operation] else { return false }
        host.tell(.finished(link.id, token, .success(outcome)))
        return true
    }

    /// Reads the hash, unless it is known or is being read.
    private mutating func askHash(_ host: inout HostContext) {
        guard peerDatabase.hash == nil, !peerDatabase.isAsking,
            !security.operations.values.contains(Self.hashOperation)
        else { return }
        peerDatabase.isAsking = true
        apply(client.start(Self.hashOperation, token: Self.hashToken, at: host.now), &host)
    }

    /// Handles the result of an operation: keeps discovered attributes, and drops them after an error that
    /// shows that the server has changed.
    mutating func noteDatabase(
        _ operation: GATTOperation, _ result: Result<GATTOutcome, GATTFailure>, _ host: inout HostContext
    ) {
        guard host.configuration.cachesDatabases else { return }
        switch result {
        case _ where operation == Self.hashOperation: takeHash(result, &host)
        case .success(let outcome):
            if peerDatabase.database.note(operation, outcome) { databaseGrew(&host) }
        case .failure(.refused(.databaseOutOfSync, _)), .failure(.refused(.invalidHandle, _)):
            // The hash is unchanged or missing, but the error shows a change.
            guard peerDatabase.isRecalled else { return }
            databaseChanged(&host)
            host.tell(.databaseChanged(link.id))
        case .failure: break
        }
    }

    /// Reads the hash that belongs to discovered attributes, if they can be kept: with a bond, or if the
    /// server has a hash.
    mutating func databaseGrew(_ host: inout HostContext) {
        guard host.configuration.cachesDatabases, !peerDatabase.database.isEmpty else { return }
        let hasHash = peerDatabase.database.handle(of: .databaseHash) != nil
        if security.bonded != nil || hasHash && isStranger(host) { askHash(&host) }
    }

    private mutating func takeHash(
        _ result: Result<GATTOutcome, GATTFailure>, _ host: inout HostContext
    ) {
        peerDatabase.hash =
            switch result {
            case .success(.values(let values)):
                values.first.map { $0.value.count == 16 ? $0.value : Self.unknownHash } ?? []
            case .failure(.refused(.attributeNotFound, _)): []
            default: Self.unknownHash
            }
        let held = peerDatabase.held
        peerDatabase.held = []
        for one in held { perform(one.operation, one.token, &host) }
    }

    /// Drops the discovered attributes of the server.
    private mutating func databaseChanged(_ host: inout HostContext) {
        peerDatabase.database = AttributeCache()
        peerDatabase.hash = Self.unknownHash
        peerDatabase.isRecalled = false
        keepDatabase(AttributeCache(), &host)
    }

    /// Handles a value from the server: Service Changed means that discovery must start again.
    mutating func noteChange(_ handle: UInt16, _ host: inout HostContext) {
        guard host.configuration.cachesDatabases,
            let known = peerDatabase.database.handle(of: .serviceChanged)
                ?? keptDatabase(host)?.handle(of: .serviceChanged), known == handle
        else { return }
        databaseChanged(&host)
    }

    /// At the end of the link, keeps the discovered attributes and fails the discoveries that wait.
    mutating func endDatabase(_ host: inout HostContext) {
        for one in peerDatabase.held { host.tell(.finished(link.id, one.token, .failure(.disconnected))) }
        peerDatabase.held = []
        guard let hash = peerDatabase.hash, hash.isEmpty || hash.count == 16,
            !peerDatabase.database.isEmpty
        else { return }
        var database = peerDatabase.database
        database.hash = hash
        if let known = keptDatabase(host), known.hash == hash { database.add(known) }
        keepDatabase(database, &host)
    }

    /// Limit of servers without a bond whose attributes are kept.
    private static var strangerLimit: Int { 32 }

    /// Whether the peer has no bond. Anyone can claim the address of a bonded device, so nothing is kept for
    /// that address unless the key was used.
    private func isStranger(_ host: HostContext) -> Bool {
        security.bonded == nil && host.bond(with: link.peer) == nil
    }

    /// Returns the attributes of the server that were discovered on an earlier link.
    private func keptDatabase(_ host: HostContext) -> AttributeCache? {
        if let bond = bond(host) { return bond.peerDatabase }
        guard isStranger(host) else { return nil }
        return host.strangers.first { $0.peer == link.peer }?.database
    }

    /// Keeps the attributes of the server for later links; an empty cache drops them.
    private func keepDatabase(_ database: AttributeCache, _ host: inout HostContext) {
        guard bond(host) == nil else { return changeBond(&host) { $0.peerDatabase = database } }
        guard isStranger(host) else { return }
        host.strangers.removeAll { $0.peer == link.peer }
        guard database.hash.count == 16 else { return }
        host.strangers.append((link.peer, database))
        if host.strangers.count > Self.strangerLimit { host.strangers.removeFirst() }
    }
}
