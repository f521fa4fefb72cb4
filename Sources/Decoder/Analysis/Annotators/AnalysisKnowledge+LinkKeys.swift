import Crypto
import LinkLayer
import UQDK

extension AnalysisKnowledge {
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
