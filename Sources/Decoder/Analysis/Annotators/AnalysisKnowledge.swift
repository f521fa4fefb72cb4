import Crypto
import LinkLayer
public import Profiles
public import UQDK

/// The knowledge with which an analysis starts.
public struct AnalysisKnowledge: Sendable {
    /// The digital-key protocol's dialects and keys.
    public var uqdk: UQDKKnowledge
    /// The private protocols that profiles describe.
    public var profiles: ProfileSet
    /// Attribute databases and identities of devices.
    public var gatt: GATTKnowledge

    /// Creates knowledge of reference format 1 and the shipped profiles only, unless more is given.
    public init(
        uqdk: UQDKKnowledge = UQDKKnowledge(),
        profiles: ProfileSet = ProfileSet([], tried: ProfileSource.shipped),
        gatt: GATTKnowledge = GATTKnowledge()
    ) {
        self.uqdk = uqdk
        self.profiles = profiles
        self.gatt = gatt
    }

    /// The databases and identities, including those of the peers in the keys file.
    var allGATT: GATTKnowledge {
        var all = gatt
        for peer in uqdk.keys.peers {
            if let irk = peer.irk { all.add(irk: irk, of: peer.address) }
        }
        return all
    }

    /// The profiles, with the keys of the keys file that open their fields.
    var keyedProfiles: ProfileSet {
        var all = profiles
        all.keys = uqdk.keys.profiles
        return all
    }

    /// The keys of the keys file that may decrypt links on the air; keys that fit no algorithm are left out.
    var linkKeys: LinkKeys {
        var all = LinkKeys()
        for peer in uqdk.keys.peers {
            if let key = peer.ltk {
                var diversifier: LinkKeys.Diversifier?
                if let ediv = peer.ediv, let rand = peer.rand { diversifier = .init(ediv: ediv, rand: rand) }
                try? all.add(longTermKey: SecretKey(key), diversifier: diversifier, device: peer.address)
            }
            if let passkey = peer.passkey { all.add(passkey: passkey) }
            if let key = peer.oob { try? all.add(temporaryKey: SecretKey(key)) }
        }
        for key in uqdk.keys.privateKeys { try? all.add(privateKey: SecretKey(key)) }
        return all
    }
}
