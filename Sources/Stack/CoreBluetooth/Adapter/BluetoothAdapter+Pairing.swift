import BluetoothCore
public import Foundation
public import LEHost

/// How a program answers what a pairing asks of a person: the question, the device's identifier, and what
/// takes the answer, once.
public typealias PairingAgent =
    @Sendable (PairingQuestion, UUID, @escaping @Sendable (PairingAnswer) -> Void) -> Void

// Pairing and bonds, as programs see them. Not part of Apple's API, where the system asks the person.
extension BluetoothAdapter {
    /// The file in which the bonds of this user's programs are kept: `blecap/bonds.json` in XDG_STATE_HOME.
    public static var bondsOfUser: URL { PeerMemory.fileOfUser("bonds.json") }

    /// The bonds that the adapter has.
    public var bonds: [Bond] { host.bonds }

    /// Has these bonds from now on, for links that are made later; they are kept where
    /// ``Configuration/bonds`` says.
    public func setBonds(_ bonds: [Bond]) {
        let old = self.bonds
        put(.setBonds(bonds))
        keep(bonds, inPlaceOf: old)
    }

    /// Pairs by this policy from the next pairing on, but for out of band data. A host that had neither a
    /// policy nor bonds when it was switched on is not told that a central wants its key.
    public func setSecurity(_ policy: SecurityPolicy) { put(.setSecurity(policy)) }

    /// The bonds of earlier processes; where the file can't be used it is left alone, and a line says so.
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

    /// Makes the link to a device secure: by the bond, else by pairing, where it is not encrypted already.
    public func secure(_ peer: DeviceAddress) {
        guard let link = openLinks.first(where: { $0.peer.names(known(peer)) })?.id else { return }
        secure(link) { _ in }
    }

    /// Has a link encrypted, where it is not.
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

    /// Takes what the host tells of pairings.
    func takeSecurity(_ event: HostEvent) {
        switch event {
        case .paired(let link, let bond):
            if let bond { keep([bond]) }
            secured(link, .success(host.security(of: link)))
        case .bondChanged(_, let bond): keep([bond])
        case .pairingFailed(let link, let failure): secured(link, .failure(failure))
        case .disconnected(let link, _, _): secured(link, .failure(.disconnected))
        case .securityChanged(let link, let security):
            // Without a pairing, by the bond.
            if security.isEncrypted, !host.isPairing(link) { secured(link, .success(security)) }
        case .pairingAsks(let link, let question):
            guard let agent = configuration.pairingAgent,
                let peer = host.openLinks.first(where: { $0.id == link })?.peer
            else {
                // Nobody is there who could say anything else.
                return put(.answerPairing(.no, on: link))
            }
            agent(question, identifier(of: peer)) { [weak self] answer in
                self?.submit { $0.put(.answerPairing(answer, on: link)) }
            }
        default: break
        }
    }
}
