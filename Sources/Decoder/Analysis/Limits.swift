/// The tables of the analysis that can be full, each of which says so once.
struct Limits: OptionSet, Sendable {
    let rawValue: UInt8

    static let links = Limits(rawValue: 1)
    static let peers = Limits(rawValue: 2)
    static let advertisers = Limits(rawValue: 4)
    static let adapters = Limits(rawValue: 8)
    static let channels = Limits(rawValue: 16)
    static let subscriptions = Limits(rawValue: 32)
    static let preparedWrites = Limits(rawValue: 64)
    static let ownAttributes = Limits(rawValue: 128)

    /// What the table holds, for messages.
    var name: String {
        switch self {
        case .links: "connections"
        case .peers: "peers"
        case .advertisers: "advertisers"
        case .adapters: "adapters"
        case .channels: "channels"
        case .preparedWrites: "prepared writes"
        case .ownAttributes: "attributes of the host"
        default: "subscriptions"
        }
    }
}

extension Analyzer {
    /// Reports that a table is full, once in a run.
    mutating func reportFull(_ table: Limits) {
        guard !fullTables.contains(table) else { return }
        fullTables.insert(table)
        report(.tableFull, name: table.name)
    }

    /// Reports tables that filled up on the way of the last record.
    mutating func checkTables() {
        if peers.wasFull { reportFull(.peers) }
        if adapters.wasFull { reportFull(.adapters) }
    }
}
