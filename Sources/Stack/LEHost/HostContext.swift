import BluetoothCore
import Runtime

/// The state that a host shares with its links: settings, bonds, the server's attributes, the commands for
/// the controller, and the effects.
struct HostContext: Sendable {
    var configuration: HostConfiguration
    var identityAddress: DeviceAddress?
    var commands = HCICommandFlow<CommandPurpose>()
    var database = GATTDatabase()
    /// Hash of the database; empty before the first database.
    var databaseHash: [UInt8] = []
    var listeners: [ChannelListener] = []
    var bonds: [Bond] {
        didSet {
            // A change of client records does not change which devices are bonded.
            guard !bonds.elementsEqual(oldValue, by: { $0.isListed(as: $1) }) else { return }
            resolver = PeerResolver(bonds)
            hasChangedBonds = true
        }
    }
    /// Whether other devices are bonded than those to which the host has adapted its privacy.
    var hasChangedBonds = false
    /// Attributes of servers without a bond, by address; the most recent is last.
    var strangers: [(peer: DeviceAddress, database: AttributeCache)] = []
    /// Attributes with which links to these addresses start.
    var assumed: [DeviceAddress: AttributeCache] = [:]
    var resolver: PeerResolver
    var outOfBand: OutOfBand
    private var attempts: [(peer: DeviceAddress, wait: Duration, until: Instant)] = []
    /// Peripherals that were paired again because their Security Request asked for a better key.
    private var upgraded: [DeviceAddress] = []
    var now = Instant.zero
    /// The time at which a link needs a call; nil if nothing waits on a link.
    var linkDeadline: Instant?
    var effects: [HostEffect] = []

    init(_ configuration: HostConfiguration) {
        self.configuration = configuration
        bonds = configuration.bonds
        resolver = PeerResolver(configuration.bonds)
        outOfBand = configuration.security?.outOfBand ?? OutOfBand()
    }

    mutating func send<Request: HCICommand>(_ request: Request, for purpose: CommandPurpose) {
        commands.enqueue(request, for: purpose)
    }

    mutating func tell(_ event: HostEvent) { effects.append(.event(event)) }
}

// Bonds and failed pairings.

extension HostContext {
    /// Maximum number of bonds, so that a device which may pair can't fill the memory with new identities.
    private static var bondLimit: Int { 256 }

    /// Returns the bond with a device, found by its identity or by one of its private addresses.
    func bond(with peer: DeviceAddress) -> Bond? {
        let identity = resolver.identity(of: peer)
        return bonds.first { $0.peer.names(peer) } ?? bonds.first { $0.peer.names(identity) }
    }

    /// Returns the devices whose bonds the peer of a link, encrypted by the bond `bonded`, has not proved
    /// with their key. A replay follows its log.
    func guarded(from bonded: DeviceAddress?) -> [DeviceAddress] {
        guard configuration.security?.features == nil else { return [] }
        return bonds.filter { bond in
            (bond.asCentral != nil || bond.asPeripheral != nil) && bonded?.names(bond.peer) != true
        }.map(\.peer)
    }

    /// Stores a bond in place of an earlier one with the same device, unless the earlier one protects better.
    mutating func keep(_ bond: Bond) -> Bool {
        let known = bonds.first { $0.peer.names(bond.peer) }
        guard known != nil || bonds.count < Self.bondLimit else { return false }
        guard known.map({ bond.security.isWorth($0.security) }) ?? true else { return false }
        bonds.removeAll { $0.peer.names(bond.peer) }
        var bond = bond
        // With another device's key, the two devices would be mistaken for each other.
        if bonds.contains(where: { $0.identityKey == bond.identityKey }) { bond.identityKey = nil }
        bonds.append(bond)
        return true
    }

    /// Whether a peripheral may be paired again for a better key: only once for each peer, since a second
    /// pairing would give the same key.
    mutating func mayUpgrade(_ peer: DeviceAddress) -> Bool {
        guard !upgraded.contains(where: { $0.names(peer) }) else { return false }
        upgraded.append(peer)
        if upgraded.count > Self.bondLimit { upgraded.removeFirst() }
        return true
    }

    /// Whether a peer whose pairing failed must wait longer; the wait doubles with each failure.
    ///
    /// A replay follows its log.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.3.6.
    func isTooSoon(_ peer: DeviceAddress) -> Bool {
        configuration.security?.features == nil
            && attempts.contains { $0.peer.names(peer) && now < $0.until }
    }

    /// Records a failed pairing.
    mutating func noteAttempt(_ peer: DeviceAddress) {
        let before = attempts.first { $0.peer.names(peer) }?.wait ?? .zero
        forgetAttempts(peer)
        let wait = min(max(before * 2, .seconds(1)), .seconds(64))
        attempts.append((peer, wait, now.advanced(by: wait)))
        if attempts.count > 64 { attempts.removeFirst() }
    }

    mutating func forgetAttempts(_ peer: DeviceAddress) { attempts.removeAll { $0.peer.names(peer) } }
}
