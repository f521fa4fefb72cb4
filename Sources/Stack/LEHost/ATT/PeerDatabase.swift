import BluetoothCore

/// The attributes of a server, kept so that it need not be asked again.
///
/// Source: Core Specification, Vol 3, Part G, 2.5.2.
public struct PeerDatabase: Hashable, Sendable {
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
    mutating func add(_ other: PeerDatabase) {
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

extension PeerDatabase: Codable {
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
