import BluetoothCore
import CaptureFile
import Crypto

/// The devices of the capture, by identity, with the knowledge about each.
///
/// A device is known by its identity address. A private address leads to it if an identity resolving key or
/// the controller resolves the address. An unresolved one counts as a device of its own, and only for a
/// while, since devices change private addresses. A full table evicts the least recently used device that no
/// link uses.
struct PeerTable: Sendable {
    static let limit = 512
    static let irkLimit = 256
    /// Most adapters for which the end of the last connection with a peer is remembered.
    static let endedLimit = 8
    /// Limit of the entries of all databases together.
    static let entryLimit = 1 << 17
    /// Longest time for which an unresolved private address counts as the same device, in nanoseconds. The
    /// specification recommends a change every 15 minutes; some devices take longer.
    static let privateLifetime: Int64 = 3_600_000_000_000
    /// The index of a peer that did not fit: nothing is learned about it, and nothing reported.
    static let none = -1

    struct Peer: Sendable {
        /// The identity address, or the address that the device connected with; nil for the unknown peer of a
        /// link that no event opened.
        var address: DeviceAddress?
        var database = AttributeDatabase()
        /// Whether a frame of a link with it was selected.
        var isChosen = false
        /// Whether links with it use keys of a bond.
        var isBonded = false
        /// The value of the Device Name characteristic; empty if it was not read.
        var name: [UInt8] = []
        var lastUse = 0
        /// The time of the last connection or packet, by the capture's clock, in nanoseconds.
        var lastTime: Int64 = 0
        /// The end of the last connection with each adapter, for the adapters that were connected last.
        var ended: [(adapter: UInt64, time: CaptureTime)] = []
        var users = 0
        /// Number of devices that have had this entry.
        var epoch = 0
        /// A number that changes with every change of the database; never the same for two devices of one
        /// entry.
        var generation = 0
    }

    /// An address and whether it is random: a public and a random address may have the same bytes.
    struct Key: Hashable, Sendable {
        var value: UInt64

        init(_ address: DeviceAddress) {
            value = address.value | (address.isRandom ? 1 << 48 : 0)
        }
    }

    private struct Entry: Sendable {
        var place: Int
        var epoch: Int
    }

    private(set) var peers: [Peer] = []
    private var index: [Key: Entry] = [:]
    private var resolver = PrivateAddressResolver()
    /// The identity of each key in the resolver, and the keys.
    private var keyOwners: [DeviceAddress] = []
    private var keys: [[UInt8]] = []
    private var clock = 0
    private var changes = 0
    private var entryCount = 0
    /// Whether a peer, its attributes or a key did not fit.
    private(set) var wasFull = false
    /// Databases from files, by the address of their device.
    private let known: GATTKnowledge
    /// The tables of given knowledge that were too small, until that is reported.
    private var fullGiven = FullTables()

    init(_ known: GATTKnowledge = GATTKnowledge()) {
        self.known = known
        for identity in known.identities { _ = add(identity.irk, of: identity.address) }
        // Given keys that did not fit are reported as such.
        (fullGiven, wasFull) = (known.fullTables, false)
    }

    /// Whether a table is to be reported as full.
    var hasFullTable: Bool { wasFull || !fullGiven.isEmpty }

    /// Returns the tables of given knowledge that were too small, once.
    mutating func takeFullGiven() -> [FullTables] {
        defer { fullGiven = FullTables() }
        return [.givenIdentities, .givenDatabases].filter { fullGiven.contains($0) }
    }

    /// Number of addresses and entries, for tests of the limits.
    var counts: (peers: Int, addresses: Int, entries: Int, keys: Int) {
        (peers.count, index.count, peers.reduce(0) { $0 + $1.database.count }, keyOwners.count)
    }

    subscript(peer: Int) -> Peer { peers.indices.contains(peer) ? peers[peer] : Peer() }

    /// Number of identity resolving keys that are known.
    var keyCount: Int { keys.count }

    mutating func name(peer: Int, _ name: [UInt8]) {
        if peers.indices.contains(peer) { peers[peer].name = name }
    }

    /// Records that a frame of a link with this peer was selected.
    mutating func choose(peer: Int) { if peers.indices.contains(peer) { peers[peer].isChosen = true } }

    mutating func withDatabase(of peer: Int, _ body: (inout AttributeDatabase) -> Void) {
        guard peers.indices.contains(peer) else { return }
        let before = peers[peer].database.count
        body(&peers[peer].database)
        guard peers[peer].database.takeChange() else { return }
        changes &+= 1
        peers[peer].generation = changes
        entryCount &+= peers[peer].database.count &- before
        if peers[peer].database.wasFull { wasFull = true }
        while entryCount > Self.entryLimit {
            wasFull = true
            drop(place: leastUsedDatabase(besides: peer) ?? peer)
        }
    }

    private mutating func drop(place: Int) {
        entryCount &-= peers[place].database.count
        peers[place].database.forgetAll()
        changes &+= 1
        peers[place].generation = changes
    }

    private func leastUsedDatabase(besides peer: Int) -> Int? {
        peers.indices.filter { $0 != peer && peers[$0].database.count > 0 }
            .min { (peers[$0].users, peers[$0].lastUse) < (peers[$1].users, peers[$1].lastUse) }
    }

    func label(of handle: UInt16, peer: Int, link: Int) -> AttributeLabel? {
        guard peers.indices.contains(peer) else { return nil }
        return peers.span[peer].database.label(of: handle, onLink: link)
    }

    /// Returns a number that changes with the peer's database.
    func generation(of peer: Int) -> Int {
        peers.indices.contains(peer) ? peers[peer].generation : -1
    }

    // MARK: Finding

    /// Returns the index of the peer with this address at this time; a new peer is added. Without an address,
    /// the peer is always new.
    mutating func peer(_ address: DeviceAddress?, at time: Int64) -> Int {
        clock += 1
        guard let address else { return make(nil, at: time) }
        let place = find(address, at: time) ?? make(address, at: time)
        if peers.indices.contains(place) {
            peers[place].lastUse = clock
            peers[place].lastTime = time
        }
        return place
    }

    private mutating func find(_ address: DeviceAddress, at time: Int64) -> Int? {
        if address.isResolvablePrivate, let key = resolver.resolve(address.value) {
            let identity = keyOwners[key]
            return entry(identity) ?? make(identity, at: time)
        }
        guard let known = entry(address) else { return nil }
        guard address.isPrivate, peers[known].users == 0 else { return known }
        // Only the recent contact suggests that it is the same device.
        let age = time &- peers[known].lastTime
        return age >= 0 && age < Self.privateLifetime && address.isResolvablePrivate ? known : nil
    }

    private func entry(_ address: DeviceAddress) -> Int? {
        guard let entry = index[Key(address)], peers[entry.place].epoch == entry.epoch else {
            return nil
        }
        return entry.place
    }

    private mutating func make(_ address: DeviceAddress?, at time: Int64) -> Int {
        let place: Int
        if peers.count < Self.limit {
            peers.append(Peer())
            place = peers.count - 1
        } else {
            wasFull = true
            guard let unused = unusedLongest() else { return Self.none }
            place = unused
            drop(place: place)
        }
        let epoch = peers[place].epoch + 1
        changes &+= 1
        peers[place] = Peer(
            address: address, lastUse: clock, lastTime: time, epoch: epoch, generation: changes)
        if let address {
            point(address, to: place)
            if let database = known.database(of: address) {
                withDatabase(of: place) { $0.adopt(database, as: .file) }
            }
        }
        return place
    }

    private mutating func point(_ address: DeviceAddress, to place: Int) {
        if index.count >= 4 * Self.limit {
            let peers = peers
            index = index.filter { peers[$0.value.place].epoch == $0.value.epoch }
        }
        // Each peer has one address and a few aliases; addresses beyond the limit are not remembered.
        guard index.count < 4 * Self.limit else {
            wasFull = true
            return
        }
        index[Key(address)] = Entry(place: place, epoch: peers[place].epoch)
    }

    private func unusedLongest() -> Int? {
        var best: Int?
        for place in peers.indices where peers[place].users == 0 {
            if let known = best, peers[known].lastUse <= peers[place].lastUse { continue }
            best = place
        }
        return best
    }

    mutating func retain(peer: Int) { if peers.indices.contains(peer) { peers[peer].users += 1 } }

    /// Records that an adapter's connection with this peer has ended.
    mutating func end(peer: Int, ofAdapter adapter: UInt64, at time: CaptureTime) {
        guard peers.indices.contains(peer) else { return }
        if let known = peers[peer].ended.firstIndex(where: { $0.adapter == adapter }) {
            peers[peer].ended[known].time = time
        } else {
            if peers[peer].ended.count >= Self.endedLimit { peers[peer].ended.removeFirst() }
            peers[peer].ended.append((adapter, time))
        }
    }

    mutating func release(peer: Int, at time: Int64) {
        guard peers.indices.contains(peer) else { return }
        peers[peer].users -= 1
        peers[peer].lastTime = time
    }

    // MARK: Identities

    /// Records that a device seen with another address has this identity; returns the index of the identity's
    /// peer.
    ///
    /// The knowledge under the other address moves to the identity. A private address then leads to the
    /// identity only through a key, since another device may take over the address.
    mutating func identify(peer: Int, as identity: DeviceAddress, at time: Int64) -> Int {
        clock += 1
        guard let known = entry(identity) ?? makeUnlessFull(identity, at: time) else { return peer }
        peers[known].isBonded = true
        peers[known].lastUse = clock
        peers[known].lastTime = time
        guard known != peer, peers.indices.contains(peer) else { return known }
        if peers[peer].isChosen { peers[known].isChosen = true }
        if !peers[peer].name.isEmpty { peers[known].name = peers[peer].name }
        var learned = peers[peer].database
        let older = peers[known].database
        drop(place: peer)
        withDatabase(of: known) {
            learned.adopt(older, as: nil)
            $0 = learned
        }
        if let alias = peers[peer].address {
            if alias.isPrivate { index[Key(alias)] = nil } else { point(alias, to: known) }
        }
        return known
    }

    /// Adds the peer with this identity; nil if it does not fit.
    private mutating func makeUnlessFull(_ identity: DeviceAddress, at time: Int64) -> Int? {
        let place = make(identity, at: time)
        return place == Self.none ? nil : place
    }

    /// Adds an identity resolving key, most significant byte first; returns the peers whose private addresses
    /// it resolves.
    mutating func add(_ irk: [UInt8], of identity: DeviceAddress) -> [Int] {
        // A key of zeros is not valid: the device does not use private addresses.
        guard irk.count == 16, irk.contains(where: { $0 != 0 }), !keys.contains(irk) else { return [] }
        guard keyOwners.count < Self.irkLimit else {
            wasFull = true
            return []
        }
        guard (try? resolver.add(identityResolvingKey: irk)) != nil else { return [] }
        keys.append(irk)
        keyOwners.append(identity)
        return peers.indices.filter { place in
            guard let address = peers[place].address, address.isResolvablePrivate else { return false }
            let random = UInt32(truncatingIfNeeded: address.value >> 24) & 0xFF_FFFF
            let hash = try? PrivateAddressResolver.hash(key: irk, prand: random)
            return hash == UInt32(truncatingIfNeeded: address.value) & 0xFF_FFFF
        }
    }

    /// Returns the identity address of a peer that was seen with another address; nil if it is unknown.
    func identity(of peer: Int, connectedAs address: DeviceAddress?) -> DeviceAddress? {
        guard peers.indices.contains(peer), let identity = peers.span[peer].address, let address,
            identity.value != address.value
        else { return nil }
        return identity
    }

    /// Returns the identity to which a known key resolves a private address. The first `tried` keys are
    /// skipped, since they don't resolve it.
    func identity(ofPrivate address: DeviceAddress, tried: Int = 0) -> DeviceAddress? {
        guard address.isResolvablePrivate, let key = resolver.resolve(address.value, from: tried) else {
            return nil
        }
        return keyOwners[key]
    }

    /// Returns the database given for an address; nil without one.
    func given(of address: DeviceAddress) -> AttributeDatabase? { known.database(of: address) }

    /// The identities whose keys are known.
    var identities: [GATTKnowledge.Identity] {
        zip(keyOwners, keys).map { GATTKnowledge.Identity(address: $0, irk: $1) }
    }

    mutating func noteHash(_ hash: [UInt8], of peer: Int, link: Int) {
        let same = database(withHash: hash, otherThan: peer)
        withDatabase(of: peer) { $0.noteHash(hash, link: link, same: same) }
    }

    /// Returns the database of another peer that showed this hash, with its generation; for a database from a
    /// file, which never changes, the generation is 0.
    private func database(
        withHash hash: [UInt8], otherThan peer: Int
    ) -> (database: AttributeDatabase, generation: Int)? {
        for place in peers.indices where place != peer && peers[place].database.hash == hash {
            if !peers[place].database.isEmpty { return (peers[place].database, peers[place].generation) }
        }
        return known.database(withHash: hash).map { ($0, 0) }
    }
}

extension DeviceAddress {
    /// Whether the device changes the address from time to time.
    var isPrivate: Bool { isResolvablePrivate || isNonResolvablePrivate }
}
