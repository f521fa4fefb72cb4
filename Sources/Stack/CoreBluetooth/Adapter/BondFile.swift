import Adapters
import BluetoothCore
import Crypto
import Foundation
public import LEHost
import WireBytes

/// The bonds of an adapter, in a file of its user's alone: version 1 of a JSON object with `version` and
/// `bonds`. Keys stand in it as they are; nothing else shows them.
struct BondFile: Sendable {
    private struct Contents: Codable {
        var version = BondFile.version
        var bonds: [Entry]
    }

    private struct Entry: Codable {
        struct Key: Codable {
            var key: String
            var ediv: UInt16
            var rand: UInt64
        }

        var address: String
        /// The address's kind, as HCI numbers it.
        var kind: UInt8
        var identityKey: String?
        var asCentral: Key?
        var asPeripheral: Key?
        var isAuthenticated: Bool
        var isSecureConnections: Bool
        var keySize: UInt8
    }

    /// Why a file can't be used: it is kept as it is, and the bonds of this process are not.
    enum Problem: Error {
        case unreadable
        case version(Int)
        case unwritable
    }

    private static let version = 1
    private let file: URL

    init(_ file: URL) { self.file = file }

    /// The bonds that are kept; none where there is no file.
    func load() throws(Problem) -> [Bond] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        guard let data = try? Data(contentsOf: file), data.count < 1 << 22 else { throw .unreadable }
        struct Version: Codable { var version: Int }
        guard let found = try? JSONDecoder().decode(Version.self, from: data) else { throw .unreadable }
        guard found.version == Self.version else { throw .version(found.version) }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data) else { throw .unreadable }
        var bonds: [Bond] = []
        for entry in contents.bonds {
            guard let bond = Self.bond(entry) else { throw .unreadable }
            bonds.append(bond)
        }
        return bonds
    }

    /// Keeps these bonds and no others: all of them, or, where that fails, those that were kept before.
    func save(_ bonds: [Bond]) throws(Problem) {
        do {
            try PrivateFile.keep(Contents(bonds: bonds.map(Self.entry)), in: file)
        } catch {
            throw .unwritable
        }
    }

    private static func entry(_ bond: Bond) -> Entry {
        func key(_ key: LongTermKey) -> Entry.Key {
            Entry.Key(key: Hex.text(key.key.octets), ediv: key.ediv, rand: key.rand)
        }
        return Entry(
            address: "\(DeviceAddress(bond.peer.value, .public))", kind: bond.peer.kind.rawValue,
            identityKey: bond.identityKey.map { Hex.text($0.octets) }, asCentral: bond.asCentral.map(key),
            asPeripheral: bond.asPeripheral.map(key), isAuthenticated: bond.security.isAuthenticated,
            isSecureConnections: bond.security.isSecureConnections, keySize: bond.security.keySize)
    }

    private static func bond(_ entry: Entry) -> Bond? {
        func secret(_ text: String) -> SecretKey? {
            (try? Hex.octets(text)).flatMap { $0.count == 16 ? SecretKey($0) : nil }
        }
        func key(_ key: Entry.Key) -> LongTermKey? {
            secret(key.key).map { LongTermKey($0, ediv: key.ediv, rand: key.rand) }
        }
        guard var peer = DeviceAddress(entry.address, kind: .public),
            let kind = DeviceAddress.Kind(rawValue: entry.kind), (7...16).contains(entry.keySize)
        else { return nil }
        peer.kind = kind
        var security = LinkSecurity()
        security.isEncrypted = true
        security.isAuthenticated = entry.isAuthenticated
        security.isSecureConnections = entry.isSecureConnections
        security.keySize = entry.keySize
        var bond = Bond(peer: peer, security: security)
        bond.identityKey = entry.identityKey.flatMap(secret)
        bond.asCentral = entry.asCentral.flatMap(key)
        bond.asPeripheral = entry.asPeripheral.flatMap(key)
        // A key that can't be read is no bond without it.
        guard (bond.identityKey == nil) == (entry.identityKey == nil),
            (bond.asCentral == nil) == (entry.asCentral == nil),
            (bond.asPeripheral == nil) == (entry.asPeripheral == nil)
        else { return nil }
        return bond
    }
}

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
        put(.setBonds(bonds))
        keep(bonds)
    }

    /// The bonds of earlier processes; where the file can't be used it is left alone, and a line says so.
    static func bonds(_ configuration: Configuration) -> (bonds: [Bond], file: BondFile?) {
        guard let place = configuration.bonds else { return ([], nil) }
        let file = BondFile(place)
        do throws(BondFile.Problem) {
            return (try file.load(), file)
        } catch {
            let why =
                switch error {
                case .version(let version): "version \(version) of bonds is not known"
                default: "no file of bonds"
                }
            configuration.log?("\(place.path): \(why); it is left as it is, and new bonds are not kept")
            return ([], nil)
        }
    }

    private func keep(_ bonds: [Bond]) {
        guard let file = bondFile else { return }
        do throws(BondFile.Problem) {
            try file.save(bonds)
        } catch {
            configuration.log?("the bonds can't be kept in \(configuration.bonds?.path ?? "")")
        }
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
            if bond != nil { keep(host.bonds) }
            secured(link, .success(host.security(of: link)))
        case .pairingFailed(let link, let failure): secured(link, .failure(failure))
        case .disconnected(let link, _, _): secured(link, .failure(.disconnected))
        case .securityChanged(let link, let security):
            // Without a pairing, by the bond.
            if security.isEncrypted, !host.isPairing(link) { secured(link, .success(security)) }
        case .pairingAsks(let link, let question):
            guard let agent = configuration.pairingAgent, let peer = host.peer(of: link) else {
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
