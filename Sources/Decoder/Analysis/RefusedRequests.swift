/// The requests that servers refused, in case they are taken later: that was no failure then.
struct RefusedRequests: Sendable {
    struct Entry: Equatable, Sendable {
        var request: RefusedRequest
        /// The place of the device in the table of peers.
        var peer: Int
        /// The number of the connection.
        var connection: Int
        /// The server's side.
        var side: Side
    }

    /// How many are kept.
    static let limit = 64

    private var all: [Entry] = []

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ refused: Entry) {
        if all.count < Self.limit, !all.contains(refused) { all.append(refused) }
    }

    /// Takes those of a device for the same; gives the connections on which they were refused.
    mutating func take(_ request: RefusedRequest, peer: Int) -> [Int] {
        let isTaken = { (refused: Entry) in refused.request == request && refused.peer == peer }
        defer { all.removeAll(where: isTaken) }
        return all.filter(isTaken).map(\.connection)
    }
}
