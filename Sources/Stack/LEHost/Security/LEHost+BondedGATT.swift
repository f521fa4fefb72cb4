import BluetoothCore
import Runtime

// What is kept with a bond of the attributes on both sides.
//
// Source: Core Specification, Vol 3, Part G, 2.5.2, 3.3.3.3 and 7.

extension LEHost {
    /// Serves other attributes; clients that want to know are told in which range they have changed.
    mutating func setDatabase(_ new: GATTDatabase) {
        let changed = database.changes(to: new)
        database = new
        let hash = new.hash
        guard hash != databaseHash else { return }
        databaseHash = hash
        for id in links.map(\.link.id) {
            serveClient(id) { $0.serve(new, hash, changed: changed, at: $1) }
        }
    }

    /// Takes a step of a link's server, does what it wants done, and keeps what is new of the client.
    mutating func serveClient(_ id: LinkID, _ body: (inout ATTServer, Instant) -> [ATTServer.Output]) {
        guard let index = place(of: id) else { return }
        let wasUnaware = links[index].server.isUnaware
        let outputs = body(&links[index].server, now)
        // What was held back for a client with an earlier database in mind goes on.
        if wasUnaware, !links[index].server.isUnaware { links[index].isFull = true }
        apply(outputs, to: id)
        keepClient(id)
    }

    /// A new link's server; what it must know of the host.
    func prepared(_ link: HostLink) -> HostLink {
        var new = link
        new.server.databaseHash = databaseHash
        new.server.record.databaseHash = databaseHash
        new.server.minimumKeySize = configuration.security?.minimumKeySize ?? 7
        new.server.hasKey = bond(with: link.link.peer) != nil
        return new
    }

    /// The link is encrypted by a bond: what was kept of the client is valid again.
    mutating func recallClient(_ id: LinkID, _ bond: Bond) {
        guard let index = place(of: id), links[index].security.bonded == nil else { return }
        links[index].security.bonded = bond.peer
        let kept = bonds.first { $0.peer.names(bond.peer) }?.client ?? bond.client
        let database = database
        serveClient(id) { $0.recall(kept, database, at: $1) }
    }

    private mutating func keepClient(_ id: LinkID) {
        guard let index = place(of: id) else { return }
        let record = links[index].server.record
        changeBond(id) { $0.client = record }
    }

    /// Keeps the hash of a bonded peer's database where an operation has read it, and says whether it is the
    /// one that was kept before.
    mutating func noteHash(
        _ operation: GATTOperation, _ result: Result<GATTOutcome, GATTFailure>, _ id: LinkID
    ) {
        guard case .readByType(.databaseHash, _) = operation,
            case .success(.values(let values)) = result, let hash = values.first?.value, hash.count == 16,
            let bond = bond(of: id)
        else { return }
        tell(.databaseHash(id, isKnown: bond.peerDatabaseHash == hash))
        changeBond(id) { $0.peerDatabaseHash = hash }
    }

    private func bond(of id: LinkID) -> Bond? {
        guard let index = place(of: id), let peer = links[index].security.bonded else { return nil }
        return bonds.first { $0.peer.names(peer) }
    }

    private mutating func changeBond(_ id: LinkID, _ body: (inout Bond) -> Void) {
        guard let bond = bond(of: id), let place = bonds.firstIndex(of: bond) else { return }
        body(&bonds[place])
        if bonds[place] != bond { tell(.bondChanged(id, bonds[place])) }
    }
}
