import Foundation
import LEHost

/// The bonds of an adapter and the key of its private addresses, in a ``PrivateDocument``, version 1:
/// `identityKey` and `bonds`. Keys stand in it as they are; nothing else shows them.
struct BondFile: Sendable {
    private struct Contents: Codable {
        var identityKey: IdentityKey?
        var bonds: [Bond] = []
    }

    private let document: PrivateDocument<Contents>

    init(_ file: URL) { document = PrivateDocument(file) }

    /// The bonds that are kept; none where there is no file.
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

    /// Forgets bonds with the devices of some, and keeps others in their place. What other processes have
    /// kept meanwhile stays; where it fails, all stays.
    func replace(_ old: [Bond], with new: [Bond]) throws(PrivateDocumentError) {
        try document.update { () throws(PrivateDocumentError) in
            var kept = try document.load() ?? Contents()
            kept.bonds.removeAll { bond in (old + new).contains { $0.peer.names(bond.peer) } }
            kept.bonds += new
            return kept
        }
    }
}
