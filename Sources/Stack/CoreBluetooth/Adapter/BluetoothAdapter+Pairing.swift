import BluetoothCore
public import Foundation
public import LEHost

/// Answers a question that a pairing asks a person.
///
/// It gets the question, the device's identifier, and a completion to call once with the answer.
public typealias PairingAgent =
    @Sendable (PairingQuestion, UUID, @escaping @Sendable (PairingAnswer) -> Void) -> Void

// Pairing and bonds, as programs see them. Not part of Apple's API, where the system asks the person.
extension BluetoothAdapter {
    /// The file of the bonds of this user's programs: `blecap/bonds.json` in XDG_STATE_HOME.
    public static var bondsOfUser: URL { PeerMemory.fileOfUser("bonds.json") }

    /// The adapter's bonds.
    public var bonds: [Bond] { host.bonds }

    /// Replaces the bonds, for later links; they are stored in the file of ``Configuration/bonds``.
    public func setBonds(_ bonds: [Bond]) {
        let old = self.bonds
        put(.setBonds(bonds))
        keep(bonds, inPlaceOf: old)
    }

    /// Takes a server's attributes as known on later links to its address, as a phone does that discovered
    /// them earlier; an empty cache ends that.
    public func assume(_ cache: AttributeCache, of peer: DeviceAddress) { put(.assume(cache, of: peer)) }

    /// Sets the policy for later pairings, except for out of band data.
    ///
    /// If the host had neither a policy nor bonds when it was powered on, its controller doesn't report that
    /// a central requests its key.
    public func setSecurity(_ policy: SecurityPolicy) { put(.setSecurity(policy)) }

    /// Returns the bonds of earlier processes; an unusable file is left alone and logged.
    static func bonds(_ configuration: Configuration) -> (bonds: [Bond], file: BondFile?) {
        guard let place = configuration.bonds else { return ([], nil) }
        let file = BondFile(place)
        do throws(PrivateDocumentError) {
            return (try file.load(), file)
        } catch {
            let why =
                switch error {
                case .version(let version): "version \(version) of bonds is not known"
                case .openToOthers: "others can read it"
                default: "no file of bonds"
                }
            configuration.log?("\(place.path): \(why); it is left as it is, and new bonds are not kept")
            return ([], nil)
        }
    }

    private func keep(_ new: [Bond], inPlaceOf old: [Bond] = []) {
        guard let file = bondFile else { return }
        do throws(PrivateDocumentError) {
            try file.replace(old, with: new)
        } catch {
            configuration.log?("the bonds can't be kept in \(configuration.bonds?.path ?? "")")
        }
    }

    /// Secures the link to a device with the bond, or else by pairing, unless it is already encrypted.
    public func secure(_ peer: DeviceAddress) {
        guard let link = openLinks.first(where: { $0.peer.names(known(peer)) })?.id else { return }
        secure(link) { _ in }
    }

    /// Encrypts a link, unless it is already encrypted.
    func secure(
        _ link: LinkID, _ completion: @escaping @Sendable (Result<LinkSecurity, PairingFailure>) -> Void
    ) {
        let security = host.security(of: link)
        guard !security.isEncrypted else { return completion(.success(security)) }
        securing.change { $0[link, default: []].append(completion) }
        put(.secure(link))
    }

    private func secured(_ link: LinkID, _ result: Result<LinkSecurity, PairingFailure>) {
        for completion in securing.change({ $0.removeValue(forKey: link) }) ?? [] { completion(result) }
    }

    /// Handles the host's events about pairing.
    func takeSecurity(_ event: HostEvent) {
        switch event {
        case .paired(let link, let bond):
            if let bond { keep([bond]) }
            secured(link, .success(host.security(of: link)))
        case .bondChanged(_, let bond): keep([bond])
        case .pairingIsLegacy(_, let isAccepted):
            let end =
                switch isAccepted {
                case true: "the bond is not authenticated"
                case false where configuration.host.security?.needsSecureConnections == true: "refused"
                case false: "refused; `--allow-legacy` (acceptsLegacyPairing) accepts it"
                }
            configuration.log?("legacy pairing, in which nobody notices someone in the middle: \(end)")
        case .pairingFailed(let link, let failure): secured(link, .failure(failure))
        case .disconnected(let link, _, _): secured(link, .failure(.disconnected))
        case .securityChanged(let link, let security):
            // Encrypted by the bond, without a pairing.
            if security.isEncrypted, !host.isPairing(link) { secured(link, .success(security)) }
        case .pairingAsks(let link, let question):
            guard let agent = configuration.pairingAgent,
                let peer = host.openLinks.first(where: { $0.id == link })?.peer
            else {
                // Nobody can be asked.
                return put(.answerPairing(.no, on: link))
            }
            agent(question, identifier(of: peer)) { [weak self] answer in
                self?.submit { $0.put(.answerPairing(answer, on: link)) }
            }
        default: break
        }
    }
}

/// The bonds of an adapter and the key of its private addresses, in a ``PrivateDocument``, version 1:
/// `identityKey` and `bonds`.
///
/// The file has the keys in clear; nothing else shows them.
struct BondFile: Sendable {
    private struct Contents: Codable {
        var identityKey: IdentityKey?
        var bonds: [Bond] = []
    }

    private let document: PrivateDocument<Contents>

    init(_ file: URL) { document = PrivateDocument(file) }

    /// Returns the stored bonds; empty if there is no file.
    func load() throws(PrivateDocumentError) -> [Bond] { try document.load()?.bonds ?? [] }

    /// Returns the identity key in the file, and writes `new` there first if the file has none.
    func identityKey(orKeep new: IdentityKey) throws(PrivateDocumentError) -> IdentityKey {
        var key = new
        try document.update { () throws(PrivateDocumentError) in
            var kept = try document.load() ?? Contents()
            if let there = kept.identityKey {
                key = there
                return nil
            }
            kept.identityKey = new
            return kept
        }
        return key
    }

    /// Removes the bonds with the peers of `old` and `new`, and adds `new`.
    ///
    /// Bonds that other processes stored meanwhile stay; on failure nothing changes.
    func replace(_ old: [Bond], with new: [Bond]) throws(PrivateDocumentError) {
        try document.update { () throws(PrivateDocumentError) in
            var kept = try document.load() ?? Contents()
            kept.bonds.removeAll { bond in (old + new).contains { $0.peer.names(bond.peer) } }
            kept.bonds += new
            return kept
        }
    }
}
