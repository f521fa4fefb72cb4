import BluetoothCore
import Foundation
import LEHost
import Runtime

// A bonded device is one peripheral whatever its address: programs know it by the address under which it was
// first met, the host by its identity.
extension BluetoothAdapter {
    /// Returns the host's privacy settings; nil if it keeps no bonds and uses no private address.
    static func privacy(
        _ configuration: Configuration, _ file: BondFile?, _ entropy: any Entropy
    ) -> HostPrivacy? {
        guard configuration.usesPrivateAddress || configuration.bonds != nil,
            let new = try? IdentityKey(entropy)
        else { return nil }
        // If the key can't be stored, neither can bonds, which is reported when the first bond is made.
        var privacy = HostPrivacy((try? file?.identityKey(orKeep: new)) ?? new)
        if !configuration.usesPrivateAddress { privacy.rotation = nil }
        return privacy
    }

    /// Returns the address by which programs know a device.
    func known(_ address: DeviceAddress) -> DeviceAddress { acquaintances.current.known(address) }

    /// The open links, with peers under the addresses that programs know.
    var openLinks: [Link] {
        askHost { $0.openLinks }.map { link in
            var link = link
            link.peer = known(link.peer)
            return link
        }
    }

    /// Records the identity of the peer on a link that has just been paired.
    func learnIdentity(of link: LinkID) {
        let found = askHost { host in
            host.openLinks.first { $0.id == link }.map { ($0.peer, host.identity(of: $0.peer)) }
        }
        guard let (peer, identity) = found else { return }
        acquaintances.change { $0.learn(identity, of: peer) }
    }

    /// Returns a host event with devices under the addresses that programs know.
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
