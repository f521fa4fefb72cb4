import BluetoothCore
import Foundation
import LEHost
import Runtime

// A bonded device is one peripheral, whatever address it has: programs know it by the address that they met
// it at, the host by its identity.
extension BluetoothAdapter {
    /// How the host hides its identity; nil where it keeps no bonds and need not.
    static func privacy(
        _ configuration: Configuration, _ file: BondFile?, _ entropy: any Entropy
    ) -> HostPrivacy? {
        guard configuration.usesPrivateAddress || configuration.bonds != nil,
            let new = try? IdentityKey(entropy)
        else { return nil }
        // Where it can't be kept, the bonds can't either, which is said when there is one.
        var privacy = HostPrivacy((try? file?.identityKey(orKeep: new)) ?? new)
        if !configuration.usesPrivateAddress { privacy.rotation = nil }
        return privacy
    }

    /// The address by which programs know a device.
    func known(_ address: DeviceAddress) -> DeviceAddress { acquaintances.current.known(address) }

    /// Links that are open, with the peers as programs know them.
    var openLinks: [Link] {
        askHost { $0.openLinks }.map { link in
            var link = link
            link.peer = known(link.peer)
            return link
        }
    }

    /// Learns who is at the other end of a link, which has just been paired.
    func learnIdentity(of link: LinkID) {
        let found = askHost { host in
            host.openLinks.first { $0.id == link }.map { ($0.peer, host.identity(of: $0.peer)) }
        }
        guard let (peer, identity) = found else { return }
        acquaintances.change { $0.learn(identity, of: peer) }
    }

    /// News of the host, with the devices as programs know them.
    func known(_ event: HostEvent) -> HostEvent {
        switch event {
        case .advertisement(var advertisement):
            advertisement.address = known(advertisement.address)
            return .advertisement(advertisement)
        case .connected(var link):
            link.peer = known(link.peer)
            return .connected(link)
        case .connectFailed(let address, let status): return .connectFailed(known(address), status)
        case .disconnected(let link, let address, let reason):
            return .disconnected(link, known(address), reason)
        default: return event
        }
    }
}
