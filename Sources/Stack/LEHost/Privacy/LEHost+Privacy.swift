public import BluetoothCore
public import Crypto
public import Runtime
import WireBytes

// The host's private address, and the controller's resolving list. Both change only while the controller does
// nothing that uses them: activities are stopped, the change is made, and all are resumed.

extension LEHost {
    /// Whether the controller must not advertise, scan or connect now.
    var isPaused: Bool {
        configuration.privacy != nil
            && (privacy.needsAddress || privacy.needsList || !privacy.steps.isEmpty)
    }

    /// Whether the host's address is a private one.
    var isPrivate: Bool { configuration.privacy?.rotation != nil }

    private var isQuiet: Bool {
        scanner.active == nil && !scanner.isBusy && advertiser.active == nil && !advertiser.isBusy
            && !initiator.isCreating
    }

    /// Time at which the host's privacy needs a call.
    var privacyDeadline: Instant? {
        guard !initiator.wanted.isEmpty, let sighting = privacy.sightings.values.lazy.map(\.until).min()
        else {
            return privacy.rotation
        }
        return min(sighting, privacy.rotation ?? sighting)
    }

    mutating func privacyTimeReached() {
        if let rotation = privacy.rotation, rotation <= now {
            privacy.rotation = nil
            privacy.needsAddress = true
        }
        let gone = privacy.sightings.filter { $0.value.until <= now }.map(\.key)
        for identity in gone { privacy.sightings[identity] = nil }
        if !gone.isEmpty, state == .ready { reconcileInitiator() }
    }

    /// Starts pending privacy changes once the controller is idle.
    mutating func reconcilePrivacy() {
        guard state == .ready, isPaused, privacy.steps.isEmpty else { return }
        guard isQuiet else {
            reconcileAdvertiser()
            reconcileInitiator()
            return reconcileScanner()
        }
        beginPrivacy()
    }

    /// Starts the privacy commands; the controller does nothing else meanwhile.
    mutating func beginPrivacy() {
        var steps: [PrivacyState.Step] = []
        if privacy.needsList { steps += listSteps() }
        if privacy.needsAddress { steps.append(.draw) }
        privacy.needsList = false
        privacy.needsAddress = false
        privacy.steps = steps
        nextPrivacyStep()
    }

    /// Returns the commands that make the controller's list match the bonds.
    private func listSteps() -> [PrivacyState.Step] {
        guard let policy = configuration.privacy, privacy.listSize > 0 else { return [] }
        let wanted = Array(bonds.filter { $0.identityKey != nil }.prefix(privacy.listSize))
        let gone = privacy.listed.filter { one in !wanted.contains { $0.isListed(as: one) } }
        let new = wanted.filter { one in !privacy.listed.contains { $0.isListed(as: one) } }
        var steps: [PrivacyState.Step] = []
        if gone.count == privacy.listed.count {
            if !gone.isEmpty { steps.append(.clearList) }
        } else {
            steps += gone.map { .remove($0) }
        }
        for bond in new {
            steps.append(.add(bond))
            if policy.hearsIdentities { steps.append(.setDeviceMode(bond.peer)) }
        }
        guard !privacy.isResolving, !wanted.isEmpty else { return steps }
        if privacy.setsTimeout, let rotation = policy.rotation {
            steps.append(.setTimeout(UInt16(min(max(rotation.components.seconds, 1), 3600))))
        }
        return steps + [.resolve]
    }

    private mutating func nextPrivacyStep() {
        guard let step = privacy.steps.first else {
            if state == .starting { return setReady() }
            reconcileAdvertiser()
            reconcileInitiator()
            return reconcileScanner()
        }
        switch step {
        case .draw: effects.append(.drawAddress)
        case .setAddress(let address):
            send(LESetRandomAddress { $0.randomAddress = address }, for: .privacy)
        case .setTimeout(let seconds):
            send(LESetResolvablePrivateAddressTimeout { $0.rpaTimeout = seconds }, for: .privacy)
        case .resolve:
            send(LESetAddressResolutionEnable { $0.addressResolutionEnable = 1 }, for: .privacy)
        case .clearList: send(LEClearResolvingList(), for: .privacy)
        case .add(let bond): add(bond)
        case .remove(let bond):
            send(
                LERemoveDeviceFromResolvingList {
                    $0.peerIdentityAddressType = bond.peer.hciType
                    $0.peerIdentityAddress = bond.peer
                }, for: .privacy)
        case .setDeviceMode(let peer):
            send(
                LESetPrivacyMode {
                    $0.peerIdentityAddressType = peer.hciType
                    $0.peerIdentityAddress = peer
                    $0.privacyMode = 1
                }, for: .privacy)
        }
    }

    private mutating func add(_ bond: Bond) {
        let own = configuration.privacy?.identityKey.octets ?? []
        send(
            LEAddDeviceToResolvingList {
                $0.peerIdentityAddressType = bond.peer.hciType
                $0.peerIdentityAddress = bond.peer
                $0.peerIRK = bond.identityKey?.octets.reversed() ?? []
                $0.localIRK = own.reversed()
            }, for: .privacy)
    }

    /// Handles the random bytes for the host's address.
    mutating func takeAddressRandomness(_ octets: [UInt8]?) {
        guard case .draw? = privacy.steps.first, let policy = configuration.privacy else { return }
        let bits = octets.flatMap { $0.count == 3 ? $0.reduce(0) { $0 << 8 | UInt32($1) } : nil }
        let key = policy.identityKey.octets
        guard let bits, let value = try? PrivateAddressResolver.address(key: key, random: bits) else {
            // Without randomness the current address stays; a host without one can't start.
            return addressDone(false) ? privacyStepTaken() : fail(.noAddress)
        }
        privacy.steps[0] = .setAddress(DeviceAddress(value, .random))
        nextPrivacyStep()
    }

    /// Schedules the next change of the host's address.
    ///
    /// - Returns: whether there is an address.
    private mutating func addressDone(_ isNew: Bool, _ new: DeviceAddress? = nil) -> Bool {
        if isNew { address = new }
        privacy.rotation = configuration.privacy?.rotation.map { now.advanced(by: max($0, .seconds(1))) }
        return address != nil
    }

    private mutating func privacyStepTaken() {
        if !privacy.steps.isEmpty { privacy.steps.removeFirst() }
        nextPrivacyStep()
    }

    /// Handles the answer to a step's command.
    mutating func privacyAnswered(_ opcode: HCIOpcode, _ status: HCIStatus) {
        guard let step = privacy.steps.first else { return }
        let isDone = status == .success
        if !isDone { tell(.problem(.refused(opcode, status))) }
        switch step {
        case .add(let bond):
            if isDone {
                privacy.listed.append(bond)
            } else if privacy.steps.count > 1, case .setDeviceMode = privacy.steps[1] {
                privacy.steps.remove(at: 1)
            }
        case .remove(let bond): privacy.listed.removeAll { $0.isListed(as: bond) }
        case .clearList: if isDone { privacy.listed = [] }
        case .resolve: privacy.isResolving = isDone
        case .setAddress(let new):
            guard addressDone(isDone, new) else { return fail(.refused(opcode, status)) }
        case .draw, .setTimeout, .setDeviceMode: break
        }
        privacyStepTaken()
    }

    /// Adapts the controller's list and the known devices to the bonds.
    mutating func bondsChanged() {
        resolver = PeerResolver(bonds)
        privacy.needsList = privacy.needsList || privacy.listSize > 0
        privacy.sightings = [:]
    }
}

// Bonded devices with private addresses: their identities and current addresses.

extension LEHost {
    /// Returns the identity of the bonded device that uses this address; otherwise the address itself.
    public func identity(of address: DeviceAddress) -> DeviceAddress { resolver.identity(of: address) }

    /// Whether both are addresses of one device, as far as the bonds show.
    func isSame(_ one: DeviceAddress, _ other: DeviceAddress) -> Bool {
        one.names(other) || identity(of: one).names(identity(of: other))
    }

    /// Returns the bond with a device, by its identity or one of its private addresses.
    func bond(with peer: DeviceAddress) -> Bond? {
        let identity = identity(of: peer)
        return bonds.first { $0.peer.names(peer) } ?? bonds.first { $0.peer.names(identity) }
    }

    /// Returns the address at which the controller must connect to a wanted device; nil while unknown.
    func target(of wanted: DeviceAddress) -> DeviceAddress? {
        let seen = privacy.sightings[identity(of: wanted)]
        let sighting = seen.flatMap { $0.until > now ? $0.address : nil }
        // A controller that can't scan and connect at once must receive any device before it connects.
        if isHidden(wanted) || scanner.yieldsToInitiator && hasHidden { return sighting }
        return bond(with: wanted)?.peer.withPlainKind ?? wanted
    }

    /// Whether a device may have a private address that the controller does not resolve.
    private func isHidden(_ wanted: DeviceAddress) -> Bool {
        guard let bond = bond(with: wanted), bond.identityKey != nil else { return false }
        return !privacy.resolves(bond)
    }

    private var hasHidden: Bool { initiator.wanted.contains { isHidden($0) } }

    /// Whether a scan is needed to find a wanted device.
    var isSeeking: Bool {
        initiator.wanted.contains { wanted in
            isHidden(wanted) && target(of: wanted) == nil && !links.contains { isSame($0.link.peer, wanted) }
        }
    }

    /// Records the address at which a connectable device advertises.
    mutating func noteSighting(of identity: DeviceAddress, at address: DeviceAddress) {
        let isWanted = initiator.wanted.contains { isSame($0, identity) }
        guard isWanted || bonds.contains(where: { $0.identityKey != nil && $0.peer.names(identity) }) else {
            return
        }
        let before = privacy.sightings[identity]?.address
        privacy.sightings[identity] = PrivacyState.Sighting(
            address: address.withPlainKind, until: now.advanced(by: PrivacyState.sightingTime))
        if isWanted, before != address.withPlainKind { reconcileInitiator() }
    }
}

/// Privacy settings that hide a host's identity from devices without a bond.
///
/// Source: Core Specification, Vol 3, Part C, 10.7; Vol 6, Part B, 1.3.2.2 and 6.
public struct HostPrivacy: Hashable, Sendable {
    /// The key that generates its private addresses and is given to devices that pair: 16 bytes, most
    /// significant first.
    ///
    /// It must not change as long as there are bonds.
    public var identityKey: SecretKey
    /// Lifetime of a private address; nil for a host that uses its identity address on the air.
    public var rotation: Duration? = .seconds(15 * 60)
    /// Whether the controller, if it can, resolves the private addresses of bonded devices.
    public var usesResolvingList = true
    /// Whether a resolving controller also accepts bonded devices at their identity address (device privacy
    /// mode), since not all devices with a key use private addresses.
    public var hearsIdentities = true

    public init(identityKey: SecretKey) { self.identityKey = identityKey }
}

/// A host's state for private addresses, its own and those of others.
struct PrivacyState: Sendable {
    /// A command for the controller while it neither advertises, scans nor connects, as these commands
    /// require.
    enum Step: Sendable {
        case setTimeout(UInt16)
        case clearList
        case remove(Bond)
        case add(Bond)
        case setDeviceMode(DeviceAddress)
        case resolve
        case draw
        case setAddress(DeviceAddress)
    }

    /// The address of a bonded device that is advertising, and its expiry.
    struct Sighting: Sendable {
        var address: DeviceAddress
        var until: Instant
    }

    /// Time during which a received address is used for connecting.
    ///
    /// The device may change its address meanwhile and be received again. Longer than two of the longest
    /// advertising intervals.
    static let sightingTime: Duration = .seconds(30)

    /// Remaining commands; the first is in progress.
    var steps: [Step] = []
    /// Time of the next change of the host's address.
    var rotation: Instant?
    var needsAddress = false
    var needsList = true
    /// Capacity of the controller's list; 0 if it is not used.
    var listSize = 0
    var setsTimeout = false
    /// Bonds in the controller's list.
    var listed: [Bond] = []
    /// Whether the controller resolves addresses.
    var isResolving = false
    /// By the devices' identities.
    var sightings: [DeviceAddress: Sighting] = [:]

    /// Whether the controller resolves the private addresses of a bonded device.
    func resolves(_ bond: Bond) -> Bool { isResolving && listed.contains { $0.isListed(as: bond) } }

    /// Reads the controller's supported commands; returns whether its resolving list can be used.
    ///
    /// Source: Core Specification, Vol 4, Part E, 6.27.
    mutating func take(_ commands: [UInt8], _ privacy: HostPrivacy) -> Bool {
        let has = { (octet: Int, bits: UInt8) in octet < commands.count && commands[octet] & bits == bits }
        setsTimeout = has(35, 1 << 2)
        // Without LE Set Privacy Mode, a device with a key is not accepted at its identity address.
        return has(34, 0b0111_1000) && has(35, 1 << 1) && (!privacy.hearsIdentities || has(39, 1 << 2))
    }
}

extension Bond {
    /// Whether both are equal in a resolving list.
    func isListed(as other: Bond) -> Bool { peer.names(other.peer) && identityKey == other.identityKey }
}

/// Resolves private addresses of bonded devices.
struct PeerResolver: Sendable {
    private static let limit = 1024
    private var resolver = PrivateAddressResolver()
    private var identities: [DeviceAddress] = []
    private var answers: [DeviceAddress: DeviceAddress] = [:]

    init(_ bonds: [Bond]) {
        for bond in bonds {
            guard let key = bond.identityKey, (try? resolver.add(identityResolvingKey: key.octets)) != nil
            else { continue }
            identities.append(bond.peer.withPlainKind)
        }
    }

    /// Returns the identity behind a private address; any other address unchanged.
    func identity(of address: DeviceAddress) -> DeviceAddress {
        let plain = address.withPlainKind
        guard plain.isResolvablePrivate, let place = resolver.resolve(plain.value) else { return plain }
        return identities[place]
    }

    /// Does the same with a cache, for addresses that are seen repeatedly.
    mutating func seen(_ address: DeviceAddress) -> DeviceAddress {
        guard address.isResolvablePrivate, !identities.isEmpty else { return address.withPlainKind }
        if let known = answers[address] { return known }
        if answers.count >= Self.limit { answers = [:] }
        let identity = identity(of: address)
        answers[address] = identity
        return identity
    }
}

/// The identity resolving key of a host, in the form stored with its bonds: in hexadecimal.
public struct IdentityKey: Hashable, Sendable {
    let key: SecretKey

    /// Generates a new key.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        key = SecretKey(try entropy.octets(16, for: .identityKey))
    }
}

extension IdentityKey: Codable {
    /// Decodes the key; throws if it is not 16 bytes in hexadecimal.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let octets = try? Hex.octets(try value.decode(String.self)), octets.count == 16 else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "not 16 octets in hexadecimal")
        }
        key = SecretKey(octets)
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Hex.text(key.octets))
    }
}

extension HostPrivacy {
    /// Creates privacy settings.
    ///
    /// - Parameter key: stored with the bonds.
    public init(_ key: IdentityKey) { self.init(identityKey: key.key) }
}
