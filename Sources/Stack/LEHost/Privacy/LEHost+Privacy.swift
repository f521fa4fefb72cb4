public import BluetoothCore
public import Crypto
public import Runtime
import WireBytes

// The host's private address, and the controller's resolving list. Both can only change while the controller
// does nothing that uses them, so advertising, scanning and connecting pause for the change.

extension LEHost {
    /// Whether the controller must not advertise, scan or connect now.
    var isPaused: Bool {
        configuration.privacy != nil
            && (privacy.needsAddress || privacy.needsList || !privacy.steps.isEmpty)
    }

    var isPrivate: Bool { configuration.privacy?.rotation != nil }

    private var isQuiet: Bool {
        scanner.active == nil && !scanner.isBusy && advertiser.active == nil && !advertiser.isBusy
            && !initiator.isCreating
    }

    /// The time at which the host's privacy needs a call; nil if nothing waits.
    var privacyDeadline: Instant? {
        var earliest = privacy.rotation
        if !initiator.wanted.isEmpty {
            earliest.lower(to: privacy.sightings.values.lazy.map(\.until).min())
        }
        return earliest
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

    /// Adapts the host's privacy to the bonds, and starts the changes that wait once the controller is idle.
    mutating func reconcilePrivacy() {
        if context.hasChangedBonds {
            context.hasChangedBonds = false
            privacy.needsList = privacy.needsList || privacy.listSize > 0
            privacy.sightings = [:]
        }
        guard state == .ready, isPaused, privacy.steps.isEmpty else { return }
        guard isQuiet else {
            reconcileAdvertiser()
            reconcileInitiator()
            return reconcileScanner()
        }
        beginPrivacy()
    }

    /// Starts the privacy commands, during which the controller does nothing else.
    mutating func beginPrivacy() {
        var steps: [PrivacyState.Step] = []
        if privacy.needsList { steps += listSteps() }
        if privacy.needsAddress { steps.append(.draw) }
        privacy.needsList = false
        privacy.needsAddress = false
        privacy.steps = steps
        nextPrivacyStep()
    }

    /// Returns the commands after which the controller's list equals the bonds.
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
        case .draw: context.effects.append(.drawAddress)
        case .setAddress(let address): send(LESetRandomAddress(randomAddress: address), for: .privacy)
        case .setTimeout(let seconds):
            send(LESetResolvablePrivateAddressTimeout(rpaTimeout: seconds), for: .privacy)
        case .resolve: send(LESetAddressResolutionEnable(addressResolutionEnable: 1), for: .privacy)
        case .clearList: send(LEClearResolvingList(), for: .privacy)
        case .add(let bond): add(bond)
        case .remove(let bond):
            send(
                LERemoveDeviceFromResolvingList(
                    peerIdentityAddressType: bond.peer.hciType, peerIdentityAddress: bond.peer), for: .privacy
            )
        case .setDeviceMode(let peer):
            send(
                LESetPrivacyMode(
                    peerIdentityAddressType: peer.hciType, peerIdentityAddress: peer, privacyMode: 1),
                for: .privacy)
        }
    }

    private mutating func add(_ bond: Bond) {
        let own = configuration.privacy?.identityKey.octets ?? []
        send(
            LEAddDeviceToResolvingList(
                peerIdentityAddressType: bond.peer.hciType, peerIdentityAddress: bond.peer,
                peerIRK: bond.identityKey?.octets.reversed() ?? [], localIRK: own.reversed()), for: .privacy)
    }

    /// Handles the random bytes for the host's next address.
    mutating func takeAddressRandomness(_ octets: [UInt8]?) {
        guard case .draw? = privacy.steps.first, let policy = configuration.privacy else { return }
        let bits = octets.flatMap { $0.count == 3 ? $0.reduce(0) { $0 << 8 | UInt32($1) } : nil }
        let key = policy.identityKey.octets
        guard let bits, let value = try? PrivateAddressResolver.address(key: key, random: bits) else {
            // Without random bytes the current address stays; a host without an address can't start.
            return addressDone(false) ? privacyStepTaken() : fail(.noAddress)
        }
        privacy.steps[0] = .setAddress(DeviceAddress(value, .random))
        nextPrivacyStep()
    }

    /// Schedules the next change of the host's address.
    ///
    /// - Returns: whether the host has an address.
    private mutating func addressDone(_ isNew: Bool, _ new: DeviceAddress? = nil) -> Bool {
        if isNew { address = new }
        privacy.rotation = configuration.privacy?.rotation.map { now.advanced(by: max($0, .seconds(1))) }
        return address != nil
    }

    private mutating func privacyStepTaken() {
        if !privacy.steps.isEmpty { privacy.steps.removeFirst() }
        nextPrivacyStep()
    }

    /// Handles the answer to the command of a step.
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
}

// The identities and current addresses of bonded devices with private addresses.

extension LEHost {
    /// Returns the identity of the bonded device with this address; for other addresses, the address itself.
    public func identity(of address: DeviceAddress) -> DeviceAddress {
        context.resolver.identity(of: address)
    }

    /// Whether both addresses are of one device, as far as the bonds show.
    func isSame(_ one: DeviceAddress, _ other: DeviceAddress) -> Bool {
        one.names(other) || identity(of: one).names(identity(of: other))
    }

    /// Returns the address at which the controller must connect to a wanted device; nil while it is unknown.
    func target(of wanted: DeviceAddress) -> DeviceAddress? {
        let seen = privacy.sightings[identity(of: wanted)]
        let sighting = seen.flatMap { $0.until > now ? $0.address : nil }
        // A controller that can't scan and connect at once must receive each device before it connects.
        if isHidden(wanted) || scanner.yieldsToInitiator && hasHidden { return sighting }
        return context.bond(with: wanted)?.peer.withPlainKind ?? wanted
    }

    /// Whether a device may use a private address that the controller does not resolve.
    private func isHidden(_ wanted: DeviceAddress) -> Bool {
        guard let bond = context.bond(with: wanted), bond.identityKey != nil else { return false }
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
    /// The key for the host's private addresses, which devices get when they pair: 16 bytes, most significant
    /// first.
    ///
    /// It must not change while there are bonds.
    public var identityKey: SecretKey
    /// The lifetime of a private address; nil for a host that uses its identity address on the air.
    public var rotation: Duration? = .seconds(15 * 60)
    /// Whether the controller resolves the private addresses of bonded devices, if it can.
    public var usesResolvingList = true
    /// Whether a controller that resolves addresses also accepts bonded devices at their identity address
    /// (device privacy mode), since some devices with a key use no private addresses.
    public var hearsIdentities = true

    public init(identityKey: SecretKey) { self.identityKey = identityKey }
}

/// A host's state of private addresses, its own and those of other devices.
struct PrivacyState: Sendable {
    /// A command that the controller accepts only while it neither advertises nor scans nor connects.
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

    /// The address of a bonded device that advertises, and the time at which it expires.
    struct Sighting: Sendable {
        var address: DeviceAddress
        var until: Instant
    }

    /// Time for which a received address is used for connecting.
    ///
    /// Longer than two of the longest advertising intervals, so that a device that has changed its address is
    /// received again.
    static let sightingTime: Duration = .seconds(30)

    /// The commands that remain; the first one is in progress.
    var steps: [Step] = []
    /// Time of the next change of the host's address.
    var rotation: Instant?
    var needsAddress = false
    var needsList = true
    /// The capacity of the controller's resolving list; 0 if the list is not used.
    var listSize = 0
    var setsTimeout = false
    /// The bonds in the controller's resolving list.
    var listed: [Bond] = []
    var isResolving = false
    var sightings: [DeviceAddress: Sighting] = [:]

    /// Whether the controller resolves the private addresses of a bonded device.
    func resolves(_ bond: Bond) -> Bool { isResolving && listed.contains { $0.isListed(as: bond) } }

    /// Reads the controller's supported commands; returns whether the host can use its resolving list.
    ///
    /// Source: Core Specification, Vol 4, Part E, 6.27.
    mutating func take(_ commands: [UInt8], _ privacy: HostPrivacy) -> Bool {
        let has = { (octet: Int, bits: UInt8) in octet < commands.count && commands[octet] & bits == bits }
        setsTimeout = has(35, 1 << 2)
        // Without LE Set Privacy Mode, devices with a key would not be accepted at their identity address.
        return has(34, 0b0111_1000) && has(35, 1 << 1) && (!privacy.hearsIdentities || has(39, 1 << 2))
    }
}

extension Bond {
    /// Whether both bonds are the same entry in a resolving list.
    func isListed(as other: Bond) -> Bool { peer.names(other.peer) && identityKey == other.identityKey }
}

/// Resolves the private addresses of bonded devices.
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

    /// Returns the identity behind a private address; other addresses stay unchanged.
    func identity(of address: DeviceAddress) -> DeviceAddress {
        let plain = address.withPlainKind
        guard plain.isResolvablePrivate, let place = resolver.resolve(plain.value) else { return plain }
        return identities[place]
    }

    /// Returns the identity too, but from a cache, for addresses that are received repeatedly.
    mutating func seen(_ address: DeviceAddress) -> DeviceAddress {
        guard address.isResolvablePrivate, !identities.isEmpty else { return address.withPlainKind }
        if let known = answers[address] { return known }
        if answers.count >= Self.limit { answers = [:] }
        let identity = identity(of: address)
        answers[address] = identity
        return identity
    }
}

/// The identity resolving key of a host, in the form in which it is stored with bonds: in hexadecimal.
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
    /// - Parameter key: the key that is stored with the bonds.
    public init(_ key: IdentityKey) { self.init(identityKey: key.key) }
}
