/// The tables that became full during an analysis, each reported once.
struct FullTables: OptionSet, Sendable {
    let rawValue: UInt16

    static let links = FullTables(rawValue: 1)
    static let peers = FullTables(rawValue: 2)
    static let advertisers = FullTables(rawValue: 4)
    static let adapters = FullTables(rawValue: 8)
    static let channels = FullTables(rawValue: 16)
    static let subscriptions = FullTables(rawValue: 32)
    static let preparedWrites = FullTables(rawValue: 64)
    static let ownAttributes = FullTables(rawValue: 128)
    static let unfinished = FullTables(rawValue: 256)
    static let givenIdentities = FullTables(rawValue: 512)
    static let givenDatabases = FullTables(rawValue: 1024)

    /// The table's contents, for messages.
    var name: String {
        switch self {
        case .links: "connections"
        case .peers: "peers"
        case .advertisers: "advertisers"
        case .adapters: "adapters"
        case .channels: "channels"
        case .preparedWrites: "prepared writes"
        case .ownAttributes: "attributes of the host"
        case .unfinished: "values that are not whole yet"
        case .givenIdentities: "identity resolving keys that were given"
        case .givenDatabases: "attribute databases that were given"
        default: "subscriptions"
        }
    }
}

extension Analyzer {
    /// Reports that a table is full, once in a run.
    mutating func reportFull(_ table: FullTables) {
        guard !fullTables.contains(table) else { return }
        fullTables.insert(table)
        report(.tableFull(table.name))
    }

    /// Reports tables that filled up during the analysis of the last record.
    mutating func checkTables() {
        for table in peers.takeFullGiven() { reportFull(table) }
        if peers.wasFull { reportFull(.peers) }
        if adapters.wasFull { reportFull(.adapters) }
    }
}
