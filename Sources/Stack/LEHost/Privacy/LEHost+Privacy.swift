public import BluetoothCore
import Crypto
import Runtime

// The host's private address, and the controller's resolving list. Both can only change while the controller
// does nothing that uses them, so advertising, scanning and connecting pause for the change.

extension LEHost {
    /// Whether the controller must not advertise, scan or connect now.
    var isPaused: Bool {
        configuration.privacy != nil
            && (privacy.needsAddress || privacy.needsList || !privacy.steps.isEmpty)
    }

    /// Whether the host uses a private address.
    var isPrivate: Bool { configuration.privacy?.rotation != nil }

    private var isQuiet: Bool {
        scanner.active == nil && !scanner.isBusy && advertiser.active == nil && !advertiser.isBusy
            && !initiator.isCreating
    }

    /// The time at which the host's privacy needs a call; nil if nothing waits.
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

    /// Starts the privacy changes that wait, once the controller is idle.
    mutating func reconcilePrivacy() {
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

    /// Adapts the controller's list and the resolver to the bonds.
    mutating func bondsChanged() {
        resolver = PeerResolver(bonds)
        privacy.needsList = privacy.needsList || privacy.listSize > 0
        privacy.sightings = [:]
    }
}

// The identities and current addresses of bonded devices with private addresses.

extension LEHost {
    /// Returns the identity of the bonded device with this address; for other addresses, the address itself.
    public func identity(of address: DeviceAddress) -> DeviceAddress { resolver.identity(of: address) }

    /// Whether both addresses are of one device, as far as the bonds show.
    func isSame(_ one: DeviceAddress, _ other: DeviceAddress) -> Bool {
        one.names(other) || identity(of: one).names(identity(of: other))
    }

    /// Returns the bond with a device, found by its identity or by one of its private addresses.
    func bond(with peer: DeviceAddress) -> Bond? {
        let identity = identity(of: peer)
        return bonds.first { $0.peer.names(peer) } ?? bonds.first { $0.peer.names(identity) }
    }

    /// Returns the address at which the controller must connect to a wanted device; nil while it is unknown.
    func target(of wanted: DeviceAddress) -> DeviceAddress? {
        let seen = privacy.sightings[identity(of: wanted)]
        let sighting = seen.flatMap { $0.until > now ? $0.address : nil }
        // A controller that can't scan and connect at once must receive each device before it connects.
        if isHidden(wanted) || scanner.yieldsToInitiator && hasHidden { return sighting }
        return bond(with: wanted)?.peer.withPlainKind ?? wanted
    }

    /// Whether a device may use a private address that the controller does not resolve.
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
