public import BluetoothCore

/// Attribute databases known before the first record is read, by their device's address.
///
/// They come from another capture that contains the discovery, or from BlueZ's cache. Every label made from
/// them names its source.
public struct GATTKnowledge: Sendable {
    /// The most devices whose databases are kept.
    public static let limit = 512

    struct Entry: Sendable {
        /// Nil if only the database's hash identifies the device.
        var address: DeviceAddress?
        var database: AttributeDatabase
    }

    /// A device's identity address and its identity resolving key, most significant byte first.
    struct Identity: Sendable {
        var address: DeviceAddress
        var irk: [UInt8]
    }

    private(set) var entries: [Entry] = []
    private(set) var identities: [Identity] = []
    /// The tables that were too small for an entry.
    private(set) var fullTables = FullTables()

    /// Creates an empty collection.
    public init() {}

    /// The number of devices whose databases are known.
    public var count: Int { entries.count }

    /// Adds the results of another capture's analysis: the databases of its devices, and their identities.
    public mutating func add(_ analyzer: borrowing Analyzer) {
        for peer in analyzer.peers.peers {
            guard let address = peer.address, !peer.database.isEmpty else { continue }
            // A private address is temporary: only the hash identifies its device later.
            if !address.isPrivate {
                add(peer.database, of: address)
            } else if peer.database.hash != nil {
                add(peer.database, of: nil)
            }
        }
        for identity in analyzer.peers.identities { add(irk: identity.irk, of: identity.address) }
    }

    /// Adds the key of an identity, most significant byte first.
    public mutating func add(irk: [UInt8], of identity: DeviceAddress) {
        guard !identities.contains(where: { $0.irk == irk }) else { return }
        guard identities.count < PeerTable.irkLimit else {
            fullTables.insert(.givenIdentities)
            return
        }
        identities.append(Identity(address: identity, irk: irk))
    }

    mutating func add(_ database: AttributeDatabase, of address: DeviceAddress?) {
        if let address, let known = entries.firstIndex(where: { Self.matches($0.address, address) }) {
            // Of two contradicting databases, the last one added wins.
            var newer = database
            newer.adopt(entries[known].database, as: nil)
            entries[known].database = newer
        } else if entries.count < Self.limit {
            entries.append(Entry(address: address, database: database))
        } else {
            fullTables.insert(.givenDatabases)
        }
    }

    func database(of address: DeviceAddress) -> AttributeDatabase? {
        entries.first { Self.matches($0.address, address) }?.database
    }

    func database(withHash hash: [UInt8]) -> AttributeDatabase? {
        entries.first { $0.database.hash == hash && !$0.database.isEmpty }?.database
    }

    /// Whether two addresses belong to one device; in a file, an address may lack its kind.
    private static func matches(_ left: DeviceAddress?, _ right: DeviceAddress) -> Bool {
        guard let left, left.value == right.value else { return false }
        return left.kind == .unknown || right.kind == .unknown
            || PeerTable.Key(left) == PeerTable.Key(right)
    }
}
