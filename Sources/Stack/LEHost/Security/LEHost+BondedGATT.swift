import BluetoothCore
import Runtime

// Data about the attributes of both sides that is stored with a bond.
//
// Source: Core Specification, Vol 3, Part G, 2.5.2, 3.3.3.3 and 7.

extension LEHost {
    /// Replaces the server's attributes; clients that subscribed to Service Changed are sent the changed
    /// range.
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

    /// Runs a step of a link's server, executes its outputs, and stores changes of the client's record.
    mutating func serveClient(_ id: LinkID, _ body: (inout ATTServer, Instant) -> [ATTServer.Output]) {
        guard let index = place(of: id) else { return }
        let wasUnaware = links[index].server.isUnaware
        let outputs = body(&links[index].server, now)
        // The application sends values again that were held back while the client assumed an earlier
        // database.
        if wasUnaware, !links[index].server.isUnaware { links[index].isFull = true }
        apply(outputs, to: id)
        keepClient(id)
    }

    /// Returns a new link whose server has the host's data.
    func prepared(_ link: HostLink) -> HostLink {
        var new = link
        new.server.databaseHash = databaseHash
        new.server.record.databaseHash = databaseHash
        new.server.minimumKeySize = configuration.security?.minimumKeySize ?? 7
        new.server.hasKey = bond(with: link.link.peer) != nil
        if link.link.isCentral, let cache = assumed[link.link.peer] {
            new.peerDatabase.database = cache
            new.peerDatabase.isRecalled = true
        }
        return new
    }

    /// Restores the client's record after the link was encrypted by a bond.
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

    /// Stores the hash of a bonded peer's database when an operation has read it; reports whether it is
    /// unchanged.
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

    /// Returns the bond that encrypts a link.
    func bond(of id: LinkID) -> Bond? {
        guard let index = place(of: id), let peer = links[index].security.bonded else { return nil }
        return bonds.first { $0.peer.names(peer) }
    }

    mutating func changeBond(_ id: LinkID, _ body: (inout Bond) -> Void) {
        guard let bond = bond(of: id), let place = bonds.firstIndex(of: bond) else { return }
        body(&bonds[place])
        if bonds[place] != bond { tell(.bondChanged(id, bonds[place])) }
    }
}
