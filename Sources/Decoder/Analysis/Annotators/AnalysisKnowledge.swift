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
}
