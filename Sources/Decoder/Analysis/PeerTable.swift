import BluetoothCore
import Crypto

/// The devices that were met, by identity, with what is known of each.
///
/// A device is known by its identity address; a private address leads to it where an identity resolving key
/// or the controller resolves it, else it stands for a device of its own. Bounded: the one unused longest goes.
struct PeerTable: Sendable {
    static let limit = 512
    static let irkLimit = 64

    struct Peer: Sendable {
        /// The identity address, or the address it was met with; nil for the unknown end of an orphan link.
        var address: DeviceAddress?
        var database = AttributeDatabase()
        /// Whether links with it use keys of a bond.
        var isBonded = false
        var lastUse = 0
        var users = 0
    }

    private(set) var peers: [Peer] = []
    private var index: [Key: Int] = [:]
    private var resolver = PrivateAddressResolver()
    /// The peer of each key of the resolver; nil where that peer was forgotten.
    private var keyOwners: [Int?] = []
    private var keys: Set<[UInt8]> = []
    private var clock = 0
    /// Whether a peer had to be forgotten.
    private(set) var wasFull = false

    /// An address and whether it is random: a public and a random address may have the same octets.
    struct Key: Hashable, Sendable {
        var value: UInt64

        init(_ address: DeviceAddress) {
            let random = address.kind == .random || address.kind == .randomIdentity
            value = address.value | (random ? 1 << 48 : 0)
        }
    }

    subscript(peer: Int) -> Peer {
        get { peers.indices.contains(peer) ? peers[peer] : Peer() }
        set { if peers.indices.contains(peer) { peers[peer] = newValue } }
    }

    /// Changes the database of a peer in place.
    mutating func withDatabase(of peer: Int, _ body: (inout AttributeDatabase) -> Void) {
        guard peers.indices.contains(peer) else { return }
        body(&peers[peer].database)
    }

    /// The label of a handle in a peer's database.
    func label(of handle: UInt16, peer: Int, link: Int) -> AttributeLabel? {
        guard peers.indices.contains(peer) else { return nil }
        return peers[peer].database.label(of: handle, onLink: link)
    }

    /// A number that changes whenever the peer's database does.
    func generation(of peer: Int) -> Int {
        peers.indices.contains(peer) ? peers[peer].database.generation : -1
    }

    /// The value that a descriptor of the peer's configures.
    func valueHandle(ofDescriptor handle: UInt16, peer: Int) -> UInt16? {
        guard peers.indices.contains(peer) else { return nil }
        return peers[peer].database.valueHandle(ofDescriptor: handle)
    }

    /// The properties of the characteristic that a descriptor belongs to; 0 where it is not known.
    func properties(ofDescriptor handle: UInt16, peer: Int) -> UInt8 {
        guard peers.indices.contains(peer) else { return 0 }
        return peers[peer].database.characteristic(ofDescriptor: handle)?.properties ?? 0
    }

    /// The peer with this address, made where it is new; nil makes one without an address.
    mutating func peer(_ address: DeviceAddress?) -> Int {
        clock += 1
        if let address {
            if let known = index[Key(address)] {
                peers[known].lastUse = clock
                return known
            }
            if address.isResolvablePrivate, let key = resolver.resolve(address.value),
                let owner = keyOwners[key]
            {
                peers[owner].lastUse = clock
                // Private addresses come and go; the identities among the keys are few.
                if index.count < 8 * Self.limit { index[Key(address)] = owner }
                return owner
            }
        }
        return make(address)
    }

    private mutating func make(_ address: DeviceAddress?) -> Int {
        let place: Int
        if peers.count < Self.limit {
            peers.append(Peer())
            place = peers.count - 1
        } else {
            wasFull = true
            place = unusedLongest()
            forget(place)
        }
        peers[place] = Peer(address: address, lastUse: clock)
        if let address { index[Key(address)] = place }
        return place
    }

    private func unusedLongest() -> Int {
        var best = 0
        for place in peers.indices {
            let (a, b) = (peers[place], peers[best])
            if (a.users, a.lastUse) < (b.users, b.lastUse) { best = place }
        }
        return best
    }

    private mutating func forget(_ place: Int) {
        index = index.filter { $0.value != place }
        for key in keyOwners.indices where keyOwners[key] == place { keyOwners[key] = nil }
    }

    mutating func retain(_ peer: Int) { if peers.indices.contains(peer) { peers[peer].users += 1 } }
    mutating func release(_ peer: Int) { if peers.indices.contains(peer) { peers[peer].users -= 1 } }

    /// Notes that a device met by another address has this identity and key; gives the identity's peer.
    ///
    /// What was learned under the private address is kept.
    mutating func identify(_ peer: Int, as identity: DeviceAddress, irk: [UInt8]?) -> Int {
        clock += 1
        let known = index[Key(identity)] ?? make(identity)
        if known != peer, peers.indices.contains(peer) {
            let learned = peers[peer].database
            peers[known].database.adopt(learned, as: nil)
            // The private address stays an alias of the identity.
            if let alias = peers[peer].address { index[Key(alias)] = known }
        }
        peers[known].isBonded = true
        if let irk { add(irk, of: known) }
        return known
    }

    /// Adds an identity resolving key, most significant octet first.
    mutating func add(_ irk: [UInt8], of peer: Int) {
        guard irk.count == 16, irk.contains(where: { $0 != 0 }), keyOwners.count < Self.irkLimit,
            keys.insert(irk).inserted, (try? resolver.add(identityResolvingKey: irk)) != nil
        else { return }
        keyOwners.append(peer)
    }

    /// The database of any peer that showed this hash.
    func database(withHash hash: [UInt8], otherThan peer: Int) -> AttributeDatabase? {
        for place in peers.indices where place != peer && peers[place].database.hash == hash {
            if !peers[place].database.isEmpty { return peers[place].database }
        }
        return nil
    }
}
