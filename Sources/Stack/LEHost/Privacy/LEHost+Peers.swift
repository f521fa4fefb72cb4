public import BluetoothCore
import Crypto
import Runtime

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
